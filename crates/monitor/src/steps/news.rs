//! From what changed on a page to what is told about it.

use std::collections::HashMap;

use firstknock_listing::{Change, Listing, ListingId, Money, diff};
use firstknock_store::{
    KnownHere, News, NewsKind, PageCommit, Post, PostKind, Search, SearchWish, Store, StoreError,
    rekey_pairs,
};
use jiff::Timestamp;
use serde_json::{Value, json};

use super::Ended;
use super::when::{When, when};

/// Compares the page with what is known and writes the messages' outlines.
pub(super) fn gather(
    store: &mut Store,
    it: &Ended<'_>,
    search: &Search,
    memory: Value,
    now: Timestamp,
) -> Result<PageCommit, StoreError> {
    let extraction = &it.look.extraction;
    let listings: Vec<Listing> = extraction.listings.iter().map(without_evidence).collect();
    let here = store.known(&search.host, search.id, &listings, now)?;
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
        diff.seen.iter().filter_map(|change| news(search, &listings, change, &by_id)).collect()
    };
    let tells = news.iter().any(|news| news.tell) && !search.wish.muted;
    let posts = if tells { posts(store, when(search, it, now))? } else { Vec::new() };
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
    let (Change::New { at }
    | Change::Relisted { at, .. }
    | Change::Same { at, .. }
    | Change::Repriced { at, .. }) = *change;
    let listing = &listings[at];
    if search.wish.criteria.hides(listing).is_some() || listing.flags.wanted {
        return None;
    }
    let (kind, tell) = match change {
        Change::New { .. } => (NewsKind::New, tell.new),
        Change::Relisted { .. } => (NewsKind::Relisted, tell.relisted),
        // Nobody was told of it yet: it is new, whatever its price was.
        Change::Same { id, .. } | Change::Repriced { id, .. }
            if known.get(id).is_some_and(|k| !k.sighted && !k.told) =>
        {
            (NewsKind::New, tell.new)
        }
        Change::Repriced { was, .. }
            if listing.price.as_ref().is_some_and(|now| now.cents < was.cents) =>
        {
            (NewsKind::PriceDrop, tells_drop(search, listing, Some(was)))
        }
        // It happened on another search's page first; whether that one told of it is the store's
        // to say.
        Change::Same { id, .. } | Change::Repriced { id, .. }
            if let Some(kind) = missed(search, listing, known.get(id)) =>
        {
            (kind, true)
        }
        // Another search of this host found it first: this one names itself beside it.
        Change::Same { id, .. } | Change::Repriced { id, .. }
            if known.get(id).is_some_and(|k| !k.sighted) =>
        {
            (NewsKind::New, tell.new)
        }
        Change::Repriced { .. } => (NewsKind::PriceRise, false),
        Change::Same { .. } => return None,
    };
    Some(News { at, kind, tell })
}

/// Of what happened since this search last saw a listing, the first that it tells of.
fn missed(search: &Search, listing: &Listing, known: Option<&&KnownHere>) -> Option<NewsKind> {
    let told = known?.missed.iter().find(|it| match it.kind {
        NewsKind::Relisted => search.wish.tell.relisted,
        NewsKind::PriceDrop => tells_drop(search, listing, it.was.as_ref()),
        NewsKind::New | NewsKind::PriceRise => false,
    });
    told.map(|it| it.kind)
}

/// A fall in price is told where drops are wanted, and where it brings a home into what the search
/// wants: to this search it is new.
fn tells_drop(search: &Search, listing: &Listing, was: Option<&Money>) -> bool {
    let SearchWish { tell, criteria, .. } = &search.wish;
    let hidden_at = |was: &Money| {
        let before = Listing { price: Some(was.clone()), ..listing.clone() };
        criteria.hides(&before).is_some()
    };
    tell.price_drops || (tell.new && was.is_some_and(hidden_at))
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
