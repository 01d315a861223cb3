//! From what changed on a page to what is told about it.

use std::collections::HashMap;
use std::time::Duration;

use firstknock_extract::Finding as PageFinding;
use firstknock_listing::{Change, Listing, ListingId, diff};
use firstknock_policy::Outcome;
use firstknock_store::{
    KnownHere, News, NewsKind, Notice, PageCommit, Post, PostKind, Rhythm, Search, SearchFacts,
    Store, StoreError, rekey_pairs,
};
use jiff::Timestamp;
use serde_json::Value;

use crate::{Look, Settings, quiet};

/// What one check brought, with what was known before.
pub(super) struct Gathered<'a> {
    pub(super) search: &'a Search,
    pub(super) facts: &'a SearchFacts,
    pub(super) look: &'a Look,
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
    let posts = if tells { posts(store, it.search, now)? } else { Vec::new() };
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
        Change::Repriced { at, was, .. } => {
            let now = listings[*at].price.as_ref()?;
            if now.cents < was.cents {
                (*at, NewsKind::PriceDrop, tell.price_drops)
            } else {
                (*at, NewsKind::PriceRise, false)
            }
        }
        // Another search of this host found it first: this one names itself beside it.
        Change::Same { at, id } if known.get(id).is_some_and(|k| !k.sighted) => {
            (*at, NewsKind::New, tell.new)
        }
        Change::Same { .. } => return None,
    };
    let listing = &listings[at];
    let wanted = search.wish.criteria.hides(listing).is_none() && !listing.flags.wanted;
    wanted.then_some(News { at, kind, tell })
}

/// One message for each channel that is switched on.
fn posts(store: &Store, search: &Search, now: Timestamp) -> Result<Vec<Post>, StoreError> {
    let digest = search.wish.rhythm == Rhythm::Digest;
    let quiet = search.wish.quiet.as_ref().and_then(|quiet| quiet::ends(quiet, now));
    let later = if digest { Some(quiet::next_digest(now)) } else { None };
    let not_before = quiet.max(later);
    let channels = store.channels()?.into_iter().filter(|channel| channel.enabled);
    Ok(channels
        .map(|channel| Post {
            channel: channel.channel,
            kind: if not_before.is_some() { PostKind::Digest } else { PostKind::Alert },
            not_before,
            join: not_before.is_some(),
            payload: not_before.is_some().then(|| {
                let reason = if digest { "chosen" } else { "quiet_hours" };
                serde_json::json!({ "reason": reason, "since": now.as_millisecond() })
            }),
        })
        .collect())
}

/// "This search has seen nothing for hours", once, and once when it sees again.
pub(super) fn notices(
    store: &Store,
    it: &Gathered<'_>,
    now: Timestamp,
) -> Result<Vec<Notice>, StoreError> {
    let Some(since) = it.facts.blind_since else { return Ok(Vec::new()) };
    let finding = &it.look.extraction.finding;
    let sees = it.look.verdict.outcome == Outcome::Answer
        && !matches!(finding, PageFinding::Broken | PageFinding::Unsure { .. });
    let settings: Settings = store.setting(Settings::KEY)?.unwrap_or_default();
    let patience = Duration::from_secs(u64::from(settings.blind_after_hours.max(1)) * 3600);
    let waited = Duration::try_from(now.duration_since(since)).unwrap_or_default();
    let (kind, payload) = match (sees, it.facts.blind_told_at) {
        (true, Some(_)) => (
            PostKind::Recovered,
            serde_json::json!({ "since": since.as_millisecond(), "host": it.search.host }),
        ),
        (false, None) if waited >= patience => {
            let reason = match it.look.verdict.outcome {
                Outcome::Answer => format!("page_{}", finding.code()),
                _ => format!("reason_{}", it.look.verdict.outcome.reason().code()),
            };
            let since = since.as_millisecond();
            let payload = serde_json::json!({
                "since": since,
                "reason": reason,
                "host": it.search.host,
                "page": it.search.wish.url,
            });
            (PostKind::Blind, payload)
        }
        _ => return Ok(Vec::new()),
    };
    if it.search.wish.muted {
        return Ok(Vec::new());
    }
    let channels = store.channels()?.into_iter().filter(|channel| channel.enabled);
    Ok(channels.map(|c| Notice { channel: c.channel, kind, payload: payload.clone() }).collect())
}
