//! Price, size and rooms of the cards of one list.
//!
//! The place of a field is voted over all cards first; a card without a text at that place is read
//! by itself.

use std::collections::HashMap;

use firstknock_listing::{Area, Evidence, Money, RentKind};

use super::card::{Card, Leaf};
use super::labels;
use crate::page::annotate::{NUMBER_ONLY, PRICE, ROOMS, SIZE};
use crate::page::doc::Doc;
use crate::page::flat::{STRUCK, attr};
use crate::values::{self, Country, RoomsReading};

/// The paths at which most cards have a value of a sign, best first.
pub(crate) struct Places {
    price: HashMap<u64, u32>,
    size: HashMap<u64, u32>,
    rooms: HashMap<u64, u32>,
}

/// What was read, and from which text.
pub(crate) struct Read<T> {
    pub(crate) value: T,
    pub(crate) evidence: Evidence,
}

impl Places {
    pub(crate) fn vote(cards: &[Card]) -> Self {
        Self { price: count(cards, PRICE), size: count(cards, SIZE), rooms: count(cards, ROOMS) }
    }

    pub(crate) fn price(
        &self,
        doc: &Doc<'_>,
        card: &Card,
        country: Option<Country>,
    ) -> Option<Read<Money>> {
        let mut best: Option<(u32, Read<Money>)> = None;
        for (i, leaf) in card.leaves.iter().enumerate() {
            if leaf.signs & PRICE == 0 || leaf.flags & STRUCK != 0 {
                continue;
            }
            let votes = self.price.get(&leaf.path).copied().unwrap_or(0);
            // Of two in the same place the cold rent counts, whichever stands first.
            let warm = |read: &Read<Money>| read.value.kind == Some(RentKind::Warm);
            let beaten = best
                .as_ref()
                .is_some_and(|(most, read)| *most > votes || (*most == votes && !warm(read)));
            if beaten {
                continue;
            }
            let text = card.around(doc, i, PRICE, 90);
            let text = labels::with_label(card, i, &text);
            // A text that names a deposit or a fee is no rent, and then has no money.
            let wide = values::price(&text, country).money;
            let narrow =
                (text != leaf.text).then(|| values::price(&leaf.text, country).money).flatten();
            let value = match (wide, narrow) {
                // The neighbours may have run into the number ("Lane 17" + "160 000 kr").
                (Some(wide), Some(narrow)) if wide.cents != narrow.cents => Some(narrow),
                (wide, _) => wide,
            };
            let cold = |v: &Money| v.kind == Some(RentKind::Cold);
            let tied = best.as_ref().is_some_and(|(most, _)| *most == votes);
            if let Some(value) = value.filter(|v| v.cents > 0 && (!tied || cold(v))) {
                best = Some((votes, read("price", doc, leaf.node, text, value)));
            }
        }
        best.map(|(_, read)| read)
    }

    /// The living area; else what is called usable area, which is the same where nothing else is
    /// told.
    pub(crate) fn size(&self, doc: &Doc<'_>, card: &Card) -> Option<Read<Area>> {
        self.size_by(doc, card, true, values::size)
            .or_else(|| self.size_by(doc, card, false, values::size))
            .or_else(|| self.size_by(doc, card, false, values::usable))
    }

    fn size_by(
        &self,
        doc: &Doc<'_>,
        card: &Card,
        named: bool,
        value_of: fn(&str) -> Option<Area>,
    ) -> Option<Read<Area>> {
        let mut best: Option<(u32, Read<Area>)> = None;
        for (i, leaf) in card.leaves.iter().enumerate() {
            if leaf.signs & SIZE == 0 {
                continue;
            }
            let votes = self.size.get(&leaf.path).copied().unwrap_or(0);
            if best.as_ref().is_some_and(|(most, _)| *most >= votes) {
                continue;
            }
            let text = match value_of(&leaf.text) {
                Some(_) => leaf.text.clone(),
                None if doc.column(leaf.node).is_some() => format!("{} m²", leaf.text),
                None => card.around(doc, i, SIZE, 60),
            };
            // "Perceel" | "210 m²": a plot by its name.
            let name = labels::name_of(doc, card, i).filter(|_| named);
            if name.is_some_and(|name| value_of(&format!("{name}: {text}")).is_none()) {
                continue;
            }
            if let Some(value) = value_of(&text) {
                best = Some((votes, read("size", doc, leaf.node, text, value)));
            }
        }
        best.map(|(_, read)| read)
    }

    /// Rooms and bedrooms: the text that says each where most cards say it; else a bare number
    /// beside a picture of a bed; else a form without a number.
    pub(crate) fn rooms(
        &self,
        doc: &Doc<'_>,
        card: &Card,
        country: Option<Country>,
    ) -> Option<Read<RoomsReading>> {
        let mut found: Option<Read<RoomsReading>> = None;
        let mut told: Vec<(usize, &Leaf)> =
            card.leaves.iter().enumerate().filter(|(_, l)| l.signs & ROOMS != 0).collect();
        told.sort_by_key(|(_, l)| std::cmp::Reverse(self.rooms.get(&l.path).copied().unwrap_or(0)));
        for (i, leaf) in told {
            let mut text = match doc.column(leaf.node) {
                Some(head) => format!("{}: {}", head.trim(), leaf.text),
                None => leaf.text.clone(),
            };
            let mut value = values::rooms(&text, country);
            if value == RoomsReading::default() {
                text = card.around(doc, i, ROOMS, 60);
                value = values::rooms(&text, country);
            }
            if value == RoomsReading::default() {
                text = labels::with_room_label(card, i);
                value = values::rooms(&text, country);
            }
            if value == RoomsReading::default() {
                continue;
            }
            match &mut found {
                None => found = Some(read("rooms", doc, leaf.node, text, value)),
                Some(so_far) => {
                    so_far.value.rooms = so_far.value.rooms.or(value.rooms);
                    so_far.value.bedrooms = so_far.value.bedrooms.or(value.bedrooms);
                }
            }
        }
        found.or_else(|| by_picture(doc, card, country)).or_else(|| in_words(doc, card, country))
    }
}

fn count(cards: &[Card], sign: u8) -> HashMap<u64, u32> {
    let mut votes: HashMap<u64, u32> = HashMap::new();
    let mut seen: Vec<u64> = Vec::new();
    for card in cards {
        seen.clear();
        for leaf in card.leaves.iter().filter(|l| l.signs & sign != 0 && l.flags & STRUCK == 0) {
            if !seen.contains(&leaf.path) {
                seen.push(leaf.path);
                *votes.entry(leaf.path).or_default() += 1;
            }
        }
    }
    votes
}

/// Rooms in a form that no number with a word behind it gives away: "Studio", "T2", "two bedroom".
fn in_words(doc: &Doc<'_>, card: &Card, country: Option<Country>) -> Option<Read<RoomsReading>> {
    let mut short = card.leaves.iter().filter(|l| l.text.len() <= 90 && l.signs & PRICE == 0);
    short.find_map(|leaf| {
        let value = values::rooms(&leaf.text, country);
        (value != RoomsReading::default())
            .then(|| read("rooms", doc, leaf.node, leaf.text.clone(), value))
    })
}

/// A bare small number whose neighbour is called after beds or rooms in some attribute.
fn by_picture(doc: &Doc<'_>, card: &Card, country: Option<Country>) -> Option<Read<RoomsReading>> {
    for leaf in card.leaves.iter().filter(|l| l.signs & NUMBER_ONLY != 0 && l.text.len() <= 3) {
        let parent = doc.flat.nodes[leaf.node as usize].parent as usize;
        let around = if parent > card.at { doc.flat.nodes[parent].parent as usize } else { parent };
        let from = around.max(card.at).max((leaf.node as usize).saturating_sub(8));
        let words = (from..leaf.node as usize).rev().find_map(|at| {
            let element = doc.flat.nodes[at].element?;
            ["aria-label", "title", "alt", "class", "data-icon", "src", "href", "data-testid"]
                .iter()
                .filter_map(|name| attr(element, name))
                .find_map(labels::room_word)
        });
        if let Some(word) = words {
            let text = format!("{} {word}", leaf.text);
            let value = values::rooms(&text, country);
            if value != RoomsReading::default() {
                return Some(read("rooms", doc, leaf.node, text, value));
            }
        }
    }
    None
}

pub(crate) fn read<T>(field: &str, doc: &Doc<'_>, node: u32, raw: String, value: T) -> Read<T> {
    Read {
        value,
        evidence: Evidence { field: field.to_owned(), found_at: node_path(doc, node), raw },
    }
}

/// The last steps of the way to a node, for a person who asks "why".
pub(crate) fn node_path(doc: &Doc<'_>, node: u32) -> String {
    let mut steps = Vec::new();
    let mut at = node as usize;
    while steps.len() < 4 && at > 0 {
        let node = &doc.flat.nodes[at];
        if let Some(element) = node.element {
            let class = attr(element, "class")
                .and_then(crate::page::tagpath::stable_class)
                .map(|c| format!(".{c}"))
                .unwrap_or_default();
            steps.push(format!("{}{class}", element.name()));
        }
        at = node.parent as usize;
    }
    steps.reverse();
    steps.join(" > ")
}
