//! Cards and records of the same listings: agreement gives trust.
//!
//! Map pins are supersets, top blocks are subsets, and ids also stand in "report a problem" links:
//! so a list of records counts only when it matches the visible cards, and adds to them only when
//! nearly all cards are in it and it is not much longer.

use std::collections::HashMap;

use firstknock_listing::{Area, KeyKind, Listing, ListingKey, Money, Rooms};
use url::Url;

use super::rescue;
use crate::cards::shape::is_id_token;
use crate::identity::canonical::canonical;
use crate::json::{Record, RecordSet};
use crate::page::doc::Doc;
use crate::page::flat::{HIDDEN, TEMPLATE};

/// A list of records may add to the cards if this share of the cards is in it …
const MOST_CARDS: f32 = 0.9;
/// … and it is at most so many times as long.
const NOT_LONGER: f32 = 1.6;
/// Numbers are believed where they agree on this share of the cards that have both.
const AGREE: f32 = 0.7;

/// Fills the cards' gaps from a list of records, and adds what only the records have. Gives the
/// number of cards that are in the list.
pub(crate) fn join(
    listings: &mut Vec<Listing>,
    set: &RecordSet,
    doc: &Doc<'_>,
    id_place: Option<&str>,
) -> usize {
    let base = &doc.base;
    let index = Index::new(listings);
    let mut pairs: Vec<(usize, &Record)> = Vec::new();
    let mut rest: Vec<&Record> = Vec::new();
    let total = set.records.len();
    let mut used = vec![false; listings.len()];
    for record in &set.records {
        match index.find(record, base) {
            Some(at) if !used[at] => {
                used[at] = true;
                pairs.push((at, record));
            }
            Some(_) => {}
            None => rest.push(record),
        }
    }
    let matched = pairs.len();
    if (matched < 2 && listings.len() > 1) || (matched as f32) < 0.4 * listings.len() as f32 {
        return matched;
    }
    let trust = Trust::of(listings, &pairs);
    for (at, record) in pairs {
        fill(&mut listings[at], record, &trust, base, &set.place);
    }
    let cards = listings.len() as f32;
    if matched as f32 >= MOST_CARDS * cards && total as f32 <= NOT_LONGER * cards && cards >= 3.0 {
        let fits = |r: &&Record| r.url.is_some() && trust.price_or_nothing(r);
        let mut rest = rest.into_iter().filter(fits).peekable();
        // What the page does not show (locked, sold, hidden by a filter) is not added.
        let shown = if rest.peek().is_some() { shown_text(doc) } else { String::new() };
        for record in rest.filter(|r| is_shown(r, &shown)) {
            listings.extend(rescue::listing(record, base, &set.place, id_place, &|_| None));
        }
    }
    matched
}

fn shown_text(doc: &Doc<'_>) -> String {
    let mut text = String::new();
    for node in doc.flat.nodes.iter().filter(|n| n.flags & (HIDDEN | TEMPLATE) == 0) {
        text.push_str(node.text);
        text.push('\n');
    }
    text.to_lowercase()
}

/// Whether the title or the street of a record stands on the page.
fn is_shown(record: &Record, shown: &str) -> bool {
    let street = record.address.as_ref().and_then(|a| a.street.as_deref());
    [record.title.as_deref(), street]
        .into_iter()
        .flatten()
        .filter(|text| text.len() >= 4)
        .any(|text| shown.contains(&text.to_lowercase()))
}

/// Where the cards are, by address and by the id tokens in their addresses and keys.
struct Index {
    by_address: HashMap<String, Option<usize>>,
    by_token: HashMap<String, Option<usize>>,
}

impl Index {
    fn new(listings: &[Listing]) -> Self {
        let mut index = Self { by_address: HashMap::new(), by_token: HashMap::new() };
        for (at, listing) in listings.iter().enumerate() {
            let urls = listing.keys.iter().filter(|k| k.kind() == Some(KeyKind::Url));
            for key in urls {
                put(&mut index.by_address, key.value().to_ascii_lowercase(), at);
            }
            if let Ok(url) = Url::parse(&listing.url) {
                put(&mut index.by_address, canonical(&url, true).to_ascii_lowercase(), at);
            }
            let texts = listing.keys.iter().map(ListingKey::value).chain([listing.url.as_str()]);
            let mut own: Vec<&str> = texts.flat_map(tokens).collect();
            own.sort_unstable();
            own.dedup();
            for token in own {
                put(&mut index.by_token, token.to_ascii_lowercase(), at);
            }
        }
        index
    }

    fn find(&self, record: &Record, base: &Url) -> Option<usize> {
        let url = record.url.as_deref().and_then(|text| rescue::address(text, base));
        if let Some(url) = &url {
            for text in [canonical(url, false), canonical(url, true)] {
                if let Some(Some(at)) = self.by_address.get(&text.to_ascii_lowercase()) {
                    return Some(*at);
                }
            }
        }
        let whole = |text: &str| self.by_token.get(&text.to_ascii_lowercase()).copied().flatten();
        let ids = record.ids.iter().filter(|id| id.len() >= 4);
        ids.clone()
            .find_map(|id| whole(id))
            .or_else(|| ids.clone().find_map(|id| tokens(id).find_map(whole)))
            .or_else(|| record.url.as_deref().and_then(|text| tokens(text).find_map(whole)))
    }
}

/// A token that two cards share tells neither.
fn put(map: &mut HashMap<String, Option<usize>>, key: String, at: usize) {
    map.entry(key).and_modify(|slot| *slot = slot.filter(|s| *s == at)).or_insert(Some(at));
}

/// Tokens of a text that may be ids: whole parts, and parts of parts.
fn tokens(text: &str) -> impl Iterator<Item = &str> {
    text.split(['/', '?', '&', '=', ':', '#'])
        .flat_map(|part| {
            std::iter::once(part).chain(part.split(|c: char| !c.is_ascii_alphanumeric()))
        })
        .filter(|t| t.len() >= 4 && t.len() <= 64 && (is_id_token(t) || looks_composite(t)))
}

fn looks_composite(token: &str) -> bool {
    token.bytes().filter(u8::is_ascii_digit).count() >= 5 && token.contains(['-', '_', '.'])
}

/// Which fields of the records may be believed.
struct Trust {
    price: Option<f32>,
    size: Option<f32>,
    rooms: Option<f32>,
    bedrooms: Option<f32>,
    pairs: usize,
}

impl Trust {
    fn of(listings: &[Listing], pairs: &[(usize, &Record)]) -> Self {
        let near = |a: f64, b: f64| (a - b).abs() <= 0.011 * a.abs().max(b.abs());
        type Get<T> = fn(&T) -> Option<f64>;
        let share = |card: Get<Listing>, record: Get<Record>| {
            let both: Vec<bool> = pairs
                .iter()
                .filter_map(|(at, r)| Some(near(card(&listings[*at])?, record(r)?)))
                .collect();
            let yes = both.iter().filter(|b| **b).count();
            (!both.is_empty()).then(|| yes as f32 / both.len() as f32)
        };
        Self {
            price: share(
                |l| l.price.as_ref().map(Money::amount),
                |r| r.price.as_ref().map(Money::amount),
            ),
            size: share(|l| l.size.map(Area::m2), |r| r.size.map(Area::m2)),
            rooms: share(|l| l.rooms.map(Rooms::count), |r| r.rooms.map(Rooms::count)),
            bedrooms: share(|l| l.bedrooms.map(Rooms::count), |r| r.bedrooms.map(Rooms::count)),
            pairs: pairs.len(),
        }
    }

    /// Agreement where both have the field; where the cards never have it, the price must agree.
    fn holds(&self, field: Option<f32>) -> bool {
        match field {
            Some(share) => share >= AGREE,
            None => self.price.is_none_or(|share| share >= AGREE),
        }
    }

    /// Nearly perfect agreement on many cards: then the record is right where they differ.
    fn is_better(&self, field: Option<f32>) -> bool {
        self.pairs >= 5 && field.is_some_and(|share| share >= 0.9)
    }

    /// A record that is added needs a price that can be believed, or none at all.
    fn price_or_nothing(&self, record: &Record) -> bool {
        record.price.is_none() || self.holds(self.price)
    }
}

fn fill(listing: &mut Listing, record: &Record, trust: &Trust, base: &Url, place: &str) {
    if listing.price.is_none() && !listing.price_on_request && trust.holds(trust.price) {
        listing.price.clone_from(&record.price);
    }
    let differs = |a: f64, b: f64| (a - b).abs() > 0.011 * a.abs().max(b.abs());
    if let Some(size) = record.size.filter(|_| trust.holds(trust.size)) {
        let wrong = listing.size.is_some_and(|s| differs(s.m2(), size.m2()));
        if listing.size.is_none() || (wrong && trust.is_better(trust.size)) {
            listing.size = Some(size);
        }
    }
    if let Some(rooms) = record.rooms.filter(|_| trust.holds(trust.rooms))
        && (listing.rooms.is_none() || trust.is_better(trust.rooms))
    {
        listing.rooms = Some(rooms);
    }
    if let Some(rooms) = record.bedrooms.filter(|_| trust.holds(trust.bedrooms))
        && (listing.bedrooms.is_none() || trust.is_better(trust.bedrooms))
    {
        listing.bedrooms = Some(rooms);
    }
    if listing.image.is_none() {
        listing.image =
            record.image.as_deref().and_then(|text| rescue::address(text, base)).map(String::from);
    }
    listing.title = listing.title.take().or_else(|| record.title.clone());
    listing.address = listing.address.take().or_else(|| record.address.clone());
    listing.available_from =
        listing.available_from.take().or_else(|| record.available_from.clone());
    for id in record.ids.iter().filter(|id| rescue::is_strong(id)).take(1) {
        let key = ListingKey::new(KeyKind::Json, id);
        if !listing.keys.contains(&key) {
            listing.keys.push(key);
        }
    }
    let known: Vec<String> = listing.evidence.iter().map(|e| e.field.clone()).collect();
    let new = rescue::evidence(record, place).into_iter().filter(|e| !known.contains(&e.field));
    listing.evidence.extend(new);
}
