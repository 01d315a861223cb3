//! What a person is asked where we are not sure: up to three sets with three sample cards each.

use url::Url;

use crate::cards::link::vote;
use crate::cards::pick::{self, CardSet};
use crate::listings;
use crate::page::doc::Doc;
use crate::values::Country;
use crate::{Candidate, Choice};

/// Sets that are offered.
const OFFERED: usize = 3;
/// Sample cards of each.
const SAMPLE: usize = 3;

/// The chosen set and the best others that do not talk about the same part of the page, and how far the best leads.
pub(crate) fn candidates(
    doc: &Doc<'_>,
    sets: &[CardSet],
    chosen: Option<&CardSet>,
    page: &Url,
    country: Option<Country>,
) -> (f32, Vec<Candidate>) {
    let mut offered: Vec<&CardSet> = chosen.or_else(|| pick::best(sets)).into_iter().collect();
    for set in sets {
        if offered.len() >= OFFERED {
            break;
        }
        if set.cards.len() >= 2 && !offered.iter().any(|other| pick::overlap(doc, other, set)) {
            offered.push(set);
        }
    }
    let ratio = match (offered.first(), offered.get(1)) {
        (Some(first), Some(second)) => first.score / second.score.max(0.01),
        _ => f32::MAX,
    };
    let candidates = offered.into_iter().map(|set| candidate(doc, set, page, country)).collect();
    (ratio, candidates)
}

fn candidate(doc: &Doc<'_>, set: &CardSet, page: &Url, country: Option<Country>) -> Candidate {
    let some = &set.cards[..set.cards.len().min(SAMPLE)];
    let found = listings::read(doc, some, &vote(doc, some, page), set.level, page, country, None);
    Candidate {
        choice: Choice { cards: pick::signature(doc, set) },
        count: set.cards.len(),
        score: set.score,
        sample: found.listings,
    }
}
