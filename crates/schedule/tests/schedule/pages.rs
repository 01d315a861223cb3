//! What is one page's own affair: page gone, login walls, photos, previews.

use firstknock_listing::SearchId;
use firstknock_policy::{Kind, Outcome, Reason};
use firstknock_schedule::{Check, HostUpdate, NotYet, Permit, Purpose, RowState, Seen, Why};

use crate::world::{World, login, secs, trouble, wall};

const TWO: [&str; 2] = ["https://a.example/1", "https://a.example/2"];

fn gone() -> Seen {
    Seen { status: Some(410), ..Seen::nothing() }
}

fn go(permit: Permit) -> Check {
    match permit {
        Permit::Go(check) => check,
        Permit::NotBefore { at, why } => panic!("not before {at}: {why:?}"),
    }
}

#[test]
fn a_page_that_is_gone_clears_the_host_and_looks_again_once_a_day() {
    let mut world = World::settled(&TWO);
    let check = world.next();
    world.report(&check, &wall(Kind::Challenge));
    let probe = world.next();
    assert_eq!(probe.search, Some(SearchId(1)));
    let change = world.report_seen(&probe, &trouble(Reason::PageGone), gone());
    assert!(!change.keep_listings);
    let since = world.now;
    let RowState::PageGone { status: Some(410), since: marked, .. } = world.state(1) else {
        panic!("{:?}", world.state(1));
    };
    assert_eq!(marked, since);
    let day = world.waits(1);
    assert!((secs(77_760)..=secs(95_040)).contains(&day), "a day, give or take a tenth: {day:?}");
    assert!(world.waits(2) <= secs(99), "the host is welcome: {:?}", world.waits(2));
    // A day of the other search later it is looked at again, and still gone since the first time.
    let again = loop {
        let check = world.next();
        if check.search == Some(SearchId(1)) {
            break check;
        }
        world.report(&check, &Outcome::Answer);
    };
    world.report_seen(&again, &trouble(Reason::PageGone), gone());
    assert!(matches!(world.state(1), RowState::PageGone { since: marked, .. } if marked == since));
}

#[test]
fn a_dead_first_search_does_not_keep_its_host_locked_out() {
    let mut world = World::settled(&TWO);
    for _ in 0..2 {
        let check = world.next();
        let outcome = if check.search == Some(SearchId(1)) {
            trouble(Reason::PageGone)
        } else {
            Outcome::Answer
        };
        world.report_seen(&check, &outcome, gone());
    }
    let check = world.next();
    world.report(&check, &wall(Kind::Challenge));
    let probe = world.next();
    assert_eq!(probe.search, Some(SearchId(2)), "the probe is the first page that exists");
}

#[test]
fn a_page_that_comes_back_is_an_ordinary_search_again() {
    let mut world = World::settled(&TWO[..1]);
    let check = world.next();
    world.report_seen(&check, &trouble(Reason::PageGone), gone());
    let check = world.next();
    assert!(world.report(&check, &Outcome::Answer).keep_listings);
    assert!(matches!(world.state(1), RowState::Ok { .. }));
    assert!(world.waits(1) <= secs(99));
}

#[test]
fn a_login_wall_makes_only_its_page_wait_on_the_denied_ladder() {
    let mut world = World::settled(&TWO);
    let mut refused = 0;
    while refused < 2 {
        let check = world.next();
        if check.search != Some(SearchId(1)) {
            world.report(&check, &Outcome::Answer);
            continue;
        }
        world.report(&check, &login());
        refused += 1;
        let state = world.state(1);
        assert!(
            matches!(state, RowState::NeedsYou { reason: Reason::Login, page_only: true, .. }),
            "{state:?}"
        );
        let (wait, rung) = (world.waits(1), [300, 900][refused - 1]);
        assert!(wait >= secs(rung * 85 / 100) && wait <= secs(rung * 115 / 100), "{wait:?}");
        assert!(world.waits(2) <= secs(99), "its neighbour carries on");
    }
    let answered = loop {
        let check = world.next();
        world.report(&check, &Outcome::Answer);
        if check.search == Some(SearchId(1)) {
            break check;
        }
    };
    assert_eq!(answered.why, Why::Probe);
    assert!(matches!(world.state(1), RowState::Ok { .. }));
}

#[test]
fn a_preview_passes_the_gap_and_the_ledger_like_everything_else() {
    let mut world = World::settled(&TWO);
    world.pass(secs(10));
    let preview = go(world.ask("https://a.example/new", Purpose::Preview));
    assert_eq!((preview.why, preview.search), (Why::Preview, None));
    let busy = world.ask("https://a.example/new", Purpose::Preview);
    assert!(matches!(busy, Permit::NotBefore { why: NotYet::Busy, .. }), "{busy:?}");
    world.report(&preview, &wall(Kind::RateLimited));
    assert!(matches!(world.state(1), RowState::Blocked { .. }), "what it met counts for the host");
    let Permit::NotBefore { at, why: NotYet::HostWaits } =
        world.ask("https://a.example/new", Purpose::Preview)
    else {
        panic!("the host waits");
    };
    assert_eq!(Some(at), world.row(1).next_at);
}

#[test]
fn pasted_addresses_keep_the_gap() {
    let mut world = World::of(&[]);
    let first = go(world.ask("https://a.example/1", Purpose::Preview));
    world.report(&first, &Outcome::Answer);
    let Permit::NotBefore { at, why: NotYet::Gap } =
        world.ask("https://www.a.example/2", Purpose::Preview)
    else {
        panic!("inside the gap");
    };
    assert!(at.duration_since(first.at).as_millis() >= 3000);
    world.now = at;
    let second = go(world.ask("https://www.a.example/2", Purpose::Preview));
    world.report(&second, &Outcome::Answer);
}

#[test]
fn a_person_who_was_told_when_to_come_back_finds_the_place_free() {
    let mut world = World::of(&TWO);
    let first = world.next();
    world.report(&first, &Outcome::Answer);
    let Permit::NotBefore { at, .. } = world.ask("https://a.example/new", Purpose::ByHand) else {
        panic!("inside the gap");
    };
    world.now = at;
    assert_eq!(world.plan(), [], "the second search lets it pass");
    let by_hand = go(world.ask("https://a.example/new", Purpose::ByHand));
    world.report(&by_hand, &Outcome::Answer);
    assert_eq!(world.next().search, Some(SearchId(2)));
}

#[test]
fn a_photo_gives_way_and_its_failure_says_nothing_about_the_pages() {
    let mut world = World::of(&TWO);
    assert!(matches!(
        world.ask("https://a.example/p.jpg", Purpose::Photo),
        Permit::NotBefore { .. }
    ));
    let mut world = World::settled(&TWO);
    world.pass(secs(5));
    let photo = go(world.ask("https://a.example/p.jpg", Purpose::Photo));
    world.report(&photo, &wall(Kind::Denied));
    assert!(matches!(world.state(1), RowState::Ok { .. }), "{:?}", world.state(1));
    world.pass(secs(5));
    let again = world.ask("https://a.example/p.jpg", Purpose::Photo);
    assert!(matches!(again, Permit::NotBefore { why: NotYet::PhotosRest, .. }), "{again:?}");
}

#[test]
fn a_preview_of_a_page_that_is_gone_does_not_trouble_the_host() {
    let mut world = World::settled(&TWO);
    world.pass(secs(5));
    let preview = go(world.ask("https://a.example/gone", Purpose::Preview));
    world.report_seen(&preview, &trouble(Reason::PageGone), gone());
    assert!(matches!(world.state(1), RowState::Ok { .. }));
    assert!(matches!(world.state(2), RowState::Ok { .. }));
}

#[test]
fn a_preview_that_fails_on_a_host_of_ours_is_a_strike() {
    let mut world = World::settled(&[TWO[0], "https://b.example/"]);
    world.pass(secs(5));
    let preview = go(world.ask("https://a.example/new", Purpose::Preview));
    world.report(&preview, &trouble(Reason::ServerError));
    let facts = world.schedule.explain(&crate::world::host("a.example"), world.now);
    assert!(facts.iter().any(|fact| fact.key() == "explain_strike"), "{facts:?}");
}

#[test]
fn a_strangers_errors_count_once_it_has_refused() {
    let mut world = World::of(&[]);
    let stranger = crate::world::host("stranger.example");
    let preview = go(world.ask("https://stranger.example/", Purpose::Preview));
    world.report(&preview, &wall(Kind::Challenge));
    for _ in 0..2 {
        world.pass(secs(200));
        let preview = go(world.ask("https://stranger.example/", Purpose::Preview));
        world.report(&preview, &trouble(Reason::ServerError));
    }
    let card = world.schedule.host_card(&stranger, world.now);
    let firstknock_schedule::HostState::Waits(wait) = card.state else { panic!("{card:?}") };
    assert_eq!(wait.wall, Kind::Error, "its second strike");
}

#[test]
fn two_mistyped_addresses_do_not_make_us_offline() {
    let mut world = World::settled(&TWO);
    world.pass(secs(5));
    for url in ["https://a-typo.example/", "https://b-typo.example/", "https://a-typo.example/"] {
        world.pass(secs(5));
        let preview = go(world.ask(url, Purpose::Preview));
        let change = world.report_seen(&preview, &trouble(Reason::Dns), Seen::nothing());
        assert_eq!(change.notes, [], "{url}");
        let hosts = &change.hosts;
        let cleared = |update: &HostUpdate| matches!(update, HostUpdate::Clear(_));
        assert!(hosts.iter().all(cleared), "nothing is kept of it: {hosts:?}");
    }
}

#[test]
fn an_error_in_the_middle_of_a_pages_own_wait_does_not_end_it_sooner() {
    let mut world = World::settled(&TWO[..1]);
    let check = world.next();
    world.report(&check, &login());
    let deadline = world.row(1).next_at.expect("a next try");
    world.schedule.retry_now(SearchId(1), world.now).expect("ready");
    let by_hand = world.next();
    world.report(&by_hand, &trouble(Reason::ServerError));
    assert!(matches!(world.state(1), RowState::ErrorWaiting { .. }), "{:?}", world.state(1));
    assert!(world.row(1).next_at.expect("a next try") >= deadline);
}

#[test]
fn the_hosts_shorter_wait_does_not_shorten_the_wait_of_the_only_page_that_is_left() {
    let mut world = World::settled(&TWO);
    let first = world.next();
    assert_eq!(first.search, Some(SearchId(1)));
    world.report(&first, &login());
    assert!(world.waits(1) > secs(200));
    let second = world.next();
    assert_eq!(second.search, Some(SearchId(2)));
    world.report(&second, &wall(Kind::Challenge));
    assert!(world.waits(2) < secs(70));
    world.schedule.set_enabled(SearchId(2), false, world.now).expect("paused");
    assert!(world.waits(1) > secs(150), "{:?}", world.waits(1));
    assert_eq!(world.within(secs(150)), []);
    assert_eq!(world.next().search, Some(SearchId(1)));
}

#[test]
fn a_page_that_is_gone_is_looked_at_again_a_day_later() {
    let mut world = World::settled(&TWO[..1]);
    let check = world.next();
    world.load(0.5);
    world.report_seen(&check, &trouble(Reason::PageGone), gone());
    assert_eq!(world.waits(1), secs(86_400));
}

#[test]
fn only_an_answer_keeps_listings() {
    let nothing_to_keep = [
        trouble(Reason::PageGone),
        trouble(Reason::Timeout),
        trouble(Reason::ServerError),
        login(),
        wall(Kind::Challenge),
        wall(Kind::Denied),
    ];
    for (outcome, keeps) in
        nothing_to_keep.iter().map(|outcome| (outcome, false)).chain([(&Outcome::Answer, true)])
    {
        let mut world = World::settled(&TWO[..1]);
        let check = world.next();
        assert_eq!(world.report(&check, outcome).keep_listings, keeps, "{outcome:?}");
    }
}

#[test]
fn after_a_wait_overdue_searches_are_spread_over_their_interval_or_five_minutes() {
    for (interval, dues) in [(3600, [75, 225]), (120, [30, 90])] {
        let mut world = World::of(&[]);
        for id in 1..=3 {
            let mut spec = crate::world::spec(id, &format!("https://a.example/{id}"));
            spec.interval = secs(interval);
            world.add(spec).expect("added");
        }
        let check = world.next();
        world.report(&check, &wall(Kind::Denied));
        let probe = world.next();
        assert_eq!(probe.search, Some(SearchId(1)));
        world.load(0.5);
        world.report(&probe, &Outcome::Answer);
        assert_eq!([2, 3].map(|id| world.waits(id)), dues.map(secs), "every {interval} s");
    }
}

#[test]
fn after_a_wait_what_is_due_at_that_moment_is_spread_and_what_is_not_due_keeps_its_turn() {
    for early in [1, 0] {
        let mut world = World::of(&TWO[..1]);
        let mut seldom = crate::world::spec(2, TWO[1]);
        seldom.interval = secs(100);
        world.add(seldom).expect("added");
        world.load(0.5);
        for _ in 0..2 {
            let check = world.next();
            world.report(&check, &Outcome::Answer);
        }
        let due = world.row(2).next_at.expect("a turn");
        let first = world.next();
        world.report(&first, &wall(Kind::Challenge));
        world.schedule.retry_now(SearchId(1), world.now).expect("ready");
        let probe = world.next();
        world.now = due.checked_sub(std::time::Duration::from_millis(early)).expect("a moment");
        assert!(probe.at < world.now, "it is under way");
        world.report(&probe, &Outcome::Answer);
        let expected = if early == 0 { 50_000 } else { 1 };
        assert_eq!(world.waits(2).as_millis(), expected, "{early} ms before its turn");
    }
}

#[test]
fn no_listings_is_odd_only_where_there_were_some() {
    for (looks, odd) in [
        (&[0][..], false),
        (&[0, 0][..], false),
        (&[1, 0][..], true),
        (&[48, 0, 0][..], true),
        (&[48, 0, 2, 0][..], true),
    ] {
        let mut world = World::of(&TWO[..1]);
        for listings in looks {
            let check = world.next();
            world.report_seen(&check, &Outcome::Answer, Seen::fine(*listings));
        }
        let state = world.state(1);
        assert_eq!(matches!(state, RowState::Suspicious { .. }), odd, "{looks:?}: {state:?}");
    }
}

#[test]
fn only_a_press_into_a_pages_own_wait_is_an_offence() {
    let offended = |change: &firstknock_schedule::Change| {
        let locked = |note: &firstknock_schedule::Note| {
            matches!(note, firstknock_schedule::Note::ButtonLocked { .. })
        };
        change.notes.iter().any(locked)
    };
    let mut world = World::settled(&TWO[..1]);
    world.schedule.retry_now(SearchId(1), world.now).expect("free");
    for (why, offence) in [(Why::Manual, false), (Why::Probe, false), (Why::Manual, true)] {
        if offence {
            world.schedule.retry_now(SearchId(1), world.now).expect("ready");
        }
        let check = world.next();
        assert_eq!(check.why, why);
        let change = world.report(&check, &login());
        assert_eq!(offended(&change), offence, "{why:?}");
    }
}
