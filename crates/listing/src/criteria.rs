//! The user's own filters, on top of what the site filters.

use serde::{Deserialize, Serialize};
use unicode_normalization::char::{decompose_canonical, is_combining_mark};

use crate::{Area, Listing, Rooms};

/// What a search wants. A bound never hides a listing whose value is unknown: a missing field is
/// not a reason to be late.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct Criteria {
    /// Lowest rent per month, in cents.
    pub min_cents: Option<i64>,
    /// Highest rent per month, in cents.
    pub max_cents: Option<i64>,
    /// Smallest size.
    pub min_size: Option<Area>,
    /// Fewest rooms; compared with rooms, else with bedrooms.
    pub min_rooms: Option<Rooms>,
    /// At least one of these words must be there (empty: any listing).
    pub want_words: Vec<String>,
    /// None of these words may be there.
    pub exclude_words: Vec<String>,
    /// Hide what is marked as let, reserved or under option.
    pub hide_let: bool,
}

/// Why a listing is not wanted.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", tag = "why")]
pub enum Hidden {
    /// Below the lowest rent.
    TooCheap,
    /// Above the highest rent.
    TooDear,
    /// Smaller than wanted.
    TooSmall,
    /// Fewer rooms than wanted.
    TooFewRooms,
    /// None of the wanted words.
    NoWantedWord,
    /// A word that was excluded.
    ExcludedWord {
        /// The word.
        word: String,
    },
    /// Already let.
    AlreadyLet,
}

impl Criteria {
    /// `None` if the listing is wanted, else the first reason why not. Words are looked for in
    /// title and address, without regard to case and accents.
    pub fn hides(&self, listing: &Listing) -> Option<Hidden> {
        if let Some(price) = &listing.price {
            let high = price.upper_cents.unwrap_or(price.cents);
            if self.min_cents.is_some_and(|min| high < min && price.monthly_cents() < min) {
                return Some(Hidden::TooCheap);
            }
            if self.max_cents.is_some_and(|max| price.monthly_cents() > max) {
                return Some(Hidden::TooDear);
            }
        }
        if let (Some(min), Some(size)) = (self.min_size, listing.size)
            && size < min
        {
            return Some(Hidden::TooSmall);
        }
        if let (Some(min), Some(rooms)) = (self.min_rooms, listing.rooms.or(listing.bedrooms))
            && rooms < min
        {
            return Some(Hidden::TooFewRooms);
        }
        if self.hide_let && listing.flags.let_already {
            return Some(Hidden::AlreadyLet);
        }
        self.hidden_by_words(listing)
    }

    fn hidden_by_words(&self, listing: &Listing) -> Option<Hidden> {
        if self.want_words.is_empty() && self.exclude_words.is_empty() {
            return None;
        }
        let mut text = fold(listing.title.as_deref().unwrap_or_default());
        if let Some(address) = &listing.address {
            text.push(' ');
            text.push_str(&fold(&address.raw));
        }
        let has = |word: &String| {
            let word = fold(word);
            !word.is_empty() && text.contains(&word)
        };
        if let Some(word) = self.exclude_words.iter().find(|w| has(w)) {
            return Some(Hidden::ExcludedWord { word: word.clone() });
        }
        let wanted = self.want_words.is_empty() || self.want_words.iter().any(has);
        (!wanted).then_some(Hidden::NoWantedWord)
    }
}

/// Text without case and accents, for comparing words: `Möbliert` and `mobliert` are one.
pub fn fold(text: &str) -> String {
    let mut bare = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '\0'..='\x7f' => bare.push(c.to_ascii_lowercase()),
            'ß' | 'ẞ' => bare.push_str("ss"),
            _ => {
                for lower in c.to_lowercase() {
                    decompose_canonical(lower, |part| {
                        if !is_combining_mark(part) {
                            bare.push(part);
                        }
                    });
                }
            }
        }
    }
    crate::text::cleaned(bare)
}
