//! What the policy buys: the same scripted weeks under it and under three others.
//!
//! **Promises**: every contender meets the same sites, homes and walls; a seed replays.
//! **Leaves out**: stores, mail and crashes (`months` has those).

mod contender;
mod script;
mod stampede;

use std::collections::BTreeMap;
use std::time::Duration;

use firstknock_policy::{Kind, Outcome};
use jiff::Timestamp;

pub use contender::{Contender, NoBackoff, Ours, PerHostDoubling, PerSearchLadder, all};
pub use script::{Begins, Script, Spell, hour_block, splash_screen, week};
pub use stampede::{Stampede, stampede};

/// What one contender made of a script.
#[derive(Debug, Clone, Default)]
pub struct Measure {
    /// Its name.
    pub name: &'static str,
    /// From a home's appearance to its discovery, shortest first.
    pub found: Vec<Duration>,
    /// Homes that were never found.
    pub missed: usize,
    /// Requests in all.
    pub requests: usize,
    /// Requests that met a wall.
    pub refused: usize,
    /// From a wall's end to the host's first answer, shortest first.
    pub recovery: Vec<Duration>,
    /// The longest that a search went unanswered while its site would have answered.
    pub silence: Duration,
}

/// How long a request is under way.
const LATENCY: Duration = Duration::from_millis(400);

impl Measure {
    /// The part of a sorted list below which so much of it lies; zero for none.
    pub fn part(sorted: &[Duration], per_cent: usize) -> Duration {
        let last = sorted.len().saturating_sub(1);
        sorted.get(last * per_cent / 100).copied().unwrap_or_default()
    }
}

struct Replay<'a> {
    script: &'a Script,
    start: Timestamp,
    /// When each spell really began: some wait for a request.
    began: Vec<Option<Duration>>,
    waiting: BTreeMap<usize, Vec<Duration>>,
    answered_at: Vec<Duration>,
    answers: Vec<(usize, Duration)>,
    measure: Measure,
}

/// Plays a script to one contender.
pub fn replay(script: &Script, contender: &mut dyn Contender) -> Measure {
    let start = Timestamp::from_second(1_790_000_000).expect("BUG: a moment");
    let mut replay = Replay {
        script,
        start,
        began: script
            .spells
            .iter()
            .map(|spell| match spell.begins {
                Begins::At(at) => Some(at),
                Begins::FirstRequestAfter(_) => None,
            })
            .collect(),
        waiting: BTreeMap::new(),
        answered_at: vec![Duration::ZERO; script.hosts.len()],
        answers: Vec::new(),
        measure: Measure { name: contender.name(), ..Measure::default() },
    };
    for (search, at) in &script.homes {
        replay.waiting.entry(*search).or_default().push(*at);
    }
    replay.run(contender);
    replay.measure
}

impl Replay<'_> {
    fn run(&mut self, contender: &mut dyn Contender) {
        let mut now = Duration::ZERO;
        let mut out: Vec<(Duration, usize, Outcome)> = Vec::new();
        while now < self.script.length {
            for search in contender.due(self.wall_clock(now)) {
                let outcome = self.meets(search, now);
                self.measure.requests += 1;
                self.measure.refused += usize::from(matches!(outcome, Outcome::Wall(_)));
                out.push((now + LATENCY, search, outcome));
            }
            let back = out.iter().map(|(at, ..)| *at).min();
            let next = contender.next().map(|at| self.lived(at));
            let Some(at) = [back, next].into_iter().flatten().min() else { break };
            now = at.max(now + Duration::from_millis(1));
            while let Some(at) = out.iter().position(|(at, ..)| *at <= now) {
                let (at, search, outcome) = out.remove(at);
                if outcome == Outcome::Answer {
                    self.answered(search, at - LATENCY);
                }
                contender.came_to(search, &outcome, self.wall_clock(now));
            }
        }
        self.sum_up();
    }

    fn wall_clock(&self, at: Duration) -> Timestamp {
        self.start + at
    }

    fn lived(&self, at: Timestamp) -> Duration {
        Duration::try_from(at.duration_since(self.start)).unwrap_or_default()
    }

    /// What a request for a search's page meets.
    fn meets(&mut self, search: usize, now: Duration) -> Outcome {
        let host = self.script.hosts[search];
        for (spell, began) in self.script.spells.iter().zip(&mut self.began) {
            if spell.host.is_some_and(|only| only != host) {
                continue;
            }
            if let (Begins::FirstRequestAfter(at), None) = (spell.begins, &began)
                && at <= now
            {
                *began = Some(now);
            }
            if began.is_some_and(|from| from <= now && now < from + spell.lasts) {
                return spell.outcome.clone();
            }
        }
        Outcome::Answer
    }

    fn answered(&mut self, search: usize, at: Duration) {
        self.answers.push((self.script.hosts[search], at));
        let silence = self.willing(search, self.answered_at[search], at);
        self.measure.silence = self.measure.silence.max(silence);
        self.answered_at[search] = at;
        let waiting = self.waiting.entry(search).or_default();
        let found = &mut self.measure.found;
        waiting.retain(|appeared| {
            let there = *appeared <= at;
            if there {
                found.push(at - *appeared);
            }
            !there
        });
    }

    /// How much of a stretch of time a search's site would have answered.
    fn willing(&self, search: usize, from: Duration, until: Duration) -> Duration {
        let host = self.script.hosts[search];
        let mut willing = until - from;
        for (spell, began) in self.script.spells.iter().zip(&self.began) {
            let Some(began) = began.filter(|_| spell.host.is_none_or(|only| only == host)) else {
                continue;
            };
            let overlap = (began + spell.lasts).min(until).saturating_sub(began.max(from));
            willing = willing.saturating_sub(overlap);
        }
        willing
    }

    fn sum_up(&mut self) {
        for search in 0..self.script.hosts.len() {
            let silence = self.willing(search, self.answered_at[search], self.script.length);
            self.measure.silence = self.measure.silence.max(silence);
        }
        for (spell, began) in self.script.spells.iter().zip(&self.began) {
            let (Some(began), Outcome::Wall(_)) = (began, &spell.outcome) else { continue };
            let end = *began + spell.lasts;
            let first = self
                .answers
                .iter()
                .filter(|(host, at)| *at >= end && spell.host.is_none_or(|only| only == *host));
            self.measure.recovery.extend(first.map(|(_, at)| *at - end).min());
        }
        let late = self.script.length.saturating_sub(Duration::from_secs(2 * 3600));
        let missed = self.waiting.values().flatten().filter(|at| **at < late);
        self.measure.missed = missed.count();
        self.measure.found.sort_unstable();
        self.measure.recovery.sort_unstable();
    }
}

/// The three kinds of deliberate refusals.
pub const WALLS: [Kind; 3] = [Kind::Challenge, Kind::RateLimited, Kind::Denied];
