//! Shapes of addresses: what the detail links of one site have in common.

use std::collections::HashMap;

use url::Url;

/// How often each literal stands at each place, over the cards' links.
#[derive(Default)]
pub(crate) struct Literals {
    seen: HashMap<(String, usize, usize, String), u32>,
}

impl Literals {
    /// Counts one address of one card.
    pub(crate) fn add(&mut self, url: &Url) {
        let (host, segments) = parts(url);
        let n = segments.len();
        for (at, segment) in segments.into_iter().enumerate() {
            *self.seen.entry((host.clone(), n, at, segment.to_owned())).or_default() += 1;
        }
    }

    /// The shape: host, and per segment what it is: an id, a literal that repeats, or text.
    pub(crate) fn shape(&self, url: &Url, cards: usize) -> String {
        let (host, segments) = parts(url);
        let n = segments.len();
        let often = (cards as u32 / 4).max(2);
        let mut shape = host.clone();
        for (at, segment) in segments.into_iter().enumerate() {
            let count = self.seen.get(&(host.clone(), n, at, segment.to_owned())).copied();
            shape.push('/');
            if count.unwrap_or(0) >= often && cards > 2 {
                shape.push_str(segment);
            } else {
                shape.push_str(class_of(segment));
            }
        }
        shape
    }
}

/// The shape of one address by itself, for memory and for telling a detail page's own address:
/// ids and texts are told apart, short words without digits stay.
pub(crate) fn own_shape(url: &Url) -> String {
    let (host, segments) = parts(url);
    let n = segments.len();
    let mut shape = host;
    for (at, segment) in segments.into_iter().enumerate() {
        shape.push('/');
        let word = at + 1 < n && segment.len() < 20 && !segment.bytes().any(|b| b.is_ascii_digit());
        shape.push_str(if word { segment } else { class_of(segment) });
    }
    shape
}

fn class_of(segment: &str) -> &'static str {
    if has_id(segment) { "#" } else { "*" }
}

/// A segment that holds something like an id: four digits in a row, or hex of six and more with a
/// digit, or a short code of letters and digits.
pub(crate) fn has_id(segment: &str) -> bool {
    segment.split(|c: char| !c.is_ascii_alphanumeric()).any(is_id_token)
}

/// Whether a token of letters and digits may be an id.
pub(crate) fn is_id_token(token: &str) -> bool {
    let digits = token.bytes().filter(u8::is_ascii_digit).count();
    if digits == token.len() {
        return (4..=24).contains(&digits);
    }
    let hex = token.bytes().all(|b| b.is_ascii_hexdigit());
    (hex && digits > 0 && token.len() >= 6)
        || (digits >= 2 && token.len() >= 5)
        || (digits >= 1 && token.len() >= 6 && mixes_case(token))
        || (digits >= 1 && token.len() >= 5 && token.bytes().all(|b| !b.is_ascii_lowercase()))
}

fn mixes_case(token: &str) -> bool {
    token.bytes().any(|b| b.is_ascii_uppercase()) && token.bytes().any(|b| b.is_ascii_lowercase())
}

fn parts(url: &Url) -> (String, Vec<&str>) {
    let host = url.host_str().unwrap_or_default().trim_start_matches("www.").to_owned();
    let segments = url.path().split('/').filter(|s| !s.is_empty()).take(12).collect();
    (host, segments)
}
