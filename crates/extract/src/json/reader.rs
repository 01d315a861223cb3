//! A tolerant reader of JavaScript literals. It runs nothing.
//!
//! **Promises**: valid JSON takes serde_json's fast path; else comments, trailing commas, single
//! quotes, bare keys, `!0`, `void 0`, `undefined`, `NaN`, `new Date(..)`, and the arguments of a
//! function wrapper are understood. What is cut short gives what was read so far. Depth, values
//! and bytes are capped. **Leaves out**: expressions, getters, spread.

use std::collections::HashMap;

use serde_json::{Map, Number, Value};

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
    text: &'a str,
    bytes: &'a [u8],
    pub(crate) at: usize,
    values: usize,
    /// Set once; from then on every open container is closed with what it has.
    pub(crate) broken: bool,
    names: HashMap<&'a str, Value>,
}

impl<'a> Reader<'a> {
    pub(crate) fn new(text: &'a str, at: usize) -> Self {
        Self { text, bytes: text.as_bytes(), at, values: 0, broken: false, names: HashMap::new() }
    }

    fn peek(&self) -> u8 {
        self.bytes.get(self.at).copied().unwrap_or(0)
    }

    fn fail<T>(&mut self) -> Option<T> {
        self.broken = true;
        None
    }

    fn blanks(&mut self) {
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

    fn name(&mut self) -> &'a str {
        let start = self.at;
        while matches!(self.peek(), b'_' | b'$' | b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | 0x80..)
        {
            self.at += 1;
        }
        // Bytes of one character are all at or above 0x80, so this is a boundary.
        &self.text[start..self.at]
    }

    fn string(&mut self) -> Option<String> {
        let quote = self.peek();
        self.at += 1;
        let mut out = String::new();
        loop {
            let start = self.at;
            while self.at < self.bytes.len()
                && self.bytes[self.at] != quote
                && self.bytes[self.at] != b'\\'
            {
                self.at += 1;
            }
            out.push_str(&self.text[start..self.at]);
            match self.peek() {
                b'\\' if self.at < self.bytes.len() => self.escape(&mut out),
                _ if self.at >= self.bytes.len() => {
                    // Cut inside a string: half a value is worse than none.
                    return self.fail();
                }
                _ => {
                    self.at += 1;
                    return Some(out);
                }
            }
        }
    }

    fn escape(&mut self, out: &mut String) {
        self.at += 1;
        let Some(c) = self.text[self.at.min(self.text.len())..].chars().next() else { return };
        self.at += c.len_utf8();
        match c {
            'n' => out.push('\n'),
            't' => out.push('\t'),
            'r' => out.push('\r'),
            'b' | 'f' | 'v' | '0' => out.push(' '),
            'x' => out.push(self.hex(2).and_then(char::from_u32).unwrap_or('\u{fffd}')),
            'u' => out.push(self.unicode()),
            '\n' => {}
            other => out.push(other),
        }
    }

    fn unicode(&mut self) -> char {
        let Some(first) = self.hex(4) else { return '\u{fffd}' };
        if (0xD800..0xDC00).contains(&first) && self.text[self.at..].starts_with("\\u") {
            let back = self.at;
            self.at += 2;
            if let Some(second) = self.hex(4).filter(|s| (0xDC00..0xE000).contains(s)) {
                let code = 0x1_0000 + ((first - 0xD800) << 10) + (second - 0xDC00);
                return char::from_u32(code).unwrap_or('\u{fffd}');
            }
            self.at = back;
        }
        char::from_u32(first).unwrap_or('\u{fffd}')
    }

    fn hex(&mut self, digits: usize) -> Option<u32> {
        let code = u32::from_str_radix(self.text.get(self.at..self.at + digits)?, 16).ok()?;
        self.at += digits;
        Some(code)
    }

    fn number(&mut self) -> Option<Value> {
        let start = self.at;
        while matches!(self.peek(), b'-' | b'+' | b'.' | b'0'..=b'9' | b'a'..=b'z' | b'A'..=b'Z' | b'_')
        {
            self.at += 1;
        }
        let text: String = self.text[start..self.at].chars().filter(|c| *c != '_').collect();
        let unsigned = text.trim_start_matches(['+', '-']);
        if let Some(hex) = unsigned.strip_prefix("0x") {
            return Some(i64::from_str_radix(hex, 16).map_or(Value::Null, Value::from));
        }
        if let Ok(whole) = text.parse::<i64>() {
            return Some(whole.into());
        }
        if unsigned.starts_with(|c: char| c.is_ascii_alphabetic()) {
            return Some(Value::Null); // -Infinity
        }
        match text.trim_end_matches('n').parse::<f64>() {
            Ok(float) => Some(Number::from_f64(float).map_or(Value::Null, Value::Number)),
            Err(_) => self.fail(),
        }
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

    fn word(&mut self, depth: usize) -> Option<Value> {
        let start = self.at;
        match self.name() {
            "true" => Some(Value::Bool(true)),
            "false" => Some(Value::Bool(false)),
            "null" | "undefined" | "NaN" | "Infinity" => Some(Value::Null),
            "void" => self.value(depth + 1).map(|_| Value::Null),
            "new" => {
                self.blanks();
                self.name();
                self.call(depth)
            }
            "function" | "async" => {
                self.at = start;
                self.function(depth)
            }
            name => {
                if let Some(value) = self.names.get(name) {
                    return Some(value.clone());
                }
                while self.peek() == b'.' {
                    self.at += 1;
                    self.name();
                }
                self.blanks();
                if self.peek() == b'(' { self.call(depth) } else { Some(Value::Null) }
            }
        }
    }

    /// `Date("…")`, `JSON.parse("…")`: the first argument stands for the result.
    fn call(&mut self, depth: usize) -> Option<Value> {
        self.blanks();
        if self.peek() != b'(' {
            return Some(Value::Null);
        }
        let mut arguments = self.arguments(depth)?;
        if arguments.is_empty() {
            return Some(Value::Null);
        }
        let first = arguments.swap_remove(0);
        match &first {
            Value::String(text) if text.trim_start().starts_with(['{', '[']) => {
                Some(serde_json::from_str(text).unwrap_or(first))
            }
            _ => Some(first),
        }
    }

    /// `(a, b)`.
    fn arguments(&mut self, depth: usize) -> Option<Vec<Value>> {
        self.at += 1;
        let mut items = Vec::new();
        loop {
            self.blanks();
            match self.peek() {
                b')' => {
                    self.at += 1;
                    return Some(items);
                }
                b',' => self.at += 1,
                _ => {
                    items.push(self.value(depth + 1)?);
                    if self.broken {
                        return Some(items);
                    }
                }
            }
        }
    }

    fn bracketed(&mut self, depth: usize) -> Option<Value> {
        let open = self.at;
        self.at += 1;
        self.blanks();
        let is_function = self.text[self.at..].starts_with("function");
        let value = self.value(depth + 1)?;
        self.blanks();
        if self.peek() == b')' {
            self.at += 1;
            // `(function(){…})(args)`: the call stands behind the bracket.
            self.blanks();
            if is_function && self.peek() == b'(' && value.is_null() {
                self.at = open + 1;
                self.blanks();
                return self.function(depth);
            }
        } else {
            self.broken = true;
        }
        Some(value)
    }

    /// `function(a, b) { return {…} }(1, "x")`, with or without brackets around the function.
    fn function(&mut self, depth: usize) -> Option<Value> {
        let Some(open) = self.text[self.at..].find('(').map(|i| self.at + i) else {
            return self.fail();
        };
        let Some(close) = self.text[open..].find(')').map(|i| open + i) else { return self.fail() };
        let names: Vec<&'a str> = self.text[open + 1..close].split(',').map(str::trim).collect();
        self.at = close + 1;
        self.blanks();
        if self.peek() != b'{' {
            return self.fail();
        }
        let body = self.at;
        let Some(end) = super::script::skip_block(self.text, body) else {
            // The whole rest was looked at; whoever counts the work must see that.
            self.at = self.bytes.len();
            return self.fail();
        };
        self.at = end;
        self.blanks();
        let back = self.at;
        if self.peek() == b')' {
            self.at += 1;
            self.blanks();
        }
        if self.peek() != b'(' {
            self.at = back;
            return Some(Value::Null);
        }
        let arguments = self.arguments(depth)?;
        let after = self.at;
        let outer = self.names.clone();
        self.names.extend(names.into_iter().zip(arguments));
        let value = match super::script::find_return(self.text, body, end) {
            Some(at) => {
                self.at = at;
                self.value(depth + 1)
            }
            None => Some(Value::Null),
        };
        self.names = outer;
        if !self.broken {
            self.at = after;
        }
        value
    }
}
