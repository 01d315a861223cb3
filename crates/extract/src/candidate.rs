//! The card sets that a page offers, for the case that a person has to say which one is the list.

use firstknock_listing::Listing;
use serde::{Deserialize, Serialize};

/// How a set of cards is found again: the tag path from the root at three levels of detail.
/// A later page matches on the finest level that still has cards.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct CardSignature {
    /// Tag and all classes.
    pub full: String,
    /// Tag and first stable class.
    pub stable: String,
    /// Tags only.
    pub tags: String,
    /// For lists in embedded data: the path of the array instead of tags.
    pub json: String,
}

/// What a person chose; stored with the source and used from then on.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
pub struct Choice {
    /// The set that was picked.
    pub cards: CardSignature,
}

/// One set that may be the list ("these 24, or these 6?").
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Candidate {
    /// What to store if a person picks this one.
    pub choice: Choice,
    /// Cards in the set.
    pub count: usize,
    /// Set score of the miner; only its order means anything.
    pub score: f32,
    /// Up to three cards, as they would be read.
    pub sample: Vec<Listing>,
}
