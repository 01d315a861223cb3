//! From data to sets of records: every array, and every map, of similar objects.

use std::collections::BTreeMap;

use serde_json::{Map, Value};

use super::blob::{Blob, open_strings};
use super::flatten::Paths;
use super::vocabulary::{self, Meaning};
use super::{pick, reader, record};
use crate::json::{Record, RecordSet};
use crate::values::Country;

/// Records of one set that are kept.
pub(crate) const MAX_RECORDS: usize = 2_000;
/// Groups that are read in one page.
const MAX_GROUPS: usize = 400;
/// Sets that are given back.
const MAX_SETS: usize = 12;

/// An object, and the element that carries it.
type Item<'v> = (&'v Map<String, Value>, Option<u32>);

struct Group<'v> {
    place: String,
    items: Vec<Item<'v>>,
}

/// All sets of records in a page's data, best first.
pub fn record_sets(blobs: &[Blob], country: Option<Country>) -> Vec<RecordSet> {
    let mut walk = Walk { country, sets: Vec::new(), groups: 0, least: 2 };
    walk.lone_nodes(blobs);
    for blob in blobs {
        walk.value(&blob.value, &mut vec![blob.place.clone()], 0);
    }
    walk.finish()
}

/// The sets of records of an answer that is JSON as a whole. A list of one counts here.
pub fn answer(text: &str, country: Option<Country>) -> Option<Vec<RecordSet>> {
    let mut value = reader::read(text)?.value;
    open_strings(&mut value, 0, 2);
    Some(answer_sets(&value, country))
}

/// [`answer`] of a value that is read already, strings of JSON opened.
pub(crate) fn answer_sets(value: &Value, country: Option<Country>) -> Vec<RecordSet> {
    let mut walk = Walk { country, sets: Vec::new(), groups: 0, least: 1 };
    walk.value(value, &mut vec![String::new()], 0);
    walk.finish()
}

struct Walk {
    country: Option<Country>,
    sets: Vec<RecordSet>,
    groups: usize,
    least: usize,
}

impl Walk {
    /// Data that stands alone in several places: JSON-LD per card, attributes per card.
    fn lone_nodes(&mut self, blobs: &[Blob]) {
        let mut groups: BTreeMap<String, Vec<Item<'_>>> = BTreeMap::new();
        for blob in blobs {
            let object = match &blob.value {
                Value::Object(object) => object,
                // Livewire wraps everything in a list of value and meta.
                Value::Array(items) => match items.first() {
                    Some(Value::Object(object)) if items.len() <= 2 => object,
                    _ => continue,
                },
                _ => continue,
            };
            let key = match object.get("@type").and_then(type_name) {
                Some(name) => format!("script@{name}"),
                None if blob.node.is_some() => blob.place.clone(),
                None => continue,
            };
            groups.entry(key).or_default().push((object, blob.node));
        }
        for (place, items) in groups {
            if items.len() >= 2 {
                self.group(Group { place, items });
            }
        }
    }

    fn value(&mut self, value: &Value, path: &mut Vec<String>, depth: usize) {
        if depth > reader::MAX_DEPTH || self.groups >= MAX_GROUPS {
            return;
        }
        let groups = match value {
            Value::Array(items) => groups_of_array(items, self.least),
            Value::Object(map) => groups_of_map(map),
            _ => return,
        };
        let mut taken = false;
        for (name, items) in groups {
            let place = path.join("/") + &name;
            taken |= self.group(Group { place, items });
        }
        if taken {
            return;
        }
        let mut visit = |key: String, child: &Value| {
            if child.is_array() || child.is_object() {
                path.push(key);
                self.value(child, path, depth + 1);
                path.pop();
            }
        };
        match value {
            Value::Array(items) => {
                items.iter().enumerate().for_each(|(i, v)| visit(i.to_string(), v))
            }
            Value::Object(map) => map.iter().for_each(|(k, v)| visit(k.clone(), v)),
            _ => {}
        }
    }

    /// Reads a group; true if its records are worth something.
    fn group(&mut self, group: Group<'_>) -> bool {
        if !group.items.iter().take(3).any(|(o, _)| vocabulary::has_price_key(o, 4)) {
            return false;
        }
        let mut paths = Paths::default();
        let sample: Vec<_> = group.items.iter().take(3).map(|(o, _)| paths.flatten(o)).collect();
        let priced = sample
            .iter()
            .flatten()
            .any(|(path, _)| Meaning::Price.key_score(&paths.segments[*path]) > 0.2);
        if !priced {
            return false;
        }
        self.groups += 1;
        let leaves: Vec<_> =
            group.items.iter().take(MAX_RECORDS).map(|(o, _)| paths.flatten(o)).collect();
        let picks = pick::pick(&paths, &leaves, self.country);
        let records: Vec<Record> = leaves
            .iter()
            .zip(&group.items)
            .map(|(leaves, (_, node))| Record {
                node: *node,
                ..record::record(leaves, &paths, &picks, self.country)
            })
            .collect();
        let mut set = RecordSet { place: group.place, records, score: 0.0 };
        if !set.is_usable() {
            return false;
        }
        set.score = score(&set);
        self.sets.push(set);
        true
    }

    fn finish(mut self) -> Vec<RecordSet> {
        self.sets.sort_by(|a, b| b.score.total_cmp(&a.score).then_with(|| a.place.cmp(&b.place)));
        self.sets.truncate(MAX_SETS);
        self.sets
    }
}

#[expect(clippy::cast_precision_loss, reason = "counts of at most a few thousand")]
fn score(set: &RecordSet) -> f32 {
    let fields = set.coverage(|r| r.price.is_some())
        + set.coverage(|r| r.url.is_some())
        + set.coverage(|r| r.title.is_some())
        + set.coverage(|r| r.size.is_some())
        + 0.7 * set.coverage(|r| r.rooms.is_some() || r.bedrooms.is_some())
        + 0.7 * set.coverage(|r| r.image.is_some())
        + 0.7 * set.coverage(|r| r.address.is_some());
    fields * fields * (set.records.len() as f32).sqrt()
}

fn type_name(value: &Value) -> Option<&str> {
    value.as_str().or_else(|| value.as_array()?.first()?.as_str())
}

/// The objects of an array, apart by their declared type where there are several.
fn groups_of_array(items: &[Value], least: usize) -> Vec<(String, Vec<Item<'_>>)> {
    let objects: Vec<&Map<String, Value>> = items.iter().filter_map(Value::as_object).collect();
    if objects.len() < least || objects.is_empty() || objects.len() * 10 < items.len() * 6 {
        return Vec::new();
    }
    let mut by_type: BTreeMap<&str, Vec<Item<'_>>> = BTreeMap::new();
    for object in objects {
        let name = object.get("@type").or_else(|| object.get("__typename")).and_then(type_name);
        by_type.entry(name.unwrap_or_default()).or_default().push((object, None));
    }
    if by_type.len() > 4 {
        // Types that differ per item say nothing about the list.
        let all = items.iter().filter_map(Value::as_object).map(|o| (o, None)).collect();
        return vec![(String::new(), all)];
    }
    let named = by_type.len() > 1;
    by_type
        .into_iter()
        .filter(|(_, items)| items.len() >= least)
        .map(|(name, items)| (if named { format!("[{name}]") } else { String::new() }, items))
        .collect()
}

/// The objects of a map whose keys are ids (`"Listing:1"`, `"4711"`), apart by type or prefix.
fn groups_of_map(map: &Map<String, Value>) -> Vec<(String, Vec<Item<'_>>)> {
    if map.len() < 2 {
        return Vec::new();
    }
    let mut groups: BTreeMap<&str, Vec<Item<'_>>> = BTreeMap::new();
    for (key, value) in map {
        let Some(object) = value.as_object() else { continue };
        let id_like = key.bytes().any(|b| b.is_ascii_digit());
        let name = match object.get("__typename").and_then(Value::as_str) {
            Some(name) => name,
            None if !id_like => continue,
            None => key.split_once(':').map_or("", |(prefix, _)| prefix),
        };
        groups.entry(name).or_default().push((object, None));
    }
    groups
        .into_iter()
        .filter(|(_, items)| items.len() >= 2)
        .map(|(name, items)| (format!("{{{name}}}"), items))
        .collect()
}
