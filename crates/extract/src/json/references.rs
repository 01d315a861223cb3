//! Caches that keep each object once and name it elsewhere: `{"__ref": "Image:7"}`.

use serde_json::{Map, Value};

use super::reader::MAX_DEPTH;

/// The key that names another entry of the same map.
const REFERENCE: &str = "__ref";
/// References that are followed in one piece of data.
const MOST: usize = 4_000;
/// An entry with more values of its own is a record, not a part of one.
const MOST_VALUES: usize = 24;

/// Puts the small entries that others name (a photo, a price, a town) in the place of their names.
/// Entries inside entries stay names: nothing grows without bound.
pub(super) fn follow(value: &mut Value) {
    let mut left = MOST;
    visit(value, 0, &mut left);
}

fn visit(value: &mut Value, depth: usize, left: &mut usize) {
    if depth > MAX_DEPTH || *left == 0 {
        return;
    }
    match value {
        Value::Array(items) => items.iter_mut().for_each(|v| visit(v, depth + 1, left)),
        Value::Object(map) => {
            // Such caches name their entries by type and id.
            if map.keys().filter(|key| key.contains(':')).take(2).count() == 2 {
                let parts = parts(map);
                map.values_mut().for_each(|entry| fill(entry, &parts, 0, left));
            } else {
                map.values_mut().for_each(|v| visit(v, depth + 1, left));
            }
        }
        _ => {}
    }
}

/// The entries that have only plain values.
fn parts(map: &Map<String, Value>) -> Map<String, Value> {
    let plain = |v: &Value| match v {
        Value::Array(_) | Value::Object(_) => false,
        Value::String(text) => text.len() <= 2_000,
        _ => true,
    };
    map.iter()
        .filter(|(_, entry)| {
            entry.as_object().is_some_and(|e| e.len() <= MOST_VALUES && e.values().all(plain))
        })
        .map(|(key, entry)| (key.clone(), entry.clone()))
        .collect()
}

fn fill(value: &mut Value, parts: &Map<String, Value>, depth: usize, left: &mut usize) {
    if depth > 6 || *left == 0 {
        return;
    }
    match value {
        Value::Array(items) => items.iter_mut().for_each(|v| fill(v, parts, depth + 1, left)),
        Value::Object(map) => {
            let name = map.get(REFERENCE).and_then(Value::as_str).filter(|_| map.len() == 1);
            if let Some(part) = name.and_then(|name| parts.get(name)) {
                *left -= 1;
                *value = part.clone();
            } else {
                map.values_mut().for_each(|v| fill(v, parts, depth + 1, left));
            }
        }
        _ => {}
    }
}
