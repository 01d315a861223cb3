//! Properties whose values are pairs of a type and a value: `{"rent": [0, 900], "homes": [1, […]]}`.
//! One framework writes those of its islands so.

use serde_json::{Map, Value};

use super::reader::MAX_DEPTH;

/// Types are small numbers: 0 a plain value or an object of pairs, 1 a list of pairs, others dates
/// and the like.
const HIGHEST_TYPE: u64 = 11;

/// The plain value, or `None` if the object is written otherwise.
pub(super) fn unpair(value: &Value) -> Option<Value> {
    let map = value.as_object().filter(|map| !map.is_empty())?;
    map.values().all(|v| pair(v).is_some()).then(|| object(map, 0))
}

fn pair(value: &Value) -> Option<(u64, &Value)> {
    let [kind, inner] = value.as_array()?.as_slice() else { return None };
    let kind = kind.as_u64().filter(|kind| *kind <= HIGHEST_TYPE)?;
    (kind != 1 || inner.is_array()).then_some((kind, inner))
}

fn object(map: &Map<String, Value>, depth: usize) -> Value {
    map.iter().map(|(key, value)| (key.clone(), plain(value, depth + 1))).collect()
}

fn plain(value: &Value, depth: usize) -> Value {
    if depth > MAX_DEPTH {
        return Value::Null;
    }
    match pair(value) {
        Some((1, Value::Array(items))) => items.iter().map(|v| plain(v, depth + 1)).collect(),
        Some((_, Value::Object(map))) => object(map, depth),
        Some((_, inner)) => inner.clone(),
        None => value.clone(),
    }
}
