//! From a page to what is kept of it: the engine's steps from "known" to "news", for pages that
//! need no reading.

use std::collections::HashMap;
use std::time::Duration;

use firstknock_listing::{Change, Diff, ListingId, diff};
use firstknock_policy::Outcome;
use firstknock_schedule::{Finding, Seen};
use firstknock_store::{
    CheckMark, CheckResult, KnownHere, News, NewsKind, PageCommit, Post, PostKind, Search,
    SearchFacts, Store, StoreError,
};
use jiff::Timestamp;

use super::site::{Reply, Shown};

/// As far as the plan and the rows need to know.
pub(super) fn seen(reply: &Reply) -> Seen {
    let Some(shown) = &reply.shown else {
        return Seen { status: reply.status, ..Seen::nothing() };
    };
    let listings = u32::try_from(shown.listings.len()).unwrap_or(u32::MAX);
    let finding = match (shown.unreadable, listings) {
        (true, _) => Finding::Broken,
        (false, 0) => Finding::Empty,
        (false, _) => Finding::Fine,
    };
    Seen { listings, new: 0, finding, status: reply.status }
}

/// The check's own row.
pub(super) fn result(reply: &Reply, seen: Seen, took: Duration) -> CheckResult {
    let outcome = &reply.outcome;
    let answered = *outcome == Outcome::Answer;
    CheckResult {
        mark: match outcome {
            Outcome::Answer if seen.finding == Finding::Empty => CheckMark::Empty,
            Outcome::Answer => CheckMark::Answered,
            Outcome::Wall(_) => CheckMark::Refused,
            Outcome::Trouble(_) => CheckMark::Failed,
        },
        verdict: outcome.verdict().to_owned(),
        reason: outcome.reason().code(),
        finding: None,
        status: seen.status,
        listings: (answered && !seen.finding.is_suspicious()).then_some(seen.listings),
        bytes: None,
        took,
        retry_after: None,
        evidence: Vec::new(),
        etag: None,
        last_modified: None,
        body_hash: None,
    }
}

/// What of an answered page is believed and told.
pub(super) fn page(
    store: &Store,
    search: &Search,
    facts: &SearchFacts,
    shown: &Shown,
    now: Timestamp,
) -> Result<Option<PageCommit>, StoreError> {
    let nothing = PageCommit {
        listings: Vec::new(),
        diff: Diff::default(),
        baseline: false,
        complete: false,
        rekeyed: Vec::new(),
        news: Vec::new(),
        posts: Vec::new(),
        memory: None,
    };
    if shown.unreadable {
        return Ok(facts.baseline_at.map(|_| nothing));
    }
    let here = store.known(&search.host, search.id, &shown.listings, now)?;
    let known: Vec<_> = here.iter().map(|it| it.known.clone()).collect();
    let diff = diff(&shown.listings, &known);
    let by_id: HashMap<ListingId, &KnownHere> = here.iter().map(|k| (k.known.id, k)).collect();
    let baseline = facts.baseline_at.is_none();
    let news: Vec<News> = if baseline {
        Vec::new()
    } else {
        diff.seen.iter().filter_map(|change| news(search, shown, change, &by_id)).collect()
    };
    let tells = news.iter().any(|news| news.tell) && !search.wish.muted;
    let posts = if tells { posts(store)? } else { Vec::new() };
    let (listings, complete) = (shown.listings.clone(), shown.complete);
    Ok(Some(PageCommit { listings, diff, baseline, complete, news, posts, ..nothing }))
}

fn news(
    search: &Search,
    shown: &Shown,
    change: &Change,
    known: &HashMap<ListingId, &KnownHere>,
) -> Option<News> {
    let tell = search.wish.tell;
    let first_here = |id: &ListingId| known.get(id).is_some_and(|k| !k.sighted);
    let (at, kind, tell) = match change {
        Change::New { at } => (*at, NewsKind::New, tell.new),
        Change::Relisted { at, .. } => (*at, NewsKind::Relisted, tell.relisted),
        // Another search of this host found it first: this one names itself beside it.
        Change::Repriced { at, id, .. } | Change::Same { at, id } if first_here(id) => {
            (*at, NewsKind::New, tell.new)
        }
        Change::Repriced { at, was, .. } => {
            let now = shown.listings[*at].price.as_ref()?;
            if now.cents < was.cents {
                (*at, NewsKind::PriceDrop, tell.price_drops)
            } else {
                (*at, NewsKind::PriceRise, false)
            }
        }
        Change::Same { .. } => return None,
    };
    let wanted = search.wish.criteria.hides(&shown.listings[at]).is_none();
    wanted.then_some(News { at, kind, tell })
}

fn posts(store: &Store) -> Result<Vec<Post>, StoreError> {
    let channels = store.channels()?.into_iter().filter(|channel| channel.enabled);
    Ok(channels
        .map(|channel| Post {
            channel: channel.channel,
            kind: PostKind::Alert,
            not_before: None,
            join: false,
            payload: None,
        })
        .collect())
}
