//! What survives a restart, and what a spoilt store does.

use firstknock_listing::SearchId;
use firstknock_policy::{Kind, Outcome, Reason};
use firstknock_schedule::{
    AppStatus, DomainState, HostRecord, HostUpdate, Problem, Retry, RowState, Saved, SavedWait,
    Schedule, SearchState,
};

use crate::world::{Disk, World, host, login, secs, spec, start, trouble, wall, wall_asking};

const URLS: [&str; 3] = ["https://a.example/1", "https://a.example/2", "https://b.example/"];

/// A world whose every change is kept on a disk.
fn kept() -> (World, Disk) {
    let world = World::of(&URLS);
    let specs: Vec<_> = (1..).zip(URLS).map(|(id, url)| spec(id, url)).collect();
    (world, Disk::with(&specs))
}

fn answer_all(world: &mut World, disk: &mut Disk) {
    for _ in 0..3 {
        let check = world.next();
        disk.keep(&world.schedule.take_change());
        disk.keep(&world.report(&check, &Outcome::Answer));
    }
}

#[test]
fn a_restart_changes_nothing_that_is_due() {
    let (mut world, mut disk) = kept();
    answer_all(&mut world, &mut disk);
    let check = world.next();
    disk.keep(&world.schedule.take_change());
    disk.keep(&world.report(&check, &wall_asking(Kind::RateLimited, Some(600))));
    let before = world.schedule.rows(world.now);
    world.restart(&disk);
    assert_eq!(world.schedule.rows(world.now), before, "every row is as it was");
}

#[test]
fn a_crash_between_reservation_and_report_stays_polite() {
    let (mut world, mut disk) = kept();
    let mut sent = Vec::new();
    for _ in 0..20 {
        // Everything that goes out within ten seconds, then a crash before any report.
        sent.extend(
            world.within(secs(10)).into_iter().filter(|check| check.search == Some(SearchId(3))),
        );
        disk.keep(&world.schedule.take_change());
        world.restart(&disk);
    }
    assert!(sent.len() <= 3, "200 s of crashes, at most one request per interval: {}", sent.len());
}

#[test]
fn a_probe_that_was_lost_in_a_crash_is_not_repeated_at_once() {
    let (mut world, mut disk) = kept();
    let check = world.next();
    disk.keep(&world.report(&check, &wall(Kind::Challenge)));
    world.now = world.row(1).next_at.expect("a probe");
    let probe = world.plan();
    assert!(probe.iter().any(|check| check.host == host("a.example")));
    disk.keep(&world.schedule.take_change());
    world.restart(&disk);
    assert!(world.waits(1) >= secs(80), "{:?}", world.waits(1));
    assert!(matches!(world.state(1), RowState::Blocked { .. }));
}

#[test]
fn strikes_locks_page_waits_and_gone_pages_survive() {
    let (mut world, mut disk) = kept();
    answer_all(&mut world, &mut disk);
    let outcomes = [login(), trouble(Reason::PageGone), trouble(Reason::Timeout)];
    for (id, outcome) in (1..).zip(outcomes) {
        loop {
            let check = world.next();
            let asked = check.search == Some(SearchId(id));
            let said = if asked { &outcome } else { &Outcome::Answer };
            disk.keep(&world.schedule.take_change());
            disk.keep(&world.report(&check, said));
            if asked {
                break;
            }
        }
    }
    let before = world.schedule.rows(world.now);
    world.restart(&disk);
    let after = world.schedule.rows(world.now);
    assert_eq!(after[1], before[1], "gone");
    assert_eq!(after[2], before[2], "first error");
    assert!(matches!(before[2].state, RowState::FirstError { .. }));
    let check = loop {
        let check = world.next();
        if check.search == Some(SearchId(3)) {
            break check;
        }
        world.report(&check, &Outcome::Answer);
    };
    world.report(&check, &trouble(Reason::Timeout));
    assert!(
        matches!(world.state(3), RowState::ErrorWaiting { .. }),
        "the strike was not forgotten"
    );
}

#[test]
fn the_buttons_lock_survives() {
    let (mut world, mut disk) = kept();
    answer_all(&mut world, &mut disk);
    let check = world.next();
    let id = check.search.expect("a search");
    disk.keep(&world.report(&check, &wall(Kind::Challenge)));
    world.schedule.retry_now(id, world.now).expect("ready");
    let probe = world.next();
    disk.keep(&world.report(&probe, &wall(Kind::Challenge)));
    let before = world.row(id.0).retry;
    assert!(matches!(before, Retry::Locked { .. }));
    world.restart(&disk);
    assert_eq!(world.row(id.0).retry, before);
}

#[test]
fn a_stopped_app_stays_stopped() {
    let (mut world, mut disk) = kept();
    world.schedule.stop(world.now);
    disk.keep(&world.schedule.take_change());
    world.restart(&disk);
    assert!(matches!(world.schedule.status(world.now), AppStatus::Stopped { .. }));
}

#[test]
fn after_a_long_downtime_overdue_work_is_spread_oldest_first() {
    let (mut world, mut disk) = kept();
    answer_all(&mut world, &mut disk);
    world.pass(secs(86_400));
    world.restart(&disk);
    let out = world.within(secs(60));
    let on_a: Vec<_> = out.iter().filter(|check| check.host == host("a.example")).collect();
    assert_eq!(on_a.len(), 1, "one in flight per host");
    assert_eq!(on_a[0].search, Some(SearchId(1)), "oldest first");
    assert_eq!(out.len(), 2);
}

#[test]
fn a_change_that_could_not_be_kept_is_handed_out_again() {
    let (mut world, mut disk) = kept();
    let check = world.next();
    let change = world.report(&check, &wall(Kind::Denied));
    assert!(!change.hosts.is_empty());
    world.schedule.not_kept(&change);
    disk.keep(&world.schedule.take_change());
    assert!(disk.host("a.example").is_some_and(|record| record.wait.is_some()));
    assert!(world.schedule.take_change().is_empty());
}

#[test]
fn a_host_that_is_welcome_again_leaves_no_record() {
    let (mut world, mut disk) = kept();
    let check = world.next();
    disk.keep(&world.report(&check, &wall(Kind::Challenge)));
    assert!(disk.host("a.example").is_some());
    world.now = world.row(1).next_at.expect("a probe");
    let probe = world.plan().into_iter().find(|check| check.host == host("a.example"));
    disk.keep(&world.schedule.take_change());
    disk.keep(&world.report(&probe.expect("the probe"), &Outcome::Answer));
    assert!(disk.host("a.example").is_none());
}

fn spoilt(wait: SavedWait) -> (World, Vec<Problem>) {
    let hosts =
        vec![HostRecord { host: "a.example".into(), wait: Some(wait), ..HostRecord::default() }];
    let searches = vec![(spec(1, "https://a.example/1"), None)];
    let mut world = World::of(&[]);
    let dice = &mut world.dice;
    let saved = Saved { hosts, searches, ..Saved::default() };
    let (schedule, problems) = Schedule::restore(saved, start(), &mut || dice.draw());
    world.schedule = schedule;
    (world, problems)
}

#[test]
fn a_spoilt_ledger_is_clamped_and_named_and_never_sleeps_for_ever() {
    let now = start().as_millisecond();
    let fine = SavedWait {
        kind: "denied".into(),
        failures: 2,
        next_retry_ms: now + 60_000,
        since_ms: now,
        at_ms: now,
        ..SavedWait::default()
    };
    let whose = || "a.example".to_owned();
    let cases = [
        (SavedWait { next_retry_ms: i64::MAX, ..fine.clone() }, Problem::TooFar { whose: whose() }),
        (
            SavedWait { failures: -3, ..fine.clone() },
            Problem::Impossible { whose: whose(), field: "failures" },
        ),
        (
            SavedWait { kind: "exiled".into(), ..fine.clone() },
            Problem::UnknownKind { whose: whose(), kind: "exiled".into() },
        ),
    ];
    for (wait, problem) in cases {
        let (mut world, problems) = spoilt(wait);
        assert_eq!(problems, [problem]);
        assert!(world.waits(1) <= secs(3600), "{:?}", world.waits(1));
        let check = world.next();
        world.report(&check, &Outcome::Answer);
        assert!(matches!(world.state(1), RowState::Ok { .. }));
    }
    assert_eq!(spoilt(fine).1, []);
}

#[test]
fn spoilt_turns_gaps_and_locks_are_clamped_too() {
    let state = SearchState {
        search: SearchId(1),
        next_due_ms: Some(i64::MAX),
        asked_ms: Some(i64::MAX),
        answered_ms: Some(i64::MIN),
        ..SearchState::default()
    };
    let domains = vec![DomainState {
        domain: "a.example".into(),
        free_ms: i64::MAX,
        recent_ms: vec![i64::MAX; 40],
    }];
    let searches = vec![(spec(1, "https://a.example/1"), Some(state))];
    let mut world = World::of(&[]);
    let dice = &mut world.dice;
    let saved = Saved { searches, domains, ..Saved::default() };
    let (schedule, problems) = Schedule::restore(saved, start(), &mut || dice.draw());
    world.schedule = schedule;
    assert_eq!(problems, [Problem::TooFar { whose: "search 1".into() }]);
    assert!(world.waits(1) <= secs(99), "{:?}", world.waits(1));
}

#[test]
fn more_than_fifteen_enabled_searches_start_paused_beyond_the_fifteenth() {
    let specs = (1..=17).map(|id| (spec(id, &format!("https://h{id}.example/")), None));
    let mut world = World::of(&[]);
    let dice = &mut world.dice;
    let saved = Saved { searches: specs.collect(), ..Saved::default() };
    let (schedule, problems) = Schedule::restore(saved, start(), &mut || dice.draw());
    world.schedule = schedule;
    let expected: Vec<_> =
        [16, 17].map(|id| Problem::TooManyEnabled { search: SearchId(id) }).into();
    assert_eq!(problems, expected);
    assert_eq!(world.state(16), RowState::Paused);
}

#[test]
fn after_a_long_downtime_hosts_do_not_begin_in_the_same_instant() {
    let urls: Vec<_> = (0..10).map(|i| format!("https://h{i}.example/")).collect();
    let specs: Vec<_> = (1..).zip(&urls).map(|(id, url)| spec(id, url)).collect();
    let mut world = World::of(&urls.iter().map(String::as_str).collect::<Vec<_>>());
    let mut disk = Disk::with(&specs);
    for _ in 0..10 {
        let check = world.next();
        disk.keep(&world.schedule.take_change());
        disk.keep(&world.report(&check, &Outcome::Answer));
    }
    world.pass(secs(86_400));
    world.restart(&disk);
    let out = world.within(secs(60));
    assert_eq!(out.len(), 10);
    let together = out.iter().filter(|check| check.at == out[0].at).count();
    assert!(together <= 2, "{together} of 10 at once");
}

#[test]
fn a_refused_search_that_no_longer_exists_leaves_no_trace_when_its_host_answers() {
    let now = start().as_millisecond();
    let wait = SavedWait {
        kind: "challenge".into(),
        failures: 2,
        next_retry_ms: now,
        since_ms: now,
        at_ms: now,
        ..SavedWait::default()
    };
    let record = HostRecord {
        host: "a.example".into(),
        wait: Some(wait),
        refused: vec![SearchId(99)],
        ..HostRecord::default()
    };
    let searches = vec![(spec(1, "https://a.example/1"), None)];
    let mut world = World::of(&[]);
    world.restart(&Disk { saved: Saved { hosts: vec![record], searches, ..Saved::default() } });
    let probe = world.next();
    let change = world.report(&probe, &Outcome::Answer);
    assert_eq!(change.hosts, [HostUpdate::Clear(host("a.example"))]);
}

#[test]
fn a_turn_later_than_its_interval_and_what_catching_up_adds_is_too_far() {
    let now = start().as_millisecond();
    // A tenth more than 90 s or a day, and five minutes.
    for (gone, longest) in [(None, 399_000), (Some(now), 95_340_000)] {
        for (more, clamped) in [(0, false), (1, true)] {
            let state = SearchState {
                search: SearchId(1),
                next_due_ms: Some(now + longest + more),
                asked_ms: Some(now),
                gone_ms: gone,
                ..SearchState::default()
            };
            let searches = vec![(spec(1, "https://a.example/1"), Some(state))];
            let saved = Saved { searches, ..Saved::default() };
            let (schedule, problems) = Schedule::restore(saved, start(), &mut || 0.5);
            assert_eq!(!problems.is_empty(), clamped, "{longest} + {more} ms");
            let next_at = schedule.rows(start())[0].next_at.expect("a turn");
            let expected = if clamped { 90_000 } else { longest };
            assert_eq!(next_at.as_millisecond() - now, expected);
        }
    }
}

#[test]
fn a_gap_without_end_is_read_as_the_longest_gap() {
    let domain =
        DomainState { domain: "a.example".into(), free_ms: i64::MAX, ..Default::default() };
    let searches = vec![(spec(1, "https://a.example/1"), None)];
    let saved = Saved { searches, domains: vec![domain], ..Saved::default() };
    let (schedule, _) = Schedule::restore(saved, start(), &mut || 0.0);
    let next_at = schedule.rows(start())[0].next_at.expect("a turn");
    assert_eq!(next_at.as_millisecond() - start().as_millisecond(), 3900);
}

#[test]
fn a_page_wait_that_was_clamped_is_kept_as_clamped_and_not_once_more_at_each_start() {
    let wait = SavedWait {
        kind: "denied".into(),
        failures: 2,
        next_retry_ms: i64::MAX,
        ..SavedWait::default()
    };
    let id = SearchId(1);
    let state = SearchState { search: id, wait: Some(wait), ..SearchState::default() };
    let searches = vec![(spec(1, "https://a.example/1"), Some(state))];
    let saved = Saved { searches, ..Saved::default() };
    let (mut schedule, problems) = Schedule::restore(saved, start(), &mut || 0.5);
    assert!(problems.contains(&Problem::TooFar { whose: "search 1".into() }), "{problems:?}");
    let change = schedule.take_change();
    let kept = change.searches.iter().find(|state| state.search == id);
    let wait = kept.and_then(|state| state.wait.as_ref()).expect("the clamped wait");
    assert!(wait.next_retry_ms <= start().as_millisecond() + 3_600_000);
}
