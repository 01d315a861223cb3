//! The page as one flat array in document order, beside the parser's tree.
//!
//! **Promises**: a node's descendants are the range up to its `end`; whatever is inside
//! `<template>`, `<noscript>`, navigation or a hidden element says so in its flags; scripts are
//! collected apart. **Leaves out**: comments, styles, the inside of `<svg>` and `<select>`.

use std::collections::HashMap;

use ego_tree::NodeId;
use ego_tree::iter::Edge;
use html5ever::ns;
use scraper::node::Element;
use scraper::{Html, Node as Parsed};

use super::annotate;
use super::runs;
use super::tag::Tag;
use super::tagpath::{self, Paths};
use crate::html;

/// Inside an element that is not shown.
pub(crate) const HIDDEN: u8 = 1;
/// Inside navigation, header or footer.
pub(crate) const NAV: u8 = 2;
/// Struck through: an old price.
pub(crate) const STRUCK: u8 = 4;
/// Inside `<noscript>`.
pub(crate) const NOSCRIPT: u8 = 8;
/// Inside `<template>`: only good for photos.
pub(crate) const TEMPLATE: u8 = 16;
/// Inside a heading.
pub(crate) const IN_HEADING: u8 = 32;
/// Inside a link.
pub(crate) const IN_LINK: u8 = 64;

/// One element, or one text with something in it.
pub(crate) struct Node<'a> {
    pub(crate) element: Option<&'a Element>,
    /// Of a text: as in the source. Of an element: empty.
    pub(crate) text: &'a str,
    pub(crate) tag: Tag,
    pub(crate) parent: u32,
    /// One past the last descendant.
    pub(crate) end: u32,
    pub(crate) depth: u16,
    pub(crate) flags: u8,
    /// Hashes of the tag path from the body, at three levels of detail.
    pub(crate) paths: Paths,
}

/// A script of the page, for embedded data.
pub(crate) struct Script<'a> {
    pub(crate) kind: &'a str,
    pub(crate) id: &'a str,
    pub(crate) text: &'a str,
}

/// The flat page.
#[derive(Default)]
pub(crate) struct Flat<'a> {
    pub(crate) nodes: Vec<Node<'a>>,
    pub(crate) scripts: Vec<Script<'a>>,
    /// All `<script>` elements, those with `src` too.
    pub(crate) script_tags: usize,
    /// `<title>`, as in the source.
    pub(crate) title: &'a str,
    /// `<base href>`.
    pub(crate) base: Option<&'a str>,
    /// `<html lang>`.
    pub(crate) lang: Option<&'a str>,
    /// `<link rel=next>`.
    pub(crate) next: Option<&'a str>,
    /// `<link rel=canonical>`.
    pub(crate) canonical: Option<&'a str>,
    /// `<meta property=og:type>`.
    pub(crate) og_type: Option<&'a str>,
}

/// The parsed page and the parsed insides of its `<noscript>`s; what [`Flat`] borrows from.
pub(crate) struct Tree {
    html: Html,
    noscripts: HashMap<NodeId, Html>,
}

/// Together, `<noscript>`s are parsed up to this many bytes.
const MAX_NOSCRIPT_BYTES: usize = 2 << 20;

impl Tree {
    pub(crate) fn parse(source: &str) -> Self {
        let html = html::parse_document(source);
        let mut noscripts = HashMap::new();
        let mut left = MAX_NOSCRIPT_BYTES;
        if source.contains("<noscript") || source.contains("<NOSCRIPT") {
            for node in html.tree.nodes() {
                if node.value().as_element().is_none_or(|e| e.name() != "noscript") {
                    continue;
                }
                let Some(child) = node.first_child() else { continue };
                let Some(text) = child.value().as_text() else { continue };
                let useful = text.contains("<img") || text.contains("<a ");
                if useful && text.len() <= left {
                    left -= text.len();
                    noscripts.insert(node.id(), Html::parse_fragment(text));
                }
            }
        }
        Self { html, noscripts }
    }

    /// The parser's own tree.
    pub(crate) fn html(&self) -> &Html {
        &self.html
    }

    /// Makes cards of records that stand beside each other without an element of their own; false
    /// if there are none.
    pub(crate) fn wrap_runs(&mut self) -> bool {
        runs::wrap(&mut self.html)
    }

    pub(crate) fn flatten(&self) -> Flat<'_> {
        let mut flat = Flat::default();
        flat.nodes.reserve(self.html.tree.values().len());
        let mut open = Vec::with_capacity(64);
        flat.push_tree(&self.html, Some(&self.noscripts), &mut open);
        flat
    }
}

impl<'a> Flat<'a> {
    fn push_tree(
        &mut self,
        html: &'a Html,
        noscripts: Option<&'a HashMap<NodeId, Html>>,
        open: &mut Vec<u32>,
    ) {
        let mut skip: Option<NodeId> = None;
        for edge in html.tree.root().traverse() {
            match edge {
                Edge::Open(node) if skip.is_none() => match node.value() {
                    Parsed::Text(text) => self.push_text(text, open, noscripts.is_some()),
                    Parsed::Element(element) => {
                        let inner = node.first_child().and_then(|c| c.value().as_text());
                        if self.takes_apart(element, inner.map_or("", |t| t)) {
                            skip = Some(node.id());
                            continue;
                        }
                        self.push_element(element, open);
                        if let Some(inside) = noscripts.and_then(|n| n.get(&node.id())) {
                            self.push_tree(inside, None, open);
                        }
                    }
                    _ => {}
                },
                Edge::Close(node) if skip == Some(node.id()) => skip = None,
                Edge::Close(node) if skip.is_none() && node.value().is_element() => {
                    if let Some(at) = open.pop() {
                        self.nodes[at as usize].end = index(self.nodes.len());
                    }
                }
                _ => {}
            }
        }
    }

    /// Elements that are no part of the visible page; what is useful of them is kept elsewhere.
    fn takes_apart(&mut self, element: &'a Element, text: &'a str) -> bool {
        match element.name() {
            "script" => {
                let kind = attr(element, "type").unwrap_or_default();
                let id = attr(element, "id").unwrap_or_default();
                self.script_tags += 1;
                if !text.is_empty() {
                    self.scripts.push(Script { kind, id, text });
                }
                true
            }
            "style" | "select" | "datalist" | "iframe" | "object" => true,
            // A drawing's title stays where it names what the number beside it counts.
            "title" if element.name.ns == ns!(svg) => annotate::word_of(text).is_none(),
            "title" => {
                if self.title.is_empty() {
                    self.title = text;
                }
                true
            }
            "base" => {
                self.base = self.base.or(attr(element, "href"));
                true
            }
            "link" => {
                let rel = attr(element, "rel").unwrap_or_default();
                if rel.eq_ignore_ascii_case("next") {
                    self.next = attr(element, "href");
                } else if rel.eq_ignore_ascii_case("canonical") {
                    self.canonical = attr(element, "href");
                }
                true
            }
            "meta" if attr(element, "property") == Some("og:type") => {
                self.og_type = attr(element, "content");
                true
            }
            "html" => {
                self.lang = self.lang.or(attr(element, "lang"));
                false
            }
            _ => false,
        }
    }

    fn push_element(&mut self, element: &'a Element, open: &mut Vec<u32>) {
        let name = element.name();
        let tag = Tag::of(name);
        let parent = open.last().copied().unwrap_or(0);
        let (mut flags, paths) = match self.nodes.get(parent as usize) {
            Some(up) if !open.is_empty() => (up.flags, up.paths),
            _ => (0, Paths::default()),
        };
        flags |= own_flags(element, tag);
        // Body and above carry the state of the page in their classes.
        let paths = match tag {
            Tag::Html | Tag::Body => paths,
            _ => tagpath::step(paths, name, element),
        };
        let depth = u16::try_from(open.len()).unwrap_or(u16::MAX);
        let at = index(self.nodes.len());
        open.push(at);
        self.nodes.push(Node {
            element: Some(element),
            text: "",
            tag,
            parent,
            end: at + 1,
            depth,
            flags,
            paths,
        });
    }

    fn push_text(&mut self, text: &'a str, open: &[u32], outside: bool) {
        let Some(&parent) = open.last() else { return };
        let up = &self.nodes[parent as usize];
        // The source of a `<noscript>` is a text too.
        if text.bytes().all(|b| b.is_ascii_whitespace())
            || (outside && up.tag == Tag::Noscript)
            || up.tag == Tag::Svg
            || up.flags & TEMPLATE != 0
        {
            return;
        }
        let (flags, paths) = (up.flags, up.paths);
        let at = index(self.nodes.len());
        let depth = u16::try_from(open.len()).unwrap_or(u16::MAX);
        self.nodes.push(Node {
            element: None,
            text,
            tag: Tag::Text,
            parent,
            end: at + 1,
            depth,
            flags,
            paths,
        });
    }

    /// The descendants of a node.
    pub(crate) fn inside(&self, at: usize) -> std::ops::Range<usize> {
        at + 1..self.nodes[at].end as usize
    }

    /// The node and its descendants.
    pub(crate) fn whole(&self, at: usize) -> std::ops::Range<usize> {
        at..self.nodes[at].end as usize
    }
}

/// An attribute, without the parser's interning.
pub(crate) fn attr<'a>(element: &'a Element, name: &str) -> Option<&'a str> {
    element.attrs.iter().find(|(key, _)| &*key.local == name).map(|(_, value)| &**value)
}

fn index(len: usize) -> u32 {
    u32::try_from(len).expect("BUG: the guard caps the nodes")
}

fn own_flags(element: &Element, tag: Tag) -> u8 {
    let mut flags = match tag {
        Tag::Nav | Tag::Footer => NAV,
        Tag::Struck => STRUCK,
        Tag::Noscript => NOSCRIPT,
        Tag::Template => TEMPLATE,
        Tag::Heading => IN_HEADING,
        Tag::A => IN_LINK,
        _ => 0,
    };
    for (key, value) in &element.attrs {
        match &*key.local {
            "hidden" => flags |= HIDDEN,
            "role" if matches!(&**value, "navigation" | "menu" | "menubar") => flags |= NAV,
            "style" if hides(value) => flags |= HIDDEN,
            "style" if value.contains("line-through") => flags |= STRUCK,
            "class" => flags |= class_flags(value),
            _ => {}
        }
    }
    flags
}

fn hides(style: &str) -> bool {
    let mut rest = style;
    while let Some(i) = rest.find("display") {
        rest = rest[i + 7..].trim_start().trim_start_matches(':').trim_start();
        if rest.starts_with("none") {
            return true;
        }
    }
    style.contains("visibility:hidden") || style.contains("visibility: hidden")
}

/// Words of common style frameworks, not of sites.
fn class_flags(classes: &str) -> u8 {
    let mut flags = 0;
    for class in classes.split_ascii_whitespace() {
        let lower = class.len() < 24 && class.is_ascii();
        if !lower {
            continue;
        }
        match class {
            "hidden" | "hide" | "d-none" | "is-hidden" | "ng-hide" | "invisible"
            | "display-none" => {
                flags |= HIDDEN;
            }
            "line-through" | "strikethrough" | "text-decoration-line-through" => flags |= STRUCK,
            _ if says_old_price(class) => flags |= STRUCK,
            _ => {}
        }
    }
    flags
}

/// One pass: every class of every element comes by here.
fn says_old_price(class: &str) -> bool {
    let bytes = class.as_bytes();
    (0..bytes.len()).any(|at| {
        let starts = |word: &[u8]| bytes[at..].starts_with(word);
        match bytes[at] {
            b'o' => starts(b"old-price") || starts(b"oldprice"),
            b'p' => starts(b"price-old"),
            b's' => starts(b"strike"),
            _ => false,
        }
    })
}
