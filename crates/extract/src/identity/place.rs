//! The id token in an address, and the place where a source keeps it.
//!
//! A place is a short text ("p1.n": the long number in the last segment) that is remembered per
//! source, so that two snapshots of a page are read alike.

use std::collections::{HashMap, HashSet};

use firstknock_listing::{KeyKind, ListingKey};
use url::Url;

use crate::cards::shape::is_id_token;

/// A token and how far it can be trusted; higher is better.
struct Token {
    place: String,
    token: String,
    strength: u8,
}

/// The token at a place of an address.
pub(crate) fn token_at(url: &Url, place: &str) -> Option<String> {
    tokens(url).into_iter().find(|t| t.place == place).map(|t| t.token)
}

/// The key of an id token: host, segment or parameter, token. How the token was cut out of its
/// segment is left out, so that the same token is the same key whatever the page's other links are.
pub(crate) fn key(url: &Url, place: &str) -> Option<ListingKey> {
    let token = token_at(url, place)?;
    let host = url.host_str().unwrap_or_default().trim_start_matches("www.");
    let part = match place.split_once('.') {
        Some((segment, _)) if segment != "q" => segment,
        _ => place,
    };
    Some(ListingKey::new(KeyKind::Id, &format!("{host}:{part}:{token}")))
}

/// The place where the addresses of one page keep their ids, or `None` if they have none. The
/// remembered place is kept as long as it works.
pub(crate) fn choose(urls: &[&Url], remembered: Option<&str>) -> Option<String> {
    let mut places: HashMap<String, (u8, u32, HashSet<String>)> = HashMap::new();
    let distinct: HashSet<&str> = urls.iter().map(|u| u.as_str()).collect();
    let mut done: HashSet<&str> = HashSet::new();
    for url in urls {
        if !done.insert(url.as_str()) {
            continue;
        }
        for token in tokens(url) {
            let slot = places.entry(token.place).or_insert((token.strength, 0, HashSet::new()));
            slot.0 = slot.0.max(token.strength);
            slot.1 += 1;
            slot.2.insert(token.token);
        }
    }
    let n = distinct.len() as f32;
    // One listing may have two addresses on a page (list and map view); a long number that
    // repeats is still its id, a short one is a part of something.
    let works = |(strength, count, tokens): &(u8, u32, HashSet<String>)| {
        let share = if *strength >= 8 { 0.45 } else { 0.98 };
        tokens.len() as f32 >= share * *count as f32 && *count as f32 >= 0.5 * n
    };
    if let Some(place) = remembered
        && places.get(place).is_some_and(works)
    {
        return Some(place.to_owned());
    }
    places
        .into_iter()
        .filter(|(_, slot)| works(slot))
        .max_by(|(a, x), (b, y)| {
            let rank = |s: &(u8, u32, HashSet<String>)| (s.1 as f32 >= 0.9 * n, s.0, s.1);
            rank(x).0.cmp(&rank(y).0).then(x.0.cmp(&y.0)).then(x.1.cmp(&y.1)).then(b.cmp(a))
        })
        .map(|(place, _)| place)
}

/// All tokens of an address that may be ids. What they are called depends on the address alone.
fn tokens(url: &Url) -> Vec<Token> {
    let mut out = Vec::new();
    let segments: Vec<&str> = url.path().split('/').filter(|s| !s.is_empty()).collect();
    for (back, segment) in segments.iter().rev().take(5).enumerate() {
        segment_tokens(segment, back + 1, &mut out);
    }
    for (name, value) in url.query_pairs().take(30) {
        let named = {
            let lower = name.to_ascii_lowercase();
            lower == "id"
                || lower.ends_with("id")
                || lower.ends_with("nr")
                || lower.contains("expose")
        };
        let plausible = value.len() <= 64 && (is_id_token(&value) || (named && value.len() >= 3));
        let session =
            name.to_ascii_lowercase().contains("sess") || name.eq_ignore_ascii_case("sid");
        if plausible && !session && value.bytes().any(|b| b.is_ascii_digit()) {
            let strength = if named { 3 } else { 1 };
            out.push(Token { place: format!("q.{name}"), token: value.into_owned(), strength });
        }
    }
    out
}

fn segment_tokens(segment: &str, back: usize, out: &mut Vec<Token>) {
    let bare = strip_ending(segment);
    let mut push = |kind: &str, token: &str, strength: u8| {
        out.push(Token { place: format!("p{back}.{kind}"), token: token.to_owned(), strength });
    };
    let dashes = bare.bytes().filter(|b| *b == b'-').count();
    let hex = bare.bytes().all(|b| b.is_ascii_hexdigit() || b == b'-');
    let has_digit = bare.bytes().any(|b| b.is_ascii_digit());
    if !has_digit {
        return;
    }
    if hex && dashes == 4 && bare.len() == 36 {
        push("uuid", bare, 10);
        return;
    }
    let parts: Vec<&str> =
        bare.split(|c: char| !c.is_ascii_alphanumeric()).filter(|p| !p.is_empty()).collect();
    let is_number = |p: &str| p.bytes().all(|b| b.is_ascii_digit());
    let composite = parts.len() > 1
        && parts.iter().all(|p| p.bytes().any(|b| b.is_ascii_digit()) && p.len() <= 12);
    let longest = parts.iter().copied().filter(|p| is_number(p)).max_by_key(|p| p.len());
    if composite {
        let strength = if longest.is_some_and(|n| n.len() >= 8) { 7 } else { 9 };
        push("all", bare, strength);
    }
    if let Some(number) = longest.filter(|n| (3..=24).contains(&n.len())) {
        let strength = match number.len() {
            3 => 2,
            4 => 4,
            5 => 6,
            _ => 8,
        };
        // A whole segment that is a number is surer than one inside a text.
        push("n", number, strength + u8::from(parts.len() == 1));
    }
    let hexes = parts.iter().copied().filter(|p| {
        !is_number(p) && p.len() >= 6 && is_id_token(p) && p.bytes().all(|b| b.is_ascii_hexdigit())
    });
    if let Some(token) = hexes.max_by_key(|p| p.len()) {
        push("hex", token, if token.len() >= 16 { 9 } else { 7 });
    }
    if let Some(last) = parts.last().filter(|p| !is_number(p) && is_id_token(p)) {
        push("w", last, 5);
    }
    if let Some(first) =
        parts.first().filter(|p| parts.len() > 1 && !is_number(p) && is_id_token(p))
    {
        push("w0", first, 5);
    }
    if parts.len() == 1 && !is_number(bare) && bare.len() <= 40 && has_digit {
        push("s", bare, 3);
    }
}

/// Without `.html` and the like.
fn strip_ending(segment: &str) -> &str {
    match segment.rsplit_once('.') {
        Some((name, ending))
            if ending.len() <= 5
                && ending.bytes().next().is_some_and(|b| b.is_ascii_alphabetic()) =>
        {
            name
        }
        _ => segment,
    }
}
