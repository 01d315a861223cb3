//! What a page means against what we remember of its source.

use serde::{Deserialize, Serialize};

/// A field of a listing whose coverage is remembered.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Field {
    /// The price, or that it is on request.
    Price,
    /// The floor area.
    Size,
    /// Rooms or bedrooms.
    Rooms,
    /// A photo.
    Image,
    /// The title.
    Title,
    /// The address.
    Address,
}

/// A changed layout told from an honest empty page (`extraction.md`, section 7).
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(tag = "finding", rename_all = "snake_case")]
pub enum Finding {
    /// As usual, or nothing is remembered yet.
    #[default]
    Fine,
    /// Honestly nothing there: the page says so and nothing that we remember is on it.
    Empty,
    /// Listings are there, but a field that nearly every card had is missing on most: the site
    /// was changed a little. Polling goes on; the user is told once.
    Degraded {
        /// The fields that fell from at least 80 % of the cards to under 40 %.
        fields: Vec<Field>,
    },
    /// Identity moved (another link shape or id place, or every id is new at the usual count).
    /// Nothing is announced on this check; the new keys become known.
    ReKeyed {
        /// Listings whose keys are new.
        n: usize,
    },
    /// No listings, but what we remember (links, prices) is still on the page: the layout changed
    /// in a way that we cannot read. Nothing is marked gone.
    Broken,
    /// No listings and no reason to be seen: retried twice, then the user is told.
    Unsure {
        /// Which time in a row, from 1; 3 and more are told.
        times: u8,
    },
}

impl Field {
    /// All fields.
    pub const ALL: [Self; 6] =
        [Self::Price, Self::Size, Self::Rooms, Self::Image, Self::Title, Self::Address];

    /// The word used in JSON, and in the catalogue as `page_field_<code>`.
    pub const fn code(self) -> &'static str {
        match self {
            Self::Price => "price",
            Self::Size => "size",
            Self::Rooms => "rooms",
            Self::Image => "image",
            Self::Title => "title",
            Self::Address => "address",
        }
    }
}

impl Finding {
    /// The word used in JSON and logs. The row's sentence is the catalogue's `page_<code>`.
    pub const fn code(&self) -> &'static str {
        match self {
            Self::Fine => "fine",
            Self::Empty => "empty",
            Self::Degraded { .. } => "degraded",
            Self::ReKeyed { .. } => "re_keyed",
            Self::Broken => "broken",
            Self::Unsure { .. } => "unsure",
        }
    }

    /// The number for the catalogue's `{n}`, where the sentence has one. The lost fields of
    /// [`Finding::Degraded`] are its `{fields}`, each with the catalogue's `page_field_<code>`.
    pub fn count(&self) -> Option<usize> {
        match self {
            Self::ReKeyed { n } => Some(*n),
            Self::Unsure { times } => Some(usize::from(*times)),
            Self::Fine | Self::Empty | Self::Degraded { .. } | Self::Broken => None,
        }
    }

    /// Nothing of this check may be announced; its listings become known in silence.
    pub const fn is_silent(&self) -> bool {
        matches!(self, Self::ReKeyed { .. })
    }

    /// Nothing may be marked gone: what is missing on this page may still be there.
    pub const fn keeps_known(&self) -> bool {
        matches!(self, Self::Broken | Self::Unsure { .. } | Self::ReKeyed { .. })
    }
}
