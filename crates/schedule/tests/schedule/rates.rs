//! Intervals, gaps and the rate of a domain.

use std::collections::BTreeMap;
use std::time::Duration;

use firstknock_listing::SearchId;
use firstknock_policy::Outcome;
use jiff::Timestamp;

use crate::world::{World, later, secs, spec};

/// Runs for that long with every check answered at once; the times by search.
fn run(world: &mut World, time: Duration) -> BTreeMap<SearchId, Vec<Timestamp>> {
    let end = later(world.now, time);
    let mut sent: BTreeMap<_, Vec<_>> = BTreeMap::new();
    while world.now < end {
        let check = world.next();
        world.report(&check, &Outcome::Answer);
        sent.entry(check.search.expect("a search")).or_default().push(check.at);
    }
    sent
}

fn on_one_domain(n: i64, interval: u64) -> World {
    let mut world = World::of(&[]);
    for id in 1..=n {
        let mut spec = spec(id, &format!("https://a.example/{id}"));
        spec.interval = secs(interval);
        world.add(spec).expect("added");
    }
    world
}

#[test]
fn an_interval_is_drawn_within_ten_percent() {
    let mut world = on_one_domain(1, 90);
    let sent = run(&mut world, secs(7200)).remove(&SearchId(1)).expect("sent");
    let waits: Vec<_> =
        sent.windows(2).map(|pair| pair[1].duration_since(pair[0]).as_millis()).collect();
    assert!(waits.iter().all(|ms| (81_000..=99_000).contains(ms)), "{waits:?}");
    let (low, high) = (waits.iter().min(), waits.iter().max());
    assert!(low < Some(&84_000) && high > Some(&96_000), "really spread: {low:?} to {high:?}");
    let used = world.row(1).interval;
    assert_eq!((used.from, used.to, used.stretched), (secs(81), secs(99), false));
}

#[test]
fn intervals_stay_between_thirty_seconds_and_a_day() {
    for (wanted, used) in [(0, 30), (5, 30), (30, 30), (86_400, 86_400), (999_999, 86_400)] {
        let world = on_one_domain(1, wanted);
        let interval = world.row(1).interval;
        let middle = (interval.from + interval.to) / 2;
        assert_eq!(middle.as_secs(), used, "{wanted}");
    }
}

#[test]
fn fifteen_quick_searches_on_one_domain_are_stretched_to_ten_requests_a_minute() {
    let mut world = on_one_domain(15, 30);
    let used = world.row(1).interval;
    assert!(used.stretched);
    assert_eq!((used.from, used.to), (secs(81), secs(99)), "30 requests a minute became 10");
    let sent = run(&mut world, secs(3600));
    let mut all: Vec<_> = sent.values().flatten().copied().collect();
    all.sort_unstable();
    for (i, at) in all.iter().enumerate().skip(10) {
        let ms = at.duration_since(all[i - 10]).as_millis();
        assert!(ms >= 60_000, "eleven within {ms} ms");
    }
    for pair in all.windows(2) {
        assert!(pair[1].duration_since(pair[0]).as_millis() >= 3000);
    }
    assert!(all.len() >= 540, "the rate is used: {} in an hour", all.len());
    let (least, most) = (sent.values().map(Vec::len).min(), sent.values().map(Vec::len).max());
    assert!(least >= Some(33), "nobody starves: {least:?} to {most:?}");
}

#[test]
fn fifteen_searches_at_the_default_fit_one_domain_exactly() {
    let world = on_one_domain(15, 90);
    assert!(!world.row(1).interval.stretched);
    let world = on_one_domain(15, 80);
    assert!(world.row(1).interval.stretched);
}

#[test]
fn other_domains_are_not_stretched() {
    let mut world = on_one_domain(14, 30);
    world.add(spec(15, "https://b.example/")).expect("added");
    assert!(world.row(1).interval.stretched);
    assert!(!world.row(15).interval.stretched);
}

#[test]
fn a_shorter_interval_counts_from_the_last_look_and_a_longer_one_from_the_next() {
    let mut world = on_one_domain(1, 3600);
    let check = world.next();
    world.report(&check, &Outcome::Answer);
    world.pass(secs(600));
    let mut quick = spec(1, "https://a.example/1");
    quick.interval = secs(60);
    world.add(quick.clone()).expect("edited");
    assert!(world.waits(1) <= secs(66), "{:?}", world.waits(1));
    let check = world.next();
    world.report(&check, &Outcome::Answer);
    quick.interval = secs(3600);
    world.add(quick).expect("edited");
    assert!(world.waits(1) <= secs(66), "the next look stays: {:?}", world.waits(1));
}

#[test]
fn pausing_and_resuming_is_no_way_to_ask_more_often() {
    let mut world = on_one_domain(1, 90);
    let check = world.next();
    world.report(&check, &Outcome::Answer);
    for _ in 0..5 {
        world.schedule.set_enabled(SearchId(1), false, world.now).expect("paused");
        world.schedule.set_enabled(SearchId(1), true, world.now).expect("resumed");
    }
    assert!(world.waits(1) >= secs(80), "{:?}", world.waits(1));
}
