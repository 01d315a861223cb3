//! Section 4: what a row says.

use std::time::Duration;

use firstknock_policy::{Kind, Outcome, Reason};
use firstknock_schedule::{AppStatus, Finding, HostState, Row, RowState, Seen, StopWhy, Turn};

use crate::world::{World, host, secs, spec, trouble, wall, wall_asking};

fn word(state: &RowState) -> &'static str {
    match state {
        RowState::Queued => "queued",
        RowState::Checking { .. } => "checking",
        RowState::Ok { .. } => "ok",
        RowState::Empty { .. } => "empty",
        RowState::Suspicious { .. } => "suspicious",
        RowState::Blocked { .. } => "blocked",
        RowState::Probing { .. } => "probing",
        RowState::NeedsYou { .. } => "needs you",
        RowState::FirstError { .. } => "first error",
        RowState::ErrorWaiting { .. } => "error, waiting",
        RowState::Offline { .. } => "offline",
        RowState::PageGone { .. } => "page gone",
        RowState::Paused => "paused",
        RowState::Stopped => "stopped",
    }
}

/// One search, one outcome: what does its row say?
fn says(outcome: &Outcome, seen: Seen) -> RowState {
    let mut world = World::settled(&["https://a.example/1"]);
    let check = world.next();
    world.report_seen(&check, outcome, seen);
    world.state(1)
}

#[test]
fn each_outcome_has_its_line() {
    let nothing = Seen::nothing();
    let cases = [
        (Outcome::Answer, Seen::fine(48), "ok"),
        (Outcome::Answer, Seen::empty(), "empty"),
        (Outcome::Answer, Seen { finding: Finding::Broken, ..Seen::fine(0) }, "suspicious"),
        (Outcome::Answer, Seen { finding: Finding::Unsure, ..Seen::fine(3) }, "suspicious"),
        (Outcome::Answer, Seen { finding: Finding::Degraded, ..Seen::fine(48) }, "ok"),
        (Outcome::Answer, Seen { finding: Finding::ReKeyed, ..Seen::fine(48) }, "ok"),
        (Outcome::Answer, Seen::fine(0), "suspicious"),
        (wall(Kind::Challenge), nothing, "blocked"),
        (wall(Kind::RateLimited), nothing, "blocked"),
        (wall(Kind::Denied), nothing, "needs you"),
        (trouble(Reason::Timeout), nothing, "first error"),
        (trouble(Reason::PageGone), nothing, "page gone"),
    ];
    for (outcome, seen, expected) in cases {
        assert_eq!(word(&says(&outcome, seen)), expected, "{outcome:?} {seen:?}");
    }
}

#[test]
fn a_row_that_looks_different_names_both_numbers() {
    let mut world = World::settled(&["https://a.example/1"]);
    for recognised in [0, 2] {
        let check = world.next();
        let seen = Seen { finding: Finding::Broken, ..Seen::fine(recognised) };
        let change = world.report_seen(&check, &Outcome::Answer, seen);
        assert!(change.keep_listings, "it was an answer; what to make of it is the caller's");
        let RowState::Suspicious { recognised: now, before, .. } = world.state(1) else {
            panic!("{:?}", world.state(1));
        };
        assert_eq!((now, before), (recognised, 48), "compared with the last good look");
    }
}

#[test]
fn a_new_search_is_queued_then_checking() {
    let mut world = World::of(&["https://a.example/1"]);
    assert_eq!(world.state(1), RowState::Queued);
    let check = world.next();
    assert_eq!(world.state(1), RowState::Checking { since: check.at });
    assert_eq!(world.row(1).next_at, None);
}

#[test]
fn a_row_says_what_the_site_asked_for_and_when_we_look_in() {
    let mut world = World::settled(&["https://a.example/1"]);
    let check = world.next();
    let change = world.report(&check, &wall_asking(Kind::RateLimited, Some(86_400)));
    let RowState::Blocked { asked, retry_at, .. } = world.state(1) else {
        panic!("{:?}", world.state(1));
    };
    assert_eq!(asked, Some(secs(86_400)));
    assert!(retry_at.duration_since(world.now).as_secs() <= 3600);
    let capped = change.notes.iter().any(|note| {
        matches!(
            note,
            firstknock_schedule::Note::HostWaits { capped_from_ms: Some(86_400_000), .. }
        )
    });
    assert!(capped, "{:?}", change.notes);
    let mut world = World::settled(&["https://a.example/1"]);
    let check = world.next();
    let change = world.report(&check, &wall_asking(Kind::RateLimited, Some(3600)));
    let full = change.notes.iter().any(|note| {
        matches!(note, firstknock_schedule::Note::HostWaits { capped_from_ms: None, .. })
    });
    assert!(full, "an hour is not more than an hour: {:?}", change.notes);
}

#[test]
fn rows_come_in_the_users_order() {
    let mut world =
        World::of(&["https://a.example/1", "https://b.example/", "https://a.example/3"]);
    let mut last = spec(1, "https://a.example/1");
    last.order = 9;
    world.add(last).expect("moved");
    let order: Vec<_> = world.schedule.rows(world.now).iter().map(|row| row.search.0).collect();
    assert_eq!(order, [2, 3, 1]);
}

#[test]
fn only_the_row_whose_search_goes_back_in_says_so() {
    let mut world = World::settled(&["https://a.example/1", "https://a.example/2"]);
    let check = world.next();
    world.report(&check, &wall(Kind::Challenge));
    let turn = |row: Row| match row.state {
        RowState::Blocked { turn, .. } => turn,
        other => panic!("{other:?}"),
    };
    assert_eq!((turn(world.row(1)), turn(world.row(2))), (Turn::First, Turn::Waits));
}

#[test]
fn a_full_disk_stops_everything_and_says_so_until_it_works_again() {
    let mut world = World::settled(&["https://a.example/1"]);
    world.schedule.storage_failed(StopWhy::DiskFull, world.now);
    let since = world.now;
    assert_eq!(world.within(secs(600)), []);
    let stopped = AppStatus::Stopped { why: StopWhy::DiskFull, since };
    assert_eq!(world.schedule.status(world.now), stopped);
    let dice = &mut world.dice;
    world.schedule.storage_works(world.now, &mut || dice.draw());
    assert!(world.waits(1) <= secs(10));
}

#[test]
fn a_hosts_card_says_cause_time_and_what_happens_next() {
    let mut world = World::settled(&["https://a.example/1", "https://a.example/2"]);
    let check = world.next();
    let refused_at = world.now;
    world.report(&check, &wall_asking(Kind::RateLimited, Some(300)));
    let card = world.schedule.host_cards(world.now).remove(0);
    let HostState::Waits(wait) = card.state else { panic!("{:?}", card.state) };
    assert_eq!((wait.wall, wait.failures, wait.since), (Kind::RateLimited, 1, refused_at));
    assert_eq!(wait.asked, Some(secs(300)));
    assert_eq!(wait.refused, [check.search.expect("a search")]);
    assert_eq!(Some(wait.retry_at), world.row(1).next_at);
    assert_eq!(card.searches.len(), 2);
    let probe = world.next();
    let card = world.schedule.host_card(&host("a.example"), world.now);
    let HostState::Probing { since, if_refused, .. } = card.state else { panic!("{card:?}") };
    assert_eq!((since, if_refused), (probe.at, Duration::from_secs(300)));
}

#[test]
fn a_card_shows_the_next_of_its_turns_and_the_last_of_its_answers() {
    let mut world = World::settled(&["https://a.example/1", "https://a.example/2"]);
    let rows = world.schedule.rows(world.now);
    let card = world.schedule.host_card(&host("a.example"), world.now);
    let next_at = rows.iter().filter_map(|row| row.next_at).min();
    assert_ne!(rows[0].next_at, rows[1].next_at);
    assert_eq!(card.state, HostState::Answers { next_at });
    assert_ne!(rows[0].answered_at, rows[1].answered_at);
    assert_eq!(card.answered_at, rows.iter().filter_map(|row| row.answered_at).max());
    world.schedule.hold(&host("z.example"), world.now);
    let hosts: Vec<_> =
        world.schedule.host_cards(world.now).iter().map(|card| card.host.to_string()).collect();
    assert_eq!(hosts, ["a.example", "z.example"], "an open window is worth a card");
}

#[test]
fn after_the_disk_works_again_hosts_do_not_begin_in_the_same_instant() {
    let urls: Vec<_> = (0..10).map(|i| format!("https://h{i}.example/")).collect();
    let mut world = World::settled(&urls.iter().map(String::as_str).collect::<Vec<_>>());
    world.schedule.storage_failed(StopWhy::DiskFull, world.now);
    world.pass(secs(3600));
    let dice = &mut world.dice;
    world.schedule.storage_works(world.now, &mut || dice.draw());
    let out = world.within(secs(60));
    assert_eq!(out.len(), 10);
    let together = out.iter().filter(|check| check.at == out[0].at).count();
    assert!(together <= 2, "{together} of 10 at once");
}

#[test]
fn the_app_says_the_next_try_of_all() {
    let mut world = World::settled(&["https://a.example/1", "https://b.example/"]);
    let next_at = world.schedule.rows(world.now).iter().filter_map(|row| row.next_at).min();
    assert_eq!(world.schedule.status(world.now), AppStatus::Idle { waiting: 2, next_at });
    world.set_online(false);
    let since = world.now;
    let test_at = world.schedule.next_wake(since);
    assert_eq!(world.schedule.status(since), AppStatus::Offline { since, next_at: test_at });
}
