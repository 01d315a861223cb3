//! Street, postcode and town of an address line, where the line itself tells them apart.

use firstknock_listing::{PostalAddress, clean_line};

use super::{Country, head, postcode};

/// Reads one address line. `raw` is the whole line; the rest is filled only where it is plain:
/// the town stands behind the postcode (before it in English-speaking countries), the street is
/// the part with a house number.
pub fn address(line: &str, country: Option<Country>) -> PostalAddress {
    let raw = clean_line(head(line, 400));
    let mut read = PostalAddress { raw: raw.clone(), ..PostalAddress::default() };
    let Some(code) = postcode(&raw, country) else {
        let mut parts = parts(&raw);
        read.street = parts.next().filter(|p| has_house_number(p)).map(str::to_owned);
        if read.street.is_some() {
            read.city = parts.last().and_then(town);
        }
        return read;
    };
    let at = code.as_ptr() as usize - raw.as_ptr() as usize;
    read.postcode = Some(code.to_owned());
    let (before, after) = (&raw[..at], &raw[at + code.len()..]);
    read.city = parts(after).next().and_then(town).or_else(|| parts(before).last().and_then(town));
    read.street = parts(before).find(|p| has_house_number(p)).map(str::to_owned);
    if read.street.is_none() {
        // "1012 AB Amsterdam, Damrak 1" has the street behind.
        read.street = parts(after).skip(1).find(|p| has_house_number(p)).map(str::to_owned);
    }
    read
}

fn parts(text: &str) -> impl Iterator<Item = &str> {
    text.split([',', '|', '·', '•', '\n']).map(str::trim).filter(|p| !p.is_empty())
}

/// "Damrak 12a": a word of letters, then a number of at most four digits.
fn has_house_number(part: &str) -> bool {
    let words: Vec<&str> = part.split_whitespace().collect();
    let is_number = |word: &&str| {
        let digits = word.bytes().take_while(u8::is_ascii_digit).count();
        (1..=4).contains(&digits) && word.len() <= digits + 3
    };
    let named = words.iter().any(|w| w.chars().filter(|c| c.is_alphabetic()).count() >= 3);
    named && words.len() >= 2 && words.len() <= 8 && words.iter().any(is_number)
}

/// The town without its district in brackets.
fn town(part: &str) -> Option<String> {
    let name = part.split(['(', '/']).next().unwrap_or_default();
    let name = name.split(" - ").next().unwrap_or_default().trim();
    let plain = name.chars().next().is_some_and(char::is_uppercase)
        && name.chars().count() <= 40
        && !name.chars().any(|c| c.is_ascii_digit());
    plain.then(|| name.to_owned())
}
