//! The annotated page: sums over the flat array, so that any element's contents cost nothing.
//!
//! **Promises**: built in one pass; asking how many prices, links or photos stand inside an
//! element is two look-ups.

use std::borrow::Cow;
use std::collections::HashMap;

use scraper::node::Element;
use url::Url;

use super::annotate::{
    self, CURRENCY_ONLY, METRE, NUMBER_ONLY, ON_REQUEST, POSTCODE, PRICE, ROOMS, SIZE, Word,
};
use super::columns::{self, Columns};
use super::flat::{Flat, TEMPLATE, attr};
use super::image;
use super::tag::Tag;
use crate::identity::canonical::without_trackers;

/// What is counted along the array.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Sums {
    pub(crate) prices: u32,
    pub(crate) sizes: u32,
    pub(crate) rooms: u32,
    pub(crate) postcodes: u32,
    pub(crate) images: u32,
    pub(crate) headings: u32,
    pub(crate) chars: u32,
    pub(crate) links: u32,
}

/// One link of the page.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Link {
    pub(crate) node: u32,
    /// Index of its address; the same text is the same address, whatever campaign it names.
    pub(crate) href: u32,
}

/// The annotated page.
pub(crate) struct Doc<'a> {
    pub(crate) flat: Flat<'a>,
    /// Per node; zero for elements.
    pub(crate) signs: Vec<u8>,
    /// What stands above the column, for numbers in tables.
    columns: Columns,
    sums: Vec<Sums>,
    /// In document order.
    pub(crate) links: Vec<Link>,
    /// The addresses of links as written; of links to one place, the first.
    pub(crate) hrefs: Vec<&'a str>,
    /// What relative addresses are resolved against.
    pub(crate) base: Url,
}

impl<'a> Doc<'a> {
    pub(crate) fn new(flat: Flat<'a>, url: &Url) -> Self {
        let base = flat.base.and_then(|href| url.join(href).ok()).unwrap_or_else(|| url.clone());
        let mut signs: Vec<u8> = flat
            .nodes
            .iter()
            .map(|node| if node.text.is_empty() { 0 } else { annotate::signs_of(node.text) })
            .collect();
        join_split_values(&flat, &mut signs);
        let columns = columns::label(&flat, &mut signs);
        let mut doc = Self {
            flat,
            signs,
            columns,
            sums: Vec::new(),
            links: Vec::new(),
            hrefs: Vec::new(),
            base,
        };
        doc.count();
        doc
    }

    fn count(&mut self) {
        let mut ids: HashMap<Cow<'a, str>, u32> = HashMap::new();
        let mut sum = Sums::default();
        self.sums.reserve(self.flat.nodes.len() + 1);
        self.sums.push(sum);
        for (at, node) in self.flat.nodes.iter().enumerate() {
            let signs = self.signs[at];
            sum.prices += u32::from(signs & (PRICE | ON_REQUEST) != 0);
            sum.sizes += u32::from(signs & SIZE != 0);
            sum.rooms += u32::from(signs & ROOMS != 0);
            sum.postcodes += u32::from(signs & POSTCODE != 0);
            sum.headings += u32::from(node.tag == Tag::Heading);
            sum.chars += u32::try_from(node.text.trim().chars().count()).unwrap_or(u32::MAX / 4);
            if let Some(element) = node.element {
                sum.images += u32::from(image::of_element(element, node.tag).is_some());
                let href = link_of(element, node.tag).filter(|_| node.flags & TEMPLATE == 0);
                if let Some(href) = href {
                    let next = u32::try_from(ids.len()).unwrap_or(u32::MAX);
                    let id = *ids.entry(without_trackers(href)).or_insert_with(|| {
                        self.hrefs.push(href);
                        next
                    });
                    let node = u32::try_from(at).unwrap_or(u32::MAX);
                    self.links.push(Link { node, href: id });
                    sum.links += 1;
                }
            }
            self.sums.push(sum);
        }
    }

    /// What stands inside a node, itself included.
    pub(crate) fn inside(&self, at: usize) -> Sums {
        let (from, to) = (&self.sums[at], &self.sums[self.flat.nodes[at].end as usize]);
        Sums {
            prices: to.prices - from.prices,
            sizes: to.sizes - from.sizes,
            rooms: to.rooms - from.rooms,
            postcodes: to.postcodes - from.postcodes,
            images: to.images - from.images,
            headings: to.headings - from.headings,
            chars: to.chars - from.chars,
            links: to.links - from.links,
        }
    }

    /// The heading of the column that a bare number of a table stands in.
    pub(crate) fn column(&self, node: u32) -> Option<&'a str> {
        self.columns.get(&node).map(|&head| self.flat.nodes[head as usize].text)
    }

    /// What stands before a node.
    pub(crate) fn before(&self, at: usize) -> Sums {
        self.sums[at]
    }

    /// What stands on the whole page.
    pub(crate) fn total(&self) -> Sums {
        self.sums.last().copied().unwrap_or_default()
    }

    /// The links inside a node, itself included.
    pub(crate) fn links_in(&self, at: usize) -> &[Link] {
        let from = self.sums[at].links as usize;
        let to = self.sums[self.flat.nodes[at].end as usize].links as usize;
        &self.links[from..to]
    }

    /// The link that a node stands in, if it is inside an `<a>`; else nothing.
    pub(crate) fn link_around(&self, at: usize) -> &[Link] {
        let mut up = self.flat.nodes[at].parent as usize;
        while up > 0 {
            let node = &self.flat.nodes[up];
            if node.tag == Tag::A {
                let links = self.links_in(up);
                let own = links.first().is_some_and(|link| link.node as usize == up);
                return if own { &links[..1] } else { &[] };
            }
            up = node.parent as usize;
        }
        &[]
    }
}

/// `€` and `1060` in two elements; `98 m` and a raised `2`; `3` and `Zimmer`, in either order.
fn join_split_values(flat: &Flat<'_>, signs: &mut [u8]) {
    let mut last: Option<usize> = None;
    // A number that belongs to the label before it does not belong to the one behind it.
    let mut taken = false;
    for at in 0..signs.len() {
        let node = &flat.nodes[at];
        if node.text.is_empty() {
            continue;
        }
        if let Some(before) = last.filter(|b| at - b <= 5) {
            let (a, b) = (signs[before], signs[at]);
            if (a & CURRENCY_ONLY != 0 && b & NUMBER_ONLY != 0)
                || (a & NUMBER_ONLY != 0 && b & CURRENCY_ONLY != 0)
            {
                let number = if a & NUMBER_ONLY != 0 { before } else { at };
                signs[number] |= PRICE;
            }
            if a & METRE != 0 && matches!(node.text.trim(), "2" | "²") {
                signs[before] |= SIZE;
                signs[at] = 0;
            }
            let number_then = a & NUMBER_ONLY != 0 && !taken && a & PRICE == 0;
            let word = if number_then { annotate::word_of(node.text) } else { None };
            match word {
                Some(Word::Area) => signs[before] |= SIZE,
                Some(Word::Metre) if next_is_two(flat, at) => signs[before] |= SIZE,
                Some(Word::Rooms) if flat.nodes[before].text.trim().len() <= 4 => {
                    signs[before] |= ROOMS;
                }
                _ => {}
            }
            taken = word.is_none() && b & NUMBER_ONLY != 0 && {
                let label = annotate::word_of(flat.nodes[before].text);
                let rooms = label == Some(Word::Rooms) && node.text.trim().len() <= 8;
                signs[at] |= if rooms { ROOMS } else { 0 };
                matches!(label, Some(Word::Rooms | Word::Other))
            };
        }
        last = Some(at);
    }
}

fn next_is_two(flat: &Flat<'_>, at: usize) -> bool {
    let next = flat.nodes[at + 1..].iter().take(3).find(|n| !n.text.is_empty());
    next.is_some_and(|n| matches!(n.text.trim(), "2" | "²"))
}

/// Where an element leads, if it is a link or works like one.
fn link_of(element: &Element, tag: Tag) -> Option<&str> {
    if tag == Tag::A
        && let Some(href) = attr(element, "href").map(str::trim).filter(|h| leads_somewhere(h))
    {
        return Some(href);
    }
    element.attrs.iter().find_map(|(key, value)| {
        let value = match &*key.local {
            "data-url" | "data-href" | "data-link" | "data-detail-url" | "data-target-url"
            | "data-permalink" | "data-detailurl" | "data-item-url" | "data-listing-url" => {
                value.trim()
            }
            "onclick" => address_in_script(value)?,
            _ => return None,
        };
        let is_address = value.starts_with("http")
            || value.starts_with('/')
            || (value.contains(['/', '.']) && !value.contains([' ', '{', '(']));
        (is_address && leads_somewhere(value) && !image::is_image_address(value)).then_some(value)
    })
}

/// The address in `location.href = '/x'` and `window.open("/x")`.
fn address_in_script(script: &str) -> Option<&str> {
    let at = script.find("location").or_else(|| script.find("window.open"))?;
    let rest = &script[at..];
    let quote = rest.find(['\'', '"'])?;
    let mark = rest.as_bytes()[quote] as char;
    let inside = &rest[quote + 1..];
    inside.split(mark).next().filter(|address| address.len() > 1)
}

fn leads_somewhere(href: &str) -> bool {
    if href.is_empty() || href.starts_with('#') {
        return false;
    }
    match href.split_once(':') {
        Some((scheme, _))
            if scheme.len() < 12 && scheme.bytes().all(|b| b.is_ascii_alphabetic()) =>
        {
            scheme.eq_ignore_ascii_case("http") || scheme.eq_ignore_ascii_case("https")
        }
        _ => true,
    }
}
