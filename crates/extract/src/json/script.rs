//! Literals inside scripts: found by what stands before them, never by running anything.

use serde_json::Value;

use super::reader::{self, Reader};

/// Shorter literals hold no list of homes.
const MIN_LITERAL: usize = 120;
/// Literals that are tried in one script.
const MAX_TRIES: usize = 3_000;

/// All literals of a script that are worth reading: objects, arrays, and strings of JSON.
/// `broken` counts those that began well and could not be finished.
pub(crate) fn literals(script: &str, broken: &mut usize) -> Vec<Value> {
    let mut found = Vec::new();
    let bytes = script.as_bytes();
    let mut at = 0;
    let mut tries = 0;
    // Each failed try may read at most what is left; together four times the script.
    let mut work = script.len().saturating_mul(4);
    while let Some(start) = next_start(script, at) {
        tries += 1;
        if tries > MAX_TRIES || work == 0 || script.len() - start < MIN_LITERAL {
            break;
        }
        let mut reader = Reader::new(script, start);
        let value = reader.value(0);
        let used = reader.at.saturating_sub(start);
        work = work.saturating_sub(used);
        let ended = reader.at >= bytes.len();
        match value {
            Some(value) if !reader.broken && used >= MIN_LITERAL && !value.is_null() => {
                found.extend(unwrap(value));
                at = reader.at;
            }
            // The page was cut inside the literal: what was read is still good.
            Some(value) if reader.broken && ended && used >= MIN_LITERAL => {
                *broken += 1;
                found.extend(unwrap(value));
                break;
            }
            // A small literal is passed over; a function without a result is looked into.
            Some(value) if !reader.broken && !value.is_null() => at = reader.at.max(start + 1),
            _ => at = start + 1,
        }
    }
    found
}

/// A string of JSON is the JSON.
fn unwrap(value: Value) -> Option<Value> {
    match value {
        Value::String(text) => super::reader::read(&text).map(|r| r.value),
        Value::Object(_) | Value::Array(_) => Some(value),
        _ => None,
    }
}

/// The next place where a literal may start: behind `=`, `(`, `,` or `return`, at `{`, `[`, a
/// string that starts with one of them, or a function wrapper.
fn next_start(script: &str, from: usize) -> Option<usize> {
    let bytes = script.as_bytes();
    let mut at = from;
    while at < bytes.len() {
        let c = bytes[at];
        let starts = match c {
            b'{' | b'[' => true,
            b'"' | b'\'' => {
                let inner = bytes[at + 1..].iter().find(|b| !matches!(b, b' ' | b'\\'));
                matches!(inner, Some(b'{' | b'['))
            }
            b'(' => script[at + 1..].trim_start().starts_with("function("),
            _ => false,
        };
        if starts && is_value_position(bytes, at) {
            return Some(at);
        }
        at += 1;
    }
    None
}

fn is_value_position(bytes: &[u8], at: usize) -> bool {
    let before = bytes[..at].iter().rposition(|b| !b.is_ascii_whitespace());
    match before.map(|i| bytes[i]) {
        None => true,
        Some(b'=' | b'(' | b',' | b':' | b'?' | b'|') => true,
        Some(b'n') => before.is_some_and(|i| bytes[..=i].ends_with(b"return")),
        _ => false,
    }
}

/// The byte after the block that opens at `open`, or `None` if it never closes. Strings and
/// comments are skipped; a regular expression with a brace may fool it, and then nothing is read.
pub(crate) fn skip_block(text: &str, open: usize) -> Option<usize> {
    let bytes = text.as_bytes();
    let mut depth = 0_usize;
    let mut at = open;
    while at < bytes.len() {
        match bytes[at] {
            b'{' => depth += 1,
            b'}' => {
                depth = depth.saturating_sub(1);
                if depth == 0 {
                    return Some(at + 1);
                }
            }
            b'"' | b'\'' | b'`' => at = skip_string(bytes, at),
            _ => {}
        }
        at += 1;
    }
    None
}

/// The byte of the closing quote, or the end.
fn skip_string(bytes: &[u8], open: usize) -> usize {
    let quote = bytes[open];
    let mut at = open + 1;
    while at < bytes.len() && bytes[at] != quote {
        at += if bytes[at] == b'\\' { 2 } else { 1 };
    }
    at
}

/// The byte behind the first `return` of the body itself, not of a function inside it.
pub(crate) fn find_return(text: &str, open: usize, end: usize) -> Option<usize> {
    let bytes = text.as_bytes();
    let mut depth = 0_usize;
    let mut at = open;
    while at < end {
        match bytes[at] {
            b'{' => depth += 1,
            b'}' => depth = depth.saturating_sub(1),
            b'"' | b'\'' | b'`' => at = skip_string(bytes, at),
            b'r' if depth == 1 && bytes[at..end].starts_with(b"return") => {
                let before = bytes[at - 1];
                if !before.is_ascii_alphanumeric() && before != b'_' {
                    return Some(at + 6);
                }
            }
            _ => {}
        }
        at += 1;
    }
    None
}

/// The arguments of every `name.push([...])` of a script, in order: React flight's chunks.
pub(crate) fn flight_chunks(script: &str, out: &mut String) {
    const PUSH: &str = "__next_f.push(";
    let mut rest = script;
    while let Some(i) = rest.find(PUSH) {
        rest = &rest[i + PUSH.len()..];
        let Some(read) = reader::read_at(rest, 0) else { continue };
        if let Some(chunk) = read.value.get(1).and_then(Value::as_str) {
            out.push_str(chunk);
        }
        rest = rest.get(read.used..).unwrap_or_default();
    }
}
