//! Who goes first, what one request settles for others, and whose turn a second opinion is.

use std::time::Duration;

use firstknock_listing::SearchId;
use firstknock_policy::{Kind, Outcome, Reason};
use firstknock_schedule::{Check, Refused, RowState, Why};

use crate::world::{World, host, later, login, secs, spec, trouble, wall};

const TWO: [&str; 2] = ["https://a.example/1", "https://a.example/2"];

fn ids(checks: &[Check]) -> Vec<i64> {
    checks.iter().filter_map(|check| check.search).map(|id| id.0).collect()
}

#[test]
fn a_press_goes_before_what_is_overdue_by_less_than_half_a_minute() {
    for (ms, first) in [(29_999, 2), (30_000, 1), (30_001, 1)] {
        let mut world = World::settled(&["https://x.realworks.nl/", "https://y.realworks.nl/"]);
        let due = world.row(1).next_at.expect("a turn");
        world.now = later(due, Duration::from_millis(ms));
        world.schedule.retry_now(SearchId(2), world.now).expect("free");
        assert_eq!(ids(&world.plan()), [first], "pressed {ms} ms after the other was due");
    }
}

#[test]
fn one_request_into_a_wait_finds_out_for_all_who_wanted_to_know() {
    let key = host("a.example");
    // Two wishes for the host: the one that goes out answers both.
    for (free, pressed) in [(1, 2), (2, 1)] {
        let mut world = World::settled(&[TWO[0], TWO[1], "https://b.example/"]);
        let check = loop {
            let check = world.next();
            if check.host == key {
                break check;
            }
            world.report(&check, &Outcome::Answer);
        };
        world.report(&check, &wall(Kind::Denied));
        world.pass(secs(4));
        world.schedule.hold(&key, world.now);
        assert!(world.schedule.release(&key, Some(SearchId(free)), world.now));
        world.schedule.retry_now(SearchId(pressed), world.now).expect("ready");
        let probe = world.next();
        assert_eq!(probe.search, Some(SearchId(1)), "the user's order decides");
        world.report(&probe, &trouble(Reason::Timeout));
        let more: Vec<_> = world.within(secs(70)).into_iter().filter(|c| c.host == key).collect();
        assert_eq!(more, [], "{free} free, {pressed} pressed");
    }
}

#[test]
fn a_probe_does_not_take_away_the_press_on_another_host() {
    let mut world = World::settled(&[TWO[0], "https://b.example/"]);
    let check = loop {
        let check = world.next();
        if check.search == Some(SearchId(1)) {
            break check;
        }
        world.report(&check, &Outcome::Answer);
    };
    world.report(&check, &wall(Kind::Challenge));
    let probe_at = world.row(1).next_at.expect("a probe");
    // Just before the probe the other host answers, so that its gap holds the press back.
    world.now = probe_at.checked_sub(secs(1)).expect("a moment");
    let due = world.plan();
    if due.is_empty() {
        world.schedule.retry_now(SearchId(2), world.now).expect("free");
        let by_hand = world.plan();
        assert_eq!(ids(&by_hand), [2]);
        world.report(&by_hand[0], &Outcome::Answer);
    } else {
        world.report(&due[0], &Outcome::Answer);
    }
    world.schedule.retry_now(SearchId(2), world.now).expect("free");
    world.now = probe_at;
    assert_eq!(ids(&world.plan()), [1]);
    assert_eq!(world.state(2), RowState::Queued, "still wanted");
}

#[test]
fn a_free_probe_of_one_page_is_sent_once() {
    let mut world = World::settled(&TWO);
    let first = world.next();
    world.report(&first, &login());
    let key = host("a.example");
    world.schedule.hold(&key, world.now);
    assert!(world.schedule.release(&key, Some(SearchId(1)), world.now));
    let probe = world.next();
    assert_eq!((probe.why, probe.search), (Why::AfterHand, Some(SearchId(1))));
    world.report(&probe, &trouble(Reason::Timeout));
    let more = world.within(secs(60));
    assert!(more.iter().all(|check| check.why == Why::Due), "{more:?}");
}

#[test]
fn deleting_a_neighbour_does_not_take_away_the_free_probe() {
    let mut world = World::settled(&TWO);
    let check = world.next();
    world.report(&check, &wall(Kind::Denied));
    let key = host("a.example");
    world.schedule.hold(&key, world.now);
    assert!(world.schedule.release(&key, Some(SearchId(1)), world.now));
    world.schedule.remove_search(SearchId(2), world.now);
    assert_eq!(world.next().why, Why::AfterHand);
}

#[test]
fn a_check_that_was_never_sent_frees_its_host_and_no_other_check_does() {
    let mut world = World::settled(&TWO[..1]);
    let old = world.next();
    world.report(&old, &Outcome::Answer);
    let check = world.next();
    world.schedule.abandon(&old, world.now);
    assert!(matches!(world.state(1), RowState::Checking { .. }), "{:?}", world.state(1));
    world.schedule.abandon(&check, world.now);
    assert!(matches!(world.state(1), RowState::Ok { .. }), "{:?}", world.state(1));
    assert!(world.waits(1) >= secs(81), "what it reserved stays reserved");
}

#[test]
fn a_lost_check_is_given_up_after_five_minutes_and_the_shell_is_woken_for_the_first() {
    let mut world = World::of(&TWO[..1]);
    let first = world.next();
    world.pass(secs(10));
    world.add(spec(2, "https://b.example/")).expect("added");
    let second = world.next();
    assert_eq!(second.search, Some(SearchId(2)));
    let gives_up = later(first.at, secs(300));
    assert_eq!(world.schedule.next_wake(world.now), Some(gives_up));
    world.now = gives_up;
    assert_eq!(ids(&world.plan()), [1]);
}

#[test]
fn pausing_what_is_paused_and_resuming_what_runs_changes_nothing() {
    let urls: Vec<_> = (0..15).map(|i| format!("https://h{i}.example/")).collect();
    let mut world = World::settled(&urls.iter().map(String::as_str).collect::<Vec<_>>());
    let mut sixteenth = spec(16, "https://last.example/");
    sixteenth.enabled = false;
    world.add(sixteenth.clone()).expect("paused");
    let before = world.schedule.rows(world.now);
    world.schedule.set_enabled(SearchId(3), true, world.now).expect("it runs already");
    world.schedule.set_enabled(SearchId(16), false, world.now).expect("it is paused already");
    world.add(spec(3, &urls[2])).expect("an edit of one that runs");
    world.add(sixteenth).expect("an edit of one that is paused");
    assert_eq!(world.schedule.rows(world.now), before);
    assert_eq!(world.schedule.set_enabled(SearchId(16), true, world.now), Err(Refused::TooMany));
}

#[test]
fn another_address_forgets_the_old_page_and_is_due_at_once_and_nothing_else_does() {
    let mut world = World::settled(&TWO[..1]);
    let mut edited = spec(1, TWO[0]);
    edited.order = 7;
    let before = world.row(1);
    world.add(edited).expect("edited");
    assert_eq!(world.row(1), before);
    world.pass(secs(10));
    world.add(spec(1, "https://a.example/other")).expect("edited");
    assert_eq!((world.state(1), world.waits(1)), (RowState::Queued, secs(0)));
}

#[test]
fn a_shorter_interval_counts_from_the_last_look() {
    let mut world = World::of(&[]);
    let mut seldom = spec(1, TWO[0]);
    seldom.interval = secs(3600);
    world.add(seldom.clone()).expect("added");
    let check = world.next();
    world.report(&check, &Outcome::Answer);
    world.pass(secs(10));
    seldom.interval = secs(60);
    world.add(seldom).expect("edited");
    assert_eq!(world.waits(1), secs(50));
}

/// Refuses the first search's probes until the top of the ladder.
fn on_top(kind: Kind, rungs: usize) -> World {
    let mut world = World::settled(&TWO);
    let check = world.next();
    assert_eq!(check.search, Some(SearchId(1)));
    world.report(&check, &wall(kind));
    for _ in 1..rungs {
        let probe = world.next();
        assert_eq!((probe.why, probe.search), (Why::Probe, Some(SearchId(1))));
        world.report(&probe, &wall(kind));
    }
    world
}

#[test]
fn the_second_opinion_is_the_second_probe_on_the_top_rung_whatever_was_pressed() {
    let mut world = on_top(Kind::Denied, 4);
    world.schedule.retry_now(SearchId(1), world.now).expect("ready");
    let pressed = world.next();
    assert_eq!(pressed.why, Why::Manual);
    world.report(&pressed, &wall(Kind::Denied));
    for expected in [1, 2, 1, 2] {
        let probe = world.next();
        assert_eq!((probe.why, probe.search), (Why::Probe, Some(SearchId(expected))));
        if expected == 1 {
            world.report(&probe, &wall(Kind::Denied));
        } else {
            // Never heard of again: neither an answer nor a second page that was refused.
            world.pass(secs(300));
        }
    }
}

#[test]
fn another_kind_of_refusal_begins_with_the_first_search_again() {
    let mut world = on_top(Kind::Denied, 4);
    let probe = world.next();
    assert_eq!(probe.search, Some(SearchId(1)));
    world.report(&probe, &wall(Kind::Challenge));
    let probe = world.next();
    assert_eq!(probe.search, Some(SearchId(1)), "the first rung of another ladder");
}
