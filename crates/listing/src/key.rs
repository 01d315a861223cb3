//! Strong keys: any one of them that matches within the same asked host is the same listing.

use serde::{Deserialize, Serialize};

/// Where a key was read. The order is the order of preference: the first of a listing is its `key`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum KeyKind {
    /// `id:<host>:<place>:<token>`: an id token in the link, with the place it was found at.
    Id,
    /// `url:<canonical address>`.
    Url,
    /// `attr:<value>` of a `data-…id` attribute.
    Attr,
    /// `json:<id>` in embedded data.
    Json,
}

/// One strong key of a listing, as text with its kind in front (`id:`, `url:`, `attr:`, `json:`).
/// Never price, title or position.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(transparent)]
pub struct ListingKey(String);

impl KeyKind {
    /// The word in front of the colon.
    pub const fn prefix(self) -> &'static str {
        match self {
            Self::Id => "id",
            Self::Url => "url",
            Self::Attr => "attr",
            Self::Json => "json",
        }
    }
}

impl ListingKey {
    /// A key of a kind.
    pub fn new(kind: KeyKind, value: &str) -> Self {
        Self(format!("{}:{value}", kind.prefix()))
    }

    /// Reads a key back that was stored; `None` for text without a known kind.
    pub fn from_stored(text: &str) -> Option<Self> {
        let key = Self(text.to_owned());
        (key.kind().is_some() && !key.value().is_empty()).then_some(key)
    }

    /// The kind, by the prefix.
    pub fn kind(&self) -> Option<KeyKind> {
        match self.0.split_once(':')?.0 {
            "id" => Some(KeyKind::Id),
            "url" => Some(KeyKind::Url),
            "attr" => Some(KeyKind::Attr),
            "json" => Some(KeyKind::Json),
            _ => None,
        }
    }

    /// What stands after the kind.
    pub fn value(&self) -> &str {
        self.0.split_once(':').map_or("", |(_, value)| value)
    }

    /// The whole key as text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl std::fmt::Display for ListingKey {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.0)
    }
}
