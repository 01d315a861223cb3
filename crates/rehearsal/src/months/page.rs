//! What comes over the fake network, as the engine's own steps take it: a look.

use std::hash::{DefaultHasher, Hash, Hasher};
use std::time::Duration;

use firstknock_extract::Finding;
use firstknock_fetch::{Failure, Fetched, Response, Validators, Verdict};
use firstknock_listing::PageKind;
use firstknock_monitor::{Extraction, Look, Task, Unchanged};
use firstknock_policy::Outcome;

use super::site::{Reply, Shown};

/// A reply to a task. A page that shows what it showed last time is not read again, as in the app.
pub(super) fn look(reply: &Reply, task: &Task, took: Duration) -> Look {
    let body_hash = reply.shown.as_ref().map(hash).unwrap_or_default();
    let same = reply.shown.is_some() && task.body_hash == Some(body_hash);
    let extraction = match &reply.shown {
        Some(shown) if !same => extraction(shown, task),
        _ => Extraction::default(),
    };
    let outcome = reply.outcome.clone();
    Look {
        fetched: fetched(reply, task, body_hash),
        verdict: Verdict { outcome, evidence: Vec::new() },
        extraction,
        unchanged: same.then_some(Unchanged::SameBody),
        by_browser: false,
        took,
    }
}

fn extraction(shown: &Shown, task: &Task) -> Extraction {
    let (kind, finding) = match (shown.unreadable, shown.listings.is_empty()) {
        (true, _) => (PageKind::Other, Finding::Broken),
        (false, true) => (PageKind::Empty, Finding::Empty),
        (false, false) => (PageKind::Results, Finding::Fine),
    };
    Extraction {
        listings: shown.listings.clone(),
        kind,
        finding,
        next_page: (!shown.complete).then(|| task.url.clone()),
        memory: task.memory.clone().unwrap_or_default(),
        ..Extraction::default()
    }
}

fn fetched(reply: &Reply, task: &Task, body_hash: u64) -> Fetched {
    let final_url = task.url.clone();
    if let Outcome::Trouble(trouble) = &reply.outcome {
        return Fetched::Failed(Failure {
            reason: trouble.reason,
            detail: String::new(),
            cookie_guard: false,
            final_url: Some(final_url),
            status: reply.status,
            server_date: None,
            retried: false,
        });
    }
    Fetched::Page(Response {
        status: reply.status,
        final_url,
        headers: Vec::new(),
        body: String::new(),
        content_type: None,
        readable: true,
        body_hash,
        bytes: 0,
        validators: Validators::default(),
        hops: Vec::new(),
        moved_to: None,
        retried: false,
    })
}

fn hash(shown: &Shown) -> u64 {
    let mut hasher = DefaultHasher::new();
    (shown.complete, shown.unreadable).hash(&mut hasher);
    for listing in &shown.listings {
        let cents = listing.price.as_ref().map(|price| price.cents);
        (&listing.url, cents).hash(&mut hasher);
    }
    hasher.finish()
}
