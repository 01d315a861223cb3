//! Currency signs and codes beside a number.

use firstknock_listing::Currency;

use super::{Country, is_blank, skip_blanks, tail};

/// What stands beside the amount: a currency, or a sign that several countries share.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CurrencySign {
    /// A currency that needs no country.
    Code(Currency),
    /// `$`
    Dollar,
    /// `kr`
    Krone,
}

impl CurrencySign {
    /// The currency, as far as the country tells.
    pub fn currency(self, country: Option<Country>) -> Option<Currency> {
        let country = country.as_ref().map_or("", Country::code);
        let code = match self {
            Self::Code(currency) => return Some(currency),
            Self::Dollar => match country {
                "us" | "pr" | "zz" => "USD",
                "ca" => "CAD",
                "au" => "AUD",
                "nz" => "NZD",
                "sg" => "SGD",
                "hk" => "HKD",
                "mx" => "MXN",
                "ar" => "ARS",
                "cl" => "CLP",
                _ => return None,
            },
            Self::Krone => match country {
                "se" => "SEK",
                "no" => "NOK",
                "dk" | "gl" | "fo" => "DKK",
                "is" => "ISK",
                _ => return None,
            },
        };
        Currency::parse(code)
    }
}

/// What a bare amount is paid in, where the country leaves no doubt.
pub fn currency_of(country: Option<Country>) -> Option<Currency> {
    let code = match country?.code() {
        "nl" | "de" | "at" | "be" | "fr" | "es" | "it" | "pt" | "ie" | "fi" | "lu" | "gr" => "EUR",
        "gb" => "GBP",
        "ch" | "li" => "CHF",
        "se" => "SEK",
        "no" => "NOK",
        "dk" => "DKK",
        "pl" => "PLN",
        "cz" => "CZK",
        "us" => "USD",
        "ca" => "CAD",
        "au" => "AUD",
        _ => return None,
    };
    Currency::parse(code)
}

/// Longest first where one starts or ends with another. Words are compared without case, except
/// `Fr`, which is also the start of a Friday.
const SIGNS: [(&str, &str); 40] = [
    ("€", "EUR"),
    ("£", "GBP"),
    ("CA$", "CAD"),
    ("CAD$", "CAD"),
    ("AU$", "AUD"),
    ("US$", "USD"),
    ("NZ$", "NZD"),
    ("HK$", "HKD"),
    ("C$", "CAD"),
    ("A$", "AUD"),
    ("S$", "SGD"),
    ("R$", "BRL"),
    ("$", "$"),
    ("¥", "JPY"),
    ("₺", "TRY"),
    ("₹", "INR"),
    ("₪", "ILS"),
    ("euros", "EUR"),
    ("euro", "EUR"),
    ("eur", "EUR"),
    ("gbp", "GBP"),
    ("usd", "USD"),
    ("cad", "CAD"),
    ("aud", "AUD"),
    ("chf", "CHF"),
    ("sfr.", "CHF"),
    ("sfr", "CHF"),
    ("Fr.", "CHF"),
    ("kronor", "kr"),
    ("kroner", "kr"),
    ("kr.", "kr"),
    ("kr", "kr"),
    ("sek", "SEK"),
    ("nok", "NOK"),
    ("dkk", "DKK"),
    ("zł", "PLN"),
    ("pln", "PLN"),
    ("kč", "CZK"),
    ("czk", "CZK"),
    ("lei", "RON"),
];

fn sign(code: &str) -> CurrencySign {
    match code {
        "$" => CurrencySign::Dollar,
        "kr" => CurrencySign::Krone,
        code => {
            CurrencySign::Code(Currency::parse(code).expect("BUG: the table holds three letters"))
        }
    }
}

/// The sign that ends right before `end`, and where it starts.
pub(crate) fn before(text: &str, end: usize) -> Option<(CurrencySign, usize)> {
    let before = text[..end].trim_end_matches(is_blank);
    if end - before.len() > 8 {
        return None;
    }
    // "EUR ab 700": the word for "from" may stand between the sign and the number.
    let before = [" ab", " from", " vanaf", " v.a."]
        .iter()
        .find_map(|word| before.strip_suffix(word))
        .map_or(before, |rest| rest.trim_end_matches(is_blank));
    let window = tail(before, 8);
    SIGNS.iter().find_map(|(word, code)| {
        let rest = strip_end(window, word)?;
        let boundary = word.ends_with('$') && word.len() == 1
            || !starts_with_letter(word)
            || !rest.chars().next_back().is_some_and(char::is_alphabetic);
        boundary.then(|| (sign(code), before.len() - (window.len() - rest.len())))
    })
}

/// The sign that starts at `from` (after blanks), and where it ends.
pub(crate) fn after(text: &str, from: usize) -> Option<(CurrencySign, usize)> {
    let at = skip_blanks(text, from);
    if at - from > 8 {
        return None;
    }
    SIGNS.iter().find_map(|(word, code)| {
        let rest = strip_start(&text[at..], word)?;
        let boundary =
            !ends_with_letter(word) || !rest.chars().next().is_some_and(char::is_alphanumeric);
        boundary.then(|| (sign(code), text.len() - rest.len()))
    })
}

fn starts_with_letter(word: &str) -> bool {
    word.starts_with(char::is_alphabetic)
}

fn ends_with_letter(word: &str) -> bool {
    word.ends_with(char::is_alphabetic)
}

fn strip_end<'a>(text: &'a str, word: &str) -> Option<&'a str> {
    let at = text.len().checked_sub(word.len()).filter(|at| text.is_char_boundary(*at))?;
    same(&text[at..], word).then(|| &text[..at])
}

fn strip_start<'a>(text: &'a str, word: &str) -> Option<&'a str> {
    let found = text.get(..word.len())?;
    same(found, word).then(|| &text[word.len()..])
}

fn same(found: &str, word: &str) -> bool {
    // Most are told apart by their first byte.
    if word.is_ascii() && !found.as_bytes()[0].eq_ignore_ascii_case(&word.as_bytes()[0]) {
        return false;
    }
    if word.starts_with('F') {
        return found == word;
    }
    found.eq_ignore_ascii_case(word)
        // Kč and ZŁ: the letters outside ASCII have one capital each.
        || (!word.is_ascii() && found.to_lowercase() == word)
}
