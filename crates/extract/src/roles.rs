//! Ordinary hits, paid places, and what lies outside the user's criteria.

use std::collections::HashMap;

use firstknock_listing::Role;

use crate::fields::card::Card;
use crate::fields::labels::{self, fold};
use crate::nothing;
use crate::page::doc::Doc;
use crate::page::flat::{HIDDEN, IN_HEADING, IN_LINK, NAV, attr};

/// Texts above cards that the user did not ask for, folded. Word lists per language.
const DIVIDERS: [&str; 56] = [
    "ausserhalb",
    "ahnliche",
    "alternative",
    "umgebung",
    "umkreis erweitert",
    "erweiterte",
    "konnte dich auch",
    "konnte sie auch",
    "auch interess",
    "konnten sie auch",
    "konnten dich auch",
    "may like",
    "might like",
    "pueden interesar",
    "podria interesar",
    "potrebbero interessar",
    "podem interessar",
    "vorschlage",
    "empfehlungen",
    "passende anzeigen",
    "outside your",
    "similar",
    "nearby",
    "you may also",
    "you might also",
    "recommended",
    "other properties",
    "also be interested",
    "near your search",
    "suggested",
    "vergelijkbare",
    "soortgelijke",
    "in de buurt",
    "omgeving",
    "buiten je",
    "andere woningen",
    "ook interessant",
    "misschien ook",
    "aanbevolen",
    "similaires",
    "a proximite",
    "aux alentours",
    "aussi vous",
    "recommand",
    "similares",
    "cercan",
    "tambien te",
    "simili",
    "vicinanze",
    "podobne",
    "w poblizu",
    "liknande",
    "narliggande",
    "lignende",
    "podobn",
    "polecane",
];
/// Words in names of containers of such cards.
const CONTAINER_WORDS: [&str; 6] =
    ["recommend", "similar", "suggest", "nearby", "alternative", "related"];
/// A longer text is no heading over cards.
const MAX_DIVIDER: usize = 140;

/// The roles of cards in document order.
pub(crate) fn roles(doc: &Doc<'_>, cards: &[Card]) -> Vec<Role> {
    let promoted: Vec<bool> = cards.iter().map(|c| is_promoted(doc, c)).collect();
    // A label that nearly every card has says nothing.
    let labelled = promoted.iter().filter(|p| **p).count();
    let labels_count = labelled * 10 < cards.len() * 6;
    let mut named = HashMap::new();
    let contained: Vec<bool> =
        cards.iter().map(|c| in_recommendations(doc, c.at, &mut named)).collect();
    let containers_count = !contained.iter().all(|c| *c);
    let mut below = cards
        .first()
        .is_some_and(|c| divider_above(doc, c.at) || nothing::offers_instead(doc, c.at));
    let mut roles = Vec::with_capacity(cards.len());
    let mut from = cards.first().map_or(0, |c| c.at);
    for (i, card) in cards.iter().enumerate() {
        below |= (from..card.at).any(|at| is_divider(doc, at, card.at));
        from = doc.flat.nodes[card.at].end as usize;
        roles.push(
            if below || (contained[i] && containers_count) || marked_similar(doc, card.at) {
                Role::Recommendation
            } else if promoted[i] && labels_count {
                Role::Promoted
            } else {
                Role::Result
            },
        );
    }
    roles
}

fn is_divider(doc: &Doc<'_>, at: usize, card: usize) -> bool {
    let node = &doc.flat.nodes[at];
    if node.text.is_empty() || node.flags & (NAV | HIDDEN) != 0 || node.text.len() > MAX_DIVIDER {
        return false;
    }
    // A sentence inside an ad that was not taken for a card divides nothing.
    let up = doc.flat.nodes[node.parent as usize].parent as usize;
    let around = doc.inside(if up > 0 { up } else { node.parent as usize });
    let stands_alone = around.prices == 0 && around.sizes == 0 && around.images == 0;
    if node.flags & IN_HEADING == 0 && !stands_alone && !heads(doc, at, card) {
        return false;
    }
    let text = fold(node.text);
    text.len() > 6 && DIVIDERS.iter().any(|word| text.contains(word))
}

/// A short text that fills a block by itself, in the element that goes on with the card: a heading
/// that is not marked up as one.
fn heads(doc: &Doc<'_>, at: usize, card: usize) -> bool {
    let node = &doc.flat.nodes[at];
    if node.text.len() > 80 || node.flags & IN_LINK != 0 || node.text.trim_end().ends_with('.') {
        return false;
    }
    let own = doc.inside(at).chars;
    let mut block = node.parent as usize;
    while block > 0 && doc.inside(block).chars == own {
        block = doc.flat.nodes[block].parent as usize;
    }
    doc.flat.nodes[block].end as usize > card
}

/// The heading nearest above the first card says that none of this was asked for.
fn divider_above(doc: &Doc<'_>, first: usize) -> bool {
    let from = first.saturating_sub(40);
    let heading = (from..first)
        .rev()
        .filter(|&at| !doc.flat.nodes[at].text.is_empty())
        .find(|&at| doc.flat.nodes[at].flags & IN_HEADING != 0);
    heading.is_some_and(|at| is_divider(doc, at, first))
}

fn is_promoted(doc: &Doc<'_>, card: &Card) -> bool {
    card.leaves.iter().any(|leaf| labels::is_promotion(&leaf.text))
        || doc
            .links_in(card.at)
            .iter()
            .any(|link| doc.hrefs[link.href as usize].contains("promoted"))
}

fn in_recommendations(doc: &Doc<'_>, card: usize, known: &mut HashMap<usize, bool>) -> bool {
    let mut at = card;
    for _ in 0..6 {
        if *known.entry(at).or_insert_with(|| is_called_recommendation(doc, at)) {
            return true;
        }
        let parent = doc.flat.nodes[at].parent as usize;
        if parent >= at {
            break;
        }
        at = parent;
    }
    false
}

fn is_called_recommendation(doc: &Doc<'_>, at: usize) -> bool {
    doc.flat.nodes[at].element.is_some_and(|element| {
        let names = ["class", "id", "data-testid", "data-test", "aria-label"];
        names.iter().filter_map(|name| attr(element, name)).any(|value| {
            let value = value.to_ascii_lowercase();
            CONTAINER_WORDS.iter().any(|word| value.contains(word))
        })
    })
}

/// `data-is-similar="1"` and the like.
fn marked_similar(doc: &Doc<'_>, card: usize) -> bool {
    doc.flat.nodes[card].element.is_some_and(|element| {
        element.attrs.iter().any(|(key, value)| {
            let key = &*key.local;
            key.starts_with("data-")
                && (key.contains("similar") || key.contains("recommend"))
                && matches!(&**value, "1" | "true" | "yes")
        })
    })
}
