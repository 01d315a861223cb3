//! What marks a card (`extraction.md`, section 2.1).

use crate::page::doc::Doc;
use crate::page::tag::Tag;

/// How much an element looks like a card: 0 to 8.1. The weights are those that were measured.
pub(crate) fn card_score(doc: &Doc<'_>, at: usize) -> f32 {
    let inside = doc.inside(at);
    let tag = doc.flat.nodes[at].tag;
    let signs = [
        (inside.prices > 0, 2.0),
        (inside.sizes > 0, 2.0),
        (inside.rooms > 0, 1.0),
        (inside.images > 0, 1.0),
        (inside.headings > 0, 0.7),
        (inside.postcodes > 0, 0.5),
        (inside.chars >= 50, 0.5),
        (matches!(tag, Tag::Article | Tag::Li | Tag::Row), 0.4),
    ];
    signs.iter().filter(|(holds, _)| *holds).map(|(_, weight)| weight).sum()
}

/// The sum that sets compete with. The cube stops a block of many poor cards ("popular cities
/// from EUR 900") from beating ten real ones.
pub(crate) fn weight(score: f32) -> f32 {
    score * score * score
}
