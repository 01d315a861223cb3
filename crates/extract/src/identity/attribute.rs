//! Ids in data attributes and hidden inputs, for cards whose links do not tell them apart.

use std::collections::{HashMap, HashSet};

use scraper::node::Element;

use crate::page::doc::Doc;
use crate::page::flat::attr;
use crate::page::tag::Tag;

/// Elements of one card that are looked at.
const MAX_ELEMENTS: usize = 60;

/// Attributes with what a click calls.
const CLICKS: [&str; 7] =
    ["onclick", "ng-click", "@click", "v-on:click", "x-on:click", "wire:click", "data-onclick"];

/// Per card, the value of the attribute that tells the cards of the page apart; `None` where the
/// card has none or the page has no such attribute.
pub(crate) fn ids(doc: &Doc<'_>, cards: &[u32]) -> Vec<Option<String>> {
    let per_card: Vec<Vec<(String, &str)>> =
        cards.iter().map(|&at| of_card(doc, at as usize)).collect();
    let mut names: HashMap<&str, (u32, HashSet<&str>)> = HashMap::new();
    for card in &per_card {
        for (name, value) in card {
            let slot = names.entry(name).or_default();
            slot.0 += 1;
            slot.1.insert(value);
        }
    }
    let enough = (cards.len() as u32 * 7 / 10).max(1);
    let best = names
        .iter()
        .filter(|(name, (count, values))| {
            *count >= enough
                && values.len() as f32 >= *count as f32 * 0.9
                && !are_positions(name, &per_card)
        })
        .max_by(|a, b| a.1.0.cmp(&b.1.0).then(b.0.cmp(a.0)))
        .map(|(name, _)| (*name).to_owned());
    per_card
        .iter()
        .map(|card| {
            let (_, value) = card.iter().find(|(name, _)| Some(name) == best.as_ref())?;
            Some((*value).to_owned())
        })
        .collect()
}

/// Whether an element says by itself which record it is: an id in an attribute, or in what a click
/// on it calls.
pub(crate) fn has_own_id(element: &Element, tag: Tag) -> bool {
    of_element(element, tag, true).iter().any(|(name, _)| name != "id")
}

/// 1, 2, 3 … down the page: positions, not ids.
fn are_positions(name: &str, per_card: &[Vec<(String, &str)>]) -> bool {
    let values = per_card.iter().flatten().filter(|(n, _)| n == name);
    let numbers: Vec<u64> =
        values.map(|(_, value)| value.parse().unwrap_or(u64::MAX)).take(50).collect();
    numbers.len() >= 3
        && numbers[0] < 1_000
        && numbers.windows(2).all(|pair| pair[0].checked_add(1) == Some(pair[1]))
}

fn of_card<'a>(doc: &Doc<'a>, at: usize) -> Vec<(String, &'a str)> {
    let mut found: Vec<(String, &'a str)> = Vec::new();
    let elements = doc.flat.whole(at).filter_map(|i| Some((i, doc.flat.nodes[i].element?)));
    for (i, element) in elements.take(MAX_ELEMENTS) {
        for (name, value) in of_element(element, doc.flat.nodes[i].tag, i == at) {
            if !found.iter().any(|(n, _)| *n == name) {
                found.push((name, value));
            }
        }
    }
    found
}

fn of_element(element: &Element, tag: Tag, is_card: bool) -> Vec<(String, &str)> {
    let mut found = Vec::new();
    for (key, value) in &element.attrs {
        let name = &*key.local;
        let value = value.trim();
        let is_data = name.starts_with("data-") && is_id_name(name);
        // What is written on the card itself may be short.
        if (is_data || (is_card && name == "id"))
            && is_id_value(value, if is_data && is_card { 2 } else { 4 })
        {
            found.push((name.to_owned(), value));
        }
        if is_card
            && CLICKS.contains(&name)
            && let Some(id) = id_in_call(value)
        {
            found.push(("click".to_owned(), id));
        }
    }
    if tag == Tag::Input
        && attr(element, "type").is_some_and(|t| t.eq_ignore_ascii_case("hidden"))
        && let Some(name) = attr(element, "name").filter(|n| is_id_name(n))
        && let Some(value) = attr(element, "value").map(str::trim).filter(|v| is_id_value(v, 4))
    {
        found.push((format!("input-{name}"), value));
    }
    found
}

fn is_id_name(name: &str) -> bool {
    let name = name.to_ascii_lowercase();
    let not = [
        "agent", "user", "seller", "owner", "session", "testid", "gallery", "track", "page",
        "qa-id",
    ];
    (name.ends_with("id") || name.ends_with("-ref") || name.ends_with("nr"))
        && !not.iter().any(|word| name.contains(word))
}

/// `openHome(4711, 'list')`: the first argument that is a number of at least two digits, or a longer
/// id.
fn id_in_call(script: &str) -> Option<&str> {
    let (_, arguments) = script.split_once('(')?;
    let (arguments, _) = arguments.split_once(')')?;
    let bare = |a: &'_ str| -> bool { a.bytes().all(|b| b.is_ascii_digit()) };
    arguments
        .split(',')
        .map(|argument| argument.trim().trim_matches(['\'', '"', '`']))
        .find(|a| is_id_value(a, if bare(a) { 2 } else { 6 }))
}

fn is_id_value(value: &str, least: usize) -> bool {
    (least..=64).contains(&value.len())
        && value.bytes().any(|b| b.is_ascii_digit())
        && value
            .bytes()
            .all(|b| b.is_ascii_alphanumeric() || matches!(b, b'-' | b'_' | b'.' | b':'))
}
