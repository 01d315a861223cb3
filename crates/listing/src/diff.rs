//! What changed since last time: pure, against what is known.

use std::collections::{HashMap, HashSet};

use crate::{Listing, ListingId, ListingKey, Money, Role};

/// What the store knows about one listing of the asked host.
#[derive(Debug, Clone, PartialEq)]
pub struct Known {
    /// Our row id.
    pub id: ListingId,
    /// All keys it was ever seen under.
    pub keys: Vec<ListingKey>,
    /// The last price that was stored.
    pub price: Option<Money>,
    /// It was gone from every page when last looked at.
    pub gone: bool,
    /// This very search has it on its page (a sighting that has not ended).
    pub here: bool,
}

/// What happened to one listing on a page. The index is that of the extracted listing.
#[derive(Debug, Clone, PartialEq)]
pub enum Change {
    /// Never seen on this host.
    New {
        /// Index into the extracted listings.
        at: usize,
    },
    /// Seen before, gone, and back.
    Relisted {
        /// Index into the extracted listings.
        at: usize,
        /// Who it is.
        id: ListingId,
    },
    /// Its price is another one than the stored, and the two may be compared.
    Repriced {
        /// Index into the extracted listings.
        at: usize,
        /// Who it is.
        id: ListingId,
        /// The stored price.
        was: Money,
    },
    /// Known and unchanged, as far as an alert is concerned.
    Same {
        /// Index into the extracted listings.
        at: usize,
        /// Who it is.
        id: ListingId,
    },
}

/// The outcome of one comparison.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Diff {
    /// One entry per distinct listing on the page, in page order.
    pub seen: Vec<Change>,
    /// Known listings of this search that are no longer on its page.
    pub gone: Vec<ListingId>,
}

/// Compares a page with what is known of its host. Order never matters; a listing that stands
/// twice on the page (a sponsored twin) counts once; a recommendation is left out.
pub fn diff(extracted: &[Listing], known: &[Known]) -> Diff {
    let mut by_key: HashMap<&ListingKey, usize> = HashMap::new();
    for (at, listing) in known.iter().enumerate() {
        for key in &listing.keys {
            by_key.entry(key).or_insert(at);
        }
    }
    let mut out = Diff::default();
    let mut matched: HashSet<ListingId> = HashSet::new();
    let mut fresh: HashSet<&ListingKey> = HashSet::new();
    for (at, listing) in extracted.iter().enumerate() {
        if listing.role == Role::Recommendation {
            continue;
        }
        match listing.keys.iter().find_map(|key| by_key.get(key)).map(|&i| &known[i]) {
            Some(known) if matched.insert(known.id) => out.seen.push(compare(at, listing, known)),
            Some(_) => {}
            None => {
                let twin = listing.keys.iter().any(|key| fresh.contains(key));
                fresh.extend(&listing.keys);
                if !twin {
                    out.seen.push(Change::New { at });
                }
            }
        }
    }
    out.gone = known.iter().filter(|k| k.here && !matched.contains(&k.id)).map(|k| k.id).collect();
    out
}

fn compare(at: usize, listing: &Listing, known: &Known) -> Change {
    let id = known.id;
    if known.gone {
        return Change::Relisted { at, id };
    }
    match (&listing.price, &known.price) {
        (Some(now), Some(was)) if now.cents != was.cents && now.comparable(was) => {
            Change::Repriced { at, id, was: was.clone() }
        }
        _ => Change::Same { at, id },
    }
}
