//! React flight: rows `id:payload` of a page's server components.

use serde_json::Value;

use super::reader;

/// Shorter rows hold no list of homes.
const MIN_ROW: usize = 60;

/// The JSON of every row. Text rows (`T` with a length in hex) that are JSON themselves count too.
pub fn rows(text: &str) -> Vec<Value> {
    let mut out = Vec::new();
    let mut rest = text;
    while !rest.is_empty() {
        let Some((id, after)) = rest.split_once(':') else { break };
        if id.len() > 8 || !id.bytes().all(|b| b.is_ascii_hexdigit()) {
            // Not at the start of a row: go on at the next line.
            rest = rest.split_once('\n').map_or("", |(_, next)| next);
            continue;
        }
        if let Some((payload, next)) = text_row(after) {
            push(payload, &mut out);
            rest = next;
            continue;
        }
        let (payload, next) = after.split_once('\n').unwrap_or((after, ""));
        push(payload, &mut out);
        rest = next;
    }
    out
}

/// `T1a3f,…`: the length is in bytes, and no line end follows.
fn text_row(after: &str) -> Option<(&str, &str)> {
    let (length, body) = after.strip_prefix('T')?.split_once(',')?;
    let length = usize::from_str_radix(length, 16).ok()?;
    Some(body.split_at(body.floor_char_boundary(length.min(body.len()))))
}

fn push(payload: &str, out: &mut Vec<Value>) {
    if payload.len() >= MIN_ROW
        && payload.starts_with(['{', '['])
        && let Some(read) = reader::read(payload)
    {
        out.push(read.value);
    }
}
