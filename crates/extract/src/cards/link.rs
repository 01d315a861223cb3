//! Which of a card's links leads to the listing: a vote over shapes of addresses
//! (`extraction.md`, section 2.2). Coverage over the cards counts first.

use std::cell::LazyCell;
use std::collections::HashMap;

use firstknock_listing::HostKey;
use url::Url;

use super::pick::links_of;
use super::shape::{Literals, has_id};
use crate::identity::canonical::unwrap_redirect;
use crate::page::annotate::PRICE;
use crate::page::doc::Doc;
use crate::page::flat::{IN_HEADING, TEMPLATE};

/// The outcome of the vote.
pub(crate) struct Vote {
    /// Per card: its link, as an index into `Doc::hrefs`, and the address it stands for.
    pub(crate) chosen: Vec<Option<(u32, Url)>>,
    /// Share of the cards that have a link of the shape that won.
    pub(crate) coverage: f32,
}

struct Offer {
    href: u32,
    url: Url,
    shape: String,
    score: f32,
    exclusive: bool,
    serves: bool,
}

/// Links of one card that are looked at.
const MAX_LINKS: usize = 60;

/// Words of links that serve and do not lead to the listing.
const SERVICE: [&str; 47] = [
    "contact",
    "kontakt",
    "report",
    "melden",
    "login",
    "signin",
    "sign-in",
    "register",
    "account",
    "agent",
    "makler",
    "makelaar",
    "anbieter",
    "agence",
    "agency",
    "/pro/",
    "/profil",
    "inmobiliaria",
    "financ",
    "hypothe",
    "mortgage",
    "kredit",
    "compare",
    "vergleich",
    "merk",
    "favorit",
    "favourite",
    "wishlist",
    "bewaar",
    "save",
    "share",
    "mailto",
    "print",
    "facebook.",
    "bookmark",
    "watchlist",
    "message",
    "viewing",
    "bezichtig",
    "besichtig",
    "kantoor",
    "broker",
    "agenzi",
    "agencia",
    "imobiliaria",
    "memberlist",
    "landlord",
];

pub(crate) fn vote(doc: &Doc<'_>, cards: &[u32], page: &Url) -> Vote {
    let home = HostKey::of(page).map(|host| host.domain());
    // Per address: where it leads, whether it serves, and whether it stays on this site.
    let mut resolved: HashMap<u32, Option<(Url, bool, bool)>> = HashMap::new();
    let mut holders: HashMap<u32, u32> = HashMap::new();
    let mut literals = Literals::default();
    let mut per_card: Vec<Vec<(u32, f32)>> = Vec::with_capacity(cards.len());
    for &card in cards {
        let offers = local_scores(doc, card as usize);
        for (href, _) in &offers {
            let url = resolved.entry(*href).or_insert_with(|| {
                let url = resolve(doc, *href, page)?;
                let lower = url.as_str().to_ascii_lowercase();
                let serves = SERVICE.iter().any(|word| lower.contains(word));
                let at_home = HostKey::of(&url).map(|host| host.domain()) == home;
                Some((url, serves, at_home))
            });
            let count = holders.entry(*href).or_default();
            *count += 1;
            if let (Some((url, ..)), 1) = (url, *count) {
                literals.add(url);
            }
        }
        per_card.push(offers);
    }
    let own = page.as_str().split('#').next().unwrap_or_default().to_owned();
    let offers: Vec<Vec<Offer>> = per_card
        .into_iter()
        .zip(cards)
        .map(|(links, &card)| {
            let amounts = LazyCell::new(|| amounts_of(doc, card as usize));
            links
                .into_iter()
                .filter_map(|(href, score)| {
                    let (url, serves, at_home) = resolved.get(&href)?.clone()?;
                    // A loan calculator carries the price in its address.
                    let serves = serves || carries(&url, &amounts);
                    let to_itself = url.as_str().split('#').next() == Some(own.as_str());
                    let score =
                        score - if serves { 1.5 } else { 0.0 } - if to_itself { 3.0 } else { 0.0 };
                    // Where a card leads both to this site and elsewhere, this site is opened.
                    let score = score + if at_home { 0.6 } else { 0.0 };
                    let shape = literals.shape(&url, cards.len());
                    let exclusive = holders.get(&href).is_none_or(|n| *n == 1);
                    Some(Offer { href, url, shape, score, exclusive, serves })
                })
                .collect()
        })
        .collect();
    decide(offers)
}

fn decide(offers: Vec<Vec<Offer>>) -> Vote {
    let cards = offers.len().max(1) as f32;
    // Per shape: cards that have it, and the sum of the best score in each.
    let mut shapes: HashMap<&str, (u32, u32, f32, u32)> = HashMap::new();
    for card in &offers {
        let mut here: HashMap<&str, (bool, f32, bool)> = HashMap::new();
        for offer in card {
            let slot = here.entry(&offer.shape).or_insert((false, f32::MIN, true));
            slot.0 |= offer.exclusive;
            slot.1 = slot.1.max(offer.score);
            slot.2 &= offer.serves;
        }
        for (shape, (exclusive, score, serves)) in here {
            let slot = shapes.entry(shape).or_default();
            slot.0 += u32::from(exclusive);
            slot.1 += 1;
            slot.2 += score;
            slot.3 += u32::from(serves);
        }
    }
    let mut ranked: Vec<(&str, f32, f32)> = shapes
        .iter()
        .map(|(shape, (exclusive, all, sum, serves))| {
            // Links that serve cover every card as well, but lead to no listing.
            let worth = if serves * 2 > *all { 0.3 } else { 1.0 };
            let coverage = worth * *exclusive as f32 / cards;
            let id = if shape.contains('#') { 1.0 } else { 0.0 };
            (*shape, 6.0 * coverage + sum / *all as f32 + id, *all as f32 / cards)
        })
        .collect();
    ranked.sort_by(|a, b| b.1.total_cmp(&a.1).then_with(|| a.0.cmp(b.0)));
    let rank: HashMap<String, usize> =
        ranked.iter().enumerate().map(|(i, r)| (r.0.to_owned(), i)).collect();
    let coverage = ranked.first().map_or(0.0, |r| r.2);
    let chosen = offers
        .into_iter()
        .map(|card| {
            card.into_iter()
                .map(|offer| {
                    let place = rank.get(&offer.shape).copied().unwrap_or(usize::MAX);
                    // Off the winning shape, a card's own best link is better than the next shape.
                    let place = usize::from(place > 0);
                    (place, offer)
                })
                .min_by(|a, b| {
                    a.0.cmp(&b.0)
                        .then(a.1.serves.cmp(&b.1.serves))
                        .then(b.1.exclusive.cmp(&a.1.exclusive))
                        .then(b.1.score.total_cmp(&a.1.score))
                })
                .map(|(_, offer)| (offer.href, offer.url))
        })
        .collect();
    Vote { chosen, coverage }
}

/// Whether a value of the query is one of the amounts.
fn carries(url: &Url, amounts: &LazyCell<Vec<String>, impl FnOnce() -> Vec<String>>) -> bool {
    url.query_pairs().any(|(_, value)| {
        let is_amount = value.len() >= 3 && value.bytes().all(|b| b.is_ascii_digit());
        is_amount && amounts.iter().any(|amount| *amount == value)
    })
}

/// The digits of the amounts that a card shows, for links that carry one of them.
fn amounts_of(doc: &Doc<'_>, card: usize) -> Vec<String> {
    let nodes = doc.flat.whole(card).filter(|&at| doc.signs[at] & PRICE != 0);
    nodes
        .take(6)
        .filter_map(|at| {
            let amount = crate::values::price(doc.flat.nodes[at].text, None).money?;
            Some((amount.cents / 100).to_string())
        })
        .filter(|digits| digits.len() >= 3)
        .collect()
}

/// What a link's place in its card says: heading +2, photo +1, price +1, repeated, some text.
fn local_scores(doc: &Doc<'_>, card: usize) -> Vec<(u32, f32)> {
    let mut scores: Vec<(u32, f32)> = Vec::new();
    for link in links_of(doc, card).iter().take(MAX_LINKS) {
        let at = link.node as usize;
        let node = &doc.flat.nodes[at];
        if node.flags & TEMPLATE != 0 {
            continue;
        }
        let inside = doc.inside(at);
        let mut score = 0.0;
        if inside.headings > 0 || node.flags & IN_HEADING != 0 {
            score += 2.0;
        }
        if inside.images > 0 {
            score += 1.0;
        }
        if inside.prices > 0 {
            score += 1.0;
        }
        if inside.chars >= 8 {
            score += 0.5;
        }
        match scores.iter_mut().find(|(href, _)| *href == link.href) {
            Some((_, so_far)) => *so_far = (*so_far).max(score) + so_far.min(score).min(0.5) + 0.5,
            None => {
                // Most cards lead to the listing first.
                let score = if scores.is_empty() { score + 0.4 } else { score };
                scores.push((link.href, score));
            }
        }
    }
    scores
}

/// The absolute address behind a link, redirects unwrapped.
pub(crate) fn resolve(doc: &Doc<'_>, href: u32, page: &Url) -> Option<Url> {
    let url = doc.base.join(doc.hrefs[href as usize]).ok()?;
    if !matches!(url.scheme(), "http" | "https") || url.host_str().is_none() {
        return None;
    }
    Some(unwrap_redirect(&url, page).unwrap_or(url))
}

/// Whether an address has something like an id in its path or query.
pub(crate) fn has_id_token(url: &Url) -> bool {
    url.path_segments().into_iter().flatten().any(has_id)
        || url.query_pairs().any(|(_, value)| has_id(&value))
}
