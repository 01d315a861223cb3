//! What a page means against the memory of its source, and what to remember of it
//! (`extraction.md`, section 7, last part).

use std::collections::HashSet;

use firstknock_listing::{Listing, PageKind, Role};

use crate::cards::shape::own_shape;
use crate::page::doc::Doc;
use crate::{Field, Finding, SourceMemory};

/// Counts that are kept for the median.
const COUNTS: usize = 9;
/// Hashes of keys that are kept.
const SEEN: usize = 800;
/// A field that nearly every card had …
const USUAL_FIELD: f32 = 0.8;
/// … and that most cards miss now.
const LOST_FIELD: f32 = 0.4;
/// Far less text than usual is a wall or an error page.
const FAR_LESS_TEXT: f32 = 0.3;

/// What a page showed.
pub(crate) struct Seen<'a, 'd> {
    pub(crate) listings: &'a [Listing],
    pub(crate) kind: PageKind,
    pub(crate) nothing_found: bool,
    pub(crate) result_count: Option<u32>,
    pub(crate) text_chars: usize,
    /// `None` for a whole answer that is JSON.
    pub(crate) doc: Option<&'a Doc<'d>>,
}

/// Judges a page. Without a memory, everything is as it is.
pub(crate) fn judge(memory: &SourceMemory, seen: &Seen<'_, '_>) -> Finding {
    if seen.listings.is_empty() {
        return judge_empty(memory, seen);
    }
    if memory.pages == 0 {
        return Finding::Fine;
    }
    let known: HashSet<u64> = memory.seen.iter().copied().collect();
    let counted: Vec<&Listing> =
        seen.listings.iter().filter(|l| l.role != Role::Recommendation).collect();
    let fresh = counted
        .iter()
        .filter(|l| !l.keys.iter().any(|k| known.contains(&hash(k.as_str()))))
        .count();
    let usual = memory.usual_count().unwrap_or(0) as usize;
    let all_new = fresh == counted.len() && fresh >= 3 && fresh * 2 >= usual;
    let shape_moved = !memory.link.is_empty() && link_of(seen.listings) != memory.link;
    if all_new || (shape_moved && fresh * 2 > counted.len() && fresh >= 2) {
        return Finding::ReKeyed { n: fresh };
    }
    let now = coverage(seen.listings);
    let lost: Vec<Field> = Field::ALL
        .into_iter()
        .filter(|field| {
            let before = memory.coverage.get(field).copied().unwrap_or(0.0);
            seen.listings.len() >= 3 && before >= USUAL_FIELD && now(*field) < LOST_FIELD
        })
        .collect();
    if lost.is_empty() { Finding::Fine } else { Finding::Degraded { fields: lost } }
}

fn judge_empty(memory: &SourceMemory, seen: &Seen<'_, '_>) -> Finding {
    let says_empty = seen.nothing_found || seen.result_count == Some(0);
    if memory.pages == 0 {
        let empty = seen.kind == PageKind::Empty;
        return if empty { Finding::Empty } else { Finding::Fine };
    }
    let unsure = Finding::Unsure { times: memory.unsure.saturating_add(1) };
    let Some(doc) = seen.doc else {
        return if says_empty { Finding::Empty } else { unsure };
    };
    let links = doc
        .hrefs
        .iter()
        .filter_map(|href| doc.base.join(href).ok())
        .filter(|url| !memory.link.is_empty() && own_shape(url) == memory.link)
        .take(3)
        .count();
    let far_less = (seen.text_chars as f32) < FAR_LESS_TEXT * memory.text_chars as f32;
    // No wall knows our links; a few prices may stand on anything.
    if links > 0 || (doc.total().prices >= 3 && !far_less) {
        Finding::Broken
    } else if says_empty {
        Finding::Empty
    } else {
        unsure
    }
}

/// Learns from a page; what was not understood changes nothing but the count of such pages.
pub(crate) fn learn(
    memory: &mut SourceMemory,
    seen: &Seen<'_, '_>,
    finding: &Finding,
    id_place: Option<String>,
) {
    memory.unsure = match finding {
        Finding::Unsure { times } => *times,
        Finding::Broken => memory.unsure,
        _ => 0,
    };
    if seen.listings.is_empty() {
        return;
    }
    let first = memory.pages == 0;
    memory.pages = memory.pages.saturating_add(1);
    memory.link = link_of(seen.listings);
    memory.id_place = id_place.unwrap_or_default();
    memory.counts.push(u32::try_from(seen.listings.len()).unwrap_or(u32::MAX));
    if memory.counts.len() > COUNTS {
        memory.counts.remove(0);
    }
    let now = coverage(seen.listings);
    for field in Field::ALL {
        let share = now(field);
        let slot = memory.coverage.entry(field).or_insert(share);
        // A degraded page is not what is usual, until it has been so for a while.
        *slot = if first { share } else { *slot * 0.8 + share * 0.2 };
    }
    memory.text_chars = match first {
        true => seen.text_chars,
        false => (memory.text_chars * 4 + seen.text_chars) / 5,
    };
    remember_keys(memory, seen.listings);
}

fn remember_keys(memory: &mut SourceMemory, listings: &[Listing]) {
    let mut all = std::mem::take(&mut memory.seen);
    all.extend(listings.iter().flat_map(|l| &l.keys).map(|k| hash(k.as_str())));
    // The newest stay.
    let mut known = HashSet::new();
    let mut kept: Vec<u64> =
        all.into_iter().rev().filter(|key| known.insert(*key)).take(SEEN).collect();
    kept.reverse();
    memory.seen = kept;
}

/// The shape of most listings' addresses.
pub(crate) fn link_of(listings: &[Listing]) -> String {
    let mut shapes: std::collections::BTreeMap<String, usize> = std::collections::BTreeMap::new();
    for listing in listings {
        if let Ok(url) = listing.url.parse() {
            *shapes.entry(own_shape(&url)).or_default() += 1;
        }
    }
    shapes
        .into_iter()
        .max_by(|a, b| a.1.cmp(&b.1).then(b.0.cmp(&a.0)))
        .map(|(s, _)| s)
        .unwrap_or_default()
}

fn coverage(listings: &[Listing]) -> impl Fn(Field) -> f32 {
    let n = listings.len().max(1) as f32;
    let share =
        |has: &dyn Fn(&Listing) -> bool| listings.iter().filter(|l| has(l)).count() as f32 / n;
    let shares = [
        share(&|l| l.price.is_some() || l.price_on_request),
        share(&|l| l.size.is_some()),
        share(&|l| l.rooms.is_some() || l.bedrooms.is_some()),
        share(&|l| l.image.is_some()),
        share(&|l| l.title.is_some()),
        share(&|l| l.address.is_some()),
    ];
    move |field| shares[field as usize]
}

/// FNV-1a: stable over versions, which `DefaultHasher` is not.
fn hash(text: &str) -> u64 {
    text.bytes()
        .fold(0xcbf2_9ce4_8422_2325, |h, b| (h ^ u64::from(b)).wrapping_mul(0x0100_0000_01b3))
}
