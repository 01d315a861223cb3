//! Photos give way, rest after a failure, and say nothing about pages.

use std::time::Duration;

use firstknock_listing::SearchId;
use firstknock_policy::{Kind, Outcome, Reason};
use firstknock_schedule::{Check, NotYet, Permit, Purpose, RowState};
use jiff::{SignedDuration, Timestamp};

use crate::world::{World, later, secs, spec, trouble, wall};

const PHOTO: &str = "https://a.example/p.jpg";

/// A host that nobody has to look at for hours.
fn quiet() -> World {
    let mut world = World::of(&[]);
    let mut seldom = spec(1, "https://a.example/1");
    seldom.interval = secs(14_400);
    world.add(seldom).expect("added");
    let check = world.next();
    world.report(&check, &Outcome::Answer);
    world.pass(secs(120));
    world
}

fn photo(world: &mut World) -> Result<Check, (Timestamp, NotYet)> {
    match world.ask(PHOTO, Purpose::Photo) {
        Permit::Go(check) => Ok(check),
        Permit::NotBefore { at, why } => Err((at, why)),
    }
}

/// Five photos, three seconds apart.
fn five_photos() -> (World, Timestamp) {
    let mut world = quiet();
    world.load(0.0);
    let begun = world.now;
    for _ in 0..5 {
        let check = photo(&mut world).expect("one of five");
        world.report(&check, &Outcome::Answer);
        world.pass(secs(3));
    }
    (world, begun)
}

#[test]
fn photos_leave_half_of_the_minutes_ten_requests_to_pages() {
    let (mut world, begun) = five_photos();
    while world.now < later(begun, secs(60)) {
        let not_yet = photo(&mut world).expect_err("five within the minute");
        assert_eq!(not_yet, (later(world.now, secs(3)), NotYet::Gap));
        world.pass(secs(1));
    }
    assert_eq!(world.now, later(begun, secs(60)));
    assert!(photo(&mut world).is_ok(), "the first is a minute old");
    let (mut world, _) = five_photos();
    assert!(matches!(world.ask(PHOTO, Purpose::Page), Permit::Go(_)), "a page may");
}

#[test]
fn only_a_photo_that_failed_lets_photos_rest_and_for_an_hour() {
    let fine = [Outcome::Answer, trouble(Reason::PageGone)];
    let failed = [wall(Kind::Denied), trouble(Reason::Timeout)];
    for outcome in fine {
        let mut world = quiet();
        let check = photo(&mut world).expect("free");
        assert!(!world.report(&check, &outcome).keep_listings);
        world.pass(secs(5));
        assert!(photo(&mut world).is_ok(), "{outcome:?}");
    }
    for outcome in failed {
        let mut world = quiet();
        let check = photo(&mut world).expect("free");
        assert!(!world.report(&check, &outcome).keep_listings);
        let until = later(world.now, secs(3600));
        world.pass(secs(5));
        assert_eq!(photo(&mut world).expect_err("they rest"), (until, NotYet::PhotosRest));
        world.now = until;
        assert!(photo(&mut world).is_ok(), "{outcome:?}");
    }
}

#[test]
fn no_photo_goes_to_a_host_that_has_not_answered_since_it_refused() {
    let mut world = quiet();
    world.schedule.retry_now(SearchId(1), world.now).expect("free");
    let check = world.next();
    world.report(&check, &wall(Kind::Challenge));
    let over = world.row(1).next_at.expect("a probe");
    world.now = over.checked_sub(Duration::from_millis(1)).expect("a moment");
    let preview = world.ask("https://a.example/new", Purpose::Preview);
    assert!(matches!(preview, Permit::NotBefore { why: NotYet::HostWaits, .. }), "{preview:?}");
    world.now = over;
    assert!(matches!(photo(&mut world), Err((_, NotYet::HostWaits))));
    let preview = world.ask("https://a.example/new", Purpose::Preview);
    assert!(matches!(preview, Permit::Go(_)), "a person may be the probe: {preview:?}");
}

#[test]
fn a_stop_lets_only_a_person_ask_and_a_full_disk_nobody() {
    let purposes = [Purpose::Preview, Purpose::ByHand, Purpose::Page, Purpose::Photo];
    let may = |prepare: &dyn Fn(&mut World)| {
        purposes.map(|purpose| {
            let mut world = quiet();
            prepare(&mut world);
            match world.ask("https://a.example/x", purpose) {
                Permit::Go(_) => None,
                Permit::NotBefore { why, at } => {
                    assert_eq!(at, later(world.now, secs(30)), "asked again in half a minute");
                    Some(why)
                }
            }
        })
    };
    let only_pages = |why| [None, None, Some(why), Some(why)];
    let stopped = may(&|world| world.schedule.stop(world.now));
    assert_eq!(stopped, only_pages(NotYet::Stopped));
    let offline = may(&|world| world.set_online(false));
    assert_eq!(offline, only_pages(NotYet::Offline));
    let why = firstknock_schedule::StopWhy::DiskFull;
    let full = may(&|world| world.schedule.storage_failed(why, world.now));
    assert_eq!(full, [Some(NotYet::Stopped); 4]);
}

#[test]
fn nobody_asks_before_the_network_had_its_time_after_waking_up() {
    let mut world = quiet();
    world.load(0.0);
    world.wake_up();
    let until = later(world.now, secs(20));
    for ms in [0, 19_999] {
        world.now =
            later(until.checked_sub(secs(20)).expect("a moment"), Duration::from_millis(ms));
        let permit = world.ask("https://a.example/x", Purpose::Preview);
        assert_eq!(permit, Permit::NotBefore { at: until, why: NotYet::Offline });
    }
    world.now = until;
    assert!(matches!(world.ask("https://a.example/x", Purpose::Preview), Permit::Go(_)));
}

#[test]
fn a_person_gives_way_to_a_search_that_is_half_a_minute_overdue_and_a_photo_to_any() {
    let mut world = World::settled(&["https://a.example/1", "https://a.example/2"]);
    let due = world.row(1).next_at.expect("a turn");
    assert!(world.row(2).next_at > Some(later(due, Duration::from_millis(1))));
    for (purpose, ms) in [(Purpose::Photo, 0), (Purpose::Preview, 30_000), (Purpose::Page, 30_000)]
    {
        world.now = later(due, Duration::from_millis(ms));
        let permit = world.ask("https://a.example/x", purpose);
        let at = later(world.now, secs(3));
        assert_eq!(permit, Permit::NotBefore { at, why: NotYet::Gap }, "{purpose:?}");
    }
    let mut world = World::settled(&["https://a.example/1", "https://a.example/2"]);
    world.now = later(due, Duration::from_millis(29_999));
    assert!(matches!(world.ask("https://a.example/x", Purpose::Preview), Permit::Go(_)));
    assert!(matches!(world.state(1), RowState::Ok { .. }));
}

#[test]
fn a_photo_leaves_room_before_the_next_check_of_its_domain() {
    let world = World::settled(&["https://a.example/1"]);
    let due = later(world.now, world.waits(1));
    let ten_seconds = secs(10);
    let a_little_more = ten_seconds + Duration::from_millis(1);
    for (before, goes) in [(a_little_more, true), (ten_seconds, false), (secs(1), false)] {
        let mut world = World::settled(&["https://a.example/1"]);
        world.now = due - SignedDuration::try_from(before).expect("short");
        let other_host = world.ask("https://img.a.example/p.jpg", Purpose::Photo);
        assert_eq!(matches!(other_host, Permit::Go(_)), goes, "{before:?}: {other_host:?}");
        let elsewhere = world.ask("https://cdn.example/p.jpg", Purpose::Photo);
        assert!(matches!(elsewhere, Permit::Go(_)), "another domain: {elsewhere:?}");
    }
}

#[test]
fn photos_take_half_of_a_minute_where_pages_are_and_all_of_it_elsewhere() {
    for (photos, most) in [("https://img.a.example/p.jpg", 5), ("https://cdn.example/p.jpg", 10)] {
        let mut world = World::settled(&["https://a.example/1", "https://b.example/1"]);
        world.pass(secs(5));
        let mut went = 0;
        for _ in 0..50 {
            if let Permit::Go(photo) = world.ask(photos, Purpose::Photo) {
                world.report(&photo, &Outcome::Answer);
                went += 1;
            }
            world.pass(secs(1));
        }
        assert!((most - 1..=most).contains(&went), "{photos}: {went} in 50 s");
    }
}

#[test]
fn a_permit_that_could_not_be_kept_does_not_go_out_and_leaves_the_host_free() {
    let mut world = quiet();
    let check = photo(&mut world).expect("free");
    let permit = world.schedule.not_reserved(&check, world.now);
    let at = later(world.now, secs(30));
    assert_eq!(permit, Permit::NotBefore { at, why: NotYet::Stopped });
    world.pass(secs(5));
    assert!(photo(&mut world).is_ok(), "nothing is in flight");
}
