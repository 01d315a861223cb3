//! A tolerant reader of JavaScript literals. It runs nothing.
//!
//! **Promises**: valid JSON takes serde_json's fast path; else comments, trailing commas, single
//! quotes, bare keys, `!0`, `void 0`, `undefined`, `NaN`, `new Date(..)`, and the arguments of a
//! function wrapper are understood. What is cut short gives what was read so far. Depth, values
//! and bytes are capped. **Leaves out**: expressions, getters, spread.

use std::collections::HashMap;

use serde_json::{Map, Value};

/// Deeper nesting ends the reading.
pub(crate) const MAX_DEPTH: usize = 96;
/// More values than this end the reading.
pub(crate) const MAX_VALUES: usize = 600_000;
/// Longer texts are cut.
pub(crate) const MAX_BYTES: usize = 16 << 20;

/// A value and how it was read.
#[derive(Debug, Clone, PartialEq)]
pub struct Read {
    /// What was read.
    pub value: Value,
    /// The text ended, or went wrong, before the value was complete.
    pub cut: bool,
    /// Bytes that were used.
    pub used: usize,
}

/// Reads one literal from the start of a text. `None` if there is no literal at all.
///
/// ```
/// # use firstknock_extract::json::read;
/// let read = read("{a: 'x', b: [1, 2,], c: !0, d: void 0 // rest\n}").expect("a literal");
/// assert_eq!(read.value.to_string(), r#"{"a":"x","b":[1,2],"c":true,"d":null}"#);
/// let cut = firstknock_extract::json::read(r#"[{"id":1},{"id":2},{"i"#).expect("a literal");
/// assert!(cut.cut);
/// assert_eq!(cut.value[1]["id"], 2);
/// ```
pub fn read(text: &str) -> Option<Read> {
    let text = crate::values::head(text, MAX_BYTES);
    let bare = unwrap_comment(text);
    if bare.starts_with(['{', '[']) {
        // Values beyond the cap would be built before anyone could count them.
        let commas = bare.bytes().filter(|b| *b == b',').count();
        if commas < MAX_VALUES
            && let Ok(value) = serde_json::from_str(bare)
        {
            return Some(Read { value, cut: false, used: text.len() });
        }
    }
    read_at(bare, 0)
}

/// Reads the literal that starts at a byte of a text, tolerantly.
pub(crate) fn read_at(text: &str, at: usize) -> Option<Read> {
    let mut reader = Reader::new(text, at);
    let value = reader.value(0)?;
    let cut = reader.broken;
    Some(Read { value, cut, used: reader.at })
}

/// Drops blanks, a byte-order mark, `<!-- -->` and CDATA marks around a text.
pub(crate) fn unwrap_comment(text: &str) -> &str {
    let mut bare = text.trim_matches(|c: char| c.is_whitespace() || c == '\u{feff}');
    for (open, close) in [("<!--", "-->"), ("//<![CDATA[", "//]]>"), ("<![CDATA[", "]]>")] {
        if let Some(rest) = bare.strip_prefix(open) {
            bare = rest.trim();
            bare = bare.strip_suffix(close).unwrap_or(bare).trim();
        }
    }
    bare
}

/// The position in a text, and what the function wrapper's arguments are.
pub(crate) struct Reader<'a> {
    pub(super) text: &'a str,
    pub(super) bytes: &'a [u8],
    pub(crate) at: usize,
    values: usize,
    /// Set once; from then on every open container is closed with what it has.
    pub(crate) broken: bool,
    pub(super) names: HashMap<&'a str, Value>,
}

impl<'a> Reader<'a> {
    pub(crate) fn new(text: &'a str, at: usize) -> Self {
        Self { text, bytes: text.as_bytes(), at, values: 0, broken: false, names: HashMap::new() }
    }

    pub(super) fn peek(&self) -> u8 {
        self.bytes.get(self.at).copied().unwrap_or(0)
    }

    pub(super) fn fail<T>(&mut self) -> Option<T> {
        self.broken = true;
        None
    }

    pub(super) fn blanks(&mut self) {
        loop {
            match self.peek() {
                b' ' | b'\t' | b'\n' | b'\r' => self.at += 1,
                b'/' => match self.bytes.get(self.at + 1) {
                    Some(b'/') => self.skip_past("\n"),
                    Some(b'*') => {
                        self.at += 2;
                        self.skip_past("*/");
                    }
                    _ => return,
                },
                0xC2 if self.bytes.get(self.at + 1) == Some(&0xA0) => self.at += 2,
                0xEF if self.text[self.at..].starts_with('\u{feff}') => self.at += 3,
                _ => return,
            }
        }
    }

    fn skip_past(&mut self, mark: &str) {
        self.at =
            self.text[self.at..].find(mark).map_or(self.bytes.len(), |i| self.at + i + mark.len());
    }

    /// One value. `None` where there is none; `broken` says whether that is an error.
    pub(crate) fn value(&mut self, depth: usize) -> Option<Value> {
        self.blanks();
        self.values += 1;
        if depth > MAX_DEPTH || self.values > MAX_VALUES || self.at >= self.bytes.len() {
            return self.fail();
        }
        let value = match self.peek() {
            b'{' => self.object(depth)?,
            b'[' => self.array(depth)?,
            b'"' | b'\'' | b'`' => Value::String(self.string()?),
            b'-' | b'+' | b'.' | b'0'..=b'9' => self.number()?,
            b'!' => self.not(depth)?,
            b'(' => self.bracketed(depth)?,
            b'_' | b'$' | b'a'..=b'z' | b'A'..=b'Z' => self.word(depth)?,
            _ => return self.fail(),
        };
        Some(value)
    }

    fn array(&mut self, depth: usize) -> Option<Value> {
        self.at += 1;
        let mut items = Vec::new();
        loop {
            self.blanks();
            match self.peek() {
                b']' => {
                    self.at += 1;
                    break;
                }
                b',' => {
                    self.at += 1;
                    continue;
                }
                _ => {}
            }
            match self.value(depth + 1) {
                Some(item) => items.push(item),
                None => self.broken = true,
            }
            if self.broken || !self.separator(b']') {
                break;
            }
        }
        Some(Value::Array(items))
    }

    fn object(&mut self, depth: usize) -> Option<Value> {
        self.at += 1;
        let mut map = Map::new();
        loop {
            self.blanks();
            match self.peek() {
                b'}' => {
                    self.at += 1;
                    break;
                }
                b',' => {
                    self.at += 1;
                    continue;
                }
                _ => {}
            }
            let Some(key) = self.key() else {
                self.broken = true;
                break;
            };
            self.blanks();
            if self.peek() != b':' {
                self.broken = true;
                break;
            }
            self.at += 1;
            match self.value(depth + 1) {
                Some(item) => {
                    map.insert(key, item);
                }
                None => self.broken = true,
            }
            if self.broken || !self.separator(b'}') {
                break;
            }
        }
        Some(Value::Object(map))
    }

    /// A comma or the end must follow an item; anything else is an expression that we do not read.
    fn separator(&mut self, close: u8) -> bool {
        self.blanks();
        let next = self.peek();
        if next != b',' && next != close {
            self.broken = true;
        }
        !self.broken
    }

    fn key(&mut self) -> Option<String> {
        match self.peek() {
            b'"' | b'\'' => self.string(),
            b'[' => {
                // A computed key: `["a"]`.
                self.at += 1;
                self.blanks();
                let key =
                    if matches!(self.peek(), b'"' | b'\'') { self.string()? } else { self.fail()? };
                self.blanks();
                if self.peek() != b']' {
                    return self.fail();
                }
                self.at += 1;
                Some(key)
            }
            _ => {
                let name = self.name();
                if name.is_empty() { self.fail() } else { Some(name.to_owned()) }
            }
        }
    }

    pub(super) fn name(&mut self) -> &'a str {
        let start = self.at;
        while matches!(self.peek(), b'_' | b'$' | b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | 0x80..)
        {
            self.at += 1;
        }
        // Bytes of one character are all at or above 0x80, so this is a boundary.
        &self.text[start..self.at]
    }

    fn not(&mut self, depth: usize) -> Option<Value> {
        self.at += 1;
        let inner = self.value(depth + 1)?;
        let truthy = match &inner {
            Value::Null => false,
            Value::Bool(b) => *b,
            Value::Number(n) => n.as_f64() != Some(0.0),
            Value::String(s) => !s.is_empty(),
            Value::Array(_) | Value::Object(_) => true,
        };
        Some(Value::Bool(!truthy))
    }
}
