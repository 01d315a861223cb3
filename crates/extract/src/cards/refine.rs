//! The chosen set without what only shares its outer markup: wanted ads, partner ads, blocks from
//! elsewhere on the page.

use std::collections::{HashMap, HashSet};

use firstknock_listing::HostKey;
use url::Url;

use super::link::{Vote, vote};
use super::pick::CardSet;
use super::score::{card_score, weight};
use super::shape::{has_id, own_shape};
use crate::page::doc::Doc;

/// Cards with the very same tag path and classes.
struct Group {
    cards: Vec<u32>,
    mean: f32,
    sum: f32,
}

/// A set whose other group is poorer by this much holds two kinds of things.
const CLEARLY_POORER: f32 = 1.2;
/// Where this share of the cards stays on one host, the others are partners' ads.
const OWN_HOST: f32 = 0.6;

/// The cards that stay, in document order, and the vote on their links.
pub(crate) fn refine(doc: &Doc<'_>, set: &CardSet, page: &Url) -> (Vec<u32>, Vote) {
    let cards = without_poorer_kinds(doc, &set.cards, page);
    let first = vote(doc, &cards, page);
    let (cards, first) = match without_poorer_block(doc, &cards, &first) {
        Some(better) => {
            let first = vote(doc, &better, page);
            (better, first)
        }
        None => (cards, first),
    };
    let stayed = without_partners(doc, &cards, page, &first);
    let vote = if stayed.len() == cards.len() { first } else { vote(doc, &stayed, page) };
    (stayed, vote)
}

/// When a coarse set splits into fine ones with clearly different means that lead to different
/// shapes of address, the better is kept.
fn without_poorer_kinds(doc: &Doc<'_>, cards: &[u32], page: &Url) -> Vec<u32> {
    let mut by_path: HashMap<u64, Vec<u32>> = HashMap::new();
    for &card in cards {
        by_path.entry(doc.flat.nodes[card as usize].paths[0]).or_default().push(card);
    }
    if by_path.len() < 2 {
        return cards.to_vec();
    }
    let mut groups: Vec<Group> = by_path
        .into_values()
        .map(|cards| {
            let scores = cards.iter().map(|&c| card_score(doc, c as usize));
            let (total, sum) = scores.fold((0.0, 0.0), |(t, s), f| (t + f, s + weight(f)));
            Group { mean: total / cards.len() as f32, sum, cards }
        })
        .collect();
    groups.sort_by(|a, b| b.sum.total_cmp(&a.sum).then(a.cards.cmp(&b.cards)));
    let best_mean = groups[0].mean;
    let shapes = |cards: &[u32]| -> HashSet<String> {
        vote(doc, cards, page).chosen.iter().flatten().map(|(_, url)| own_shape(url)).collect()
    };
    let ours = shapes(&groups[0].cards);
    let mut kept: Vec<u32> = Vec::new();
    for (i, group) in groups.iter().enumerate() {
        let poorer = group.mean < best_mean - CLEARLY_POORER;
        if i == 0 || !poorer || !shapes(&group.cards).is_disjoint(&ours) {
            kept.extend(&group.cards);
        }
    }
    kept.sort_unstable();
    kept
}

/// A block of the page whose cards lead to a shape of address of their own, are clearly poorer than
/// the rest and are not mixed with it, is another list: the rest is kept.
fn without_poorer_block(doc: &Doc<'_>, cards: &[u32], vote: &Vote) -> Option<Vec<u32>> {
    let shapes: Vec<Option<String>> =
        vote.chosen.iter().map(|link| link.as_ref().map(|(_, url)| own_shape(url))).collect();
    let mut count: HashMap<&str, usize> = HashMap::new();
    for shape in shapes.iter().flatten() {
        *count.entry(shape).or_default() += 1;
    }
    let mean = |block: &[u32]| {
        let sum: f32 = block.iter().map(|&c| card_score(doc, c as usize)).sum();
        sum / block.len().max(1) as f32
    };
    let mut shapes_here: Vec<(&str, usize)> = count.into_iter().filter(|(_, n)| *n >= 3).collect();
    shapes_here.sort_unstable();
    shapes_here.into_iter().find_map(|(shape, _)| {
        let pairs = cards.iter().zip(&shapes);
        let (block, rest): (Vec<_>, Vec<_>) = pairs.partition(|(_, s)| s.as_deref() == Some(shape));
        let block: Vec<u32> = block.into_iter().map(|(card, _)| *card).collect();
        let rest: Vec<u32> = rest.into_iter().map(|(card, _)| *card).collect();
        let apart = block.last() < rest.first() || rest.last() < block.first();
        let poorer = mean(&block) + CLEARLY_POORER + 0.4 <= mean(&rest);
        (apart && rest.len() >= 3 && poorer).then_some(rest)
    })
}

/// Same host is no rule (some lists lead to nine landlords); but where most cards stay on the
/// page's own host, a card that leads elsewhere and has no id where the others have one is an ad.
fn without_partners(doc: &Doc<'_>, cards: &[u32], page: &Url, vote: &Vote) -> Vec<u32> {
    let Some(own) = HostKey::of(page).map(|h| h.domain()) else { return cards.to_vec() };
    let facts: Vec<Option<(bool, bool)>> = vote
        .chosen
        .iter()
        .map(|link| {
            let (_, url) = link.as_ref()?;
            let at_home = HostKey::of(url).is_some_and(|h| h.domain() == own);
            let id = url.path_segments().into_iter().flatten().any(has_id)
                || url.query_pairs().any(|(_, v)| has_id(&v));
            Some((at_home, id))
        })
        .collect();
    let share = |test: &dyn Fn(&(bool, bool)) -> bool| {
        facts.iter().flatten().filter(|f| test(f)).count() as f32 / cards.len().max(1) as f32
    };
    let at_home = share(&|f| f.0) >= OWN_HOST;
    let with_id = share(&|f| f.1) >= 0.8;
    let mut paths: HashMap<u64, usize> = HashMap::new();
    for &card in cards {
        *paths.entry(doc.flat.nodes[card as usize].paths[0]).or_default() += 1;
    }
    // Of another make than most.
    let stranger = |card: u32| paths[&doc.flat.nodes[card as usize].paths[0]] * 4 < cards.len();
    cards
        .iter()
        .zip(&facts)
        .filter(|(card, fact)| match fact {
            Some((home, id)) => (*home || !at_home) && (*id || !with_id || !stranger(**card)),
            None => true,
        })
        .map(|(card, _)| *card)
        .collect()
}
