//! What is remembered of one source (one search's page) between checks.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::{CardSignature, Choice, Field};

/// The learned wrapper of one search page. Opaque to everybody else: stored as JSON text with the
/// search, handed back at the next check, dropped when the search gets another address.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct SourceMemory {
    /// Pages with listings that were learned from.
    pub pages: u32,
    /// The cards, at three levels of detail.
    pub cards: CardSignature,
    /// The shape of the detail link.
    pub link: String,
    /// Where in the link the id stands.
    pub id_place: String,
    /// Listings on the last pages, oldest first; their median is the usual count.
    pub counts: Vec<u32>,
    /// Share of cards that have a field, 0 to 1, averaged over pages.
    pub coverage: BTreeMap<Field, f32>,
    /// Characters of visible text, averaged over pages: far less means a wall or an error.
    pub text_chars: usize,
    /// Hashes of keys seen lately: all of them new at the usual count is re-keying.
    pub seen: Vec<u64>,
    /// Checks in a row that found nothing and no reason.
    pub unsure: u8,
    /// What a person chose.
    pub choice: Option<Choice>,
}

impl SourceMemory {
    /// The median of the last counts; `None` before the first page.
    pub fn usual_count(&self) -> Option<u32> {
        let mut counts = self.counts.clone();
        counts.sort_unstable();
        counts.get(counts.len() / 2).copied()
    }
}
