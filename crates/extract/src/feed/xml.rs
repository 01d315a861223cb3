//! A tolerant cut of XML into elements and texts. Names come without their namespace; what is not
//! closed ends with the text. Linear in the input.

use crate::html::decoded;

/// Attributes of one element that are read.
const MOST_ATTRIBUTES: usize = 32;

/// What comes next.
pub(super) enum Event<'a> {
    Start { name: &'a str, attributes: Vec<(&'a str, String)>, empty: bool },
    Text(String),
    End { name: &'a str },
}

/// The events of a text, in order.
pub(super) struct Events<'a> {
    rest: &'a str,
}

impl<'a> Events<'a> {
    pub(super) fn new(text: &'a str) -> Self {
        Self { rest: text }
    }

    /// Cuts off what stands before a mark, and the mark; all of it where the mark is missing.
    fn until(&mut self, mark: &str) -> &'a str {
        let (before, after) = self.rest.split_once(mark).unwrap_or((self.rest, ""));
        self.rest = after;
        before
    }
}

impl<'a> Iterator for Events<'a> {
    type Item = Event<'a>;

    fn next(&mut self) -> Option<Event<'a>> {
        loop {
            let at = memchr::memchr(b'<', self.rest.as_bytes()).unwrap_or(self.rest.len());
            if at > 0 {
                let (text, rest) = self.rest.split_at(at);
                self.rest = rest;
                if !text.trim().is_empty() {
                    return Some(Event::Text(decoded(text)));
                }
            }
            if self.rest.is_empty() {
                return None;
            }
            if let Some(rest) = self.rest.strip_prefix("<![CDATA[") {
                self.rest = rest;
                return Some(Event::Text(self.until("]]>").to_owned()));
            }
            if self.rest.starts_with("<!--") {
                self.until("-->");
                continue;
            }
            if self.rest.starts_with("<?") || self.rest.starts_with("<!") {
                self.until(">");
                continue;
            }
            self.rest = &self.rest[1..];
            if !self.rest.starts_with(|c: char| c.is_alphabetic() || matches!(c, '/' | '_')) {
                return Some(Event::Text("<".to_owned()));
            }
            let tag = self.tag();
            if let Some(name) = tag.strip_prefix('/') {
                return Some(Event::End { name: local(name.trim()) });
            }
            let (tag, empty) = tag.strip_suffix('/').map_or((tag, false), |tag| (tag, true));
            let end = tag.find(char::is_whitespace).unwrap_or(tag.len());
            let (name, attributes) = tag.split_at(end);
            return Some(Event::Start {
                name: local(name),
                attributes: read_attributes(attributes),
                empty,
            });
        }
    }
}

impl<'a> Events<'a> {
    /// The inside of a tag; `>` in quotes does not end it.
    fn tag(&mut self) -> &'a str {
        let mut quote = 0;
        let end = self.rest.bytes().position(|b| {
            match (quote, b) {
                (0, b'>') => return true,
                (0, b'"' | b'\'') => quote = b,
                (open, b) if open == b => quote = 0,
                _ => {}
            }
            false
        });
        let (tag, rest) = match end {
            Some(end) => (&self.rest[..end], &self.rest[end + 1..]),
            None => (self.rest, ""),
        };
        self.rest = rest;
        tag
    }
}

fn local(name: &str) -> &str {
    name.rsplit_once(':').map_or(name, |(_, local)| local)
}

fn read_attributes(text: &str) -> Vec<(&str, String)> {
    let mut found = Vec::new();
    let mut rest = text;
    while let Some((name, after)) = rest.split_once('=')
        && found.len() < MOST_ATTRIBUTES
    {
        let after = after.trim_start();
        let Some(quote @ ('"' | '\'')) = after.chars().next() else { break };
        let (value, behind) = after[1..].split_once(quote).unwrap_or((&after[1..], ""));
        found.push((local(name.trim()), decoded(value)));
        rest = behind;
    }
    found
}

/// A piece of a description.
pub(super) enum Piece {
    Text(String),
    Image(String),
}

/// The texts and photos of a description's markup, in order.
pub(super) fn pieces(markup: &str) -> impl Iterator<Item = Piece> {
    let mut skipped: Option<&str> = None;
    Events::new(markup).filter_map(move |event| match event {
        Event::Start { name, attributes, .. } if name.eq_ignore_ascii_case("img") => {
            let source = attributes.into_iter().find(|(key, _)| *key == "src");
            source.map(|(_, address)| Piece::Image(address))
        }
        Event::Start { name, empty: false, .. } if matches!(name, "script" | "style") => {
            skipped = Some(name);
            None
        }
        Event::End { name } if skipped == Some(name) => {
            skipped = None;
            None
        }
        Event::Text(text) if skipped.is_none() => {
            let text = text.trim();
            (!text.is_empty()).then(|| Piece::Text(text.to_owned()))
        }
        _ => None,
    })
}

/// The texts of a markup in one line.
pub(super) fn plain(markup: &str) -> String {
    let texts = pieces(markup).filter_map(|piece| match piece {
        Piece::Text(text) => Some(text),
        Piece::Image(_) => None,
    });
    texts.collect::<Vec<_>>().join(" ")
}
