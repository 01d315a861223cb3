//! Rooms and bedrooms, kept apart: NL, DE, FR, SE … count rooms; UK, US, ES, PT … bedrooms.

use std::sync::LazyLock;

use firstknock_listing::Rooms;
use regex::Regex;

use super::number::{Number, scan};
use super::{Country, MAX_TEXT, head, is_blank, sign, size, tail};

/// What a text says about rooms.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct RoomsReading {
    /// All rooms, with halves.
    pub rooms: Option<Rooms>,
    /// Bedrooms only; 0 for a studio.
    pub bedrooms: Option<Rooms>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Counted {
    Rooms,
    Bedrooms,
}

/// Reads rooms and bedrooms. A household size (`3er WG`) is neither.
///
/// ```
/// # use firstknock_extract::values::rooms;
/// assert_eq!(rooms("2½ Zimmer", None).rooms.map(|r| r.count()), Some(2.5));
/// assert_eq!(rooms("3 bed flat", None).bedrooms.map(|r| r.count()), Some(3.0));
/// ```
pub fn rooms(text: &str, country: Option<Country>) -> RoomsReading {
    let text = head(text, MAX_TEXT);
    let country = country.filter(|c| c.is_told());
    let mut reading = counted(text);
    if reading == RoomsReading::default() {
        reading = in_words(text);
    }
    if reading.rooms.is_none() {
        short_forms(text, country, &mut reading);
    }
    if reading == RoomsReading::default() && is_studio(text) {
        reading.rooms = Rooms::from_count(1.0);
        reading.bedrooms = Rooms::from_count(0.0);
    }
    reading
}

/// Words behind a count. The flag says whether the word may go on (`2-Zimmerwohnung`).
const COUNTED: [(&str, Counted, bool); 69] = {
    use Counted::{Bedrooms as B, Rooms as R};
    [
        ("schlafzimmer", B, false),
        ("zimmer", R, true),
        ("zi", R, false),
        ("zkb", R, true),
        ("zkdb", R, true),
        ("räume", R, false),
        ("raum", R, true),
        ("bett", B, false),
        ("betten", B, false),
        ("bedden", B, false),
        ("slaapkamer", B, true),
        ("slpk", B, false),
        ("slk", B, false),
        ("kamer", R, true),
        ("kmr", R, true),
        ("vertrekken", R, false),
        ("bedroom", B, false),
        ("bedrooms", B, false),
        ("bedroomed", B, false),
        ("double bedroom", B, false),
        ("double bedrooms", B, false),
        ("bed", B, false),
        ("beds", B, false),
        ("bd", B, false),
        ("bds", B, false),
        ("bdr", B, false),
        ("bdrm", B, false),
        ("bdrms", B, false),
        ("br", B, false),
        ("brs", B, false),
        ("room", R, false),
        ("rooms", R, false),
        ("pièce", R, false),
        ("pièces", R, false),
        ("pieces", R, false),
        ("pces", R, false),
        ("pcs", R, false),
        ("chambre", B, false),
        ("chambres", B, false),
        ("ch", B, false),
        ("hab", B, false),
        ("habs", B, false),
        ("habitación", B, false),
        ("habitacion", B, false),
        ("habitaciones", B, false),
        ("dormitorio", B, false),
        ("dormitorios", B, false),
        ("dorm", B, false),
        ("quarto", B, false),
        ("quartos", B, false),
        ("assoalhadas", R, false),
        ("ambientes", R, false),
        ("camere da letto", B, false),
        ("camere", B, false),
        ("locali", R, false),
        ("locale", R, false),
        ("vani", R, false),
        ("vano", R, false),
        ("stanze", R, false),
        ("poko", R, true),
        ("pokój", R, false),
        ("pok", R, false),
        ("sovrum", B, false),
        ("rum", R, true),
        ("rok", R, false),
        ("soverom", B, false),
        ("rom", R, true),
        ("værelse", R, true),
        ("vær", R, false),
    ]
};

/// Words before a count ("Zimmer: 3").
const LABELS: [(&str, Counted); 26] = {
    use Counted::{Bedrooms as B, Rooms as R};
    [
        ("schlafzimmer", B),
        ("zimmer", R),
        ("zimmeranzahl", R),
        ("zimmerzahl", R),
        ("zi", R),
        ("slaapkamers", B),
        ("kamers", R),
        ("bedrooms", B),
        ("beds", B),
        ("rooms", R),
        ("pièces", R),
        ("chambres", B),
        ("habitaciones", B),
        ("dormitorios", B),
        ("quartos", B),
        ("locali", R),
        ("camere", B),
        ("pokoje", R),
        ("pokoi", R),
        ("sovrum", B),
        ("antal rum", R),
        ("rum", R),
        ("soverom", B),
        ("rom", R),
        ("værelser", R),
        ("vær", R),
    ]
};

/// Whether a text starts with a word for rooms.
pub(crate) fn unit_at(text: &str) -> bool {
    counted_word(text).is_some()
}

fn counted_word(text: &str) -> Option<(Counted, usize)> {
    let low = head(text, 24).to_lowercase();
    if let Some(rest) = low.strip_prefix("p.") {
        // "2 p. 45 m²", but not "p.m.".
        let is_pieces = rest.is_empty() || rest.starts_with([' ', '\u{a0}', ',', '/', '-']);
        return is_pieces.then_some((Counted::Rooms, 2));
    }
    COUNTED.iter().find_map(|(word, counted, goes_on)| {
        let rest = low.strip_prefix(word)?;
        // "14 ch. des Vignes" is an address.
        let is_way = *word == "ch" && rest.trim_start_matches(['.', ' ']).starts_with('d');
        let ends = !is_way && (*goes_on || !rest.starts_with(char::is_alphanumeric));
        ends.then_some((*counted, word.len()))
    })
}

fn counted(text: &str) -> RoomsReading {
    let mut reading = RoomsReading::default();
    let numbers = scan(text, |_| false);
    let mut word_end = 0;
    for (i, number) in numbers.iter().enumerate() {
        if number.hundredths > 5_000 || number.hundredths % 10 != 0 {
            continue;
        }
        let (half, end) = half_after(text, number.end);
        let at = skip_joint(text, end);
        let (counted, value) = if let Some((counted, len)) = counted_word(&text[at..]) {
            word_end = (at + len).min(text.len());
            (counted, start_of_range(text, &numbers[..i], number).unwrap_or(number.value() + half))
        } else if let Some(counted) = label_before(text, word_end, number) {
            (counted, number.value() + half)
        } else {
            continue;
        };
        let slot = match counted {
            Counted::Rooms => &mut reading.rooms,
            Counted::Bedrooms => &mut reading.bedrooms,
        };
        if slot.is_none() && (value > 0.0 || counted == Counted::Bedrooms) {
            *slot = Rooms::from_count(value);
        }
    }
    reading
}

/// `½` behind a whole number.
fn half_after(text: &str, from: usize) -> (f64, usize) {
    let rest = &text[from..];
    let at = rest.len() - rest.trim_start_matches(is_blank).len();
    match rest[at..].strip_prefix('½').or_else(|| rest[at..].strip_prefix("1/2")) {
        Some(behind) if at <= 2 => (0.5, text.len() - behind.len()),
        _ => (0.0, from),
    }
}

/// Up to three blanks or one hyphen between a count and its word.
fn skip_joint(text: &str, from: usize) -> usize {
    let mut seen = 0;
    let end = text[from..].char_indices().find(|(_, c)| {
        seen += 1;
        !(seen <= 4 && (is_blank(*c) || matches!(c, '-' | '‑' | '–')))
    });
    end.map_or(text.len(), |(i, _)| from + i)
}

/// "2 - 3 kamers" is two rooms and more; "2 1/2 Zimmer" is two and a half.
fn start_of_range(text: &str, before: &[Number], number: &Number) -> Option<f64> {
    let previous = before.last()?;
    let joint = &text[previous.end..number.start];
    if joint == "/" && previous.hundredths == 100 && number.hundredths == 200 {
        let whole = before.len().checked_sub(2).map(|i| &before[i])?;
        let adjacent = text[whole.end..previous.start].chars().all(is_blank);
        return adjacent.then(|| whole.value() + 0.5);
    }
    let joint = joint.trim_matches(is_blank);
    let joins = matches!(joint, "-" | "–" | "—" | "to" | "bis" | "tot" | "à" | "till");
    let sane = previous.hundredths < number.hundredths && previous.hundredths > 0;
    (joins && sane && sign::before(text, previous.start).is_none()).then(|| previous.value())
}

fn label_before(text: &str, free_from: usize, number: &Number) -> Option<Counted> {
    let rest = &text[number.end..];
    let after = rest.trim_start_matches(is_blank);
    let is_other = size::unit_at(after).is_some()
        || sign::after(text, number.end).is_some()
        || after.starts_with(['%', '/', ':'])
        || rest.starts_with(|c: char| c.is_alphanumeric() || matches!(c, '.' | '-' | '+'))
            && !rest.starts_with(". ");
    if is_other || number.start < free_from || number.hundredths > 2_000 {
        return None;
    }
    let before =
        text[free_from..number.start].trim_end_matches(|c| is_blank(c) || c == ':' || c == '.');
    if number.start - free_from - before.len() > 6 {
        return None;
    }
    let low = tail(before, 24).to_lowercase();
    LABELS.iter().find_map(|(label, counted)| {
        let rest = low.strip_suffix(label)?;
        (!rest.ends_with(|c: char| c.is_alphanumeric() || c == '-')).then_some(*counted)
    })
}

/// "one bedroom flat", "Zwei-Zimmer-Wohnung".
fn in_words(text: &str) -> RoomsReading {
    static WORDS: LazyLock<Regex> = LazyLock::new(|| {
        super::pattern(concat!(
            r"(?i)\b(?:(one|ein|eine|een|één|une|un|una|uno|um|en|ett)|(two|zwei|twee|deux|dos|due|dois|två|to)|",
            r"(three|drei|drie|trois|tres|tre|três)|(four|vier|quatre|cuatro|quattro|quatro)|(five|fünf|vijf|cinq|cinco|cinque)|(six|sechs|zes))[\s\-‑]{0,2}",
        ))
    });
    let mut reading = RoomsReading::default();
    if !WORDS.is_match(text) {
        return reading;
    }
    for found in WORDS.captures_iter(text).take(32) {
        let whole = found.get(0).expect("BUG: a match has a whole");
        let Some((counted, _)) = counted_word(&text[whole.end()..]) else { continue };
        let count = (1..=6).find(|i| found.get(*i).is_some()).unwrap_or(1);
        let slot = match counted {
            Counted::Rooms => &mut reading.rooms,
            Counted::Bedrooms => &mut reading.bedrooms,
        };
        // "een kamer" is a room to let as often as a flat of one room.
        if counted == Counted::Bedrooms
            || count > 1
            || text[whole.start()..whole.end()].ends_with('-')
        {
            slot.get_or_insert(Rooms::from_tenths(u16::try_from(count * 10).unwrap_or(10)));
        }
    }
    reading
}

/// `2+kk`, `3+1`, `T2`, `F3`, `bilocale`.
fn short_forms(text: &str, country: Option<Country>, reading: &mut RoomsReading) {
    static SHORT: LazyLock<Regex> = LazyLock::new(|| {
        super::pattern(concat!(
            r"(?:^|[^\p{L}\d.,+])(?:(?P<kk>[1-9])\s?\+\s?(?:kk|KK)|(?P<plus>[1-9])\+[01]|(?P<t>[TF])(?P<n>[1-9]))(?:bis)?(?:[^\p{L}\d+]|$)",
            r"|(?i:\b(?:(?P<mono>monolocale)|(?P<bi>bilocale)|(?P<tri>trilocale)|(?P<quadri>quadrilocale|plurilocale)|(?P<tvaa>tvåa)|(?P<trea>trea))\b)",
        ))
    });
    // Without a match, which is most often, the plain search is done sooner.
    if !SHORT.is_match(text) {
        return;
    }
    let Some(found) = SHORT.captures(text) else { return };
    let digit = |name: &str| found.name(name).and_then(|m| m.as_str().parse::<u16>().ok());
    let named = [("mono", 1), ("bi", 2), ("tri", 3), ("quadri", 4), ("tvaa", 2), ("trea", 3)];
    let of_name = named.iter().find(|(name, _)| found.name(name).is_some()).map(|(_, n)| *n);
    let of_plus =
        digit("plus").filter(|_| country.is_none_or(|c| c.is_one_of(&["cz", "sk", "tr", "hu"])));
    if let Some(count) = digit("kk").or(of_plus).or(of_name) {
        reading.rooms = Rooms::from_count(f64::from(count));
    } else if let Some(count) = digit("n") {
        let portuguese = country.is_some_and(|c| c.is("pt")) || reading.bedrooms.is_some();
        let known = country.is_none_or(|c| c.is_one_of(&["fr", "be", "ch", "lu", "mc", "pt"]));
        if portuguese {
            reading.bedrooms = reading.bedrooms.or(Rooms::from_count(f64::from(count)));
        } else if known {
            reading.rooms = Rooms::from_count(f64::from(count));
        }
    }
}

fn is_studio(text: &str) -> bool {
    static STUDIO: LazyLock<Regex> = LazyLock::new(|| {
        super::pattern(
            r"(?i)\b(?:studio|studios|estudio|estúdio|monolocale|kawalerka|garsoni[eè]ra|einzimmerwohnung|1-zimmerwohnung)\b",
        )
    });
    STUDIO.is_match(text)
}
