//! Tags and their attributes.

use html5ever::tendril::StrTendril;
use html5ever::tokenizer::{Tag, TagKind, Token, TokenSink};
use html5ever::{Attribute, LocalName, QualName, ns};
use memchr::{memchr, memchr2};

use super::reference;
use super::tokens::{Mode, Tokens};

pub(super) const fn is_blank(byte: u8) -> bool {
    matches!(byte, b' ' | b'\n' | b'\t' | b'\x0c')
}

/// A value's place in the source.
type Span = (usize, usize);

impl<S: TokenSink> Tokens<'_, S> {
    /// The tag whose name starts at `at`. One that the source does not end is no tag.
    pub(super) fn tag(&mut self, at: usize, closing: bool) -> Mode {
        let name_end = self.until(at, |b| is_blank(b) || matches!(b, b'/' | b'>'));
        let name = self.names.get(&self.text[at..name_end]);
        let mut attrs: Vec<Attribute> = Vec::new();
        let mut had_duplicate_attributes = false;
        let mut at = name_end;
        let self_closing = loop {
            at = self.until(at, |b| !is_blank(b));
            match self.bytes.get(at) {
                None => {
                    self.at = self.bytes.len();
                    return Mode::Data;
                }
                Some(b'>') => break false,
                Some(b'/') => {
                    at += 1;
                    if self.bytes.get(at) == Some(&b'>') {
                        break true;
                    }
                }
                Some(_) => {
                    let (name_end, value, next) = self.attribute(at);
                    let name = self.names.get(&self.text[at..name_end]);
                    at = next;
                    if closing {
                        continue;
                    }
                    if attrs.iter().any(|a| a.name.local == name) {
                        had_duplicate_attributes = true;
                    } else {
                        let name = QualName::new(None, ns!(), name);
                        attrs.push(Attribute { name, value: self.value(value) });
                    }
                }
            }
        };
        self.at = at + 1;
        let kind = if closing { TagKind::EndTag } else { TagKind::StartTag };
        if !closing {
            self.last_start = Some(LocalName::clone(&name));
        }
        self.send(Token::TagToken(Tag {
            kind,
            name,
            self_closing,
            attrs,
            had_duplicate_attributes,
        }))
    }

    /// The attribute at `at`: the end of its name, its value, and where to go on (the end of the
    /// source where a quote is not closed).
    fn attribute(&self, at: usize) -> (usize, Span, usize) {
        // A name may start with `=`.
        let ends = |b| is_blank(b) || matches!(b, b'/' | b'>' | b'=');
        let name_end = self.until(at + 1, ends);
        let after = self.until(name_end, |b| !is_blank(b));
        if self.bytes.get(after) != Some(&b'=') {
            return (name_end, (after, after), after);
        }
        let from = self.until(after + 1, |b| !is_blank(b));
        match self.bytes.get(from) {
            Some(&quote @ (b'"' | b'\'')) => match memchr(quote, &self.bytes[from + 1..]) {
                Some(i) => (name_end, (from + 1, from + 1 + i), from + i + 2),
                None => (name_end, (from, from), self.bytes.len()),
            },
            _ => {
                let to = self.until(from, |b| is_blank(b) || b == b'>');
                (name_end, (from, to), to)
            }
        }
    }

    /// A value with its references read.
    fn value(&self, (from, to): Span) -> StrTendril {
        let Some(first) = memchr2(b'&', 0, &self.bytes[from..to]) else {
            return self.slice(from, to);
        };
        let mut out = StrTendril::new();
        let mut done = from;
        let mut next = Some(first);
        while let Some(i) = next {
            let at = done + i;
            out.push_slice(&self.text[done..at]);
            done = at + 1;
            if self.bytes[at] == 0 {
                out.push_char('\u{fffd}');
            } else if let Some(found) = reference::read(&self.text[at + 1..to], true) {
                out = found.push_to(out);
                done += found.len;
            } else {
                out.push_char('&');
            }
            next = memchr2(b'&', 0, &self.bytes[done..to]);
        }
        out.push_slice(&self.text[done..to]);
        out
    }

    /// The first place from `at` on whose byte is as asked, else the end.
    pub(super) fn until(&self, at: usize, is_end: impl Fn(u8) -> bool) -> usize {
        let rest = self.bytes.get(at..).unwrap_or_default();
        rest.iter().position(|b| is_end(*b)).map_or(self.bytes.len(), |i| at + i)
    }
}
