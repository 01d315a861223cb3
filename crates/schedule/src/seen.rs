//! What was on the page, as far as the plan and the rows need to know.

use serde::{Deserialize, Serialize};

/// What came with an outcome.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Seen {
    /// Listings recognised on the page.
    pub listings: u32,
    /// How many of them were new; for the log only.
    pub new: u32,
    /// What the extractor makes of the page (`extraction.md`, section 7).
    pub finding: Finding,
    /// The HTTP status, where there was one: the row of a page that is gone names it.
    pub status: Option<u16>,
}

/// Whether the page looks as it should.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Finding {
    /// As usual.
    #[default]
    Fine,
    /// The page says itself that nothing matches.
    Empty,
    /// Fields that used to be filled are missing.
    Degraded,
    /// Every id is new at the usual count: nothing is announced on this check.
    ReKeyed,
    /// Listings were there before and are no longer recognised.
    Broken,
    /// Cannot be told.
    #[serde(other)]
    Unsure,
}

impl Finding {
    /// Whether the row says that the page looks different.
    pub const fn is_suspicious(self) -> bool {
        match self {
            Self::Broken | Self::Unsure => true,
            Self::Fine | Self::Empty | Self::Degraded | Self::ReKeyed => false,
        }
    }
}

impl Seen {
    /// A page with so many listings, all as usual.
    pub fn fine(listings: u32) -> Self {
        Self { listings, status: Some(200), ..Self::default() }
    }

    /// A page that says itself that nothing matches.
    pub fn empty() -> Self {
        Self { finding: Finding::Empty, status: Some(200), ..Self::default() }
    }

    /// Nothing was read: a wall or trouble.
    pub fn nothing() -> Self {
        Self { finding: Finding::Unsure, ..Self::default() }
    }
}
