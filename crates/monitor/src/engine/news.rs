//! From what changed on a page to what is told about it.

use std::collections::HashMap;

use firstknock_listing::{Change, Listing, ListingId, diff};
use firstknock_store::{
    KnownHere, News, NewsKind, PageCommit, Post, PostKind, Search, SearchFacts, Store, StoreError,
    Tell, rekey_pairs,
};
use jiff::Timestamp;
use serde_json::{Value, json};

use super::when::{When, when};
use crate::Look;
use crate::pause::Pause;

/// What one check brought, with what was known before.
pub(super) struct Gathered<'a> {
    pub(super) search: &'a Search,
    pub(super) facts: &'a SearchFacts,
    pub(super) look: &'a Look,
    /// The last time in which nobody looked.
    pub(super) pause: Option<Pause>,
}

/// Compares the page with what is known and writes the messages' outlines.
pub(super) fn gather(
    store: &mut Store,
    it: &Gathered<'_>,
    memory: Value,
    now: Timestamp,
) -> Result<PageCommit, StoreError> {
    let extraction = &it.look.extraction;
    let listings: Vec<Listing> = extraction.listings.iter().map(without_evidence).collect();
    let here = store.known(&it.search.host, it.search.id, &listings, now)?;
    let known: Vec<_> = here.iter().map(|k| k.known.clone()).collect();
    let mut diff = diff(&listings, &known);
    if extraction.finding.keeps_known() {
        diff.gone.clear();
    }
    let silent = extraction.finding.is_silent();
    let baseline = it.facts.baseline_at.is_none();
    let by_id: HashMap<ListingId, &KnownHere> = here.iter().map(|k| (k.known.id, k)).collect();
    let news: Vec<News> = if silent || baseline {
        Vec::new()
    } else {
        diff.seen.iter().filter_map(|change| news(it.search, &listings, change, &by_id)).collect()
    };
    let tells = news.iter().any(|news| news.tell) && !it.search.wish.muted;
    let posts =
        if tells { posts(store, when(it.search, it.facts, it.pause, now))? } else { Vec::new() };
    let rekeyed = if silent { rekeyed(store, &here, &listings)? } else { Vec::new() };
    let shown = extraction.result_count.and_then(|count| usize::try_from(count).ok());
    Ok(PageCommit {
        complete: extraction.next_page.is_none() && shown.is_none_or(|n| n <= listings.len()),
        rekeyed,
        listings,
        diff,
        baseline,
        news,
        posts,
        memory: Some(memory),
    })
}

/// A site that gave its listings new keys: who is who, as far as that cannot be mixed up.
fn rekeyed(
    store: &Store,
    here: &[KnownHere],
    listings: &[Listing],
) -> Result<Vec<(ListingId, usize)>, StoreError> {
    let mut before = Vec::new();
    for known in here.iter().filter(|k| k.known.here) {
        before.extend(store.listing(known.known.id)?);
    }
    Ok(rekey_pairs(&before, listings))
}

fn without_evidence(listing: &Listing) -> Listing {
    Listing { evidence: Vec::new(), ..listing.clone() }
}

fn news(
    search: &Search,
    listings: &[Listing],
    change: &Change,
    known: &HashMap<ListingId, &KnownHere>,
) -> Option<News> {
    let tell = search.wish.tell;
    let (at, kind, tell) = match change {
        Change::New { at } => (*at, NewsKind::New, tell.new),
        Change::Relisted { at, .. } => (*at, NewsKind::Relisted, tell.relisted),
        // Nobody was told of it yet: it is new, whatever its price was.
        Change::Same { at, id } | Change::Repriced { at, id, .. }
            if known.get(id).is_some_and(|k| !k.sighted && !k.told) =>
        {
            (*at, NewsKind::New, tell.new)
        }
        Change::Repriced { at, was, .. }
            if listings[*at].price.as_ref().is_some_and(|now| now.cents < was.cents) =>
        {
            (*at, NewsKind::PriceDrop, tell.price_drops)
        }
        // It happened on another search's page first; whether that one told of it is the store's
        // to say.
        Change::Same { at, id } | Change::Repriced { at, id, .. }
            if let Some(kind) = missed(known.get(id), tell) =>
        {
            (*at, kind, true)
        }
        // Another search of this host found it first: this one names itself beside it.
        Change::Same { at, id } | Change::Repriced { at, id, .. }
            if known.get(id).is_some_and(|k| !k.sighted) =>
        {
            (*at, NewsKind::New, tell.new)
        }
        Change::Repriced { at, .. } => (*at, NewsKind::PriceRise, false),
        Change::Same { .. } => return None,
    };
    let listing = &listings[at];
    let wanted = search.wish.criteria.hides(listing).is_none() && !listing.flags.wanted;
    wanted.then_some(News { at, kind, tell })
}

/// Of what happened since this search last saw a listing, the first that it tells of.
fn missed(known: Option<&&KnownHere>, tell: Tell) -> Option<NewsKind> {
    let kinds = known?.missed.iter().map(|it| it.kind);
    kinds.into_iter().find(|kind| match kind {
        NewsKind::Relisted => tell.relisted,
        NewsKind::PriceDrop => tell.price_drops,
        NewsKind::New | NewsKind::PriceRise => false,
    })
}

/// One message for each channel that is switched on.
fn posts(store: &Store, when: When) -> Result<Vec<Post>, StoreError> {
    let later = when.not_before.is_some();
    let payload =
        later.then(|| json!({ "reason": when.reason, "since": when.since.as_millisecond() }));
    let channels = store.channels()?.into_iter().filter(|channel| channel.enabled);
    Ok(channels
        .map(|channel| Post {
            channel: channel.channel,
            kind: if later { PostKind::Digest } else { PostKind::Alert },
            not_before: when.not_before,
            join: later,
            payload: payload.clone(),
        })
        .collect())
}
