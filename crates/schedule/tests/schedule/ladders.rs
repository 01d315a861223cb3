//! Section 2: what a report means for its host.

use firstknock_listing::SearchId;
use firstknock_policy::{Kind, Outcome, Reason, Trouble};
use firstknock_schedule::{Check, HostState, HostUpdate, RowState, Seen, Why};

use crate::world::{World, host, secs, spec, trouble, wall};

const TWO: [&str; 2] = ["https://a.example/1", "https://a.example/2"];
const THREE: [&str; 3] = ["https://a.example/1", "https://a.example/2", "https://a.example/3"];

/// The failures in the host's record; 0 if it is welcome.
fn failures(world: &World) -> u32 {
    match world.schedule.host_card(&host("a.example"), world.now).state {
        HostState::Waits(wait) | HostState::Probing { wait, .. } => wait.failures,
        HostState::Answers { .. } | HostState::SiteOpen { .. } => 0,
    }
}

#[test]
fn the_first_error_changes_nothing_but_the_row() {
    let mut world = World::settled(&TWO);
    let check = world.next();
    world.report(&check, &trouble(Reason::Timeout));
    let id = check.search.expect("a search").0;
    assert!(matches!(world.state(id), RowState::FirstError { reason: Reason::Timeout, .. }));
    assert_eq!(failures(&world), 0);
    let other = world.next();
    assert_ne!(other.search, check.search, "the other search goes out in its turn");
    assert_eq!(other.why, Why::Due);
}

#[test]
fn the_second_strike_in_a_row_counts() {
    let mut world = World::settled(&TWO[..1]);
    for expected in [0, 1] {
        let check = world.next();
        world.report(&check, &trouble(Reason::Timeout));
        assert_eq!(failures(&world), expected);
    }
    assert!(matches!(world.state(1), RowState::ErrorWaiting { .. }));
    let wait = world.waits(1);
    assert!((secs(25)..=secs(35)).contains(&wait), "{wait:?}");
}

#[test]
fn five_searches_that_fail_in_the_same_minute_are_one_strike() {
    let urls: Vec<_> = (1..=5).map(|i| format!("https://a.example/{i}")).collect();
    let mut world = World::of(&urls.iter().map(String::as_str).collect::<Vec<_>>());
    for _ in 0..5 {
        let check = world.next();
        world.report(&check, &trouble(Reason::Timeout));
    }
    assert_eq!(failures(&world), 0, "five failures within twenty seconds are one");
    world.pass(secs(61));
    let check = world.next();
    world.report(&check, &trouble(Reason::Timeout));
    assert_eq!(failures(&world), 1);
}

#[test]
fn an_answer_between_two_errors_starts_the_count_again() {
    let mut world = World::settled(&TWO[..1]);
    for outcome in [trouble(Reason::Timeout), Outcome::Answer, trouble(Reason::Timeout)] {
        let check = world.next();
        world.report(&check, &outcome);
        assert_eq!(failures(&world), 0);
    }
}

#[test]
fn a_refusal_between_two_errors_starts_the_count_again() {
    let mut world = World::settled(&TWO[..1]);
    let outcomes = [trouble(Reason::Timeout), wall(Kind::Challenge), trouble(Reason::Timeout)];
    for outcome in outcomes {
        let check = world.next();
        world.report(&check, &outcome);
    }
    assert!(matches!(world.state(1), RowState::Blocked { wall: Kind::Challenge, .. }));
    assert_eq!(failures(&world), 1, "the challenge's record stays as it was");
}

#[test]
fn a_network_blip_starts_its_own_ladder() {
    let mut world = World::settled(&TWO[..1]);
    for _ in 0..3 {
        let check = world.next();
        world.report(&check, &wall(Kind::Challenge));
    }
    for _ in 0..2 {
        let check = world.next();
        world.report(&check, &trouble(Reason::Timeout));
    }
    assert!(matches!(world.state(1), RowState::ErrorWaiting { .. }));
    assert!(world.waits(1) <= secs(35), "{:?}", world.waits(1));
}

#[test]
fn an_error_that_names_a_time_is_recorded_at_once() {
    let mut world = World::settled(&TWO[..1]);
    let check = world.next();
    let asking =
        Trouble { reason: Reason::ServerError, retry_after: Some(secs(600)), evidence: Vec::new() };
    world.report(&check, &Outcome::Trouble(asking));
    assert!(world.waits(1) >= secs(600), "{:?}", world.waits(1));
}

#[test]
fn an_honest_empty_page_clears_the_host() {
    let mut world = World::settled(&TWO);
    let check = world.next();
    world.report(&check, &wall(Kind::Challenge));
    let probe = world.next();
    world.report_seen(&probe, &Outcome::Answer, Seen::empty());
    assert_eq!(failures(&world), 0);
    assert!(matches!(world.state(1), RowState::Empty { .. }));
}

#[test]
fn a_consent_wall_is_the_hosts() {
    let mut world = World::settled(&TWO);
    let Outcome::Wall(mut consent) = wall(Kind::Denied) else { panic!("a wall") };
    consent.reason = Reason::Consent;
    let check = world.next();
    world.report(&check, &Outcome::Wall(consent));
    for id in [1, 2] {
        let state = world.state(id);
        let RowState::NeedsYou { reason: Reason::Consent, page_only: false, .. } = state else {
            panic!("{state:?}");
        };
    }
}

/// Refuses every probe until the host sits on the challenge ladder's top rung.
fn on_top(urls: &[&str]) -> World {
    let mut world = World::settled(urls);
    let first = loop {
        let check = world.next();
        if check.search == Some(SearchId(1)) {
            break check;
        }
        world.report(&check, &Outcome::Answer);
    };
    world.report(&first, &wall(Kind::Challenge));
    for _ in 0..4 {
        let probe = world.next();
        assert_eq!(probe.search, Some(SearchId(1)));
        world.report(&probe, &wall(Kind::Challenge));
    }
    assert_eq!(failures(&world), 5);
    world
}

#[test]
fn on_the_top_rung_every_second_probe_is_a_second_opinion() {
    let mut world = on_top(&THREE);
    let probe = world.next();
    assert_eq!(probe.search, Some(SearchId(1)), "the first one goes on");
    world.report(&probe, &wall(Kind::Challenge));
    let second = world.next();
    assert_eq!(second.search, Some(SearchId(2)), "then the next search is asked");
    world.report(&second, &wall(Kind::Challenge));
    for _ in 0..3 {
        let probe = world.next();
        assert_eq!(probe.search, Some(SearchId(1)), "two were refused: it is the host");
        world.report(&probe, &wall(Kind::Challenge));
    }
}

#[test]
fn an_answered_second_opinion_leaves_only_the_refused_page_waiting() {
    let mut world = on_top(&THREE);
    let probe = world.next();
    world.report(&probe, &wall(Kind::Challenge));
    let second = world.next();
    let change = world.report(&second, &Outcome::Answer);
    assert!(change.keep_listings);
    assert_eq!(failures(&world), 0, "the host is welcome");
    assert!(world.waits(3) <= secs(99), "{:?}", world.waits(3));
    let state = world.state(1);
    assert!(matches!(state, RowState::Blocked { wall: Kind::Challenge, .. }), "{state:?}");
    assert!(world.waits(1) >= secs(1500), "on the same ladder: {:?}", world.waits(1));
    // Its further refusals re-arm only itself.
    let page = loop {
        let check = world.next();
        if check.search == Some(SearchId(1)) {
            break check;
        }
        world.report(&check, &Outcome::Answer);
    };
    world.report(&page, &wall(Kind::Challenge));
    assert_eq!(failures(&world), 0);
    assert!(world.waits(1) >= secs(1500));
    assert!(world.waits(2) <= secs(99));
}

#[test]
fn a_host_that_refuses_everybody_keeps_one_request_per_wait() {
    let mut world = on_top(&THREE);
    for _ in 0..6 {
        let wait = world.waits(1);
        assert!(wait >= secs(1530), "{wait:?}");
        let probe = world.next();
        world.report(&probe, &wall(Kind::Challenge));
    }
}

#[test]
fn a_page_that_alone_is_refused_does_not_lock_its_host_out_for_good() {
    // The third search is refused, the probe (the first) is answered, again and again: without a
    // second look at it the host would wait most of the time and never climb a rung.
    let mut world = World::settled(&THREE);
    let mut recorded = 0;
    let mut alone = 0;
    let mut rounds = Vec::new();
    while alone < 3 {
        let check = world.next();
        if check.search == Some(SearchId(3)) {
            let change = world.report(&check, &wall(Kind::Denied));
            if failures(&world) == 0 {
                assert_eq!(change.hosts, [HostUpdate::Clear(host("a.example"))], "all is said");
            }
            recorded += failures(&world);
            alone += u32::from(failures(&world) == 0);
        } else {
            let hosts = world.report(&check, &Outcome::Answer).hosts;
            rounds.extend(hosts.iter().filter_map(|update| match update {
                HostUpdate::Put(record) => record.lone,
                HostUpdate::Clear(_) => None,
            }));
        }
    }
    rounds.dedup();
    assert_eq!(rounds, [(SearchId(3), 1), (SearchId(3), 2)], "how often in a row is kept");
    assert_eq!(recorded, 2, "twice it is the host's, from then on the page's own");
    assert!(world.waits(1) <= secs(99) && world.waits(2) <= secs(99));
    let wait = world.waits(3);
    assert!(wait >= secs(1500), "and it climbs its own ladder: {wait:?}");
}

#[test]
fn a_host_that_blocks_again_is_not_taken_for_one_lone_page() {
    let mut world = World::settled(&THREE);
    for expected in [2, 3, 2, 3, 2, 3] {
        let refused = loop {
            let check = world.next();
            if check.search == Some(SearchId(expected)) {
                break check;
            }
            world.report(&check, &Outcome::Answer);
        };
        world.report(&refused, &wall(Kind::Challenge));
        assert_eq!(failures(&world), 1, "another page each time: it is the host");
        let probe = world.next();
        world.report(&probe, &Outcome::Answer);
    }
}

#[test]
fn sixty_seconds_after_a_strike_is_still_the_same_strike_and_a_moment_later_is_not() {
    for (ms, expected) in [(60_000, 0), (60_001, 1)] {
        let mut world = World::settled(&TWO[..1]);
        let check = world.next();
        world.report(&check, &trouble(Reason::Timeout));
        world.pass(std::time::Duration::from_millis(ms));
        world.schedule.retry_now(SearchId(1), world.now).expect("free");
        let check = world.next();
        world.report(&check, &trouble(Reason::Timeout));
        assert_eq!(failures(&world), expected, "{ms} ms");
    }
}

/// The next check of a search; everybody else's is answered.
fn next_of(world: &mut World, id: i64) -> Check {
    loop {
        let check = world.next();
        if check.search == Some(SearchId(id)) {
            return check;
        }
        world.report(&check, &Outcome::Answer);
    }
}

/// The second search is refused, and the probe that follows is answered: the failures recorded.
fn refused_alone(world: &mut World) -> u32 {
    let check = next_of(world, 2);
    world.report(&check, &wall(Kind::Challenge));
    let refused = failures(world);
    if refused > 0 {
        let probe = world.next();
        world.report(&probe, &Outcome::Answer);
    }
    refused
}

#[test]
fn a_round_in_which_others_were_refused_begins_the_count_of_a_lone_page_again() {
    let mut world = World::settled(&THREE);
    assert_eq!(refused_alone(&mut world), 1);
    let check = next_of(&mut world, 3);
    world.report(&check, &wall(Kind::Challenge));
    for outcome in [wall(Kind::Challenge), Outcome::Answer] {
        let probe = world.next();
        world.report(&probe, &outcome);
    }
    let rounds = [(); 3].map(|()| refused_alone(&mut world));
    assert_eq!(rounds, [1, 1, 0], "two rounds of its own, then it waits alone");
}

#[test]
fn another_address_begins_the_count_of_a_lone_page_again() {
    let mut world = World::settled(&THREE);
    assert_eq!([(); 2].map(|()| refused_alone(&mut world)), [1, 1]);
    world.schedule.take_change();
    world.add(spec(2, "https://a.example/other")).expect("edited");
    let hosts = world.schedule.take_change().hosts;
    assert_eq!(hosts, [HostUpdate::Clear(host("a.example"))], "and that is kept");
    assert_eq!([(); 3].map(|()| refused_alone(&mut world)), [1, 1, 0]);
}
