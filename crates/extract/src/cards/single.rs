//! The only card of a page that speaks of a list.

use url::Url;

use super::link::vote;
use super::pick::CardSet;
use super::score::{card_score, weight};
use crate::hints;
use crate::page::annotate::{ROOMS, SIZE};
use crate::page::doc::Doc;
use crate::page::flat::{HIDDEN, IN_HEADING, IN_LINK, NAV, NOSCRIPT, TEMPLATE};
use crate::page::tag::Tag;

/// A longer text inside is a home's own description, not a card's.
const MOST_PROSE: usize = 400;
/// Levels above the facts that may still be the card: photo and heading stand beside them.
const MOST_LEVELS: usize = 4;

/// The element of the page's only home, if the page counts one hit or is headed like a list, all
/// sizes and rooms that it shows stand in that element, and its heading, its price or two of its
/// links lead on.
pub(crate) fn find(doc: &Doc<'_>, page: &Url) -> Option<CardSet> {
    let at = card(doc)?;
    let node = u32::try_from(at).ok()?;
    let alone = doc.flat.nodes.iter().enumerate().all(|(i, other)| {
        doc.signs[i] & (SIZE | ROOMS) == 0
            || other.flags & (HIDDEN | NAV | TEMPLATE | NOSCRIPT) != 0
            || doc.flat.whole(at).contains(&i)
    });
    let describes = doc.flat.inside(at).any(|i| doc.flat.nodes[i].text.trim().len() > MOST_PROSE);
    if !alone || describes || !leads_on(doc, node, page) {
        return None;
    }
    let counts_one = hints::result_count(doc, &[node]) == Some(1);
    if !counts_one && !is_headed_like_a_list(doc, at) {
        return None;
    }
    let mean = card_score(doc, at);
    let depth = doc.flat.nodes[at].depth;
    let cards = vec![node];
    Some(CardSet { level: 0, all: cards.clone(), cards, score: weight(mean), mean, depth })
}

/// The smallest element with a price and a size or rooms, or of those few around it the one that
/// looks most like a card and does not hold the page's heading.
fn card(doc: &Doc<'_>) -> Option<usize> {
    let nodes = &doc.flat.nodes;
    let core = (0..nodes.len())
        .filter(|&at| {
            let inside = doc.inside(at);
            nodes[at].element.is_some()
                && nodes[at].flags & (NAV | TEMPLATE | HIDDEN) == 0
                && inside.prices > 0
                && (inside.sizes > 0 || inside.rooms > 0)
        })
        .min_by_key(|&at| nodes[at].end as usize - at)?;
    let mut best: Option<(f32, usize)> = None;
    let mut up = core;
    for _ in 0..=MOST_LEVELS {
        let is_page = matches!(nodes[up].tag, Tag::Html | Tag::Body | Tag::Main);
        if is_page || doc.flat.inside(up).any(|i| is_main_heading(doc, i)) {
            break;
        }
        let linked = doc.inside(up).links > 0 || nodes[up].flags & IN_LINK != 0;
        let score = card_score(doc, up);
        if linked && nodes[up].tag.may_be_card() && best.is_none_or(|(most, _)| score > most) {
            best = Some((score, up));
        }
        up = nodes[up].parent as usize;
    }
    best.map(|(_, at)| at)
}

fn is_main_heading(doc: &Doc<'_>, at: usize) -> bool {
    doc.flat.nodes[at].element.is_some_and(|element| element.name() == "h1")
}

/// The heading or the price of the card, the whole card, or two links of it lead to another page. A
/// photo alone may open a gallery, and a file is no page.
fn leads_on(doc: &Doc<'_>, card: u32, page: &Url) -> bool {
    let chosen = vote(doc, &[card], page).chosen;
    let Some((href, url)) = chosen.first().and_then(Option::as_ref) else { return false };
    let is_file = |path: &str| {
        let low = path.to_ascii_lowercase();
        [".pdf", ".zip", ".jpg", ".jpeg", ".png", ".webp"].iter().any(|end| low.ends_with(end))
    };
    let other = |url: &Url| {
        (url.path() != page.path() || url.query() != page.query()) && !is_file(url.path())
    };
    let links = doc.links.iter().filter(|l| l.href == *href);
    let strong = links.clone().any(|l| {
        let (at, inside) = (l.node as usize, doc.inside(l.node as usize));
        inside.headings > 0
            || inside.prices > 0
            || doc.flat.nodes[at].flags & IN_HEADING != 0
            || (at <= card as usize && doc.flat.nodes[at].end > card)
    });
    other(url) && (strong || links.count() >= 2)
}

/// The first heading outside the card has a word for homes or hits in the plural.
fn is_headed_like_a_list(doc: &Doc<'_>, card: usize) -> bool {
    let heading = (0..card).find(|&at| {
        let node = &doc.flat.nodes[at];
        node.flags & IN_HEADING != 0
            && node.flags & (HIDDEN | NAV | TEMPLATE) == 0
            && !node.text.trim().is_empty()
    });
    heading.is_some_and(|at| hints::names_hits(doc.flat.nodes[at].text))
}
