//! What must hold whatever happens, on random events: refusals, errors, presses, edits, sleep,
//! clocks that jump, crashes at any moment.

mod watcher;

use std::time::Duration;

use firstknock_listing::{Revision, SearchId};
use firstknock_policy::{Kind, Mulberry32, Outcome, Reason, Trouble};
use firstknock_schedule::{Purpose, SearchSpec, Seen, StopWhy};
use proptest::prelude::*;

use crate::world::{host, login, secs, spec, trouble, wall_asking};
use watcher::Watched;

/// Five searches on one host, two on a sister host, three elsewhere.
const URLS: [&str; 10] = [
    "https://a.example/1",
    "https://a.example/2",
    "https://a.example/3",
    "https://a.example/4",
    "https://a.example/5",
    "https://x.realworks.nl/1",
    "https://y.realworks.nl/1",
    "https://b.example/1",
    "https://b.example/2",
    "https://c.example/1",
];
const HOSTS: [&str; 5] =
    ["a.example", "x.realworks.nl", "y.realworks.nl", "b.example", "c.example"];

#[derive(Debug, Clone)]
enum Event {
    /// Sleep until the schedule wants to be woken, then plan.
    Step,
    /// Time passes, then plan.
    Pass(u64),
    /// One of the checks under way comes back.
    Report(usize, What),
    Press(usize),
    Hold(usize),
    Release(usize),
    Pause(usize, bool),
    Edit(usize, u64),
    Move(usize),
    Delete(usize),
    Stop,
    Start,
    DiskFull,
    DiskFine,
    Online(bool),
    /// The machine sleeps for so many seconds and wakes up.
    Sleep(u64),
    /// The wall clock is set back by so many seconds.
    SetBack(u64),
    /// The process dies; what was kept is read back.
    Crash,
    Ask(usize, Purpose),
}

#[derive(Debug, Clone)]
enum What {
    Answer,
    Empty,
    Wall(Kind, Option<u64>),
    Login,
    Gone,
    Error(Reason, Option<u64>),
}

impl What {
    fn outcome(&self) -> (Outcome, Seen) {
        match self {
            Self::Answer => (Outcome::Answer, Seen::fine(20)),
            Self::Empty => (Outcome::Answer, Seen::empty()),
            Self::Wall(kind, asked) => (wall_asking(*kind, *asked), Seen::nothing()),
            Self::Login => (login(), Seen::nothing()),
            Self::Gone => (trouble(Reason::PageGone), Seen::nothing()),
            Self::Error(reason, asked) => {
                let retry_after = asked.map(secs);
                let trouble = Trouble { reason: *reason, retry_after, evidence: Vec::new() };
                (Outcome::Trouble(trouble), Seen::nothing())
            }
        }
    }
}

fn any_what() -> impl Strategy<Value = What> {
    let asked = prop::option::weighted(0.4, prop_oneof![1_u64..600, 3000_u64..100_000]);
    let kind = prop::sample::select(vec![Kind::Challenge, Kind::RateLimited, Kind::Denied]);
    let reason = prop::sample::select(vec![
        Reason::Dns,
        Reason::Timeout,
        Reason::ServerError,
        Reason::Browser,
        Reason::Certificate,
    ]);
    let rarely = prop::option::weighted(0.1, 1_u64..4000);
    prop_oneof![
        6 => Just(What::Answer),
        1 => Just(What::Empty),
        5 => (kind, asked).prop_map(|(kind, asked)| What::Wall(kind, asked)),
        1 => Just(What::Login),
        1 => Just(What::Gone),
        4 => (reason, rarely).prop_map(|(reason, asked)| What::Error(reason, asked)),
    ]
}

fn any_event() -> impl Strategy<Value = Event> {
    let one = 0_usize..10;
    let purpose = prop::sample::select(vec![
        Purpose::Preview,
        Purpose::ByHand,
        Purpose::Page,
        Purpose::Photo,
    ]);
    prop_oneof![
        30 => Just(Event::Step),
        8 => (0_u64..200_000).prop_map(Event::Pass),
        30 => (one.clone(), any_what()).prop_map(|(i, what)| Event::Report(i, what)),
        6 => one.clone().prop_map(Event::Press),
        2 => one.clone().prop_map(Event::Hold),
        3 => one.clone().prop_map(Event::Release),
        2 => (one.clone(), any::<bool>()).prop_map(|(i, on)| Event::Pause(i, on)),
        2 => (one.clone(), 0_u64..400).prop_map(|(i, every)| Event::Edit(i, every)),
        1 => one.clone().prop_map(Event::Move),
        1 => one.clone().prop_map(Event::Delete),
        1 => Just(Event::Stop),
        2 => Just(Event::Start),
        1 => Just(Event::DiskFull),
        2 => Just(Event::DiskFine),
        2 => any::<bool>().prop_map(Event::Online),
        2 => (60_u64..40_000).prop_map(Event::Sleep),
        2 => (3_u64..500_000).prop_map(Event::SetBack),
        4 => Just(Event::Crash),
        5 => (one, purpose).prop_map(|(i, purpose)| Event::Ask(i, purpose)),
    ]
}

fn happen(world: &mut Watched, event: &Event) {
    let id = |i: usize| SearchId(i64::try_from(i).expect("few") + 1);
    match event {
        Event::Step => world.step(),
        Event::Pass(ms) => {
            world.pass(Duration::from_millis(*ms));
            world.plan();
        }
        Event::Report(i, what) => {
            let (outcome, seen) = what.outcome();
            world.report(*i, &outcome, seen);
        }
        Event::Press(i) => world.press(id(*i)),
        Event::Hold(i) => world.hold(&host(HOSTS[i % HOSTS.len()])),
        Event::Release(i) => world.release(&host(HOSTS[i % HOSTS.len()])),
        Event::Pause(i, on) => {
            world.edit(id(*i), |schedule, now| {
                schedule.set_enabled(id(*i), *on, now).unwrap_or_default()
            });
        }
        Event::Edit(i, every) => world.upsert(SearchSpec {
            interval: secs(*every),
            revision: Revision(u32::try_from(*every).expect("small")),
            ..spec(id(*i).0, URLS[*i])
        }),
        Event::Move(i) => world.upsert(SearchSpec {
            revision: Revision(9000),
            ..spec(id(*i).0, URLS[(i + 3) % URLS.len()])
        }),
        Event::Delete(i) => world.edit(id(*i), |schedule, now| schedule.remove_search(id(*i), now)),
        Event::Stop => world.stop(),
        Event::Start => world.start(),
        Event::DiskFull => world.storage(Some(StopWhy::DiskFull)),
        Event::DiskFine => world.storage(None),
        Event::Online(online) => world.online(*online),
        Event::Sleep(seconds) => world.sleep(secs(*seconds)),
        Event::SetBack(seconds) => world.set_back(secs(*seconds)),
        Event::Crash => world.crash(),
        Event::Ask(i, purpose) => world.ask(URLS[*i], *purpose),
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 120, max_shrink_iters: 4000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn whatever_happens_we_are_polite_truthful_and_awake(
        seed in any::<u32>(),
        events in prop::collection::vec(any_event(), 1..150),
    ) {
        let mut world = Watched::new(&URLS, Mulberry32::new(seed));
        for event in &events {
            happen(&mut world, event);
        }
        world.everything_gets_its_turn();
    }
}
