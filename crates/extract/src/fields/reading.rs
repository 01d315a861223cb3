//! The seam to the value parsers.

use firstknock_listing::{Area, Money, Rooms};

/// Where a page is from, for signs like `$` and `kr`.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Place<'a> {
    pub(crate) host: &'a str,
    pub(crate) lang: &'a str,
}

/// Rooms and bedrooms apart.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct RoomCount {
    pub(crate) rooms: Option<Rooms>,
    pub(crate) bedrooms: Option<Rooms>,
}

pub(crate) fn price(text: &str, _place: Place<'_>) -> Option<Money> {
    let n = number(text)?;
    Some(Money::of_cents((n * 100.0).round() as i64))
}

pub(crate) fn on_request(text: &str) -> bool {
    text.contains("Anfrage") || text.contains("aanvraag")
}

pub(crate) fn size(text: &str) -> Option<Area> {
    let at = text.find("m²").or(text.find("m2")).or(text.find("m 2")).or(text.find("sq"))?;
    let start = text[..at]
        .rfind(|c: char| !(c.is_ascii_digit() || ".,  ".contains(c)))
        .map_or(0, |i| i + 1);
    Area::from_m2(number(text.get(start..at)?)?)
}

pub(crate) fn rooms(text: &str) -> RoomCount {
    let n = number(text).and_then(Rooms::from_count);
    if text.to_lowercase().contains("bed") || text.to_lowercase().contains("slaap") {
        RoomCount { rooms: None, bedrooms: n }
    } else {
        RoomCount { rooms: n, bedrooms: None }
    }
}

fn number(text: &str) -> Option<f64> {
    let start = text.find(|c: char| c.is_ascii_digit())?;
    let raw: String = text[start..]
        .chars()
        .take_while(|c| c.is_ascii_digit() || ".,' \u{a0}’".contains(*c))
        .collect();
    let raw =
        raw.trim_end_matches(['.', ',', ' ', '\u{a0}']).replace([' ', '\u{a0}', '\'', '’'], "");
    let last = raw.rfind(['.', ',']);
    let both = raw.contains('.') && raw.contains(',');
    let plain = match last {
        Some(at) if both || raw.len() - at - 1 != 3 => {
            format!("{}.{}", raw[..at].replace(['.', ','], ""), &raw[at + 1..])
        }
        _ => raw.replace(['.', ','], ""),
    };
    plain.parse().ok()
}
