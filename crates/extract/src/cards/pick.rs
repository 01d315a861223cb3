//! Card sets: elements that share a tag path, and the choice between them.

use super::score::{card_score, weight};
use crate::CardSignature;
use crate::identity::attribute;
use crate::page::doc::{Doc, Link};
use crate::page::flat::{IN_LINK, NAV, TEMPLATE};
use crate::page::tag::Tag;
use crate::page::tagpath;

/// Elements that share the tag path from the root at one level of detail.
#[derive(Debug, Clone)]
pub(crate) struct CardSet {
    /// 0: all classes, 1: first stable class, 2: tags only.
    pub(crate) level: usize,
    /// All elements of the path, in document order.
    pub(crate) all: Vec<u32>,
    /// Those with a link that no other of them holds.
    pub(crate) cards: Vec<u32>,
    pub(crate) score: f32,
    /// Mean card score.
    pub(crate) mean: f32,
    pub(crate) depth: u16,
}

/// More sets than these are never looked at closely.
const MAX_SETS: usize = 48;
/// Sets within this share of the best are as good as the best.
const NEAR: f32 = 0.94;
/// More cards than these are left out.
pub(crate) const MAX_CARDS: usize = 2_000;

/// All sets worth a look, best first. With `wide`, poor ones too: one of them may be the set that
/// is remembered or was chosen.
pub(crate) fn sets(doc: &Doc<'_>, min_cards: usize, wide: bool) -> Vec<CardSet> {
    let nodes = &doc.flat.nodes;
    let candidates: Vec<(u32, f32)> = (0..nodes.len())
        .filter(|&at| {
            let node = &nodes[at];
            node.tag.may_be_card() && node.flags & (NAV | TEMPLATE) == 0
        })
        .filter_map(|at| {
            let score = card_score(doc, at);
            (score >= 1.9).then_some((at, score))
        })
        .filter(|&(at, _)| {
            doc.inside(at).links > 0 || nodes[at].flags & IN_LINK != 0 || says_its_id(doc, at)
        })
        .map(|(at, score)| (u32::try_from(at).unwrap_or(u32::MAX), score))
        .collect();
    let mut groups: Vec<CardSet> = Vec::new();
    let mut by_path: Vec<(u64, u32, f32)> = Vec::with_capacity(candidates.len());
    for level in 0..3 {
        by_path.clear();
        by_path.extend(candidates.iter().map(|&(at, f)| (nodes[at as usize].paths[level], at, f)));
        by_path.sort_unstable_by_key(|&(path, at, _)| (path, at));
        for run in by_path.chunk_by(|a, b| a.0 == b.0) {
            if run.len() < min_cards {
                continue;
            }
            groups.push(CardSet {
                level,
                all: run.iter().map(|r| r.1).collect(),
                cards: Vec::new(),
                score: run.iter().map(|r| weight(r.2)).sum(),
                mean: 0.0,
                depth: nodes[run[0].1 as usize].depth,
            });
        }
    }
    groups.sort_by(|a, b| b.score.total_cmp(&a.score));
    let mut scratch = Exclusive::new(doc.hrefs.len());
    let mut good: Vec<CardSet> = Vec::new();
    let mut best = 0.0_f32;
    for mut set in groups {
        // The score without the test for links is an upper bound.
        let (floor, most) = if wide { (0.0, 4 * MAX_SETS) } else { (0.1, MAX_SETS) };
        if set.score < best * floor || good.len() >= most {
            break;
        }
        set.cards = scratch.cards(doc, &set.all);
        if set.cards.len() < min_cards {
            continue;
        }
        rate(doc, &mut set);
        best = best.max(set.score);
        good.push(set);
    }
    punish_containers(doc, &mut good);
    good.sort_by(|a, b| b.score.total_cmp(&a.score));
    good
}

fn rate(doc: &Doc<'_>, set: &mut CardSet) {
    let scores: Vec<f32> = set.cards.iter().map(|&at| card_score(doc, at as usize)).collect();
    set.score = scores.iter().map(|f| weight(*f)).sum();
    set.mean = scores.iter().sum::<f32>() / scores.len().max(1) as f32;
}

/// An element that holds several records is a row or a page, not a card.
fn punish_containers(doc: &Doc<'_>, sets: &mut [CardSet]) {
    let halves: Vec<f32> = sets
        .iter()
        .map(|outer| {
            sets.iter()
                .filter(|inner| inner.depth > outer.depth && inner.mean >= 0.72 * outer.mean)
                .map(|inner| share_with_several(doc, outer, inner))
                .fold(0.0, f32::max)
        })
        .collect();
    for (set, share) in sets.iter_mut().zip(halves) {
        set.score *= 1.0 - 0.5 * share;
    }
}

fn share_with_several(doc: &Doc<'_>, outer: &CardSet, inner: &CardSet) -> f32 {
    let several = outer.cards.iter().filter(|&&at| {
        let end = doc.flat.nodes[at as usize].end;
        let from = inner.cards.partition_point(|&card| card <= at);
        let to = inner.cards.partition_point(|&card| card < end);
        // Two views of one record (screen and print) lead to the same address.
        let Some((first, rest)) = inner.cards.get(from..to).and_then(<[u32]>::split_first) else {
            return false;
        };
        let own = doc.links_in(*first as usize);
        rest.iter().any(|&other| {
            let links = doc.links_in(other as usize);
            !links.iter().take(20).any(|l| own.iter().take(20).any(|o| o.href == l.href))
        })
    });
    several.count() as f32 / outer.cards.len().max(1) as f32
}

/// The best set: of those nearly as good, the outermost, then the one with the highest score,
/// then the finest.
pub(crate) fn best(sets: &[CardSet]) -> Option<&CardSet> {
    let top = sets.first()?;
    sets.iter().filter(|set| set.score >= NEAR * top.score).min_by(|a, b| {
        a.depth.cmp(&b.depth).then(b.score.total_cmp(&a.score)).then(a.level.cmp(&b.level))
    })
}

/// The set that a signature stands for, on the finest level that the page still has.
pub(crate) fn find<'s>(
    doc: &Doc<'_>,
    sets: &'s [CardSet],
    wanted: &CardSignature,
) -> Option<&'s CardSet> {
    type Level = fn(&CardSignature) -> &str;
    let levels: [Level; 3] = [|s| &s.full, |s| &s.stable, |s| &s.tags];
    levels.iter().enumerate().filter(|(_, of)| !of(wanted).is_empty()).find_map(|(level, of)| {
        sets.iter()
            .filter(|set| set.level == level)
            .find(|set| of(&tagpath::signature(&doc.flat, set.all[0] as usize)) == of(wanted))
    })
}

/// How a set is found again: the levels that are finer than its own are left empty.
pub(crate) fn signature(doc: &Doc<'_>, set: &CardSet) -> CardSignature {
    let mut signature = tagpath::signature(&doc.flat, set.all[0] as usize);
    if set.level > 0 {
        signature.full.clear();
    }
    if set.level > 1 {
        signature.stable.clear();
    }
    signature
}

/// Whether two sets talk about the same part of the page.
pub(crate) fn overlap(doc: &Doc<'_>, a: &CardSet, b: &CardSet) -> bool {
    let touches = |outer: &CardSet, inner: &CardSet| {
        outer.cards.iter().any(|&at| {
            let end = doc.flat.nodes[at as usize].end;
            let from = inner.cards.partition_point(|&card| card < at);
            inner.cards.get(from).is_some_and(|&card| card < end)
        })
    };
    touches(a, b) || touches(b, a)
}

/// Whether an element without any link names its record itself.
fn says_its_id(doc: &Doc<'_>, at: usize) -> bool {
    let node = &doc.flat.nodes[at];
    node.element.is_some_and(|element| attribute::has_own_id(element, node.tag))
}

/// All links of a card: those inside, else the one around it.
pub(crate) fn links_of<'d>(doc: &'d Doc<'_>, at: usize) -> &'d [Link] {
    let inside = doc.links_in(at);
    let node = &doc.flat.nodes[at];
    if inside.is_empty() && node.flags & IN_LINK != 0 && node.tag != Tag::A {
        return doc.link_around(at);
    }
    inside
}

/// Finds the elements that hold a link which no other holds, in time linear in the links.
struct Exclusive {
    /// Per address: who holds it.
    holders: Vec<Holder>,
    touched: Vec<u32>,
}

#[derive(Clone, Copy, Default)]
struct Holder {
    last: u32,
    count: u32,
    /// It is the first link of its first holder.
    leads: bool,
    /// Later holders whose first link it is too.
    twins: u8,
}

impl Exclusive {
    fn new(hrefs: usize) -> Self {
        Self { holders: vec![Holder::default(); hrefs], touched: Vec::new() }
    }

    fn cards(&mut self, doc: &Doc<'_>, all: &[u32]) -> Vec<u32> {
        for &at in all {
            let first = links_of(doc, at as usize).first().map(|l| l.href);
            for link in links_of(doc, at as usize) {
                let holder = &mut self.holders[link.href as usize];
                if holder.count == 0 {
                    self.touched.push(link.href);
                    let leads = first == Some(link.href);
                    *holder = Holder { last: at, count: 1, leads, twins: 0 };
                } else if holder.last != at {
                    // The same record twice (desktop and mobile, top block and list) leads to
                    // the same place first; that is no other card.
                    if holder.leads && first == Some(link.href) && holder.twins < 2 {
                        holder.twins += 1;
                    } else {
                        holder.count += 1;
                    }
                    holder.last = at;
                }
            }
        }
        let exclusive = |at: u32| {
            links_of(doc, at as usize).iter().any(|l| self.holders[l.href as usize].count == 1)
        };
        let told = |at: u32| {
            exclusive(at)
                || (links_of(doc, at as usize).is_empty() && says_its_id(doc, at as usize))
        };
        let cards = all.iter().copied().filter(|&at| told(at)).take(MAX_CARDS).collect();
        for href in self.touched.drain(..) {
            self.holders[href as usize] = Holder::default();
        }
        cards
    }
}
