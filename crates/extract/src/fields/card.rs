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
            let text = clean_line(cut(node.text));
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
            best = inside.iter().map(|l| l.text.as_str()).collect::<Vec<_>>().join(" ");
            up = doc.flat.nodes[up].parent as usize;
        }
        best
    }
}

fn cut(text: &str) -> &str {
    match text.char_indices().nth(MAX_CHARS) {
        Some((end, _)) => &text[..end],
        None => text,
    }
}
