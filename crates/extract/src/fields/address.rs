//! Where a listing is, as far as its card tells.

use firstknock_listing::{PostalAddress, fold};

use super::card::Card;
use super::numbers::{Read, read};
use crate::page::annotate::{POSTCODE, PRICE, SIZE};
use crate::page::doc::Doc;
use crate::page::flat::attr;
use crate::page::tag::Tag;
use crate::values::{self, Country};

/// The marked-up address; else a text with a postcode; else an element that is called so.
pub(crate) fn address(
    doc: &Doc<'_>,
    card: &Card,
    title: Option<&str>,
    country: Option<Country>,
) -> Option<Read<PostalAddress>> {
    marked(doc, card, country)
        .or_else(|| by_postcode(doc, card, country))
        .or_else(|| called_so(doc, card, country))
        .or_else(|| by_street(doc, card, title, country))
}

fn marked(doc: &Doc<'_>, card: &Card, country: Option<Country>) -> Option<Read<PostalAddress>> {
    let at = doc.flat.whole(card.at).find(|&at| {
        let node = &doc.flat.nodes[at];
        let Some(element) = node.element else { return false };
        let property = attr(element, "itemprop").unwrap_or_default();
        node.tag == Tag::Address || matches!(property, "address" | "streetAddress")
    })?;
    let text = text_of(doc, card, at)?;
    Some(read("address", doc, at as u32, text.clone(), values::address(&text, country)))
}

fn by_postcode(
    doc: &Doc<'_>,
    card: &Card,
    country: Option<Country>,
) -> Option<Read<PostalAddress>> {
    let is_long = |text: &str| text.chars().count() > 120;
    let (i, leaf) = card
        .leaves
        .iter()
        .enumerate()
        .find(|(_, l)| l.signs & POSTCODE != 0 && l.signs & PRICE == 0 && !is_long(&l.text))?;
    let text = card.around(doc, i, POSTCODE, 90);
    let text =
        if text.len() > leaf.text.len() && has_value(&text) { leaf.text.clone() } else { text };
    Some(read("address", doc, leaf.node, text.clone(), values::address(&text, country)))
}

/// Names that sites everywhere give to the element with the address.
fn called_so(doc: &Doc<'_>, card: &Card, country: Option<Country>) -> Option<Read<PostalAddress>> {
    const NAMES: [&str; 18] = [
        "address",
        "adres",
        "location",
        "street",
        "strasse",
        "straat",
        "city",
        "region",
        "ort",
        "plaats",
        "ville",
        "localisation",
        "ubicacion",
        "indirizzo",
        "lokalizacja",
        "locality",
        "adr",
        "place",
    ];
    let at = doc.flat.inside(card.at).find(|&at| {
        let Some(element) = doc.flat.nodes[at].element else { return false };
        let named = ["class", "data-testid", "data-test", "data-cy", "itemprop"]
            .iter()
            .filter_map(|name| attr(element, name))
            .any(|value| {
                value
                    .split(|c: char| !c.is_ascii_alphabetic())
                    .any(|word| NAMES.iter().any(|n| word.eq_ignore_ascii_case(n)))
            });
        named && text_of(doc, card, at).is_some_and(|t| !has_value(&t) && t.chars().count() <= 120)
    })?;
    let text = text_of(doc, card, at)?;
    Some(read("address", doc, at as u32, text.clone(), values::address(&text, country)))
}

/// A short text that ends in a house number.
fn by_street(
    doc: &Doc<'_>,
    card: &Card,
    title: Option<&str>,
    country: Option<Country>,
) -> Option<Read<PostalAddress>> {
    let leaf = card.leaves.iter().find(|l| {
        l.signs & (PRICE | SIZE) == 0
            && title != Some(l.text.as_str())
            && l.text.chars().count() <= 60
            && is_street(&l.text)
    })?;
    Some(read("address", doc, leaf.node, leaf.text.clone(), values::address(&leaf.text, country)))
}

fn is_street(text: &str) -> bool {
    let line = text.split(',').next().unwrap_or_default();
    let Some((name, number)) = line.rsplit_once(' ') else { return false };
    let digits = number.bytes().take_while(u8::is_ascii_digit).count();
    (1..=4).contains(&digits)
        && number.len() <= digits + 2
        && name.chars().next().is_some_and(char::is_uppercase)
        && name.chars().filter(|c| c.is_alphabetic()).count() >= 5
        && [
            "str", "weg", "laan", "plein", "gasse", "allee", "platz", "gracht", "kade", "road",
            "rue",
        ]
        .iter()
        .any(|word| fold(name).contains(word))
}

fn text_of(doc: &Doc<'_>, card: &Card, at: usize) -> Option<String> {
    let end = doc.flat.nodes[at].end;
    let text: Vec<&str> = card
        .leaves
        .iter()
        .filter(|l| (at as u32) < l.node && l.node < end)
        .map(|l| l.text.as_str())
        .collect();
    let text = text.join(" ");
    (text.chars().filter(|c| c.is_alphabetic()).count() >= 3).then_some(text)
}

fn has_value(text: &str) -> bool {
    crate::page::annotate::signs_of(text) & (PRICE | SIZE) != 0
}
