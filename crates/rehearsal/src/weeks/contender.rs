//! Four ways to decide when to ask: ours, and three that are common.

use std::time::Duration;

use firstknock_listing::{Revision, SearchId, SearchUrl};
use firstknock_policy::Outcome;
use firstknock_policy::jitter::plus_minus;
use firstknock_schedule::{Check, Schedule, SearchSpec, Seen};
use jiff::Timestamp;

use super::Script;
use crate::Dice;

/// One way to decide.
pub trait Contender {
    /// What it is called in the table.
    fn name(&self) -> &'static str;
    /// The searches that are asked now.
    fn due(&mut self, now: Timestamp) -> Vec<usize>;
    /// What one came to.
    fn came_to(&mut self, search: usize, outcome: &Outcome, now: Timestamp);
    /// When to ask [`Contender::due`] again, at the latest.
    fn next(&self) -> Option<Timestamp>;
}

/// All four, for a script.
pub fn all(script: &Script, seed: u64) -> Vec<Box<dyn Contender>> {
    vec![
        Box::new(Ours::new(script, seed)),
        Box::new(PerSearchLadder::new(script, seed)),
        Box::new(NoBackoff::new(script, seed)),
        Box::new(PerHostDoubling::new(script, seed)),
    ]
}

const INTERVAL: Duration = Duration::from_secs(90);

fn interval(dice: &mut Dice) -> Duration {
    plus_minus(INTERVAL, 0.10, dice.roll())
}

/// This policy.
pub struct Ours {
    schedule: Schedule,
    out: Vec<Check>,
    dice: Dice,
}

impl Ours {
    /// With the script's searches, all new.
    pub fn new(script: &Script, seed: u64) -> Self {
        let dice = Dice::new(seed);
        let mut schedule = Schedule::default();
        for (search, host) in (1..).zip(&script.hosts) {
            let url = format!("https://host{host}.example/{search}");
            let spec = SearchSpec {
                id: SearchId(search),
                revision: Revision(1),
                url: SearchUrl::parse(&url).expect("BUG: an address"),
                interval: INTERVAL,
                enabled: true,
                order: search,
            };
            let start = Timestamp::UNIX_EPOCH;
            schedule.upsert_search(spec, start).expect("BUG: fewer than fifteen");
        }
        Self { schedule, out: Vec::new(), dice }
    }
}

impl Contender for Ours {
    fn name(&self) -> &'static str {
        "this policy"
    }

    fn due(&mut self, now: Timestamp) -> Vec<usize> {
        let checks = self.schedule.plan(now, &mut || self.dice.roll());
        self.schedule.take_change();
        let searches = checks.iter().filter_map(|check| check.search);
        let searches = searches.map(|id| usize::try_from(id.0 - 1).unwrap_or_default()).collect();
        self.out.extend(checks);
        searches
    }

    fn came_to(&mut self, search: usize, outcome: &Outcome, now: Timestamp) {
        let id = i64::try_from(search + 1).map(SearchId).ok();
        let Some(at) = self.out.iter().position(|check| check.search == id) else { return };
        let check = self.out.remove(at);
        self.schedule.report(&check, outcome, Seen::fine(20), now, &mut || self.dice.roll());
    }

    fn next(&self) -> Option<Timestamp> {
        self.schedule.next_wake(Timestamp::UNIX_EPOCH)
    }
}

/// What one search does by itself.
struct Alone {
    due: Timestamp,
    failures: u32,
}

fn alone(script: &Script) -> Vec<Alone> {
    script.hosts.iter().map(|_| Alone { due: Timestamp::UNIX_EPOCH, failures: 0 }).collect()
}

/// Sets those that are due a minute off, so that each goes out once until it came back.
fn take_due(searches: &mut [Alone], now: Timestamp) -> Vec<usize> {
    let due: Vec<_> = (0..searches.len()).filter(|i| searches[*i].due <= now).collect();
    for search in &due {
        searches[*search].due = now + Duration::from_secs(60);
    }
    due
}

fn soonest(searches: &[Alone]) -> Option<Timestamp> {
    searches.iter().map(|search| search.due).min()
}

/// The ladder that this one replaces: 10, 20, 40, 60 minutes, each search for itself.
pub struct PerSearchLadder {
    searches: Vec<Alone>,
    dice: Dice,
}

impl PerSearchLadder {
    /// With the script's searches, all new.
    pub fn new(script: &Script, seed: u64) -> Self {
        Self { searches: alone(script), dice: Dice::new(seed) }
    }
}

impl Contender for PerSearchLadder {
    fn name(&self) -> &'static str {
        "one ladder per search"
    }

    fn due(&mut self, now: Timestamp) -> Vec<usize> {
        take_due(&mut self.searches, now)
    }

    fn came_to(&mut self, search: usize, outcome: &Outcome, now: Timestamp) {
        let search = &mut self.searches[search];
        if *outcome == Outcome::Answer {
            search.failures = 0;
            search.due = now + interval(&mut self.dice);
        } else {
            search.failures += 1;
            let minutes = 10 << (search.failures - 1).min(3);
            search.due = now + Duration::from_secs(60 * u64::min(minutes, 60));
        }
    }

    fn next(&self) -> Option<Timestamp> {
        soonest(&self.searches)
    }
}

/// Asks at every interval, whatever comes back.
pub struct NoBackoff {
    searches: Vec<Alone>,
    dice: Dice,
}

impl NoBackoff {
    /// With the script's searches, all new.
    pub fn new(script: &Script, seed: u64) -> Self {
        Self { searches: alone(script), dice: Dice::new(seed) }
    }
}

impl Contender for NoBackoff {
    fn name(&self) -> &'static str {
        "no backoff"
    }

    fn due(&mut self, now: Timestamp) -> Vec<usize> {
        take_due(&mut self.searches, now)
    }

    fn came_to(&mut self, search: usize, _outcome: &Outcome, now: Timestamp) {
        self.searches[search].due = now + interval(&mut self.dice);
    }

    fn next(&self) -> Option<Timestamp> {
        soonest(&self.searches)
    }
}

/// Doubles from half a second to thirty per host, whatever the reason; then all that is due goes.
pub struct PerHostDoubling {
    searches: Vec<Alone>,
    hosts: Vec<usize>,
    /// Per host: failures in a row, and until when nobody asks.
    waits: Vec<(u32, Timestamp)>,
    dice: Dice,
}

impl PerHostDoubling {
    /// With the script's searches, all new.
    pub fn new(script: &Script, seed: u64) -> Self {
        let hosts = script.hosts.clone();
        let many = hosts.iter().max().map_or(0, |most| most + 1);
        let waits = vec![(0, Timestamp::UNIX_EPOCH); many];
        Self { searches: alone(script), hosts, waits, dice: Dice::new(seed) }
    }

    fn free_at(&self, search: usize) -> Timestamp {
        self.searches[search].due.max(self.waits[self.hosts[search]].1)
    }
}

impl Contender for PerHostDoubling {
    fn name(&self) -> &'static str {
        "doubling per host"
    }

    fn due(&mut self, now: Timestamp) -> Vec<usize> {
        let due: Vec<_> =
            (0..self.searches.len()).filter(|search| self.free_at(*search) <= now).collect();
        for search in &due {
            self.searches[*search].due = now + Duration::from_secs(60);
        }
        due
    }

    fn came_to(&mut self, search: usize, outcome: &Outcome, now: Timestamp) {
        let wait = &mut self.waits[self.hosts[search]];
        if *outcome == Outcome::Answer {
            *wait = (0, now);
            self.searches[search].due = now + interval(&mut self.dice);
            return;
        }
        self.searches[search].due = now;
        // Those that failed together are one failure.
        if wait.1 <= now {
            wait.0 += 1;
            let ms = 500_u64 << (wait.0 - 1).min(6);
            wait.1 = now + Duration::from_millis(ms.min(30_000));
        }
    }

    fn next(&self) -> Option<Timestamp> {
        (0..self.searches.len()).map(|search| self.free_at(search)).min()
    }
}
