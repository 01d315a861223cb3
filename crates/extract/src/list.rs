//! The list as far as it is known, and how sure we are of it.

use std::collections::HashMap;

use firstknock_listing::Listing;

use crate::CardSignature;
use crate::cards::pick::CardSet;
use crate::kind::Chosen;
use crate::listings::Found;
use crate::page::annotate::PRICE;
use crate::page::doc::Doc;
use crate::page::flat::{HIDDEN, IN_LINK, NAV};

/// The list as far as it is known.
#[derive(Default)]
pub(crate) struct List {
    pub(crate) listings: Vec<Listing>,
    /// Elements of the cards.
    pub(crate) nodes: Vec<u32>,
    pub(crate) signature: CardSignature,
    pub(crate) id_place: Option<String>,
    pub(crate) mean: f32,
    pub(crate) link_coverage: f32,
    pub(crate) remembered: bool,
    pub(crate) without_key: usize,
    /// The set that they are of, with only those that stayed.
    pub(crate) set: Option<CardSet>,
    /// Cards that agree with embedded data.
    pub(crate) agreed: usize,
}

impl List {
    pub(crate) fn of(
        found: Found,
        set: Option<&CardSet>,
        signature: CardSignature,
        remembered: bool,
    ) -> Self {
        Self {
            listings: found.listings,
            nodes: found.nodes,
            signature,
            id_place: found.id_place,
            mean: set.map_or(5.0, |set| set.mean),
            link_coverage: found.link_coverage,
            remembered,
            without_key: found.without_key,
            set: None,
            agreed: 0,
        }
    }

    pub(crate) fn chosen(&self) -> Chosen<'_> {
        Chosen {
            listings: &self.listings,
            nodes: &self.nodes,
            mean: self.mean,
            remembered: self.remembered,
        }
    }
}

/// Fewer characters are a step of a price filter.
const LEAST_AD: u32 = 40;

/// Running ads that share a tag path, have prices and no link: nothing to know them by.
pub(crate) fn ads_without_links(doc: &Doc<'_>) -> usize {
    let mut counts: HashMap<u64, usize> = HashMap::new();
    for (at, node) in doc.flat.nodes.iter().enumerate() {
        if doc.signs[at] & PRICE != 0 && node.flags & (NAV | HIDDEN | IN_LINK) == 0 {
            let parent = node.parent as usize;
            if doc.links_in(parent).is_empty() && doc.inside(parent).chars >= LEAST_AD {
                *counts.entry(doc.flat.nodes[parent].paths[0]).or_default() += 1;
            }
        }
    }
    counts.into_values().max().unwrap_or(0)
}

/// What data about the first cards would mention.
pub(crate) struct Mentions {
    tokens: Vec<String>,
    most_bytes: usize,
}

impl Mentions {
    /// More bytes in one blob are read only if the cards have no prices.
    const ENOUGH: usize = 400_000;

    pub(crate) fn of(listings: &[Listing]) -> Self {
        let tokens = listings
            .iter()
            .step_by((listings.len() / 6).max(1))
            .flat_map(|l| l.keys.iter().take(2))
            .filter_map(|key| {
                let value = key.value();
                let token = value.rsplit([':', '/']).next().unwrap_or(value);
                let token = token.rsplit_once('?').map_or(token, |(path, _)| path);
                (token.len() >= 4).then(|| token.to_owned())
            })
            .collect();
        let priced = listings.iter().filter(|l| l.price.is_some()).count() * 2 > listings.len();
        Self { tokens, most_bytes: if priced { Self::ENOUGH } else { usize::MAX } }
    }

    pub(crate) fn are_in(&self, text: &str) -> bool {
        text.len() <= self.most_bytes
            && self.tokens.iter().any(|token| text.contains(token.as_str()))
    }
}

/// Embedded data is read only where the cards leave something open.
pub(crate) fn has_gaps(listings: &[Listing]) -> bool {
    let n = listings.len();
    let lacks = |missing: &dyn Fn(&Listing) -> bool| {
        listings.iter().filter(|l| missing(l)).count() * 20 > n
    };
    lacks(&|l| l.price.is_none() && !l.price_on_request)
        || lacks(&|l| l.size.is_none())
        || lacks(&|l| l.rooms.is_none() && l.bedrooms.is_none())
        || lacks(&|l| l.image.is_none())
        || lacks(&|l| l.title.is_none())
        || lacks(&|l| l.address.is_none())
}

/// How sure we are: a clear lead over the next set, rich cards, enough of them, and one shape of
/// link. Agreement with embedded data and a memory make up for what is missing.
pub(crate) fn confidence(list: &List, ratio: f32) -> f32 {
    if list.remembered {
        return 1.0;
    }
    let mut sure = 1.0_f32;
    if ratio < 1.5 {
        sure *= 0.7;
    }
    if list.mean < 4.4 {
        sure *= 0.75;
    }
    if list.listings.len() < 3 {
        sure *= 0.6;
    }
    if list.link_coverage < 0.8 {
        sure *= 0.85;
    }
    if list.agreed * 10 >= list.listings.len() * 8 && list.agreed >= 3 {
        sure = sure.max(0.9);
    }
    sure
}
