//! Sleep, wake, and clocks that jump.

use std::time::Duration;

use firstknock_listing::SearchId;
use firstknock_policy::{Kind, Outcome, Reason};
use firstknock_schedule::{AppStatus, Note, RowState};

use crate::world::{World, secs, trouble, wall};

const THREE: [&str; 3] = ["https://a.example/1", "https://a.example/2", "https://a.example/3"];

#[test]
fn after_waking_up_the_network_gets_twenty_seconds() {
    let mut world = World::settled(&THREE);
    world.pass(secs(8 * 3600));
    world.wake_up();
    let woke = world.now;
    assert_eq!(world.plan(), []);
    let first = world.next();
    let grace = first.at.duration_since(woke).as_secs();
    assert!((20..=41).contains(&grace), "{grace}s");
}

#[test]
fn after_a_night_each_search_catches_up_once_and_not_in_a_burst() {
    let mut world = World::settled(&THREE);
    world.pass(secs(8 * 3600));
    world.wake_up();
    let woke = world.now;
    let mut sent = Vec::new();
    for _ in 0..3 {
        let check = world.next();
        sent.push((check.at, check.search));
        world.report(&check, &Outcome::Answer);
    }
    let mut searches: Vec<_> = sent.iter().map(|(_, search)| *search).collect();
    searches.sort_unstable();
    searches.dedup();
    assert_eq!(searches.len(), 3, "one catch-up check each: {sent:?}");
    for pair in sent.windows(2) {
        assert!(pair[1].0.duration_since(pair[0].0).as_millis() >= 3000, "the gap holds");
    }
    let last = sent[2].0.duration_since(woke).as_secs();
    assert!(last <= 60, "all within a minute: {last}s");
    assert!(world.waits(1) >= secs(60), "then everything is as ever");
}

#[test]
fn waking_up_twice_within_the_grace_does_not_prolong_it() {
    let mut world = World::settled(&THREE);
    world.pass(secs(3600));
    world.wake_up();
    let first = world.schedule.next_wake(world.now);
    world.pass(secs(5));
    world.wake_up();
    assert_eq!(world.schedule.next_wake(world.now), first);
}

#[test]
fn failures_right_after_waking_up_are_nobodys_fault() {
    let mut world = World::settled(&THREE[..1]);
    world.pass(secs(3600));
    world.wake_up();
    let check = world.next();
    world.report(&check, &trouble(Reason::Dns));
    assert!(matches!(world.state(1), RowState::Offline { .. }), "{:?}", world.state(1));
    let test = world.next();
    world.report(&test, &Outcome::Answer);
    let check = world.next();
    world.report(&check, &trouble(Reason::Dns));
    assert!(matches!(world.state(1), RowState::FirstError { .. }), "an hour later it counts");
}

#[test]
fn a_deadline_that_passed_while_asleep_is_one_probe() {
    let mut world = World::settled(&THREE);
    let check = world.next();
    world.report(&check, &wall(Kind::Denied));
    world.pass(secs(7 * 3600));
    world.wake_up();
    assert_eq!(world.within(secs(19)), [], "a probe waits for the network too");
    assert_eq!(world.within(secs(250)).len(), 1, "one probe, whatever was missed");
}

#[test]
fn a_clock_that_jumps_back_leaves_what_remains_of_each_wait() {
    let mut world = World::settled(&THREE);
    let check = world.next();
    world.report(&check, &wall(Kind::Denied));
    let before = world.waits(1);
    world.now = world.now.checked_sub(secs(86_400)).expect("a moment");
    world.plan();
    assert_eq!(world.waits(1), before);
    let change = world.schedule.take_change();
    assert_eq!(change.notes, [Note::ClockWentBack { by_ms: 86_400_000 }]);
    assert!(!change.hosts.is_empty() && change.searches.len() == 3, "and it is kept");
    let probe = world.next();
    world.report(&probe, &Outcome::Answer);
    assert!(matches!(world.state(1), RowState::Ok { .. }));
}

#[test]
fn a_clock_that_jumps_back_does_not_put_searches_to_sleep() {
    let mut world = World::settled(&THREE);
    world.now = world.now.checked_sub(secs(365 * 86_400)).expect("a moment");
    let check = world.next();
    assert!(world.waits(2) <= secs(99) && world.waits(3) <= secs(99));
    world.report(&check, &Outcome::Answer);
}

#[test]
fn events_that_come_a_little_out_of_order_move_nothing() {
    let mut world = World::settled(&THREE);
    let before = world.row(1).next_at;
    world.now = world.now.checked_sub(Duration::from_millis(1500)).expect("a moment");
    world.plan();
    assert_eq!(world.row(1).next_at, before);
    assert_eq!(world.schedule.take_change().notes, []);
}

#[test]
fn a_clock_that_jumps_ahead_by_years_asks_each_search_once() {
    let mut world = World::settled(&THREE);
    world.pass(secs(3 * 365 * 86_400));
    world.wake_up();
    let mut sent = 0;
    for _ in 0..3 {
        let check = world.next();
        world.report(&check, &Outcome::Answer);
        sent += 1;
    }
    let AppStatus::Idle { next_at: Some(_), .. } = world.schedule.status(world.now) else {
        panic!("{:?}", world.schedule.status(world.now));
    };
    assert_eq!(sent, 3);
}

#[test]
fn after_waking_up_hosts_do_not_begin_in_the_same_instant() {
    let urls: Vec<_> = (0..10).map(|i| format!("https://h{i}.example/")).collect();
    let mut world = World::settled(&urls.iter().map(String::as_str).collect::<Vec<_>>());
    world.pass(secs(8 * 3600));
    world.wake_up();
    let out = world.within(secs(60));
    assert_eq!(out.len(), 10);
    let together = out.iter().filter(|check| check.at == out[0].at).count();
    assert!(together <= 2, "{together} of 10 at once");
}

#[test]
fn a_clock_may_be_two_seconds_behind_and_not_a_moment_more() {
    for (ms, set_back) in [(2000, false), (2001, true)] {
        let mut world = World::settled(&THREE);
        world.schedule.take_change();
        world.now = world.now.checked_sub(Duration::from_millis(ms)).expect("a moment");
        world.plan();
        assert_eq!(!world.schedule.take_change().notes.is_empty(), set_back, "{ms} ms");
    }
}

/// One overdue search, woken with these two draws: when it goes out.
fn after_wake(grace: f64, start: f64) -> u64 {
    let mut world = World::settled(&THREE[..1]);
    world.pass(secs(3600));
    let mut draws = [grace, start].into_iter();
    world.schedule.woke(world.now, &mut || draws.next().expect("two draws"));
    u64::try_from(world.waits(1).as_millis()).expect("ms")
}

#[test]
fn the_network_gets_twenty_to_thirty_seconds_and_hosts_begin_within_ten_more() {
    assert_eq!(after_wake(0.0, 0.0), 20_000);
    assert_eq!(after_wake(0.5, 0.0), 25_000);
    assert_eq!(after_wake(0.0, 0.5), 25_000);
    assert_eq!(after_wake(1.0, 1.0), 40_000);
}

#[test]
fn the_overdue_searches_of_one_host_follow_four_seconds_apart_the_oldest_first() {
    let mut world = World::settled_with(&THREE, Some(0.5));
    // The first one is looked at again: now the second is the oldest.
    world.schedule.retry_now(SearchId(1), world.now).expect("free");
    let by_hand = world.next();
    assert_eq!(by_hand.search, Some(SearchId(1)));
    world.report(&by_hand, &Outcome::Answer);
    world.pass(secs(3600));
    world.load(0.0);
    world.wake_up();
    let waits = [2, 3, 1].map(|id| world.waits(id));
    assert_eq!(waits, [secs(20), secs(24), secs(28)]);
}

#[test]
fn what_is_due_at_this_very_moment_is_overdue() {
    let mut disk = crate::world::Disk::with(&[crate::world::spec(1, THREE[0])]);
    let mut world = World::of(&[]);
    world.load(0.5);
    world.restart(&disk);
    assert_eq!(world.waits(1), secs(5), "a search that was never looked at is spread as well");
    disk.keep(&world.schedule.take_change());
    world.restart(&disk);
    assert_eq!(world.waits(1), secs(5), "and keeps its turn from then on");
}

#[test]
fn waking_up_at_the_end_of_the_grace_is_a_new_awakening() {
    let mut world = World::settled(&THREE[..1]);
    world.load(0.0);
    world.pass(secs(3600));
    world.wake_up();
    world.pass(secs(20));
    world.wake_up();
    assert_eq!(world.waits(1), secs(20));
}

#[test]
fn for_a_minute_after_waking_up_a_connecting_error_is_ours_and_no_longer() {
    for (ms, ours) in [(59_999, true), (60_000, false)] {
        let mut world = World::settled(&THREE[..1]);
        world.pass(secs(3600));
        world.wake_up();
        let woke = world.now;
        let check = world.next();
        world.now = crate::world::later(woke, Duration::from_millis(ms));
        world.report(&check, &trouble(Reason::Dns));
        let offline = matches!(world.state(1), RowState::Offline { .. });
        assert_eq!(offline, ours, "{ms} ms: {:?}", world.state(1));
    }
}

#[test]
fn what_is_shown_is_never_older_than_what_was_seen() {
    let mut world = World::settled(&THREE);
    let before = world.now;
    world.pass(secs(200));
    world.set_online(true);
    let (now, key) = (world.now, crate::world::host("a.example"));
    let schedule = &world.schedule;
    assert_eq!(schedule.rows(before), schedule.rows(now));
    assert_eq!(schedule.rows(now).iter().filter_map(|row| row.next_at).min(), Some(now));
    assert_eq!(schedule.next_wake(before), Some(now));
    assert_eq!(schedule.status(before), schedule.status(now));
    assert_eq!(schedule.host_cards(before), schedule.host_cards(now));
    assert_eq!(schedule.host_card(&key, before), schedule.host_card(&key, now));
    assert_eq!(schedule.explain(&key, before), schedule.explain(&key, now));
}
