//! Our end or theirs.

use firstknock_listing::SearchId;
use firstknock_policy::{Kind, Outcome, Reason};
use firstknock_schedule::{AppStatus, Check, Note, RowState, Why};

use crate::world::{World, later, secs, trouble, wall};

const ABC: [&str; 3] = ["https://a.example/", "https://b.example/", "https://c.example/"];

/// Reports every check that is out now with the same outcome.
fn all(world: &mut World, outcome: &Outcome) -> Vec<Check> {
    let checks = world.plan();
    for check in &checks {
        world.report(check, outcome);
    }
    checks
}

fn is_offline(world: &World) -> bool {
    matches!(world.schedule.status(world.now), AppStatus::Offline { .. })
}

#[test]
fn connecting_errors_of_two_unrelated_hosts_within_a_minute_are_ours() {
    let mut world = World::of(&ABC);
    let checks = world.plan();
    world.report(&checks[0], &trouble(Reason::Dns));
    assert!(!is_offline(&world));
    let change = world.report(&checks[1], &trouble(Reason::Timeout));
    assert!(change.notes.contains(&Note::WentOffline));
    assert!(is_offline(&world));
    world.report(&checks[2], &trouble(Reason::Connect));
    assert!((1..=3).all(|id| matches!(world.state(id), RowState::Offline { .. })));
}

#[test]
fn two_hosts_of_one_domain_or_errors_of_the_site_are_not_ours() {
    let mut world = World::of(&["https://x.realworks.nl/", "https://y.realworks.nl/"]);
    for _ in 0..2 {
        let check = world.next();
        world.report(&check, &trouble(Reason::Connect));
    }
    assert!(!is_offline(&world), "one server may be down");
    let mut world = World::of(&ABC);
    all(&mut world, &trouble(Reason::ServerError));
    assert!(!is_offline(&world), "a 500 came over a network that works");
}

#[test]
fn a_success_in_between_means_that_it_is_theirs() {
    let mut world = World::of(&ABC);
    let checks = world.plan();
    world.report(&checks[0], &trouble(Reason::Dns));
    world.report(&checks[1], &Outcome::Answer);
    world.report(&checks[2], &trouble(Reason::Dns));
    assert!(!is_offline(&world));
}

#[test]
fn a_minute_apart_is_not_together() {
    let mut world = World::of(&ABC[..2]);
    let checks = world.plan();
    world.report(&checks[0], &trouble(Reason::Dns));
    world.pass(secs(61));
    world.report(&checks[1], &trouble(Reason::Dns));
    assert!(!is_offline(&world));
}

#[test]
fn the_same_foreign_page_on_two_hosts_is_a_portal_of_ours() {
    let mut world = World::of(&ABC[..2]);
    all(&mut world, &trouble(Reason::ForeignHost));
    assert!(is_offline(&world));
    let mut world = World::of(&ABC[..2]);
    let checks = world.plan();
    world.report(&checks[0], &trouble(Reason::ForeignHost));
    world.report(&checks[1], &trouble(Reason::Truncated));
    assert!(!is_offline(&world), "two different odd things are two hosts' own");
}

#[test]
fn strikes_of_that_minute_are_undone_and_no_ladder_moves_while_offline() {
    let mut world = World::settled(&ABC);
    // One strike each, a minute apart from each other, with answers in between: theirs.
    let check = world.next();
    world.report(&check, &trouble(Reason::Connect));
    let struck = check.search.expect("a search").0;
    while world.next_other_than(struck) {}
    // The second strike of the same host is recorded, then another host fails too: all undone.
    let second = world.next();
    assert_eq!(second.search, Some(SearchId(struck)));
    world.report(&second, &trouble(Reason::Connect));
    assert!(matches!(world.state(struck), RowState::ErrorWaiting { .. }));
    let third = world.next();
    world.report(&third, &trouble(Reason::Connect));
    assert!(is_offline(&world));
    // Ten minutes of tests that fail leave no trace.
    let mut tests = 0;
    let end = later(world.now, secs(600));
    while world.now < end {
        let test = world.next();
        assert_eq!(test.why, Why::OfflineTest);
        world.report(&test, &trouble(Reason::Dns));
        tests += 1;
    }
    assert!((19..=21).contains(&tests), "one every 30 s: {tests}");
    let test = world.next();
    let change = world.report(&test, &Outcome::Answer);
    assert!(change.notes.contains(&Note::BackOnline));
    for id in 1..=3 {
        let state = world.state(id);
        assert!(
            matches!(state, RowState::Ok { .. }),
            "search {id} carries on, without a wait or a strike: {state:?}"
        );
    }
}

impl World {
    /// Answers the next check unless it is that search's; false if it is due next.
    fn next_other_than(&mut self, id: i64) -> bool {
        let rows = self.schedule.rows(self.now);
        let next = rows.iter().filter_map(|row| Some((row.next_at?, row.search))).min();
        if next.is_some_and(|(_, search)| search == SearchId(id)) {
            return false;
        }
        let check = self.next();
        self.report(&check, &Outcome::Answer);
        true
    }
}

#[test]
fn a_waiting_host_is_not_asked_to_find_out_whether_we_are_online() {
    let mut world = World::of(&ABC);
    let checks = world.plan();
    world.report(&checks[0], &wall(Kind::Denied));
    world.report(&checks[1], &trouble(Reason::Dns));
    world.report(&checks[2], &trouble(Reason::Dns));
    assert!(is_offline(&world));
    for _ in 0..6 {
        let test = world.next();
        assert_ne!(test.search, Some(SearchId(1)), "it asked to be left alone");
        world.report(&test, &trouble(Reason::Dns));
    }
}

#[test]
fn the_tests_go_round_so_that_one_dead_host_does_not_keep_us_offline() {
    let mut world = World::of(&ABC);
    all(&mut world, &trouble(Reason::Dns));
    let mut asked = Vec::new();
    for _ in 0..3 {
        let test = world.next();
        asked.push(test.search.expect("a search").0);
        world.report(&test, &trouble(Reason::Dns));
    }
    asked.sort_unstable();
    assert_eq!(asked, [1, 2, 3]);
}

#[test]
fn two_dead_hosts_do_not_make_us_offline_for_ever() {
    let mut world = World::settled(&ABC);
    let mut offline = 0;
    let end = later(world.now, secs(3600));
    while world.now < end {
        let check = world.next();
        let outcome = match check.host.as_str() {
            "c.example" => Outcome::Answer,
            _ => trouble(Reason::Dns),
        };
        let change = world.report(&check, &outcome);
        offline += change.notes.iter().filter(|note| **note == Note::WentOffline).count();
    }
    assert!(offline <= 1, "others answer meanwhile: it is them, {offline} times offline");
    assert!(matches!(world.state(1), RowState::ErrorWaiting { .. }), "{:?}", world.state(1));
}

#[test]
fn the_first_success_resumes_all_spread_out() {
    let urls: Vec<_> = (0..15).map(|i| format!("https://h{i}.example/")).collect();
    let mut world = World::settled(&urls.iter().map(String::as_str).collect::<Vec<_>>());
    world.set_online(false);
    world.pass(secs(1800));
    world.set_online(true);
    let test = world.next();
    assert_eq!(test.at, world.now, "a yes of the system is tried at once");
    world.report(&test, &Outcome::Answer);
    let burst = world.plan().len();
    assert!(burst <= 2, "not all at once: {burst}");
    assert_eq!(world.within(secs(15)).len() + burst, 14, "but all within seconds");
}

#[test]
fn an_error_of_a_site_while_offline_means_that_we_are_back() {
    let mut world = World::of(&ABC);
    all(&mut world, &trouble(Reason::Dns));
    let test = world.next();
    world.report(&test, &trouble(Reason::ServerError));
    assert!(!is_offline(&world));
}

#[test]
fn the_strikes_of_an_outage_are_forgotten_when_it_is_over() {
    let mut world = World::of(&ABC[..2]);
    all(&mut world, &trouble(Reason::Dns));
    for outcome in [trouble(Reason::Dns), Outcome::Answer] {
        let test = world.next();
        world.report(&test, &outcome);
    }
    assert!(!is_offline(&world), "the second host answered");
    world.pass(secs(70));
    loop {
        let check = world.next();
        if check.search == Some(SearchId(1)) {
            world.report(&check, &trouble(Reason::Dns));
            break;
        }
        world.report(&check, &Outcome::Answer);
    }
    let state = world.state(1);
    assert!(
        matches!(state, RowState::FirstError { .. }),
        "its first strike, not its second: {state:?}"
    );
}

#[test]
fn exactly_a_minute_apart_is_still_together() {
    let mut world = World::of(&ABC[..2]);
    let checks = world.plan();
    world.report(&checks[0], &trouble(Reason::Dns));
    world.pass(secs(60));
    world.report(&checks[1], &trouble(Reason::Dns));
    assert!(is_offline(&world));
}

#[test]
fn a_connecting_error_and_an_odd_page_do_not_speak_for_each_other() {
    for reasons in [[Reason::Dns, Reason::Truncated], [Reason::Truncated, Reason::Dns]] {
        let mut world = World::of(&ABC[..2]);
        let checks = world.plan();
        for (check, reason) in checks.iter().zip(reasons) {
            world.report(check, &trouble(reason));
        }
        assert!(!is_offline(&world), "{reasons:?}");
    }
}

#[test]
fn somebody_is_tried_every_thirty_seconds_and_at_once_when_the_system_says_so() {
    let mut world = World::settled(&ABC);
    world.set_online(false);
    for _ in 0..3 {
        let before = world.now;
        let test = world.next();
        assert_eq!((test.why, test.at), (Why::OfflineTest, later(before, secs(30))));
        world.report(&test, &trouble(Reason::Dns));
    }
    world.pass(secs(10));
    world.set_online(true);
    let said = world.now;
    let test = world.next();
    assert_eq!((test.why, test.at), (Why::OfflineTest, said), "20 s before its turn");
}

#[test]
fn the_error_that_showed_after_waking_up_that_we_are_offline_is_no_strike() {
    let mut world = World::settled(&ABC[..2]);
    world.pass(secs(3600));
    world.wake_up();
    let check = world.next();
    let id = check.search.expect("a search").0;
    world.report(&check, &trouble(Reason::Dns));
    assert!(is_offline(&world));
    let test = world.next();
    assert_eq!(test.search, check.search);
    world.report(&test, &trouble(Reason::Dns));
    let test = world.next();
    assert_ne!(test.search, check.search, "the one that was not tried yet");
    world.report(&test, &Outcome::Answer);
    world.pass(secs(70));
    let again = loop {
        let next = world.next();
        if next.search == check.search {
            break next;
        }
        world.report(&next, &Outcome::Answer);
    };
    world.report(&again, &trouble(Reason::ServerError));
    let state = world.state(id);
    assert!(matches!(state, RowState::FirstError { .. }), "its first strike: {state:?}");
}

#[test]
fn the_test_is_the_hosts_next_search_and_never_a_host_whose_window_is_open() {
    let urls = ["https://a.example/1", "https://a.example/2", ABC[1]];
    let mut world = World::settled_with(&urls, Some(0.5));
    // The first is looked at again, so that the second comes first.
    world.schedule.retry_now(SearchId(1), world.now).expect("free");
    let by_hand = world.next();
    world.report(&by_hand, &Outcome::Answer);
    world.schedule.hold(&crate::world::host("b.example"), world.now);
    world.set_online(false);
    for _ in 0..3 {
        let test = world.next();
        assert_eq!((test.why, test.search), (Why::OfflineTest, Some(SearchId(2))));
        world.report(&test, &trouble(Reason::Dns));
        world.schedule.retry_now(SearchId(1), world.now).expect("free");
        let by_hand = world.next();
        world.report(&by_hand, &trouble(Reason::Dns));
    }
}

#[test]
fn the_test_waits_for_the_host_and_for_the_page() {
    let mut world = World::settled(&["https://a.example/1", "https://a.example/2"]);
    let first = world.next();
    world.report(&first, &crate::world::login());
    let page_ends = world.row(1).next_at.expect("a next try");
    let second = world.next();
    assert_eq!(second.search, Some(SearchId(2)));
    world.report(&second, &wall(Kind::Challenge));
    world.schedule.set_enabled(SearchId(2), false, world.now).expect("paused");
    world.set_online(false);
    let test = world.next();
    assert_eq!((test.why, test.at), (Why::OfflineTest, page_ends));
}
