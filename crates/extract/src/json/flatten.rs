//! Objects as flat lists of key paths.

use std::collections::HashMap;
use std::rc::Rc;

use serde_json::{Map, Value};

use super::vocabulary::Segment;

/// Deeper parts of an object are left out.
const MAX_PATH: usize = 6;
/// More leaves than this in one object are left out.
const MAX_LEAVES: usize = 400;
/// Items of a plain list that are looked at.
const MAX_ITEMS: usize = 3;

/// Paths that were seen, numbered.
#[derive(Default)]
pub(crate) struct Paths {
    by_hash: HashMap<u64, usize>,
    /// As shown in evidence: `offers/price`, `attributes/@PRICE`.
    pub(crate) names: Vec<String>,
    /// The keys of each path, weighed.
    pub(crate) segments: Vec<Vec<Rc<Segment>>>,
    by_key: HashMap<String, Rc<Segment>>,
}

/// One object's leaves: path number and value.
pub(crate) type Leaves<'v> = Vec<(usize, &'v Value)>;

impl Paths {
    /// All leaves of an object, depth first.
    pub(crate) fn flatten<'v>(&mut self, object: &'v Map<String, Value>) -> Leaves<'v> {
        let mut leaves = Vec::new();
        let mut path: Vec<&'v str> = Vec::new();
        self.object(object, 0xcbf2_9ce4_8422_2325, &mut path, &mut leaves);
        leaves
    }

    fn object<'v>(
        &mut self,
        object: &'v Map<String, Value>,
        hash: u64,
        path: &mut Vec<&'v str>,
        leaves: &mut Leaves<'v>,
    ) {
        for (key, value) in object {
            self.step(key, value, hash, path, leaves);
        }
    }

    fn step<'v>(
        &mut self,
        key: &'v str,
        value: &'v Value,
        hash: u64,
        path: &mut Vec<&'v str>,
        leaves: &mut Leaves<'v>,
    ) {
        if leaves.len() >= MAX_LEAVES || path.len() >= MAX_PATH {
            return;
        }
        let hash =
            key.bytes().fold(hash ^ 0x2f, |h, b| (h ^ u64::from(b)).wrapping_mul(0x0100_0000_01b3));
        path.push(key);
        match value {
            Value::Object(map) => self.object(map, hash, path, leaves),
            Value::Array(items) => self.list(items, hash, path, leaves),
            Value::Null => {}
            Value::String(text) if text.trim().is_empty() => {}
            leaf => {
                let number = self.number(hash, path);
                leaves.push((number, leaf));
            }
        }
        path.pop();
    }

    fn list<'v>(
        &mut self,
        items: &'v [Value],
        hash: u64,
        path: &mut Vec<&'v str>,
        leaves: &mut Leaves<'v>,
    ) {
        const INDEXES: [&str; MAX_ITEMS] = ["0", "1", "2"];
        let named: Vec<(&str, &Value)> = items.iter().take(60).filter_map(name_and_value).collect();
        if !named.is_empty() && named.len() * 2 >= items.len() {
            for (name, value) in named {
                self.step(name, value, hash ^ 0x40, path, leaves);
            }
            return;
        }
        for (index, item) in INDEXES.iter().zip(items) {
            self.step(index, item, hash, path, leaves);
        }
    }

    fn number(&mut self, hash: u64, path: &[&str]) -> usize {
        if let Some(number) = self.by_hash.get(&hash) {
            return *number;
        }
        let number = self.names.len();
        self.by_hash.insert(hash, number);
        self.names.push(path.join("/"));
        let mut segments = Vec::with_capacity(path.len());
        for key in path {
            let segment = match self.by_key.get(*key) {
                Some(segment) => Rc::clone(segment),
                None => {
                    let segment = Rc::new(Segment::new(key));
                    self.by_key.insert((*key).to_owned(), Rc::clone(&segment));
                    segment
                }
            };
            segments.push(segment);
        }
        self.segments.push(segments);
        number
    }
}

/// `{"name": "PRICE", "values": ["1250"]}`: a list of these is a map in disguise.
fn name_and_value(item: &Value) -> Option<(&str, &Value)> {
    let map = item.as_object().filter(|m| m.len() <= 8)?;
    let name = ["name", "key", "code", "label", "id", "type", "title", "term"]
        .iter()
        .find_map(|k| map.get(*k).and_then(Value::as_str))?;
    let value = ["value", "values", "text", "displayValue", "formattedValue", "val", "content"]
        .iter()
        .find_map(|k| map.get(*k))?;
    Some((name, value))
}
