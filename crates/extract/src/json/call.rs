//! Words, calls and function wrappers: what they stand for, without running them.

use serde_json::Value;

use super::reader::Reader;

impl<'a> Reader<'a> {
    pub(super) fn word(&mut self, depth: usize) -> Option<Value> {
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
                self.function(depth, false).map(|(value, _)| value)
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

    pub(super) fn bracketed(&mut self, depth: usize) -> Option<Value> {
        self.at += 1;
        self.blanks();
        if self.text[self.at..].starts_with("function") {
            let (value, closed) = self.function(depth, true)?;
            return if closed { Some(value) } else { self.close_bracket(value) };
        }
        let value = self.value(depth + 1)?;
        self.close_bracket(value)
    }

    fn close_bracket(&mut self, value: Value) -> Option<Value> {
        self.blanks();
        if self.peek() == b')' {
            self.at += 1;
        } else {
            self.broken = true;
        }
        Some(value)
    }

    /// `function(a, b) { return {…} }(1, "x")`. In brackets the call may stand behind the closing
    /// one; the flag says that it did.
    fn function(&mut self, depth: usize, in_brackets: bool) -> Option<(Value, bool)> {
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
        let closed = in_brackets && self.peek() == b')';
        if closed {
            self.at += 1;
            self.blanks();
        }
        if self.peek() != b'(' {
            self.at = back;
            return Some((Value::Null, false));
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
        value.map(|value| (value, closed))
    }
}
