//! Section 3: which searches go out.

use firstknock_listing::{Revision, SearchId};
use firstknock_policy::{Kind, Outcome, Reason};
use firstknock_schedule::{AppStatus, Refused, RowState, Turn, Why};

use crate::world::{World, secs, spec, trouble, wall};

const FIVE: [&str; 5] = [
    "https://a.example/1",
    "https://a.example/2",
    "https://a.example/3",
    "https://a.example/4",
    "https://a.example/5",
];

#[test]
fn new_searches_go_out_at_once_one_at_a_time_per_host_with_a_gap() {
    let mut world =
        World::of(&["https://a.example/1", "https://a.example/2", "https://b.example/"]);
    let first = world.plan();
    let ids: Vec<_> = first.iter().filter_map(|check| check.search).collect();
    assert_eq!(ids, [SearchId(1), SearchId(3)], "one per host, in the user's order");
    world.pass(secs(60));
    assert_eq!(world.plan(), [], "the host is busy until it is reported");
    world.report(&first[0], &Outcome::Answer);
    assert_eq!(world.plan().len(), 1, "the gap is long over");
}

#[test]
fn two_requests_to_one_domain_are_three_seconds_apart_also_on_two_hosts() {
    let mut world = World::of(&["https://x.realworks.nl/", "https://y.realworks.nl/"]);
    let first = world.next();
    let second = world.next();
    assert_ne!(first.host, second.host);
    let gap = second.at.duration_since(first.at).as_millis();
    assert!((3000..=3900).contains(&gap), "{gap} ms");
}

#[test]
fn five_searches_on_one_host_share_one_refusal_one_wait_and_one_probe() {
    let mut world = World::settled(&FIVE);
    let check = world.next();
    let id = check.search.expect("a search").0;
    let change = world.report(&check, &wall(Kind::Challenge));
    assert!(!change.keep_listings);
    let wait = world.waits(id);
    assert!((secs(51)..=secs(69)).contains(&wait), "{wait:?}");
    let rows: Vec<_> = (1..=5).map(|id| world.row(id)).collect();
    assert!(rows.iter().all(|row| row.next_at == rows[0].next_at), "the same countdown on all");
    let out = world.within(wait - secs(1));
    assert_eq!(out, [], "none goes out while the host waits");
    let out = world.within(secs(240));
    assert_eq!(out.len(), 1, "exactly one probe, however long its answer takes");
    assert_eq!((out[0].why, out[0].search), (Why::Probe, Some(SearchId(1))), "always the first");
    assert!(matches!(world.state(1), RowState::Probing { turn: Turn::First, .. }));
    assert!(matches!(world.state(4), RowState::Probing { turn: Turn::Waits, .. }));
}

#[test]
fn a_refused_probe_is_one_failure_and_an_answered_one_frees_all_without_a_burst() {
    let mut world = World::settled(&FIVE);
    let check = world.next();
    world.report(&check, &wall(Kind::Challenge));
    let probe = world.next();
    world.report(&probe, &wall(Kind::Challenge));
    let wait = world.waits(1);
    assert!((secs(153)..=secs(207)).contains(&wait), "second rung, not the sixth: {wait:?}");
    let probe = world.next();
    let change = world.report(&probe, &Outcome::Answer);
    assert!(change.keep_listings);
    let mut sent = Vec::new();
    let end = world.now.checked_add(secs(90)).expect("a moment");
    while let Some(at) = world.schedule.next_wake(world.now).filter(|at| *at <= end) {
        world.now = at;
        for check in world.plan() {
            sent.push(check.at);
            world.report(&check, &Outcome::Answer);
        }
    }
    assert!(sent.len() >= 4, "all four others within their interval: {sent:?}");
    let fourth = sent[3].duration_since(probe.at).as_secs();
    assert!(fourth > 30, "spread over the interval and not one gap apart: {fourth}s");
}

#[test]
fn a_refusal_holds_back_those_that_were_due_and_had_not_gone_out() {
    let mut world = World::of(&FIVE);
    let check = world.next();
    world.report(&check, &wall(Kind::RateLimited));
    assert_eq!(world.within(secs(100)), []);
}

#[test]
fn a_refusal_never_delays_another_host() {
    let mut world = World::of(&["https://a.example/", "https://b.example/"]);
    let checks = world.plan();
    world.report(&checks[0], &wall(Kind::Denied));
    world.report(&checks[1], &Outcome::Answer);
    assert!(world.waits(2) <= secs(99));
}

#[test]
fn a_probe_that_meets_a_first_error_leaves_the_record_and_probes_one_interval_later() {
    let mut world = World::settled(&FIVE);
    let check = world.next();
    world.report(&check, &wall(Kind::Challenge));
    let probe = world.next();
    world.report(&probe, &trouble(Reason::Timeout));
    let wait = world.waits(1);
    assert!((secs(81)..=secs(99)).contains(&wait), "one interval: {wait:?}");
    assert!(matches!(world.state(2), RowState::Blocked { wall: Kind::Challenge, .. }));
    let again = world.next();
    assert_eq!(again.why, Why::Probe);
    world.report(&again, &wall(Kind::Challenge));
    let wait = world.waits(1);
    assert!((secs(153)..=secs(207)).contains(&wait), "the challenge went on at rung 2: {wait:?}");
}

#[test]
fn the_sixteenth_search_is_refused_but_may_be_saved_paused() {
    let urls: Vec<_> = (0..15).map(|i| format!("https://h{i}.example/")).collect();
    let mut world = World::of(&urls.iter().map(String::as_str).collect::<Vec<_>>());
    let mut sixteenth = spec(16, "https://last.example/");
    assert_eq!(world.add(sixteenth.clone()), Err(Refused::TooMany));
    sixteenth.enabled = false;
    assert_eq!(world.add(sixteenth), Ok(()));
    assert_eq!(world.schedule.set_enabled(SearchId(16), true, world.now), Err(Refused::TooMany));
    assert_eq!(world.state(16), RowState::Paused);
    world.schedule.set_enabled(SearchId(3), false, world.now).expect("paused");
    assert_eq!(world.schedule.set_enabled(SearchId(16), true, world.now), Ok(()));
    assert_eq!(world.schedule.set_enabled(SearchId(99), true, world.now), Err(Refused::Unknown));
}

#[test]
fn idle_says_how_many_wait_and_until_when() {
    let mut world = World::settled(&FIVE[..3]);
    let AppStatus::Idle { waiting: 3, next_at: Some(at) } = world.schedule.status(world.now) else {
        panic!("{:?}", world.schedule.status(world.now));
    };
    world.now = at;
    assert!(matches!(world.schedule.status(at), AppStatus::Polling { checking: 1, of: 3 }));
    let check = world.next();
    assert_eq!(check.at, at, "and then it really goes out");
    assert!(matches!(world.schedule.status(at), AppStatus::Polling { checking: 1, of: 3 }));
}

#[test]
fn a_report_for_an_edited_search_keeps_no_listings_but_counts_for_the_host() {
    let mut world = World::of(&["https://a.example/1", "https://a.example/2"]);
    let check = world.next();
    let mut edited = spec(1, "https://a.example/other");
    edited.revision = Revision(2);
    world.add(edited).expect("edited");
    let change = world.report(&check, &wall(Kind::Challenge));
    assert!(!change.keep_listings);
    assert!(matches!(world.state(2), RowState::Blocked { .. }));
    let probe = world.next();
    assert_eq!(probe.url.as_str(), "https://a.example/other");
}

#[test]
fn an_answer_for_an_edited_search_is_not_kept_and_it_looks_again_soon() {
    let mut world = World::settled(&["https://a.example/1"]);
    let check = world.next();
    let mut edited = spec(1, "https://a.example/1");
    edited.revision = Revision(2);
    world.add(edited).expect("edited");
    world.pass(secs(2));
    assert!(!world.report(&check, &Outcome::Answer).keep_listings);
    assert!(world.waits(1) <= secs(4), "{:?}", world.waits(1));
    let check = world.next();
    assert!(world.report(&check, &Outcome::Answer).keep_listings);
}

#[test]
fn a_report_for_a_deleted_search_counts_for_its_host() {
    let mut world = World::of(&["https://a.example/1", "https://a.example/2"]);
    let check = world.next();
    world.schedule.remove_search(SearchId(1), world.now);
    let change = world.report(&check, &wall(Kind::Denied));
    assert_eq!(change.removed_searches, [SearchId(1)]);
    assert!(matches!(world.state(2), RowState::NeedsYou { turn: Turn::First, .. }));
}

#[test]
fn deleting_the_last_search_of_a_host_keeps_its_record() {
    let mut world = World::of(&["https://a.example/1"]);
    let check = world.next();
    world.report(&check, &wall(Kind::Challenge));
    world.schedule.remove_search(SearchId(1), world.now);
    world.add(spec(2, "https://a.example/2")).expect("added");
    assert!(world.waits(2) >= secs(50), "the new search waits too: {:?}", world.waits(2));
}

#[test]
fn a_check_that_is_never_reported_is_given_up() {
    let mut world = World::of(&["https://a.example/1"]);
    let lost = world.next();
    world.pass(secs(299));
    assert_eq!(world.plan(), []);
    world.pass(secs(1));
    let again = world.plan().remove(0);
    assert_ne!(lost.id, again.id);
    let change = world.report(&lost, &wall(Kind::Denied));
    assert!(!change.keep_listings);
    assert!(matches!(world.state(1), RowState::Checking { .. }), "the late report changed nothing");
}

#[test]
fn stop_asks_nobody_and_start_twice_is_start_once() {
    let mut world = World::settled(&FIVE);
    world.schedule.stop(world.now);
    assert_eq!(world.within(secs(3600)), []);
    assert_eq!(world.schedule.next_wake(world.now), None);
    assert_eq!(world.state(1), RowState::Stopped);
    let dice = &mut world.dice;
    world.schedule.start(world.now, &mut || dice.draw());
    let dues: Vec<_> = (1..=5).map(|id| world.row(id).next_at).collect();
    let dice = &mut world.dice;
    world.schedule.start(world.now, &mut || dice.draw());
    assert_eq!(dues, (1..=5).map(|id| world.row(id).next_at).collect::<Vec<_>>());
}

#[test]
fn a_refusal_takes_back_presses_and_first_errors_on_its_own_host_and_on_no_other() {
    let mut world =
        World::of(&["https://a.example/1", "https://a.example/2", "https://b.example/"]);
    let out = world.plan();
    world.report(&out[1], &trouble(Reason::ServerError));
    world.report(&out[0], &trouble(Reason::ServerError));
    assert!(matches!(world.state(1), RowState::FirstError { .. }), "{:?}", world.state(1));
    let second = world.next();
    world.schedule.retry_now(SearchId(1), world.now).expect("free");
    world.report(&second, &wall(Kind::Challenge));
    assert!(matches!(world.state(1), RowState::Blocked { .. }), "{:?}", world.state(1));
    assert!(matches!(world.state(3), RowState::FirstError { .. }), "{:?}", world.state(3));
    world.schedule.retry_now(SearchId(2), world.now).expect("ready");
    let probe = world.next();
    assert_eq!((probe.why, probe.search), (Why::Manual, Some(SearchId(2))));
    world.report(&probe, &Outcome::Answer);
    assert_eq!(world.state(1), RowState::Queued, "it was never answered, and no error is left");
}
