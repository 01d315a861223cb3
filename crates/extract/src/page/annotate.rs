//! What a text may mean: cheap, noisy signs that decide which repeated structure is the list.
//!
//! **Promises**: one pass over the bytes of a text, no allocation. **Leaves out**: the value
//! itself; `values` reads it once the cards are known.

use super::units::{
    CURRENCY_AFTER, CURRENCY_BEFORE, OTHER_LABELS, ROOM_LABELS, ROOM_WORDS, ROOMS_AFTER,
    ROOMS_BEFORE, SIZE_AFTER, SIZE_BEFORE,
};

/// An amount with a currency.
pub(crate) const PRICE: u8 = 1;
/// A floor area.
pub(crate) const SIZE: u8 = 2;
/// A count of rooms or bedrooms.
pub(crate) const ROOMS: u8 = 4;
/// A postcode.
pub(crate) const POSTCODE: u8 = 8;
/// Nothing but a currency: its number stands in the next element.
pub(crate) const CURRENCY_ONLY: u8 = 16;
/// Nothing but a number.
pub(crate) const NUMBER_ONLY: u8 = 32;
/// Ends in a number and "m": the 2 stands in the next element.
pub(crate) const METRE: u8 = 64;

/// The price is told on request, which is as good as a price.
pub(crate) const ON_REQUEST: u8 = 128;

/// What a short text without digits says about a number beside it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Word {
    /// A unit of area.
    Area,
    /// "m", whose 2 stands in the next element.
    Metre,
    /// Rooms or bedrooms.
    Rooms,
    /// Another label of a fact ("Baths", "Etage").
    Other,
}

/// Longer texts are prose; only their beginning is looked at.
const MAX_TEXT: usize = 1_500;

/// The signs of one text.
pub(crate) fn signs_of(text: &str) -> u8 {
    let text = head(text.trim(), MAX_TEXT);
    let bytes = text.as_bytes();
    if !bytes.iter().any(u8::is_ascii_digit) {
        let asked = if asks(text) { ON_REQUEST } else { 0 };
        return if is_currency_only(text) { CURRENCY_ONLY } else { asked };
    }
    if is_number_only(bytes) {
        let five = bytes.len() == 5 && bytes.iter().all(u8::is_ascii_digit);
        return NUMBER_ONLY | if five { POSTCODE } else { 0 };
    }
    let mut signs = 0;
    let mut at = 0;
    while let Some(start) = next_digit(bytes, at) {
        let end = number_end(bytes, start);
        signs |= around(text, start, end);
        at = end;
    }
    signs
}

/// "Preis auf Anfrage": how such texts end is a cheap test before the words themselves.
fn asks(text: &str) -> bool {
    const ENDS: [&str; 20] = [
        "anfrage",
        "aanvraag",
        "request",
        "application",
        "demande",
        "consulter",
        "consultar",
        "consulta",
        "richiesta",
        "riservata",
        "poa",
        "p.o.a.",
        "price",
        "rent",
        "pricing",
        "details",
        "zapytanie",
        "forespørsel",
        "förfrågan",
        "cenę",
    ];
    let bytes = text.as_bytes();
    let ends = |word: &str| {
        bytes.len() >= word.len()
            && bytes[bytes.len() - word.len()..].eq_ignore_ascii_case(word.as_bytes())
    };
    bytes.len() <= 48 && ENDS.iter().any(|word| ends(word)) && crate::values::is_on_request(text)
}

/// The word beside a number, for values whose number and unit stand in two elements.
pub(crate) fn word_of(text: &str) -> Option<Word> {
    let text = text.trim().trim_start_matches([':', '-', '·', '|']).trim_start();
    if text.is_empty() || text.len() > 24 || text.bytes().any(|b| b.is_ascii_digit()) {
        return None;
    }
    let starts = |words: &[&str]| words.iter().any(|word| starts_with(text, word));
    if matches!(text, "m" | "M") {
        Some(Word::Metre)
    } else if starts(&SIZE_AFTER) {
        Some(Word::Area)
    } else if starts(&ROOM_WORDS) || starts(&ROOM_LABELS) {
        Some(Word::Rooms)
    } else if starts(&OTHER_LABELS) {
        Some(Word::Other)
    } else {
        None
    }
}

/// `€`, `EUR`, `€/mes`, `zł / miesiąc`: a currency with at most a period.
fn is_currency_only(text: &str) -> bool {
    if text.is_empty() || text.len() > 18 {
        return false;
    }
    let sign = CURRENCY_BEFORE.iter().chain(&["zł", "kč"]).find(|word| {
        starts_with(text, word)
            && !text.chars().nth(word.chars().count()).is_some_and(char::is_alphabetic)
    });
    let Some(sign) = sign else { return false };
    let rest = text.get(sign.len()..).unwrap_or_default();
    let rest = rest.trim_start_matches(['.', ' ', '\u{a0}']);
    rest.is_empty() || (rest.starts_with('/') && !per_area(rest))
}

/// A number or a range of two, and nothing else.
fn is_number_only(bytes: &[u8]) -> bool {
    let allowed = |b: &u8| b.is_ascii_digit() || b" .,'-+\xe2\x80\x93\xc2\xa0".contains(b);
    let digit = |b: Option<&u8>| b.is_some_and(u8::is_ascii_digit);
    bytes.len() <= 24 && digit(bytes.first()) && digit(bytes.last()) && bytes.iter().all(allowed)
}

fn next_digit(bytes: &[u8], from: usize) -> Option<usize> {
    bytes[from..].iter().position(u8::is_ascii_digit).map(|i| from + i)
}

/// The end of a number with its separators: `1.250,50`, `1 250`, `1'250`.
fn number_end(bytes: &[u8], start: usize) -> usize {
    let mut end = start;
    loop {
        while bytes.get(end).is_some_and(u8::is_ascii_digit) {
            end += 1;
        }
        let gap = match &bytes[end..] {
            [b'.' | b',' | b'\'', ..] => 1,
            // A blank groups only three digits.
            [b' ', a, b, c, rest @ ..]
                if [a, b, c].iter().all(|d| d.is_ascii_digit())
                    && !rest.first().is_some_and(u8::is_ascii_digit) =>
            {
                1
            }
            [0xc2, 0xa0, ..] => 2,
            [0xe2, 0x80, ..] => 3,
            _ => return end,
        };
        if !bytes.get(end + gap).is_some_and(u8::is_ascii_digit) {
            return end;
        }
        end += gap;
    }
}

fn around(text: &str, start: usize, end: usize) -> u8 {
    let number = &text[start..end];
    let before = text[..start].trim_end();
    let after = text[end..].trim_start();
    let after = after.strip_prefix('½').map_or(after, str::trim_start);
    let mut signs = 0;
    let starts = |words: &[&str]| words.iter().any(|word| starts_with(after, word));
    let in_word = before.len() == start && before.ends_with(|c: char| c.is_alphabetic());
    let currency_before = CURRENCY_BEFORE.iter().any(|word| ends_with_word(before, word));
    if !in_word || currency_before {
        let currency_after = CURRENCY_AFTER.iter().find(|word| starts_with(after, word));
        let has_currency = currency_after.is_some() || currency_before;
        if has_currency {
            let rest = after.get(currency_after.map_or(0, |w| w.len())..).unwrap_or_default();
            if !per_area(rest) {
                signs |= PRICE;
            }
        }
    }
    if starts(&SIZE_AFTER)
        || (after.is_empty()
            && SIZE_BEFORE.iter().any(|word| before.len() == word.len() && ends_with(before, word)))
    {
        signs |= SIZE;
    } else if matches!(after, "m" | "M") {
        signs |= METRE;
    } else if number.len() <= 4
        && (starts(&ROOM_WORDS)
            || starts(&ROOMS_AFTER)
            || ROOMS_BEFORE.iter().any(|word| ends_with(before, word)))
    {
        signs |= ROOMS;
    }
    if is_postcode(before, number, after) {
        signs |= POSTCODE;
    }
    signs
}

/// `/m²`, `pro qm`, `per sq ft`: a price per area is no price.
fn per_area(rest: &str) -> bool {
    let rest = rest.trim_start_matches([' ', '\u{a0}', ')', '*']);
    let Some(unit) = ["/", "pro", "per"].iter().find_map(|word| rest.strip_prefix(word)) else {
        return false;
    };
    let unit = unit.trim_start();
    SIZE_AFTER.iter().any(|word| starts_with(unit, word))
}

/// Most texts and words are told apart by one letter, if both are ASCII there.
fn are_apart(text: Option<u8>, word: Option<u8>) -> bool {
    let (Some(text), Some(word)) = (text, word) else { return false };
    text.is_ascii() && word.is_ascii() && !text.eq_ignore_ascii_case(&word)
}

fn starts_with(text: &str, word: &str) -> bool {
    if are_apart(text.bytes().next(), word.bytes().next()) {
        return false;
    }
    let mut chars = text.chars();
    word.chars().all(|w| chars.next().is_some_and(|c| c == w || c.to_lowercase().eq([w])))
}

fn ends_with(text: &str, word: &str) -> bool {
    if are_apart(text.bytes().next_back(), word.bytes().next_back()) {
        return false;
    }
    let mut chars = text.chars().rev();
    word.chars().rev().all(|w| chars.next().is_some_and(|c| c == w || c.to_lowercase().eq([w])))
}

fn ends_with_word(text: &str, word: &str) -> bool {
    if !ends_with(text, word) {
        return false;
    }
    let is_letter = word.chars().next().is_some_and(char::is_alphabetic);
    let left = text.chars().rev().nth(word.chars().count());
    !(is_letter && left.is_some_and(char::is_alphabetic))
}

fn is_postcode(before: &str, number: &str, after: &str) -> bool {
    let word_before = before.chars().next_back().is_some_and(char::is_alphanumeric);
    let plain = number.bytes().all(|b| b.is_ascii_digit());
    let capital = after.chars().next().is_some_and(char::is_uppercase);
    match number.len() {
        5 if plain => !word_before && capital,
        4 if plain && number.as_bytes()[0] != b'0' => {
            let mut letters = after.chars();
            let two = letters.next().is_some_and(|c| c.is_ascii_uppercase())
                && letters.next().is_some_and(|c| c.is_ascii_uppercase())
                && !letters.next().is_some_and(char::is_alphanumeric);
            two || (capital && after.chars().take_while(|c| c.is_alphabetic()).count() > 3)
        }
        // London's `W10 5AB`, Dublin's `D02 X285`.
        1 | 2 if plain => {
            let area = before.chars().next_back().is_some_and(|c| c.is_ascii_uppercase());
            let mut inward = after.chars();
            area && inward.next().is_some_and(|c| c.is_ascii_digit())
                && inward.next().is_some_and(|c| c.is_ascii_uppercase())
                && inward.next().is_some_and(|c| c.is_ascii_uppercase())
        }
        _ => false,
    }
}

fn head(text: &str, max: usize) -> &str {
    if text.len() <= max {
        return text;
    }
    let mut end = max;
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    &text[..end]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_shows_what_it_may_mean() {
        let cases = [
            ("€ 1.250 per maand", PRICE),
            ("1 250 €", PRICE),
            ("CHF 1,714.–", PRICE),
            ("CHF1250", PRICE),
            ("12,50 €/m²", 0),
            ("1.100 €/mes", PRICE),
            ("2 500 zł/mc", PRICE),
            ("1.250,-", PRICE),
            ("64 m²", SIZE),
            ("64 m", METRE),
            ("mq 75", SIZE),
            ("752 sq ft", SIZE),
            ("3 Zi.", ROOMS),
            ("2 bed flat", ROOMS),
            ("3 kamers", ROOMS),
            ("2611 XG Delft", POSTCODE),
            ("10557 Mitte", POSTCODE),
            ("W10 5AB", POSTCODE),
            ("€", CURRENCY_ONLY),
            ("1060", NUMBER_ONLY),
            ("€/mes", CURRENCY_ONLY),
            ("€/m²", 0),
            ("in 2026", 0),
            ("Bremen", 0),
        ];
        for (text, want) in cases {
            assert_eq!(signs_of(text), want, "{text:?}");
        }
    }
}
