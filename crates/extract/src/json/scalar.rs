//! Strings and numbers of JavaScript.

use serde_json::{Number, Value};

use super::reader::Reader;

impl Reader<'_> {
    pub(super) fn string(&mut self) -> Option<String> {
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

    pub(super) fn number(&mut self) -> Option<Value> {
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
}
