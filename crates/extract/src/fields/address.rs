//! Where a listing is, as far as its card tells.

use firstknock_listing::{PostalAddress, fold};

use super::card::Card;
use super::numbers::{Read, read};
use crate::page::annotate::{POSTCODE, PRICE, SIZE};
use crate::page::doc::Doc;
use crate::page::flat::attr;
use crate::page::tag::Tag;

/// The marked-up address; else a text with a postcode; else an element that is called so.
pub(crate) fn address(
    doc: &Doc<'_>,
    card: &Card,
    title: Option<&str>,
) -> Option<Read<PostalAddress>> {
    marked(doc, card)
        .or_else(|| by_postcode(doc, card))
        .or_else(|| called_so(doc, card))
        .or_else(|| by_street(doc, card, title))
}

fn marked(doc: &Doc<'_>, card: &Card) -> Option<Read<PostalAddress>> {
    let at = doc.flat.whole(card.at).find(|&at| {
        let node = &doc.flat.nodes[at];
        let Some(element) = node.element else { return false };
        let property = attr(element, "itemprop").unwrap_or_default();
        node.tag == Tag::Address || matches!(property, "address" | "streetAddress")
    })?;
    let text = text_of(doc, card, at)?;
    Some(read("address", doc, at as u32, text.clone(), split(&text)))
}

fn by_postcode(doc: &Doc<'_>, card: &Card) -> Option<Read<PostalAddress>> {
    let is_long = |text: &str| text.chars().count() > 120;
    let (i, leaf) = card
        .leaves
        .iter()
        .enumerate()
        .find(|(_, l)| l.signs & POSTCODE != 0 && l.signs & PRICE == 0 && !is_long(&l.text))?;
    let text = card.around(doc, i, POSTCODE, 90);
    let text =
        if text.len() > leaf.text.len() && has_value(&text) { leaf.text.clone() } else { text };
    Some(read("address", doc, leaf.node, text.clone(), split(&text)))
}

/// Names that sites everywhere give to the element with the address.
fn called_so(doc: &Doc<'_>, card: &Card) -> Option<Read<PostalAddress>> {
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
    Some(read("address", doc, at as u32, text.clone(), split(&text)))
}

/// A short text that ends in a house number.
fn by_street(doc: &Doc<'_>, card: &Card, title: Option<&str>) -> Option<Read<PostalAddress>> {
    let leaf = card.leaves.iter().find(|l| {
        l.signs & (PRICE | SIZE) == 0
            && title != Some(l.text.as_str())
            && l.text.chars().count() <= 60
            && is_street(&l.text)
    })?;
    Some(read("address", doc, leaf.node, leaf.text.clone(), split(&leaf.text)))
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

/// Splits a line into street, postcode and town where a postcode shows how.
pub(crate) fn split(line: &str) -> PostalAddress {
    let mut address = PostalAddress { raw: line.to_owned(), ..PostalAddress::default() };
    let Some((from, to)) = postcode(line) else { return address };
    address.postcode = Some(line[from..to].to_owned());
    let street = line[..from].trim().trim_end_matches([',', '|', '·', '-', '(']).trim();
    let city = line[to..].trim().trim_start_matches([',', '|', '·', '-']).trim();
    let city = city.split([',', '(', '|', '·', '•']).next().unwrap_or_default().trim();
    if street.chars().any(char::is_alphabetic) {
        address.street = Some(street.to_owned());
    }
    if city.chars().any(char::is_alphabetic) {
        address.city = Some(city.to_owned());
    }
    address
}

/// Four or five digits, with two letters behind them in the Netherlands.
fn postcode(line: &str) -> Option<(usize, usize)> {
    let bytes = line.as_bytes();
    let mut at = 0;
    while at < bytes.len() {
        if !bytes[at].is_ascii_digit() {
            at += 1;
            continue;
        }
        let from = at;
        while bytes.get(at).is_some_and(u8::is_ascii_digit) {
            at += 1;
        }
        let clear = from == 0 || !bytes[from - 1].is_ascii_alphanumeric();
        if !clear || !matches!(at - from, 4 | 5) {
            continue;
        }
        let rest = line[at..].trim_start();
        let skipped = line.len() - rest.len() - at;
        let mut letters = rest.bytes();
        let dutch = at - from == 4
            && skipped <= 1
            && letters.next().is_some_and(|b| b.is_ascii_uppercase())
            && letters.next().is_some_and(|b| b.is_ascii_uppercase())
            && !letters.next().is_some_and(|b| b.is_ascii_alphanumeric());
        if dutch {
            return Some((from, at + skipped + 2));
        }
        if rest.chars().next().is_some_and(char::is_uppercase) && skipped <= 2 {
            return Some((from, at));
        }
    }
    None
}
