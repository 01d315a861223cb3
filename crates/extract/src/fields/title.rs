//! What a card calls its listing.

use std::collections::{HashMap, HashSet};

use super::card::Card;
use super::numbers::{Read, read};
use crate::page::annotate::{PRICE, SIZE};
use crate::page::doc::Doc;
use crate::page::flat::{IN_HEADING, TEMPLATE, attr};

/// Texts that stand in many cards of the list ("All details"): no title of any of them.
pub(crate) struct Repeated(HashSet<String>);

impl Repeated {
    pub(crate) fn in_cards(cards: &[Card]) -> Self {
        let mut count: HashMap<&str, usize> = HashMap::new();
        for card in cards {
            let own: HashSet<&str> = card.leaves.iter().map(|l| l.text.as_str()).collect();
            for text in own {
                *count.entry(text).or_default() += 1;
            }
        }
        let many = (cards.len() * 2 / 5).max(3);
        Self(count.into_iter().filter(|(_, n)| *n >= many).map(|(t, _)| t.to_owned()).collect())
    }

    fn has(&self, text: &str) -> bool {
        self.0.contains(text)
    }
}

/// The heading; else the text of the detail link; else the link's or the photo's own words; what
/// many cards say comes last.
pub(crate) fn title(
    doc: &Doc<'_>,
    card: &Card,
    href: Option<u32>,
    repeated: &Repeated,
) -> Option<Read<String>> {
    let own = |read: &Read<String>| !repeated.has(&read.value);
    heading(doc, card, repeated)
        .filter(own)
        .or_else(|| link_text(doc, card, href).filter(own))
        .or_else(|| words_of(doc, card, href, repeated))
        .or_else(|| heading(doc, card, &Repeated(HashSet::new())))
        .or_else(|| link_text(doc, card, href))
}

fn heading(doc: &Doc<'_>, card: &Card, repeated: &Repeated) -> Option<Read<String>> {
    let mut best: Option<Read<String>> = None;
    let mut at = 0;
    while at < card.leaves.len() {
        let leaf = &card.leaves[at];
        if leaf.flags & IN_HEADING == 0 {
            at += 1;
            continue;
        }
        let top = heading_of(doc, leaf.node as usize, card.at);
        let end = doc.flat.nodes[top].end;
        let mut text = String::new();
        let mut value = false;
        while let Some(leaf) = card.leaves.get(at).filter(|l| l.node < end) {
            if !text.is_empty() {
                text.push(' ');
            }
            text.push_str(&leaf.text);
            value |= leaf.signs & PRICE != 0;
            at += 1;
        }
        if is_title(&text) && !repeated.has(&text) && !(value && text.chars().count() < 24) {
            return Some(read("title", doc, leaf.node, text.clone(), text));
        }
        if best.is_none() && text.chars().any(char::is_alphabetic) {
            best = Some(read("title", doc, leaf.node, text.clone(), text));
        }
    }
    best.filter(|b| b.value.chars().count() > 3)
}

fn heading_of(doc: &Doc<'_>, node: usize, card: usize) -> usize {
    let mut at = node;
    while at > card {
        if doc.flat.nodes[at].tag == crate::page::tag::Tag::Heading {
            return at;
        }
        at = doc.flat.nodes[at].parent as usize;
    }
    node
}

fn link_text(doc: &Doc<'_>, card: &Card, href: Option<u32>) -> Option<Read<String>> {
    let href = href?;
    let links =
        doc.links_in(card.at).iter().filter(|l| l.href == href && l.node as usize != card.at);
    links
        .filter_map(|link| {
            let end = doc.flat.nodes[link.node as usize].end;
            let leaves = card.leaves.iter().filter(|l| link.node < l.node && l.node < end);
            let good: Vec<&str> = leaves
                .filter(|l| l.signs & (PRICE | SIZE) == 0 || l.text.chars().count() > 30)
                .map(|l| l.text.as_str())
                .collect();
            let text = if good.len() > 4 {
                (*good.iter().max_by_key(|t| t.chars().count())?).to_owned()
            } else {
                good.join(" ")
            };
            (is_title(&text)).then(|| read("title", doc, link.node, text.clone(), text))
        })
        .max_by_key(|read| read.value.chars().count().min(80))
}

fn words_of(
    doc: &Doc<'_>,
    card: &Card,
    href: Option<u32>,
    repeated: &Repeated,
) -> Option<Read<String>> {
    let of_link =
        doc.links_in(card.at).iter().filter(|l| Some(l.href) == href).map(|l| l.node as usize);
    let inside = doc.flat.whole(card.at);
    of_link
        .chain(inside)
        .filter(|&at| doc.flat.nodes[at].flags & TEMPLATE == 0)
        .find_map(|at| {
            let element = doc.flat.nodes[at].element?;
            let text =
                ["aria-label", "title", "alt"].iter().find_map(|name| attr(element, name))?;
            let text = firstknock_listing::clean_line(text);
            let node = u32::try_from(at).ok()?;
            (is_title(&text) && text.chars().count() >= 8)
                .then(|| read("title", doc, node, text.clone(), text))
        })
        .or_else(|| {
            let leaf = card
                .leaves
                .iter()
                .find(|l| is_title(&l.text) && l.signs & PRICE == 0 && !repeated.has(&l.text))?;
            Some(read("title", doc, leaf.node, leaf.text.clone(), leaf.text.clone()))
        })
}

fn is_title(text: &str) -> bool {
    text.chars().filter(|c| c.is_alphabetic()).count() >= 4
}
