//! Prices, sizes, rooms, dates and postcodes from the short texts of a card.
//!
//! **Promises**: one number rule for all countries; every reader takes any text and gives a
//! bounded answer in linear time (texts are cut at [`MAX_TEXT`] bytes, numbers at 13 digits).
//! **Leaves out**: the page. Struck-through old prices, links to mortgage calculators and the
//! choice between several texts of a card are the miner's.

mod address;
mod country;
mod dates;
mod number;
mod postcode;
mod price;
mod price_words;
mod rooms;
mod sign;
mod size;

pub use address::address;
pub use country::Country;
pub use dates::availability;
pub use number::{Number, number};
pub use postcode::postcode;
pub use price::{PriceReading, is_on_request, price};
pub(crate) use price::{is_price_per_area, price_starts};
pub use rooms::{RoomsReading, rooms};
pub use sign::{CurrencySign, currency_of as currency_of_country};
pub use size::{size, usable};

/// Longer texts are cut here before they are read: no card says its price after 8,000 bytes.
pub const MAX_TEXT: usize = 8_000;

/// The text up to `max` bytes, cut between characters.
pub(crate) fn head(text: &str, max: usize) -> &str {
    if text.len() <= max { text } else { &text[..text.floor_char_boundary(max)] }
}

/// The last `max` bytes of the text, cut between characters.
pub(crate) fn tail(text: &str, max: usize) -> &str {
    &text[text.ceil_char_boundary(text.len().saturating_sub(max))..]
}

/// A fixed pattern, compiled. Letters are those of Latin scripts and digits those of ASCII: all of
/// Unicode's would cost the first page of a process tens of milliseconds, and no word list needs
/// them.
pub(crate) fn pattern(text: &str) -> regex::Regex {
    let mut small = text.replace(r"\d", "[0-9]");
    for class in ["L", "Lu", "Ll"] {
        let whole = format!(r"\p{{{class}}}");
        small = small.replace(&whole, &format!(r"[{whole}&&[\x00-\u{{24f}}]]"));
    }
    regex::Regex::new(&small).expect("BUG: a fixed pattern compiles")
}

/// Blanks of all kinds that pages put inside and around numbers.
pub(crate) fn is_blank(c: char) -> bool {
    c.is_whitespace() || matches!(c, '\u{200b}' | '\u{feff}' | '\u{2060}')
}

pub(crate) fn skip_blanks(text: &str, from: usize) -> usize {
    text[from..].char_indices().find(|(_, c)| !is_blank(*c)).map_or(text.len(), |(i, _)| from + i)
}
