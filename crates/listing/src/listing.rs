//! One listing as a page shows it.

use serde::{Deserialize, Serialize};

use crate::{Area, ListingKey, Money, Rooms};

/// A listing as one page shows it. Nothing but the keys and the address is certain: a missing field
/// is not a missing listing (hestia#66, flathunter PR#31).
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Listing {
    /// All strong keys, best first; never empty. The first is the CLI's `key`.
    pub keys: Vec<ListingKey>,
    /// The absolute address to open, as the page gives it (http or https).
    pub url: String,
    /// One line, as shown.
    pub title: Option<String>,
    /// Where it is.
    pub address: Option<PostalAddress>,
    /// The price shown first as the price; `None` if there is none or it is on request.
    pub price: Option<Money>,
    /// "Preis auf Anfrage", "POA" …
    pub price_on_request: bool,
    /// Living area.
    pub size: Option<Area>,
    /// All rooms, where the country counts so (NL, DE, FR, SE).
    pub rooms: Option<Rooms>,
    /// Bedrooms only (UK, IE, US, PT, ES).
    pub bedrooms: Option<Rooms>,
    /// Absolute address of a photo.
    pub image: Option<String>,
    /// As shown ("ab sofort", "per 1-12"); ISO date where it could be read.
    pub available_from: Option<String>,
    /// What kind of place on the page it has.
    pub role: Role,
    /// Labels; none of them hides a listing by itself.
    pub flags: Flags,
    /// Where each field was found and its raw text, for "why" and for tests.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub evidence: Vec<Evidence>,
}

/// An address as far as the page tells.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct PostalAddress {
    /// The line as shown.
    pub raw: String,
    /// Street with number.
    pub street: Option<String>,
    /// Postcode.
    pub postcode: Option<String>,
    /// Town.
    pub city: Option<String>,
}

/// What kind of place on the page a listing has.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Role {
    /// An ordinary hit.
    #[default]
    Result,
    /// Paid placement outside the normal order, often repeated below.
    Promoted,
    /// Near-miss, similar or nearby: below an "outside your criteria" divider. Never alerted.
    Recommendation,
}

/// Labels that a card shows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
pub struct Flags {
    /// Somebody looks for a home.
    pub wanted: bool,
    /// An exchange of homes.
    pub exchange: bool,
    /// Already let, reserved or under option.
    pub let_already: bool,
}

/// Where one field of a listing was found.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Evidence {
    /// `price`, `size`, `rooms`, `title` …
    pub field: String,
    /// A node path or a JSON pointer.
    pub found_at: String,
    /// The text that was read.
    pub raw: String,
}

impl Listing {
    /// An empty listing around its keys and its address.
    pub fn new(keys: Vec<ListingKey>, url: String) -> Self {
        Self {
            keys,
            url,
            title: None,
            address: None,
            price: None,
            price_on_request: false,
            size: None,
            rooms: None,
            bedrooms: None,
            image: None,
            available_from: None,
            role: Role::Result,
            flags: Flags::default(),
            evidence: Vec::new(),
        }
    }

    /// The best key.
    ///
    /// # Panics
    /// If the listing was made without one, which is our mistake.
    pub fn key(&self) -> &ListingKey {
        self.keys.first().expect("BUG: a listing has a key")
    }

    /// What to call it where only one line fits: title, else address, else the link.
    pub fn headline(&self) -> &str {
        self.title.as_deref().or(self.address.as_ref().map(|a| a.raw.as_str())).unwrap_or(&self.url)
    }
}
