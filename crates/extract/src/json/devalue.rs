//! Devalue (Nuxt 3, SvelteKit): a flat array whose objects hold indexes instead of values.

use serde_json::{Map, Value};

use super::reader::{MAX_DEPTH, MAX_VALUES};

/// The value that a devalue array stands for, or `None` if the array is something else.
pub fn revive(flat: &Value) -> Option<Value> {
    let items = flat.as_array().filter(|items| items.len() >= 2)?;
    if !is_devalue(items) {
        return None;
    }
    let mut reviver = Reviver { items, values: 0, open: vec![false; items.len()] };
    Some(reviver.at(0, 0))
}

/// The root is a wrapper (`["Reactive", 1]`), an object or array of indexes.
fn is_devalue(items: &[Value]) -> bool {
    let is_index = |v: &Value| v.as_i64().is_some_and(|i| i >= -7 && i < items.len() as i64);
    match &items[0] {
        Value::Array(root) => {
            let named = root.first().and_then(Value::as_str).is_some_and(is_wrapper);
            named && root.len() == 2 && is_index(&root[1])
                || (root.len() >= 2 && root.iter().all(is_index) && !items[1].is_number())
        }
        Value::Object(root) => !root.is_empty() && root.values().all(is_index),
        _ => false,
    }
}

fn is_wrapper(name: &str) -> bool {
    matches!(
        name,
        "Reactive"
            | "ShallowReactive"
            | "Ref"
            | "ShallowRef"
            | "EmptyRef"
            | "EmptyShallowRef"
            | "Island"
            | "NuxtError"
    )
}

struct Reviver<'a> {
    items: &'a [Value],
    /// Shared parts are copied, so the count of copies is capped.
    values: usize,
    open: Vec<bool>,
}

impl Reviver<'_> {
    fn at(&mut self, index: i64, depth: usize) -> Value {
        let Some(place) = usize::try_from(index).ok().filter(|i| *i < self.items.len()) else {
            return Value::Null;
        };
        self.values += 1;
        if depth > MAX_DEPTH || self.values > MAX_VALUES || self.open[place] {
            return Value::Null;
        }
        let items = self.items;
        self.open[place] = true;
        let value = match &items[place] {
            Value::Object(map) => {
                let mut out = Map::new();
                for (key, index) in map {
                    out.insert(key.clone(), self.of(index, depth));
                }
                Value::Object(out)
            }
            Value::Array(list) => self.array(list, depth),
            plain => plain.clone(),
        };
        self.open[place] = false;
        value
    }

    fn of(&mut self, index: &Value, depth: usize) -> Value {
        index.as_i64().map_or(Value::Null, |i| self.at(i, depth + 1))
    }

    fn array(&mut self, list: &[Value], depth: usize) -> Value {
        match list.first().and_then(Value::as_str) {
            None => Value::Array(list.iter().map(|i| self.of(i, depth)).collect()),
            Some("Date" | "BigInt" | "RegExp" | "URL" | "Object") => {
                list.get(1).cloned().unwrap_or(Value::Null)
            }
            Some("Set") => Value::Array(list[1..].iter().map(|i| self.of(i, depth)).collect()),
            Some("Map") => {
                let mut out = Map::new();
                for pair in list[1..].chunks_exact(2) {
                    let key = self.of(&pair[0], depth);
                    let key = key.as_str().map_or_else(|| key.to_string(), str::to_owned);
                    let value = self.of(&pair[1], depth);
                    out.insert(key, value);
                }
                Value::Object(out)
            }
            Some("null") => {
                let mut out = Map::new();
                for pair in list[1..].chunks_exact(2) {
                    let value = self.of(&pair[1], depth);
                    if let Some(key) = pair[0].as_str() {
                        out.insert(key.to_owned(), value);
                    }
                }
                Value::Object(out)
            }
            Some(_) => list.get(1).map_or(Value::Null, |i| self.of(i, depth)),
        }
    }
}
