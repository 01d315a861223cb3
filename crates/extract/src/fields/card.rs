//! The texts of one card, in order, with what each may mean.

use firstknock_listing::clean_line;

use crate::page::doc::Doc;
use crate::page::flat::{STRUCK, TEMPLATE};

/// One text of a card.
pub(crate) struct Leaf {
    pub(crate) node: u32,
    pub(crate) text: String,
    pub(crate) signs: u8,
    pub(crate) flags: u8,
    /// Tag path; the same in every card of the set.
    pub(crate) path: u64,
}

/// One card, ready to be read.
pub(crate) struct Card {
    pub(crate) at: usize,
    pub(crate) leaves: Vec<Leaf>,
}

/// Texts of one card that are read; a real one has under 100.
const MAX_LEAVES: usize = 400;
/// Longer texts are cut.
const MAX_CHARS: usize = 600;

impl Card {
    pub(crate) fn new(doc: &Doc<'_>, at: usize, level: usize) -> Self {
        let mut leaves = Vec::new();
        for i in doc.flat.whole(at) {
            let node = &doc.flat.nodes[i];
            if node.text.is_empty() || node.flags & TEMPLATE != 0 {
                continue;
            }
            let text = line(cut(node.text));
            if text.is_empty() {
                continue;
            }
            leaves.push(Leaf {
                node: u32::try_from(i).unwrap_or(u32::MAX),
                text,
                signs: doc.signs[i],
                flags: node.flags,
                path: node.paths[level.max(1)],
            });
            if leaves.len() >= MAX_LEAVES {
                break;
            }
        }
        Self { at, leaves }
    }

    /// The leaf's text with what stands beside it in the smallest elements around it, as long as
    /// that is short and has no second value of the same sign: `€` + `1060` + `/mnd`.
    pub(crate) fn around(&self, doc: &Doc<'_>, leaf: usize, sign: u8, max_chars: usize) -> String {
        let mut best = self.leaves[leaf].text.clone();
        let mut up = doc.flat.nodes[self.leaves[leaf].node as usize].parent as usize;
        while up > self.at {
            let end = doc.flat.nodes[up].end;
            let inside: Vec<&Leaf> = self
                .leaves
                .iter()
                .filter(|l| (up as u32) < l.node && l.node < end && l.flags & STRUCK == 0)
                .collect();
            let values = inside.iter().filter(|l| l.signs & sign != 0).count();
            let chars: usize = inside.iter().map(|l| l.text.len() + 1).sum();
            if values > 1 || chars > max_chars {
                break;
            }
            best = beside(&inside);
            up = doc.flat.nodes[up].parent as usize;
        }
        best
    }
}

/// The texts in one line. Two numbers that stand in two elements are two numbers.
fn beside(leaves: &[&Leaf]) -> String {
    let mut line = String::new();
    for leaf in leaves {
        let digits = line.ends_with(|c: char| c.is_ascii_digit())
            && leaf.text.starts_with(|c: char| c.is_ascii_digit());
        if !line.is_empty() {
            line.push_str(if digits { " | " } else { " " });
        }
        line.push_str(&leaf.text);
    }
    line
}

/// [`clean_line`], but a blank that may not break stays in a number that it groups: elsewhere a
/// blank between two numbers parts them.
fn line(text: &str) -> String {
    const GROUPS: [char; 4] = ['\u{a0}', '\u{202f}', '\u{2009}', '\u{2007}'];
    // Private, so that no page has it and no cleaning takes it away.
    const KEPT: char = '\u{f8ff}';
    if text.is_ascii() || !text.contains(GROUPS) {
        return clean_line(text);
    }
    let mut marked = String::with_capacity(text.len());
    for (at, c) in text.char_indices() {
        let after = &text.as_bytes()[at + c.len_utf8()..];
        let groups = GROUPS.contains(&c)
            && marked.ends_with(|d: char| d.is_ascii_digit())
            && after.len() >= 3
            && after[..3].iter().all(u8::is_ascii_digit)
            && !after.get(3).is_some_and(u8::is_ascii_digit);
        marked.push(if groups { KEPT } else { c });
    }
    clean_line(&marked).replace(KEPT, "\u{a0}")
}

fn cut(text: &str) -> &str {
    match text.char_indices().nth(MAX_CHARS) {
        Some((end, _)) => &text[..end],
        None => text,
    }
}
