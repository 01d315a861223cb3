//! The order of the steps: guard, parse, annotate, cards, links, keys, fields, kind, memory.

use firstknock_listing::{PageKind, PageSigns};

use crate::cards::pick;
use crate::listings;
use crate::page::doc::Doc;
use crate::page::flat::Tree;
use crate::page::guard::guard;
use crate::values::Country;
use crate::{Choice, Extraction, Page, SourceMemory};

pub(crate) fn run(
    page: &Page<'_>,
    memory: Option<&SourceMemory>,
    choice: Option<&Choice>,
) -> Extraction {
    let mut memory = memory.cloned().unwrap_or_default();
    if let Some(choice) = choice {
        memory.choice = Some(choice.clone());
    }
    let (source, problems) = guard(page.html);
    let tree = Tree::parse(&source);
    let doc = Doc::new(tree.flatten(), page.url);
    let sets = pick::sets(&doc, 2);
    let country = Country::of(page.url, doc.flat.lang);
    let mut out = Extraction { problems, memory, ..Extraction::default() };
    if let Some(best) = pick::best(&sets) {
        let cards = crate::cards::refine::refine(&doc, best, page.url);
        let found = listings::read(&doc, &cards, best.level, page.url, country, None);
        out.listings = found.listings.clone();
        out.kind = PageKind::Results;
        out.confidence = 1.0;
    }
    out.signs = PageSigns { kind: out.kind, listings: out.listings.len(), ..PageSigns::default() };
    out
}
