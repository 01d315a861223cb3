//! Floor areas: m², m2, qm, kvm, mq, sq ft …, all in square metres.

use firstknock_listing::Area;

use super::number::{Number, scan};
use super::{MAX_TEXT, head, is_blank, sign, skip_blanks, tail};

/// Square metres in a square foot.
const SQUARE_FOOT: f64 = 0.092_903_04;

/// The living area of a text; of a range the lower end; plots, balconies and prices per square
/// metre are passed over.
///
/// ```
/// # use firstknock_extract::values::size;
/// assert_eq!(size("55 - 117 m²").map(|a| a.m2()), Some(55.0));
/// assert_eq!(size("€ 47,30/m2/mnd"), None);
/// ```
pub fn size(text: &str) -> Option<Area> {
    area(text, true)
}

/// [`size`], or where there is none what is called usable area ("Nutzfläche"). Beside a living area
/// it is the cellar; alone it is how some countries measure a home.
pub fn usable(text: &str) -> Option<Area> {
    area(text, false)
}

fn area(text: &str, living: bool) -> Option<Area> {
    let text = head(text, MAX_TEXT);
    let numbers = scan(text, |_| true);
    let mut outdoors = None;
    let mut previous_end = 0;
    for (i, number) in numbers.iter().enumerate() {
        let Some((factor, end)) = measured(text, number).or_else(|| led(text, number)) else {
            continue;
        };
        let before = &text[previous_end.min(number.start)..number.start];
        let is_outdoors = is_outdoors(before, &text[end..], living);
        previous_end = end;
        if sign::before(text, number.start).is_some() {
            continue;
        }
        let lower = i.checked_sub(1).and_then(|i| range_start(text, &numbers[i], number));
        let area = Area::from_m2(lower.unwrap_or(number.value()) * factor)
            .filter(|a| (1.0..=100_000.0).contains(&a.m2()));
        if area.is_some() && !is_outdoors {
            return area;
        }
        outdoors = outdoors.or(area);
    }
    // Only a plot is given: that is not the size of a home, unless nothing names it.
    None
}

/// The factor to square metres of the unit that starts a text, and the unit's length.
pub(crate) fn unit_at(text: &str) -> Option<(f64, usize)> {
    const UNITS: [(&str, f64); 31] = [
        ("m²", 1.0),
        ("m2", 1.0),
        ("m^2", 1.0),
        ("m 2", 1.0),
        ("m\u{a0}2", 1.0),
        ("m ²", 1.0),
        ("㎡", 1.0),
        ("qm", 1.0),
        ("kvm", 1.0),
        ("kvadratmet", 1.0),
        ("mq", 1.0),
        ("mtrs²", 1.0),
        ("sqm", 1.0),
        ("sq m", 1.0),
        ("sq. m", 1.0),
        ("sq.m", 1.0),
        ("square met", 1.0),
        ("quadratmeter", 1.0),
        ("vierkante meter", 1.0),
        ("metri quadr", 1.0),
        ("metros cuadrados", 1.0),
        ("metros quadrados", 1.0),
        ("mètres carrés", 1.0),
        ("metrów kw", 1.0),
        ("sq ft", SQUARE_FOOT),
        ("sqft", SQUARE_FOOT),
        ("sq. ft", SQUARE_FOOT),
        ("sq.ft", SQUARE_FOOT),
        ("square f", SQUARE_FOOT),
        ("ft²", SQUARE_FOOT),
        ("ft2", SQUARE_FOOT),
    ];
    UNITS.iter().find_map(|(unit, factor)| {
        let found = text.get(..unit.len())?;
        if !found.eq_ignore_ascii_case(unit) {
            return None;
        }
        let rest = &text[unit.len()..];
        let goes_on = match unit.chars().next_back() {
            // "m2" is not the start of "m25", "qm" not of "qmx", "sqm" not of "sqmile".
            Some('2') => rest.starts_with(|c: char| c.is_ascii_digit()),
            _ if unit.len() <= 3 && unit.is_ascii() => rest.starts_with(char::is_alphabetic),
            _ => false,
        };
        (!goes_on).then_some((*factor, unit.len()))
    })
}

/// The factor of the unit behind a number, and where the unit ends.
fn measured(text: &str, number: &Number) -> Option<(f64, usize)> {
    let at = skip_blanks(text, number.end);
    if at - number.end > 6 {
        return None;
    }
    let (factor, len) = unit_at(&text[at..])?;
    Some((factor, at + len))
}

/// "mq 75": where the unit stands before its number, it belongs to no number before it.
fn led(text: &str, number: &Number) -> Option<(f64, usize)> {
    let before = text[..number.start].trim_end_matches(|c: char| is_blank(c) || c == ':');
    let unit = ["mq", "m²", "m2", "sqm", "qm"].into_iter().find_map(|unit| {
        let rest = before.get(..before.len().checked_sub(unit.len())?)?;
        before[rest.len()..].eq_ignore_ascii_case(unit).then_some(rest)
    })?;
    let unit = unit.trim_end_matches(is_blank);
    let is_own = unit.is_empty() || unit.ends_with(['.', ',', '|', '·', '•', '-', '–', '(', ':']);
    let goes_on = text[number.end..].starts_with(|c: char| c.is_alphanumeric() || c == '/');
    let counts = super::rooms::unit_at(text[number.end..].trim_start_matches(is_blank));
    (is_own && !goes_on && !counts && sign::after(text, number.end).is_none())
        .then_some((1.0, number.end))
}

/// "55 - 117 m²": the number before, if both are ends of one range.
fn range_start(text: &str, lower: &Number, upper: &Number) -> Option<f64> {
    let joint = text[lower.end..upper.start].trim_matches(is_blank);
    let joint = unit_at(joint).map_or(joint, |(_, len)| joint[len..].trim_matches(is_blank));
    let joins =
        matches!(joint, "-" | "–" | "—" | "−" | "to" | "bis" | "tot" | "t/m" | "à" | "till");
    let sane = lower.hundredths < upper.hundredths && lower.hundredths * 10 >= upper.hundredths;
    (joins && sane && lower.hundredths >= 500 && sign::before(text, lower.start).is_none())
        .then(|| lower.value())
}

/// Whether the words beside the number speak of a plot, a garden, a cellar.
fn is_outdoors(before: &str, after: &str, living: bool) -> bool {
    const OUTDOORS: [&str; 27] = [
        "grundst", "perceel", "kavel", "terrain", "tomt", "plot", "lot", "land", "tuin", "garten",
        "garden", "balkon", "balcon", "terras", "keller", "kelder", "berging", "parcela",
        "terreno", "działk", "pozem", "garage", "jardin", "giardino", "grundfl", "loggia",
        "jardín",
    ];
    let says = |text: &str| {
        let low = text.to_lowercase();
        let mut words = low.split(|c: char| !c.is_alphabetic());
        words.any(|word| {
            OUTDOORS.iter().any(|outdoors| word.starts_with(outdoors))
                || (living && word.starts_with("nutzfl"))
        })
    };
    let label = tail(before, 24);
    if label.trim_end().ends_with(':') || says(label) {
        return says(label);
    }
    let after = head(after, 24);
    let own = after.find([',', ';', '|', '·', '•', '\n', '/']).map_or(after, |at| &after[..at]);
    let own = own.find(|c: char| c.is_ascii_digit()).map_or(own, |at| &own[..at]);
    says(own)
}
