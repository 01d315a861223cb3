//! What is kept of a look, on a real store.

use std::time::Duration;

use firstknock_fetch::{Fetched, Response, Validators, Verdict};
use firstknock_listing::{Criteria, HostKey, PageKind, SearchUrl};
use firstknock_policy::Outcome;
use firstknock_schedule::{Change, Check, Schedule, SearchSpec};
use firstknock_store::{ReaderChoice, Rhythm, Search, SearchWish, Store, Tell};
use jiff::Timestamp;
use jiff::tz::TimeZone;

use super::{Ended, outline, seen, task};
use crate::{Extraction, Look};

fn search(store: &mut Store, now: Timestamp) -> Search {
    let wish = SearchWish {
        name: "Rooms".to_owned(),
        url: SearchUrl::parse("https://huis.example/rooms").expect("an address"),
        interval: Duration::from_secs(90),
        muted: false,
        reader: ReaderChoice::Auto,
        criteria: Criteria::default(),
        tell: Tell { new: true, price_drops: true, relisted: true },
        quiet: None,
        rhythm: Rhythm::Instant,
    };
    store.add_search(&wish, true, now).expect("kept")
}

fn check(search: &Search, now: Timestamp) -> Check {
    let mut schedule = Schedule::default();
    let spec = SearchSpec {
        id: search.id,
        revision: search.revision,
        url: search.wish.url.clone(),
        interval: search.wish.interval,
        enabled: true,
        order: 0,
    };
    schedule.upsert_search(spec, now).expect("room for one");
    schedule.plan(now, &mut || 0.5).pop().expect("it is due")
}

fn look(host: &HostKey) -> Look {
    let response = Response {
        status: Some(200),
        final_url: format!("https://{host}/rooms").parse().expect("an address"),
        headers: Vec::new(),
        body: String::new(),
        content_type: None,
        readable: true,
        body_hash: 7,
        bytes: 0,
        validators: Validators { etag: Some("v1".to_owned()), last_modified: None },
        hops: Vec::new(),
        moved_to: None,
        retried: false,
    };
    Look {
        fetched: Fetched::Page(response),
        verdict: Verdict { outcome: Outcome::Answer, evidence: Vec::new() },
        extraction: Extraction {
            kind: PageKind::Empty,
            finding: firstknock_extract::Finding::Empty,
            ..Extraction::default()
        },
        unchanged: None,
        by_browser: false,
        took: Duration::ZERO,
    }
}

/// The marks with which the next request asks "has it changed?", after a look.
fn asks_with(keep_listings: bool) -> (Option<String>, Option<u64>) {
    let now = Timestamp::from_second(1_790_000_000).expect("a moment");
    let mut store = Store::in_memory().expect("a store");
    let search = search(&mut store, now);
    let check = check(&search, now);
    let run = store.reserve(&check, &Change::default(), now).expect("kept");
    let facts = store.search_facts(search.id).expect("read");
    let look = look(&search.host);
    let ended = Ended {
        check: &check,
        run,
        look: &look,
        facts: &facts,
        pause: None,
        watched_since: now,
        zone: &TimeZone::UTC,
    };
    let change = Change { keep_listings, ..Change::default() };
    let seen = seen(&look, &facts);
    let commit = outline(&mut store, &ended, Some(&search), seen, &change, now).expect("read");
    store.commit_check(&commit, now).expect("kept");
    let next = task(&mut store, &check, Duration::ZERO).expect("read");
    (next.validators.etag, next.body_hash)
}

#[test]
fn a_page_that_was_read_and_kept_is_asked_for_by_its_marks() {
    assert_eq!(asks_with(true), (Some("v1".to_owned()), Some(7)));
}

#[test]
fn a_page_that_came_too_late_to_be_kept_is_read_again_even_if_it_is_the_same() {
    assert_eq!(asks_with(false), (None, None));
}
