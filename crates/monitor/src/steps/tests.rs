//! What is kept of a look, on a real store.

use std::time::Duration;

use firstknock_fetch::{Fetched, Response, Validators, Verdict};
use firstknock_listing::{Criteria, HostKey, PageKind, SearchUrl};
use firstknock_policy::Outcome;
use firstknock_schedule::{Change, Check, Schedule, SearchSpec};
use firstknock_store::{ReaderChoice, Rhythm, Search, SearchWish, Store, Tell};
use jiff::tz::TimeZone;
use jiff::{SignedDuration, Timestamp};

use super::when::when;
use super::{Ended, outline, seen, task};
use crate::pause::{Pause, PauseWhy};
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

fn now() -> Timestamp {
    Timestamp::from_second(1_790_000_000).expect("a moment")
}

/// A first look at an empty page, with more around it.
fn with_ended<T>(
    pause: Option<Pause>,
    then: impl FnOnce(&mut Store, &Search, Ended<'_>) -> T,
) -> T {
    let mut store = Store::in_memory().expect("a store");
    let search = search(&mut store, now());
    let check = check(&search, now());
    let run = store.reserve(&check, &Change::default(), now()).expect("kept");
    let facts = store.search_facts(search.id).expect("read");
    let look = look(&search.host);
    let (look, facts, check, zone) = (&look, &facts, &check, &TimeZone::UTC);
    let ended = Ended { check, run, look, facts, pause, watched_since: now(), zone };
    then(&mut store, &search, ended)
}

/// The marks with which the next request asks "has it changed?", after a look.
fn asks_with(keep_listings: bool) -> (Option<String>, Option<u64>) {
    with_ended(None, |store, search, ended| {
        let change = Change { keep_listings, ..Change::default() };
        let seen = seen(ended.look, ended.facts);
        let commit = outline(store, &ended, Some(search), seen, &change, now()).expect("read");
        store.commit_check(&commit, now()).expect("kept");
        let next = task(store, ended.check, Duration::ZERO).expect("read");
        (next.validators.etag, next.body_hash)
    })
}

#[test]
fn a_page_that_was_read_and_kept_is_asked_for_by_its_marks() {
    assert_eq!(asks_with(true), (Some("v1".to_owned()), Some(7)));
}

#[test]
fn a_page_that_came_too_late_to_be_kept_is_read_again_even_if_it_is_the_same() {
    assert_eq!(asks_with(false), (None, None));
}

/// When what is found goes out, after nobody looked for four hours until some seconds from now.
fn waits_after_a_pause_until(seconds: i64) -> Option<SignedDuration> {
    let to = now() + SignedDuration::from_secs(seconds);
    let from = to - SignedDuration::from_hours(4);
    let pause = Pause { from, to, why: PauseWhy::Asleep };
    with_ended(Some(pause), |_, search, ended| {
        when(search, &ended, now()).not_before.map(|at| at.duration_since(now()))
    })
}

#[test]
fn what_a_long_pause_brought_waits_for_the_others_first_looks() {
    let in_30_s = Some(SignedDuration::from_secs(30));
    assert_eq!(waits_after_a_pause_until(-60), in_30_s);
    assert_eq!(waits_after_a_pause_until(-90), None);
}

#[test]
fn a_pause_that_a_clock_since_set_back_saw_puts_nothing_off() {
    assert_eq!(waits_after_a_pause_until(365 * 24 * 3600), None);
}
