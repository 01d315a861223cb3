//! Tag paths at three levels of detail, as hashes; and as text, to be remembered.

use scraper::node::Element;

use super::flat::{Flat, attr};
use super::tag::Tag;
use crate::CardSignature;

/// All classes, first stable class, tags only.
pub(crate) type Paths = [u64; 3];

/// One level down.
pub(crate) fn step(paths: Paths, name: &str, element: &Element) -> Paths {
    let classes = attr(element, "class").unwrap_or_default();
    let tag = hash(0xcbf2_9ce4_8422_2325, name.as_bytes());
    let mut all = tag;
    // Order of classes does not matter, so they are added up.
    for class in classes.split_ascii_whitespace() {
        all = all.wrapping_add(hash(0x9e37_79b9_7f4a_7c15, class.as_bytes()));
    }
    let stable = match stable_class(classes) {
        Some(class) => hash(tag, class.as_bytes()),
        None => tag,
    };
    [mix(paths[0], all), mix(paths[1], stable), mix(paths[2], tag)]
}

/// The first class that looks written by a person and says no state.
pub(crate) fn stable_class(classes: &str) -> Option<&str> {
    classes.split_ascii_whitespace().find(|class| {
        let state = matches!(
            *class,
            "active" | "first" | "last" | "odd" | "even" | "selected" | "open" | "current" | "new"
        );
        class.len() > 1
            && !state
            && !class.starts_with("is-")
            && !class.starts_with("js-")
            && !class.bytes().any(|b| b.is_ascii_digit())
    })
}

/// Eight bytes at a time: every class of every element comes by here. Never stored, so it may change.
fn hash(seed: u64, bytes: &[u8]) -> u64 {
    let (words, rest) = bytes.as_chunks::<8>();
    let h = words.iter().fold(seed, |h, word| mix(h, u64::from_le_bytes(*word)));
    let last = rest.iter().fold(rest.len() as u64, |word, b| (word << 8) | u64::from(*b));
    mix(h, last)
}

fn mix(up: u64, own: u64) -> u64 {
    (up.rotate_left(7) ^ own).wrapping_mul(0x9e37_79b9_7f4a_7c15)
}

/// The signature of the set that a node stands for.
pub(crate) fn signature(flat: &Flat<'_>, at: usize) -> CardSignature {
    let mut levels: [Vec<String>; 3] = Default::default();
    let mut at = at;
    loop {
        let node = &flat.nodes[at];
        let Some(element) = node.element.filter(|_| !matches!(node.tag, Tag::Html | Tag::Body))
        else {
            break;
        };
        let classes = attr(element, "class").unwrap_or_default();
        let mut sorted: Vec<&str> = classes.split_ascii_whitespace().collect();
        sorted.sort_unstable();
        let name = element.name();
        levels[0].push(std::iter::once(name).chain(sorted).collect::<Vec<_>>().join("."));
        levels[1].push(match stable_class(classes) {
            Some(class) => format!("{name}.{class}"),
            None => name.to_owned(),
        });
        levels[2].push(name.to_owned());
        if node.parent as usize >= at {
            break;
        }
        at = node.parent as usize;
    }
    let [full, stable, tags] = levels.map(|mut steps| {
        steps.reverse();
        steps.join(">")
    });
    CardSignature { full, stable, tags, json: String::new() }
}
