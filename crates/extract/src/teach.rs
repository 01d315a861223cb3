//! What a person is asked where we are not sure: up to three sets with three sample cards each.

use url::Url;

use crate::cards::link::vote;
use crate::cards::pick::{self, CardSet};
use crate::list::List;
use crate::listings;
use crate::page::doc::Doc;
use crate::values::Country;
use crate::{Candidate, Choice};

/// Sets that are offered.
const OFFERED: usize = 3;
/// Sample cards of each.
const SAMPLE: usize = 3;

/// The set of the list and the best others that do not talk about the same part of the page, and how far the best leads.
pub(crate) fn candidates(
    doc: &Doc<'_>,
    sets: &[CardSet],
    list: &List,
    page: &Url,
    country: Option<Country>,
) -> (f32, Vec<Candidate>) {
    let mut offered: Vec<&CardSet> =
        list.set.as_ref().or_else(|| pick::best(sets)).into_iter().collect();
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
    let candidates = offered.into_iter().map(|set| {
        // The cards of the list are read already.
        let read = list.set.as_ref().is_some_and(|own| std::ptr::eq(own, set));
        let sample = if read && !list.listings.is_empty() {
            list.listings.iter().take(SAMPLE).cloned().collect()
        } else {
            let some = &set.cards[..set.cards.len().min(SAMPLE)];
            let vote = vote(doc, some, page);
            listings::read(doc, some, &vote, set.level, page, country, None).listings
        };
        Candidate {
            choice: Choice { cards: pick::signature(doc, set) },
            count: set.cards.len(),
            score: set.score,
            sample,
        }
    });
    (ratio, candidates.collect())
}
