//! Keeps hostile markup away from the HTML parser.
//!
//! An HTML5 tree builder is quadratic in nesting depth, in unclosed formatting tags and in the
//! attributes of one tag. One linear scan over the source cuts those out beforehand; an ordinary
//! page passes untouched and is not copied. **Leaves out**: any correction of ordinary tag soup.

use std::borrow::Cow;

use memchr::{memchr, memmem};

use crate::Problem;

/// Deeper elements are flattened into their ancestor. Real pages stay under 100.
pub(crate) const MAX_DEPTH: usize = 256;
/// Start tags and text runs that are read; a result page of 3.4 MB has 60,000.
pub(crate) const MAX_NODES: usize = 500_000;
/// Bytes that are read.
pub(crate) const MAX_BYTES: usize = 16 << 20;
/// Attributes of one tag that are read.
const MAX_ATTRIBUTES: usize = 200;

/// The source as it may be parsed, and what was cut.
pub(crate) fn guard(html: &str) -> (Cow<'_, str>, Vec<Problem>) {
    let mut problems = Vec::new();
    let mut html = html;
    if html.len() > MAX_BYTES {
        let mut end = MAX_BYTES;
        while !html.is_char_boundary(end) {
            end -= 1;
        }
        html = &html[..end];
        problems.push(Problem::TooLong { read_bytes: end });
    }
    let mut scan = Scan::new(html);
    scan.run();
    if scan.too_deep {
        problems.push(Problem::TooDeep { depth: MAX_DEPTH });
    }
    if scan.too_many {
        problems.push(Problem::TooManyNodes { nodes: MAX_NODES });
    }
    if scan.kept_until == 0 && !scan.too_many {
        return (Cow::Borrowed(html), problems);
    }
    (Cow::Owned(scan.finish()), problems)
}

struct Scan<'a> {
    html: &'a str,
    at: usize,
    out: String,
    /// Everything before it is in `out`.
    kept_until: usize,
    depth: usize,
    dropped: usize,
    formatting: usize,
    in_svg: bool,
    nodes: usize,
    too_deep: bool,
    too_many: bool,
}

struct Tag {
    end: usize,
    closing: bool,
    self_closing: bool,
    /// Where to cut if there are too many attributes.
    cut: Option<usize>,
}

impl<'a> Scan<'a> {
    fn new(html: &'a str) -> Self {
        Self {
            html,
            at: 0,
            out: String::new(),
            kept_until: 0,
            depth: 0,
            dropped: 0,
            formatting: 0,
            in_svg: false,
            nodes: 0,
            too_deep: false,
            too_many: false,
        }
    }

    fn run(&mut self) {
        let bytes = self.html.as_bytes();
        while let Some(open) = find(bytes, self.at, b'<') {
            // A formatting tag that was left open is opened again in every block.
            self.nodes += 2 + self.formatting.saturating_sub(4);
            if self.nodes > MAX_NODES {
                self.too_many = true;
                self.at = open;
                return;
            }
            self.at = self.after_markup(open);
        }
        self.at = bytes.len();
    }

    fn finish(mut self) -> String {
        let end = self.at.max(self.kept_until);
        self.out.push_str(&self.html[self.kept_until..end]);
        self.out
    }

    /// Handles the markup that starts at `open`; returns where to go on.
    fn after_markup(&mut self, open: usize) -> usize {
        let bytes = self.html.as_bytes();
        let rest = &bytes[open + 1..];
        if rest.starts_with(b"!--") {
            return find_str(bytes, open + 4, b"-->").map_or(bytes.len(), |i| i + 3);
        }
        let closing = rest.first() == Some(&b'/');
        let name_at = open + 1 + usize::from(closing);
        if !bytes.get(name_at).is_some_and(u8::is_ascii_alphabetic) {
            return open + 1;
        }
        let name_end = bytes[name_at..]
            .iter()
            .position(|b| b.is_ascii_whitespace() || matches!(b, b'>' | b'/'))
            .map_or(bytes.len(), |i| name_at + i);
        let mut name = [0u8; 12];
        let len = (name_end - name_at).min(12);
        name[..len].copy_from_slice(&bytes[name_at..name_at + len]);
        name[..len].make_ascii_lowercase();
        let name = &name[..len];
        let tag = read_tag(bytes, name_end, closing);
        self.count(name, &tag, open);
        if let Some(cut) = tag.cut {
            self.drop_range(cut, tag.end.saturating_sub(1));
        }
        if !tag.closing && is_raw_text(name) {
            return raw_text_end(bytes, tag.end, name);
        }
        tag.end
    }

    fn count(&mut self, name: &[u8], tag: &Tag, open: usize) {
        if is_void(name) || has_optional_end(name) || is_raw_text(name) {
            return;
        }
        if name == b"svg" || name == b"math" {
            self.in_svg = !tag.closing && !tag.self_closing;
        } else if breaks_out(name) {
            self.in_svg = false;
        }
        if tag.self_closing && self.in_svg {
            return;
        }
        if is_formatting(name) {
            self.formatting = match tag.closing {
                true => self.formatting.saturating_sub(1),
                false => self.formatting + 1,
            };
        }
        if tag.closing {
            if self.dropped > 0 {
                self.dropped -= 1;
                self.drop_range(open, tag.end);
            } else {
                self.depth = self.depth.saturating_sub(1);
            }
        } else if self.depth >= MAX_DEPTH {
            self.too_deep = true;
            self.dropped += 1;
            self.drop_range(open, tag.end);
        } else {
            self.depth += 1;
        }
    }

    fn drop_range(&mut self, from: usize, to: usize) {
        if from < self.kept_until || to <= from {
            return;
        }
        self.out.push_str(&self.html[self.kept_until..from]);
        self.kept_until = to;
    }
}

fn read_tag(bytes: &[u8], mut at: usize, closing: bool) -> Tag {
    let mut attributes = 0;
    let mut cut = None;
    let mut between = true;
    while let Some(&b) = bytes.get(at) {
        match b {
            b'>' => {
                let self_closing = bytes.get(at - 1) == Some(&b'/');
                return Tag { end: at + 1, closing, self_closing, cut };
            }
            b'=' => {
                let mut value = at + 1;
                while bytes.get(value).is_some_and(u8::is_ascii_whitespace) {
                    value += 1;
                }
                if let Some(&quote @ (b'"' | b'\'')) = bytes.get(value) {
                    at = find(bytes, value + 1, quote).unwrap_or(bytes.len());
                    between = true;
                }
            }
            b if b.is_ascii_whitespace() || b == b'/' => between = true,
            _ if between => {
                between = false;
                attributes += 1;
                if attributes > MAX_ATTRIBUTES && cut.is_none() {
                    cut = Some(at);
                }
            }
            _ => {}
        }
        at += 1;
    }
    Tag { end: bytes.len(), closing, self_closing: false, cut }
}

fn raw_text_end(bytes: &[u8], from: usize, name: &[u8]) -> usize {
    let mut at = from;
    while let Some(open) = find_str(bytes, at, b"</") {
        let end = open + 2 + name.len();
        if bytes.get(open + 2..end).is_some_and(|n| n.eq_ignore_ascii_case(name)) {
            return open;
        }
        at = open + 2;
    }
    bytes.len()
}

fn find(bytes: &[u8], from: usize, byte: u8) -> Option<usize> {
    memchr(byte, bytes.get(from..)?).map(|i| from + i)
}

fn find_str(bytes: &[u8], from: usize, needle: &[u8]) -> Option<usize> {
    memmem::find(bytes.get(from..)?, needle).map(|i| from + i)
}

fn is_void(name: &[u8]) -> bool {
    matches!(
        name,
        b"area"
            | b"base"
            | b"br"
            | b"col"
            | b"embed"
            | b"hr"
            | b"img"
            | b"input"
            | b"link"
            | b"meta"
            | b"param"
            | b"source"
            | b"track"
            | b"wbr"
    )
}

/// Elements that the parser closes by itself.
fn has_optional_end(name: &[u8]) -> bool {
    matches!(
        name,
        b"html"
            | b"head"
            | b"body"
            | b"p"
            | b"li"
            | b"dt"
            | b"dd"
            | b"tr"
            | b"td"
            | b"th"
            | b"tbody"
            | b"thead"
            | b"tfoot"
            | b"option"
            | b"optgroup"
            | b"rt"
            | b"rp"
    )
}

fn is_raw_text(name: &[u8]) -> bool {
    matches!(
        name,
        b"script"
            | b"style"
            | b"textarea"
            | b"title"
            | b"noscript"
            | b"iframe"
            | b"xmp"
            | b"noembed"
            | b"noframes"
    )
}

fn is_formatting(name: &[u8]) -> bool {
    matches!(
        name,
        b"a" | b"b"
            | b"big"
            | b"code"
            | b"em"
            | b"font"
            | b"i"
            | b"nobr"
            | b"s"
            | b"small"
            | b"strike"
            | b"strong"
            | b"tt"
            | b"u"
    )
}

/// HTML elements that end SVG and MathML.
fn breaks_out(name: &[u8]) -> bool {
    matches!(
        name,
        b"b" | b"big"
            | b"blockquote"
            | b"body"
            | b"center"
            | b"code"
            | b"div"
            | b"dl"
            | b"em"
            | b"h1"
            | b"h2"
            | b"h3"
            | b"h4"
            | b"h5"
            | b"h6"
            | b"i"
            | b"menu"
            | b"nobr"
            | b"ol"
            | b"p"
            | b"pre"
            | b"ruby"
            | b"s"
            | b"small"
            | b"span"
            | b"strong"
            | b"strike"
            | b"sub"
            | b"sup"
            | b"table"
            | b"tt"
            | b"u"
            | b"ul"
            | b"var"
            | b"font"
            | b"section"
            | b"article"
    )
}
