//! The self-check of `policy.md`, section 8.

use std::collections::BTreeSet;
use std::time::Duration;

use jiff::Timestamp;

use super::short;
use crate::breaker::{Answer, Breaker, COOL_DOWN, Standing, THRESHOLD, TRIAL_DEADLINE};
use crate::ladder::{MAX_WAIT, delay_for, step};
use crate::ledger::{Failure, Ledger, later};
use crate::lockout::{Lockout, WINDOW};
use crate::{Kind, Mulberry32, Reason};

/// One check that was run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Check {
    /// What must be true.
    pub name: &'static str,
    /// Whether it is.
    pub ok: bool,
    /// The value seen.
    pub seen: String,
}

impl Check {
    /// `ok …` or `FAIL …`, ending with the value seen.
    pub fn line(&self) -> String {
        let verdict = if self.ok { "ok  " } else { "FAIL" };
        format!("{verdict} {}: {}", self.name, self.seen)
    }
}

/// Draws taken to look at jitter.
const DRAWS: usize = 40;
/// The middle of the dice: exactly the step.
const MIDDLE: f64 = 0.5;

/// Runs all checks, in the order of the paper.
pub fn checks() -> Vec<Check> {
    let first = |kind| delay_for(kind, 1, None, MIDDLE);
    let top = delay_for(Kind::Challenge, 99, None, MIDDLE);
    let waits = |kind: Kind| -> Vec<_> {
        (1..=6).map(|failures| delay_for(kind, failures, None, MIDDLE)).collect()
    };
    let mut dice = Mulberry32::new(Mulberry32::SEED);
    let mut draws: Vec<_> =
        (0..DRAWS).map(|_| delay_for(Kind::Challenge, 1, None, dice.draw())).collect();
    draws.sort_unstable();
    let distinct = draws.iter().collect::<BTreeSet<_>>().len();
    let (low, high) = (draws[0], draws[DRAWS - 1]);
    let asked = |seconds| delay_for(Kind::RateLimited, 1, Some(Duration::from_secs(seconds)), 0.0);
    let short_asked = delay_for(Kind::RateLimited, 1, Some(Duration::from_secs(5)), MIDDLE);
    let refusal_longer = (1..=5).all(|n| step(Kind::Denied, n) > step(Kind::Challenge, n));
    let never_shrink = Kind::ALL.into_iter().all(|kind| waits(kind).is_sorted());
    vec![
        check(
            "first challenge retry is one minute",
            first(Kind::Challenge) == secs(60),
            short(first(Kind::Challenge)),
        ),
        check("challenge tops out at 30 minutes", top == secs(1800), short(top)),
        check(
            "a first error waits half a minute",
            first(Kind::Error) == secs(30),
            short(first(Kind::Error)),
        ),
        check("a refusal waits longer than a challenge, rung by rung", refusal_longer, pairs()),
        check(
            "waits never shrink with failures",
            never_shrink,
            "6 failures of each of 4 kinds".into(),
        ),
        check(
            "40 draws of jitter give 40 values",
            distinct == DRAWS,
            format!("{distinct} distinct of {}", draws.len()),
        ),
        check(
            "each within 15 % of its step",
            low >= secs(51) && high <= secs(69),
            format!("{:.1}s to {:.1}s", low.as_secs_f64(), high.as_secs_f64()),
        ),
        check("longer Retry-After wins", asked(600) == secs(600), short(asked(600))),
        check("shorter Retry-After does not shorten", short_asked == secs(120), short(short_asked)),
        check(
            "absurd Retry-After is capped at an hour",
            asked(86_400) == MAX_WAIT,
            short(asked(86_400)),
        ),
        recorded_host_waits(),
        kinds_have_their_own_ladder(),
        soonest_is_first(),
        lockouts_age_out(),
        breaker_replays(),
    ]
}

fn check(name: &'static str, ok: bool, seen: String) -> Check {
    Check { name, ok, seen }
}

fn secs(seconds: u64) -> Duration {
    Duration::from_secs(seconds)
}

fn pairs() -> String {
    let pair =
        |n| format!("{} > {}", short(step(Kind::Denied, n)), short(step(Kind::Challenge, n)));
    (1..=5).map(pair).collect::<Vec<_>>().join(", ")
}

/// Any moment will do: the checks only count from it.
const START: Timestamp = Timestamp::UNIX_EPOCH;

fn failure(kind: Kind) -> Failure {
    Failure { kind, reason: Reason::Unknown, vendor: None, retry_after: None, evidence: Vec::new() }
}

fn recorded_host_waits() -> Check {
    let mut ledger = Ledger::default();
    ledger.record("refuses.example", failure(Kind::Challenge), START, MIDDLE);
    let (refused, other) =
        (ledger.waits(&"refuses.example", START), ledger.waits(&"other.example", START));
    let word = |waits| if waits { "waits" } else { "goes out" };
    let seen = format!("refuses.example {}, other.example {}", word(refused), word(other));
    check("a recorded host waits, an unrelated one does not", refused && !other, seen)
}

fn kinds_have_their_own_ladder() -> Check {
    let mut ledger = Ledger::default();
    let rungs: Vec<_> = [Kind::Challenge, Kind::Challenge, Kind::Challenge, Kind::Error]
        .into_iter()
        .map(|kind| ledger.record("a.example", failure(kind), START, MIDDLE).failures)
        .collect();
    let seen =
        format!("challenge {}, {}, {}, then error {}", rungs[0], rungs[1], rungs[2], rungs[3]);
    let name = "same kind accumulates, another kind starts its own ladder";
    check(name, rungs == [1, 2, 3, 1], seen)
}

fn soonest_is_first() -> Check {
    let mut ledger = Ledger::default();
    for (host, kind) in
        [("a.example", Kind::Denied), ("b.example", Kind::Error), ("c.example", Kind::Challenge)]
    {
        ledger.record(host, failure(kind), START, MIDDLE);
    }
    let seen = ledger.soonest().map_or("nobody", |(host, _)| *host);
    check("`soonest()` finds the host due first", seen == "b.example", seen.to_owned())
}

fn lockouts_age_out() -> Check {
    let mut lockout = Lockout::default();
    let mut now = START;
    let mut minutes = Vec::new();
    for _ in 0..9 {
        let offence = lockout.offend(now);
        minutes.push(crate::remaining(now, offence.until).as_secs() / 60);
        now = offence.until;
    }
    let aged = lockout.count(later(now, WINDOW));
    let text = minutes.iter().map(u64::to_string).collect::<Vec<_>>().join(" ");
    let ok = minutes == crate::lockout::MINUTES && aged == 0;
    let name = "lockouts are 1 2 3 5 8 13 21 34 55 and age out";
    check(name, ok, format!("{text}, {aged} left a day later"))
}

/// The nine events: ms, and whether the request would succeed.
const EVENTS: [(u64, bool); 9] = [
    (0, false),
    (200, false),
    (600, false),
    (900, false),
    (1500, false),
    (6000, false),
    (8000, false),
    (11_500, true),
    (11_800, true),
];
const SENT: [bool; 9] = [true, true, true, false, false, true, false, true, true];

fn breaker_replays() -> Check {
    let mut breaker = Breaker::new(THRESHOLD, COOL_DOWN, TRIAL_DEADLINE);
    let sent = EVENTS.map(|(ms, works)| {
        let now = later(START, Duration::from_millis(ms));
        match breaker.ask(now) {
            Answer::Go(ticket) => {
                breaker.report(ticket, works, now);
                true
            }
            Answer::Open { .. } => false,
        }
    });
    let count = sent.iter().filter(|sent| **sent).count();
    let last = later(START, Duration::from_millis(EVENTS[8].0));
    let closed = breaker.standing(last) == Standing::Closed;
    let seen =
        format!("{count} sent, {} not, {}", 9 - count, if closed { "closed" } else { "open" });
    check("breaker replays the nine events of section 9", sent == SENT && closed, seen)
}
