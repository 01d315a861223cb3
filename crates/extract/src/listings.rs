//! Cards to listings: links, keys, fields, roles.

use std::collections::{HashMap, HashSet};

use firstknock_listing::{KeyKind, Listing, ListingKey};
use url::Url;

use crate::cards::link::{Vote, has_id_token};
use crate::cards::shape::own_shape;
use crate::fields::card::Card;
use crate::fields::numbers::Places;
use crate::fields::title::{self, Repeated};
use crate::fields::{address, labels};
use crate::identity::canonical::{canonical, canonical_with};
use crate::identity::{attribute, place};
use crate::page::doc::Doc;
use crate::page::image;
use crate::roles;
use crate::values::{self, Country};

/// The listings of one card set, and what was learned about their identity.
pub(crate) struct Found {
    pub(crate) listings: Vec<Listing>,
    /// The node of each listing's card.
    pub(crate) nodes: Vec<u32>,
    pub(crate) link_coverage: f32,
    pub(crate) id_place: Option<String>,
    /// Cards that nothing tells apart.
    pub(crate) without_key: usize,
}

/// Reads all cards of a set, with the vote on their links.
pub(crate) fn read(
    doc: &Doc<'_>,
    nodes: &[u32],
    vote: &Vote,
    level: usize,
    page: &Url,
    country: Option<Country>,
    remembered: Option<&str>,
) -> Found {
    let cards: Vec<Card> = nodes.iter().map(|&n| Card::new(doc, n as usize, level)).collect();
    let roles = roles::roles(doc, &cards);
    let attributes = attribute::ids(doc, nodes);
    let keys = Keys::new(vote, &attributes, page, remembered);
    let list = List { places: Places::vote(&cards), repeated: Repeated::in_cards(&cards), country };
    let mut found = Found {
        listings: Vec::new(),
        nodes: Vec::new(),
        link_coverage: vote.coverage,
        id_place: keys.place.clone(),
        without_key: 0,
    };
    for (i, card) in cards.iter().enumerate() {
        let link = vote.chosen[i].as_ref();
        let keys = keys.of(link.map(|l| (l.0, &l.1)), attributes[i].as_deref());
        if keys.is_empty() {
            found.without_key += 1;
            continue;
        }
        let url =
            link.map_or_else(|| page.to_string(), |(href, url)| open_address(doc, *href, url));
        let mut listing = Listing::new(keys, url);
        listing.role = roles[i];
        list.fill(doc, card, link.map(|l| l.0), &mut listing);
        found.listings.push(listing);
        found.nodes.push(nodes[i]);
    }
    merge_twins(&mut found);
    found
}

/// The address as the page gives it, absolute.
fn open_address(doc: &Doc<'_>, href: u32, unwrapped: &Url) -> String {
    doc.base.join(doc.hrefs[href as usize]).map_or_else(|_| unwrapped.to_string(), String::from)
}

/// What is known of all cards before one is read.
struct List {
    places: Places,
    repeated: Repeated,
    country: Option<Country>,
}

impl List {
    fn fill(&self, doc: &Doc<'_>, card: &Card, href: Option<u32>, listing: &mut Listing) {
        let country = self.country;
        if let Some(read) = title::title(doc, card, href, &self.repeated) {
            listing.title = Some(firstknock_listing::truncate_chars(&read.value, 300));
            listing.evidence.push(read.evidence);
        }
        if let Some(read) = address::address(doc, card, listing.title.as_deref(), country) {
            listing.address = Some(read.value);
            listing.evidence.push(read.evidence);
        }
        if let Some(read) = self.places.price(doc, card, country) {
            listing.price = Some(read.value);
            listing.evidence.push(read.evidence);
        } else {
            listing.price_on_request = card.leaves.iter().any(|l| values::is_on_request(&l.text));
        }
        if let Some(read) = self.places.size(doc, card) {
            listing.size = Some(read.value);
            listing.evidence.push(read.evidence);
        }
        if let Some(read) = self.places.rooms(doc, card, country) {
            listing.rooms = read.value.rooms;
            listing.bedrooms = read.value.bedrooms;
            listing.evidence.push(read.evidence);
        }
        listing.available_from = card
            .leaves
            .iter()
            .filter(|l| l.text.len() <= 80 && labels::may_say_when(&l.text))
            .find_map(|l| values::availability(&l.text, country));
        listing.image = photo(doc, card.at);
        listing.flags = labels::flags(card, listing.title.as_deref());
    }
}

fn photo(doc: &Doc<'_>, card: usize) -> Option<String> {
    doc.flat.whole(card).find_map(|at| {
        let node = &doc.flat.nodes[at];
        let address = image::of_element(node.element?, node.tag)?;
        let url = doc.base.join(address).ok()?;
        matches!(url.scheme(), "http" | "https").then(|| url.to_string())
    })
}

/// What gives a card its keys.
struct Keys<'a> {
    page: &'a Url,
    place: Option<String>,
    /// Shapes of addresses that several different cards share (a forward to each advertiser): none
    /// of that shape is identity, since the next page may share it again.
    shared: HashSet<String>,
    path_only: bool,
}

impl<'a> Keys<'a> {
    fn new(
        vote: &Vote,
        attributes: &[Option<String>],
        page: &'a Url,
        remembered: Option<&str>,
    ) -> Self {
        let links: Vec<&(u32, Url)> = vote.chosen.iter().flatten().collect();
        let urls: Vec<&Url> = links.iter().map(|l| &l.1).collect();
        let hrefs: HashSet<u32> = links.iter().map(|l| l.0).collect();
        let paths: HashSet<(Option<&str>, &str)> =
            urls.iter().map(|u| (u.host_str(), u.path())).collect();
        // Two cards with one link and two ids are two listings, and the link tells neither.
        let mut ids: HashMap<u32, HashSet<&str>> = HashMap::new();
        let mut count: HashMap<u32, usize> = HashMap::new();
        for (link, attribute) in vote.chosen.iter().zip(attributes) {
            let Some((href, _)) = link else { continue };
            *count.entry(*href).or_default() += 1;
            ids.entry(*href).or_default().extend(attribute.as_deref());
        }
        Self {
            page,
            place: place::choose(&urls, remembered),
            shared: count
                .into_iter()
                .filter(|(href, n)| *n > 3 || ids[href].len() > 1)
                .filter_map(|(href, _)| links.iter().find(|l| l.0 == href))
                .map(|(_, url)| own_shape(url))
                .collect(),
            path_only: paths.len() >= hrefs.len() && paths.len() >= 3,
        }
    }

    fn of(&self, link: Option<(u32, &Url)>, attribute: Option<&str>) -> Vec<ListingKey> {
        let mut keys = Vec::new();
        let link = link.filter(|(_, url)| {
            !self.shared.contains(&own_shape(url))
                && canonical(url, false) != canonical(self.page, false)
        });
        if let Some((_, url)) = link {
            keys.extend(self.place.as_deref().and_then(|p| place::key(url, p)));
            let path_only = self.path_only && (url.path().len() > 1);
            let path_only = path_only || (has_id_token(url) && url.query().is_none());
            let told_by = self.place.as_deref().and_then(|p| p.strip_prefix("q."));
            keys.push(ListingKey::new(KeyKind::Url, &canonical_with(url, path_only, told_by)));
        }
        if let Some(value) = attribute {
            keys.push(ListingKey::new(KeyKind::Attr, value));
        }
        keys
    }
}

/// The same listing twice on the page (desktop and mobile, top block and list) is one listing.
fn merge_twins(found: &mut Found) {
    let mut first: HashMap<ListingKey, usize> = HashMap::new();
    let mut listings: Vec<Listing> = Vec::with_capacity(found.listings.len());
    let mut nodes = Vec::with_capacity(found.nodes.len());
    for (listing, node) in found.listings.drain(..).zip(found.nodes.drain(..)) {
        match first.get(listing.key()).copied() {
            Some(at) => merge(&mut listings[at], listing),
            None => {
                first.insert(listing.key().clone(), listings.len());
                listings.push(listing);
                nodes.push(node);
            }
        }
    }
    found.listings = listings;
    found.nodes = nodes;
}

/// Fills what is missing; the milder role wins, so that nothing wanted is hidden.
pub(crate) fn merge(into: &mut Listing, other: Listing) {
    use firstknock_listing::Role;
    into.role = match (into.role, other.role) {
        (Role::Result, _) | (_, Role::Result) => Role::Result,
        (Role::Promoted, _) | (_, Role::Promoted) => Role::Promoted,
        (Role::Recommendation, Role::Recommendation) => Role::Recommendation,
    };
    into.title = into.title.take().or(other.title);
    into.address = into.address.take().or(other.address);
    into.price = into.price.take().or(other.price);
    into.size = into.size.or(other.size);
    into.rooms = into.rooms.or(other.rooms);
    into.bedrooms = into.bedrooms.or(other.bedrooms);
    into.image = into.image.take().or(other.image);
    for key in other.keys {
        if !into.keys.contains(&key) {
            into.keys.push(key);
        }
    }
}
