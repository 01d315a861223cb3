//! The country that data speaks for, by the language of its own keys.

use std::collections::HashSet;

use serde_json::Value;

use super::reader::MAX_DEPTH;
use super::vocabulary::{Meaning, Segment, tokens};
use crate::values::Country;

/// Key words that one language alone has.
const LANGUAGES: [(&str, &[&str]); 4] = [
    (
        "de",
        &[
            "miete",
            "kaltmiete",
            "warmmiete",
            "gesamtmiete",
            "nettomiete",
            "mietpreis",
            "preis",
            "kaution",
            "nebenkosten",
            "zimmer",
            "zimmeranzahl",
            "anzahl",
            "wohnflaeche",
            "wohnfläche",
            "flaeche",
            "fläche",
            "groesse",
            "größe",
            "strasse",
            "straße",
            "hausnummer",
            "plz",
            "ort",
            "titel",
            "bilder",
        ],
    ),
    (
        "nl",
        &[
            "huur",
            "huurprijs",
            "prijs",
            "kamers",
            "slaapkamers",
            "oppervlakte",
            "woonoppervlakte",
            "plaats",
            "straat",
            "huisnummer",
            "beschikbaar",
            "woonplaats",
        ],
    ),
    ("fr", &["loyer", "prix", "pieces", "pièces", "ville", "rue", "chambres", "codepostal"]),
    ("it", &["prezzo", "canone", "affitto", "locali", "citta", "indirizzo", "immagine"]),
];
/// Keys that are looked at.
const MOST_KEYS: usize = 4_000;

/// The country whose language at least two different keys speak, and no more of another language
/// do. German and French with postcodes of four digits may be Swiss, so they tell nothing.
pub(crate) fn country(value: &Value) -> Option<Country> {
    let mut seen = Seen::default();
    seen.visit(value, 0);
    let count = |words: &[&str]| words.iter().filter(|w| seen.words.contains(**w)).count();
    let mut counts: Vec<(usize, &str)> =
        LANGUAGES.iter().map(|(code, words)| (count(words), *code)).collect();
    counts.sort_unstable_by(|a, b| b.cmp(a));
    let [(most, code), (second, _), ..] = counts[..] else { return None };
    let settled = match code {
        "nl" => true,
        "de" => !seen.four_digits,
        _ => seen.five_digits && !seen.four_digits,
    };
    (most >= 2 && most > second && settled).then(|| Country::parse(code))?
}

#[derive(Default)]
struct Seen {
    words: HashSet<String>,
    keys: HashSet<String>,
    visited: usize,
    four_digits: bool,
    five_digits: bool,
}

impl Seen {
    fn visit(&mut self, value: &Value, depth: usize) {
        if depth > MAX_DEPTH || self.visited > MOST_KEYS {
            return;
        }
        match value {
            Value::Array(items) => items.iter().for_each(|v| self.visit(v, depth + 1)),
            Value::Object(map) => {
                for (key, value) in map {
                    self.visited += 1;
                    self.postcode(key, value);
                    if self.keys.insert(key.clone()) {
                        self.words.extend(tokens(key));
                    }
                    self.visit(value, depth + 1);
                }
            }
            _ => {}
        }
    }

    fn postcode(&mut self, key: &str, value: &Value) {
        let text = match value {
            Value::String(text) if text.len() <= 10 => text.trim().to_owned(),
            Value::Number(number) => number.to_string(),
            _ => return,
        };
        let plain = text.bytes().all(|b| b.is_ascii_digit());
        if plain && (4..=5).contains(&text.len()) && Segment::new(key).says(Meaning::Postcode) {
            self.four_digits |= text.len() == 4;
            self.five_digits |= text.len() == 5;
        }
    }
}
