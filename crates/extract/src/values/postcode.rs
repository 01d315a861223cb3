//! Postcodes: a mark of a card, and the anchor of an address line.

use std::sync::LazyLock;

use regex::Regex;

use super::{Country, head};

/// The first postcode of a text, as written. Without a country the forms that are unmistakable,
/// and five digits before a capitalised town.
pub fn postcode(text: &str, country: Option<Country>) -> Option<&str> {
    static FORMS: LazyLock<Regex> = LazyLock::new(|| {
        super::pattern(concat!(
            r"(?:^|[^\p{L}\d.,€$£-])(?:",
            r"(?P<nl>[1-9]\d{3}\s?[A-Z]{2})|",
            r"(?P<gb>[A-Z]{1,2}\d[A-Z\d]?\s\d[A-Z]{2})|",
            r"(?P<ca>[A-Z]\d[A-Z]\s\d[A-Z]\d)|",
            r"(?P<ie>[A-Z]\d[\dW]\s[A-Z\d]{4})|",
            r"(?P<pl>\d{2}-\d{3}\s\p{Lu})|",
            r"(?P<pt>\d{4}-\d{3}\s)|",
            r"(?P<us>[A-Z]{2},?\s\d{5})|",
            r"(?P<five>\d{5},?\s\(?\p{Lu}\p{Ll})|",
            r"(?P<se>\d{3}\s\d{2},?\s+\p{Lu})|",
            r"(?P<four>[1-9]\d{3},?\s\p{Lu}[\p{Ll}.])",
            r")",
        ))
    });
    let text = head(text, 600);
    let country = country.filter(|c| c.is_told());
    let mut from = 0;
    // Few texts hold more than two look-alikes; the bound keeps odd ones linear.
    for _ in 0..4 {
        let found = FORMS.captures(&text[from..])?;
        let name = ["nl", "gb", "ca", "ie", "pl", "pt", "us", "five", "se", "four"]
            .into_iter()
            .find(|name| found.name(name).is_some())?;
        let hit = found.name(name)?;
        let allowed = match name {
            // Four digits before a capital are years and prices everywhere else.
            "four" => country.is_some_and(|c| c.is_one_of(&["at", "ch", "be", "dk", "no", "lu"])),
            "se" => country.is_some_and(|c| c.is_one_of(&["se", "cz", "sk", "gr"])),
            "nl" => country.is_none_or(|c| c.is_one_of(&["nl"])) && !is_year_and_word(hit.as_str()),
            "ca" => country.is_none_or(|c| c.is("ca")),
            "ie" => country.is_some_and(|c| c.is("ie")),
            _ => true,
        };
        if allowed {
            let code = match name {
                "five" | "four" | "pl" | "se" => {
                    hit.as_str().trim_end_matches(|c: char| !c.is_ascii_digit())
                }
                "us" => &hit.as_str()[hit.as_str().len() - 5..],
                _ => hit.as_str().trim_end(),
            };
            let start = from + if name == "us" { hit.end() - 5 } else { hit.start() };
            return text.get(start..start + code.len());
        }
        from += hit.end();
    }
    None
}

/// "2019 EN", "2026 PC": a year and a short word.
fn is_year_and_word(text: &str) -> bool {
    (text.starts_with("19") || text.starts_with("20")) && text.ends_with("ER")
}
