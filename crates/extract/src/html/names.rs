//! Names of tags and attributes, interned once per page and not once per use.

use html5ever::LocalName;

const SLOTS: usize = 256;

/// The names that were met, by a cheap hash; a name that meets another in its slot replaces it.
pub(super) struct Names<'s> {
    slots: Vec<Option<(&'s str, LocalName)>>,
}

impl<'s> Names<'s> {
    pub(super) fn new() -> Self {
        Self { slots: vec![None; SLOTS] }
    }

    /// The name that is written so: lower case, `\0` replaced.
    pub(super) fn get(&mut self, written: &'s str) -> LocalName {
        let slot = &mut self.slots[slot_of(written.as_bytes())];
        match slot {
            Some((text, name)) if *text == written => name.clone(),
            _ => {
                let name = read(written);
                *slot = Some((written, name.clone()));
                name
            }
        }
    }
}

fn read(written: &str) -> LocalName {
    if written.bytes().any(|b| b.is_ascii_uppercase() || b == 0) {
        return LocalName::from(written.to_ascii_lowercase().replace('\0', "\u{fffd}"));
    }
    LocalName::from(written)
}

fn slot_of(name: &[u8]) -> usize {
    let byte = |i: usize| usize::from(name.get(i).copied().unwrap_or(0));
    let last = name.len().saturating_sub(1);
    (byte(0) ^ (byte(last) << 3) ^ (byte(last / 2) << 5) ^ (name.len() << 1)) % SLOTS
}
