//! Section 5: the retry button and "Open site".

use firstknock_listing::SearchId;
use firstknock_policy::{Kind, Outcome, Reason};
use firstknock_schedule::{LockWhy, Locked, Retry, RowState, Why};

use crate::world::{World, host, later, login, secs, trouble, wall, wall_asking};

const TWO: [&str; 2] = ["https://a.example/1", "https://a.example/2"];

/// A host that refused its first check just now.
fn refused(outcome: &Outcome) -> World {
    let mut world = World::settled(&TWO);
    let check = world.next();
    world.report(&check, outcome);
    world.pass(secs(5));
    world
}

#[test]
fn the_button_sends_one_probe_now_with_the_rows_own_search() {
    let mut world = refused(&wall(Kind::Challenge));
    assert_eq!(world.row(2).retry, Retry::Ready);
    world.schedule.retry_now(SearchId(2), world.now).expect("ready");
    let probe = world.next();
    assert_eq!((probe.why, probe.search), (Why::Manual, Some(SearchId(2))));
    assert!(world.schedule.retry_now(SearchId(1), world.now) == Err(Locked::Busy));
    world.report(&probe, &Outcome::Answer);
    assert!(matches!(world.state(2), RowState::Ok { .. }));
    assert_eq!(world.row(2).retry, Retry::Free, "answered: nothing is charged");
}

#[test]
fn refused_again_costs_a_rung_and_locks_the_hosts_button() {
    let mut world = refused(&wall(Kind::Challenge));
    for minutes in [1, 2, 3] {
        world.schedule.retry_now(SearchId(1), world.now).expect("ready");
        let probe = world.next();
        let pressed = world.now;
        world.report(&probe, &wall(Kind::Challenge));
        for id in [1, 2] {
            let Retry::Locked { until, why: LockWhy::RefusedAgain } = world.row(id).retry else {
                panic!("{:?}", world.row(id).retry);
            };
            let lock = until.duration_since(pressed).as_secs();
            assert!((minutes * 60..minutes * 60 + 60).contains(&lock), "{lock}s, {minutes} min");
            assert_eq!(until.as_millisecond() % 60_000, 0, "a full minute");
            let locked = world.schedule.retry_now(SearchId(id), world.now);
            assert_eq!(locked, Err(Locked::Until { until, why: LockWhy::RefusedAgain }));
            if id == 2 {
                world.now = until;
            }
        }
    }
}

#[test]
fn offences_at_the_button_age_out_after_a_day() {
    let mut world = refused(&wall(Kind::Challenge));
    world.schedule.retry_now(SearchId(1), world.now).expect("ready");
    let probe = world.next();
    let change = world.report(&probe, &wall(Kind::Challenge));
    let offence = |change: &firstknock_schedule::Change| {
        change.notes.iter().find_map(|note| match note {
            firstknock_schedule::Note::ButtonLocked { offence, .. } => Some(*offence),
            _ => None,
        })
    };
    assert_eq!(offence(&change), Some(1));
    world.pass(secs(24 * 3600));
    let probe = world.next();
    world.report(&probe, &wall(Kind::Challenge));
    world.schedule.retry_now(SearchId(1), world.now).expect("aged out");
    let probe = world.next();
    let change = world.report(&probe, &wall(Kind::Challenge));
    assert_eq!(offence(&change), Some(1), "the first of a new day");
}

#[test]
fn while_a_retry_after_runs_the_button_is_locked() {
    let mut world = refused(&wall_asking(Kind::RateLimited, Some(300)));
    let Retry::Locked { until, why: LockWhy::SiteAsked } = world.row(1).retry else {
        panic!("{:?}", world.row(1).retry);
    };
    let asked = later(world.now, secs(295));
    assert!(until >= asked && until < later(asked, secs(60)), "{until}");
    assert_eq!(
        world.schedule.retry_now(SearchId(2), world.now),
        Err(Locked::Until { until, why: LockWhy::SiteAsked })
    );
}

#[test]
fn a_shorter_retry_after_locks_only_while_it_runs() {
    let mut world = refused(&wall_asking(Kind::Denied, Some(60)));
    assert!(matches!(world.row(1).retry, Retry::Locked { why: LockWhy::SiteAsked, .. }));
    world.pass(secs(120));
    assert_eq!(world.row(1).retry, Retry::Ready, "the rest of the wait is ours to shorten");
}

#[test]
fn after_an_absurd_retry_after_the_button_opens_with_our_own_deadline() {
    let world = refused(&wall_asking(Kind::RateLimited, Some(86_400)));
    let ours = world.row(1).next_at.expect("a next try");
    let Retry::Locked { until, .. } = world.row(1).retry else { panic!("locked") };
    assert!(until >= ours && until < later(ours, secs(60)));
    assert!(ours <= later(world.now, secs(3600)));
}

#[test]
fn an_error_in_the_middle_of_a_wait_does_not_end_it_sooner() {
    let mut world = refused(&wall(Kind::Denied));
    let deadline = world.row(1).next_at.expect("a next try");
    for _ in 0..2 {
        world.schedule.retry_now(SearchId(1), world.now).expect("ready");
        let probe = world.next();
        world.report(&probe, &trouble(Reason::Timeout));
        assert!(world.row(1).next_at.expect("a next try") >= deadline);
        world.pass(secs(61));
    }
    assert!(matches!(world.state(1), RowState::ErrorWaiting { .. }));
}

#[test]
fn check_now_on_a_row_that_does_not_wait_costs_nothing() {
    let mut world = World::settled(&TWO);
    assert_eq!(world.row(1).retry, Retry::Free);
    world.schedule.retry_now(SearchId(1), world.now).expect("free");
    assert_eq!(world.row(1).retry, Retry::Busy);
    let check = world.next();
    assert_eq!(check.why, Why::Manual);
    world.report(&check, &wall(Kind::Challenge));
    world.pass(secs(1));
    assert_eq!(world.row(1).retry, Retry::Ready, "it was not refused again: no offence");
}

#[test]
fn a_paused_row_and_a_stopped_app_have_no_button() {
    let mut world = World::settled(&TWO);
    world.schedule.set_enabled(SearchId(1), false, world.now).expect("paused");
    assert_eq!(world.row(1).retry, Retry::None);
    assert_eq!(world.schedule.retry_now(SearchId(1), world.now), Err(Locked::Off));
    world.schedule.stop(world.now);
    assert_eq!(world.schedule.retry_now(SearchId(2), world.now), Err(Locked::Off));
    assert_eq!(world.schedule.retry_now(SearchId(77), world.now), Err(Locked::Unknown));
}

#[test]
fn while_the_site_is_open_nothing_else_asks_it() {
    let mut world = refused(&wall(Kind::Denied));
    world.schedule.hold(&host("a.example"), world.now);
    assert_eq!(world.within(secs(7200)), []);
    assert_eq!(world.row(1).retry, Retry::Busy);
    assert_eq!(world.row(1).next_at, None);
}

#[test]
fn closing_the_site_sends_one_probe_free_of_charge_once_per_wait() {
    let mut world = refused(&wall(Kind::Denied));
    let key = host("a.example");
    world.schedule.hold(&key, world.now);
    world.pass(secs(30));
    assert!(world.schedule.release(&key, Some(SearchId(2)), world.now));
    let probe = world.next();
    assert_eq!((probe.why, probe.search, probe.at), (Why::AfterHand, Some(SearchId(2)), world.now));
    world.report(&probe, &trouble(Reason::Timeout));
    world.schedule.hold(&key, world.now);
    assert!(!world.schedule.release(&key, None, world.now), "once per ladder wait");
    let probe = world.next();
    assert_eq!(probe.why, Why::Probe);
    world.report(&probe, &wall(Kind::Denied));
    assert_eq!(world.row(1).retry, Retry::Ready, "no offence");
    assert!(world.schedule.release(&key, None, world.now), "a new wait, a new free probe");
}

#[test]
fn closing_the_site_sends_nothing_while_a_retry_after_runs() {
    let mut world = refused(&wall_asking(Kind::Denied, Some(600)));
    let key = host("a.example");
    world.schedule.hold(&key, world.now);
    assert!(!world.schedule.release(&key, None, world.now));
    assert_eq!(world.within(secs(590)), []);
}

#[test]
fn after_a_login_by_hand_its_page_is_looked_at_at_once() {
    let mut world = World::settled(&TWO[..1]);
    let check = world.next();
    world.report(&check, &login());
    let key = host("a.example");
    world.schedule.hold(&key, world.now);
    world.pass(secs(60));
    assert!(world.schedule.release(&key, Some(SearchId(1)), world.now));
    let probe = world.next();
    assert_eq!((probe.why, probe.at), (Why::AfterHand, world.now));
    world.report(&probe, &Outcome::Answer);
    assert!(matches!(world.state(1), RowState::Ok { .. }));
    world.schedule.hold(&key, world.now);
    assert!(!world.schedule.release(&key, None, world.now), "nothing waits: nothing to find out");
}

#[test]
fn check_now_goes_out_after_a_neighbours_check_that_is_under_way() {
    let mut world = World::of(&TWO);
    let first = world.next();
    world.schedule.retry_now(SearchId(2), world.now).expect("free");
    assert_eq!(world.plan(), [], "one in flight per host");
    world.pass(secs(1));
    world.report(&first, &Outcome::Answer);
    let by_hand = world.next();
    assert_eq!((by_hand.search, by_hand.why), (Some(SearchId(2)), Why::Manual));
}

#[test]
fn closing_a_site_sends_nothing_while_the_app_is_stopped_or_nothing_can_be_kept() {
    let key = host("a.example");
    let released = |prepare: &dyn Fn(&mut World)| {
        let mut world = refused(&wall(Kind::Denied));
        world.schedule.hold(&key, world.now);
        prepare(&mut world);
        world.schedule.release(&key, None, world.now)
    };
    assert!(released(&|_| {}));
    assert!(!released(&|world| world.schedule.stop(world.now)));
    let why = firstknock_schedule::StopWhy::ReadOnly;
    assert!(!released(&|world| world.schedule.storage_failed(why, world.now)));
    let mut world = World::of(&[]);
    assert!(!world.schedule.release(&host("nobody.example"), None, world.now));
}

#[test]
fn closing_the_site_at_the_end_of_a_retry_after_sends_its_probe() {
    for (ms, sends) in [(59_999, false), (60_000, true)] {
        let mut world = refused(&wall_asking(Kind::Denied, Some(60)));
        let refused_at = world.now.checked_sub(secs(5)).expect("a moment");
        world.now = later(refused_at, std::time::Duration::from_millis(ms));
        assert_eq!(world.schedule.release(&host("a.example"), None, world.now), sends, "{ms} ms");
    }
}

#[test]
fn of_two_locks_the_later_one_holds() {
    let mut world = refused(&wall(Kind::RateLimited));
    world.schedule.retry_now(SearchId(1), world.now).expect("ready");
    let probe = world.next();
    world.report(&probe, &wall_asking(Kind::RateLimited, Some(900)));
    let Retry::Locked { until, why } = world.row(1).retry else { panic!("locked twice") };
    assert_eq!(why, LockWhy::SiteAsked);
    assert!(until >= later(world.now, secs(900)), "not the minute of the offence: {until}");
}

#[test]
fn of_two_times_that_were_asked_for_the_later_one_holds() {
    let mut world = World::settled(&TWO);
    let Outcome::Wall(mut wants_login) = login() else { panic!("a wall") };
    wants_login.retry_after = Some(secs(3000));
    let first = world.next();
    world.report(&first, &Outcome::Wall(wants_login));
    let asked_until = later(world.now, secs(3000));
    let second = world.next();
    world.report(&second, &wall_asking(Kind::RateLimited, Some(300)));
    let Retry::Locked { until, .. } = world.row(1).retry else { panic!("the site asked") };
    assert!(until >= asked_until, "{until}");
    let Retry::Locked { until, .. } = world.row(2).retry else { panic!("the site asked") };
    assert!(until < asked_until, "the neighbour has only the host's time");
}

#[test]
fn the_button_opens_in_the_minute_that_it_names() {
    let mut world = refused(&wall_asking(Kind::Denied, Some(60)));
    let Retry::Locked { until, .. } = world.row(1).retry else { panic!("the site asked") };
    world.now = until;
    assert_eq!(world.row(1).retry, Retry::Ready);
}
