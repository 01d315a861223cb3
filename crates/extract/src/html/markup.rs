//! Comments, CDATA and the doctype.

use html5ever::tendril::StrTendril;
use html5ever::tokenizer::{Doctype, Token, TokenSink};
use memchr::memchr;
use memchr::memmem::find;

use super::tag::is_blank;
use super::tokens::Tokens;

impl<S: TokenSink> Tokens<'_, S> {
    /// What starts with `<!`.
    pub(super) fn declaration(&mut self) {
        let inside = self.at + 2;
        let rest = &self.bytes[inside..];
        let is_doctype = rest.get(..7).is_some_and(|w| w.eq_ignore_ascii_case(b"doctype"));
        if rest.starts_with(b"--") {
            self.comment(inside + 2);
        } else if is_doctype {
            self.doctype(inside + 7);
        } else if rest.starts_with(b"[CDATA[")
            && self.sink.adjusted_current_node_present_but_not_in_html_namespace()
        {
            self.cdata(inside + 7);
        } else {
            self.bogus_comment(inside);
        }
    }

    /// Everything up to the next `>`.
    pub(super) fn bogus_comment(&mut self, from: usize) {
        let end = memchr(b'>', &self.bytes[from..]).map(|i| from + i);
        self.send_comment(from, end.unwrap_or(self.bytes.len()));
        self.at = end.map_or(self.bytes.len(), |end| end + 1);
    }

    fn comment(&mut self, from: usize) {
        for (empty, len) in [(&b">"[..], 1), (b"->", 2)] {
            if self.bytes[from..].starts_with(empty) {
                self.send_comment(from, from);
                self.at = from + len;
                return;
            }
        }
        let mut at = from;
        while let Some(i) = find(&self.bytes[at..], b"--") {
            let behind = self.until(at + i, |b| b != b'-');
            let (ends, len) = match &self.bytes[behind..] {
                [] | [b'!'] => (true, 1),
                [b'>', ..] => (true, 1),
                [b'!', b'>', ..] => (true, 2),
                _ => (false, 0),
            };
            if ends {
                self.send_comment(from, behind - 2);
                self.at = (behind + len).min(self.bytes.len());
                return;
            }
            at = behind;
        }
        let rest = &self.text[from..];
        let len = rest.strip_suffix('-').unwrap_or(rest).len();
        self.send_comment(from, from + len);
        self.at = self.bytes.len();
    }

    fn send_comment(&self, from: usize, to: usize) {
        let text = match memchr(0, &self.bytes[from..to]) {
            None => self.slice(from, to),
            Some(_) => self.text[from..to].replace('\0', "\u{fffd}").into(),
        };
        self.send(Token::CommentToken(text));
    }

    fn cdata(&mut self, from: usize) {
        let end = find(&self.bytes[from..], b"]]>").map(|i| from + i);
        let until = end.unwrap_or(self.bytes.len());
        for (i, part) in self.text[from..until].split('\0').enumerate() {
            if i > 0 {
                self.send(Token::NullCharacterToken);
            }
            if !part.is_empty() {
                self.send(Token::CharacterTokens(StrTendril::from_slice(part)));
            }
        }
        self.at = end.map_or(until, |end| end + 3);
    }

    /// A `>` ends a doctype even in quotes.
    fn doctype(&mut self, from: usize) {
        let end = memchr(b'>', &self.bytes[from..]).map(|i| from + i);
        let until = end.unwrap_or(self.bytes.len());
        let mut doctype = read_doctype(&self.text[from..until]);
        doctype.force_quirks |= end.is_none();
        self.send(Token::DoctypeToken(doctype));
        self.at = end.map_or(until, |end| end + 1);
    }
}

fn read_doctype(text: &str) -> Doctype {
    let mut doctype = Doctype { force_quirks: true, ..Doctype::default() };
    let text = skip_blanks(text);
    if text.is_empty() {
        return doctype;
    }
    let end = text.bytes().position(is_blank).unwrap_or(text.len());
    doctype.name = Some(clean(&text[..end].to_ascii_lowercase()));
    let rest = skip_blanks(&text[end..]);
    doctype.force_quirks = false;
    if rest.is_empty() {
        return doctype;
    }
    let keyword = rest.get(..6).unwrap_or_default();
    let is_public = keyword.eq_ignore_ascii_case("public");
    if !is_public && !keyword.eq_ignore_ascii_case("system") {
        doctype.force_quirks = true;
        return doctype;
    }
    let mut rest = skip_blanks(&rest[6..]);
    if is_public {
        let closed;
        (doctype.public_id, rest, closed) = quoted(rest);
        if !closed || rest.is_empty() {
            doctype.force_quirks = !closed;
            return doctype;
        }
    }
    let closed;
    (doctype.system_id, _, closed) = quoted(rest);
    doctype.force_quirks = !closed;
    doctype
}

/// A text in quotes, what stands behind it, and whether the quotes were there and closed.
fn quoted(text: &str) -> (Option<StrTendril>, &str, bool) {
    let mark = match text.bytes().next() {
        Some(b'"') => '"',
        Some(b'\'') => '\'',
        _ => return (None, text, false),
    };
    match text[1..].split_once(mark) {
        Some((inside, rest)) => (Some(clean(inside)), skip_blanks(rest), true),
        None => (Some(clean(&text[1..])), "", false),
    }
}

fn clean(text: &str) -> StrTendril {
    text.replace('\0', "\u{fffd}").into()
}

fn skip_blanks(text: &str) -> &str {
    text.trim_start_matches([' ', '\n', '\t', '\x0c'])
}
