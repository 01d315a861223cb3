//! Retrying one request: one decision over what happened, how it was asked and how long it took.
//!
//! **Promises**: what may have arrived is never sent twice without an idempotency key; a server's
//! own suggestion is a lower bound; three limits end every loop. **Leaves out**: sending, and the
//! waits between page checks ([`crate::ladder`]). One place retries: nothing below it does.

use std::time::Duration;

use crate::jitter::{Backoff, DEFAULT_BACKOFF, decorrelated, full};

/// What came of one attempt.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Happened {
    /// An answer with this HTTP status.
    Status(u16),
    /// Certainly not sent: the name, the connection or TLS failed.
    NotSent,
    /// The network broke later: nobody knows whether it arrived.
    Unknown,
    /// The answer could not be parsed.
    Unparsable,
    /// We called it off ourselves.
    Cancelled,
}

/// How the request may be repeated.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Method {
    /// GET, HEAD, OPTIONS: asking twice changes nothing.
    Safe,
    /// Anything else.
    Other,
    /// Anything else, with an idempotency key that the server honours.
    OtherWithKey,
}

/// Which draws the waits come from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Spread {
    /// From 0 up: fast recovery.
    Full,
    /// From `base` to three times the previous wait: slow recovery.
    Decorrelated,
}

/// Who is asking, which sets the limits.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// Attempts in all, the first included.
    pub attempts: u32,
    /// Time over all attempts, lengthened waits included.
    pub budget: Duration,
    /// Base and cap of the waits.
    pub backoff: Backoff,
    /// How they are drawn.
    pub spread: Spread,
    /// Whether an answered status is repeated at all: never inside a page check, where walls and
    /// 5xx belong to the host's ladder.
    pub statuses: bool,
}

/// For what a person waits for: 2 tries within 3 s.
pub const PERSON: Limits = Limits {
    attempts: 2,
    budget: Duration::from_secs(3),
    backoff: DEFAULT_BACKOFF,
    spread: Spread::Full,
    statuses: true,
};

/// For the background: 8 tries within 10 min, then the channel's own schedule.
pub const BACKGROUND: Limits = Limits {
    attempts: 8,
    budget: Duration::from_secs(600),
    backoff: DEFAULT_BACKOFF,
    spread: Spread::Decorrelated,
    statuses: true,
};

/// Inside a page check: a network error on a GET is tried once more, quickly, and nothing else is.
/// The budget is long enough for a connection that hung before it failed.
pub const PAGE_CHECK: Limits = Limits {
    attempts: 2,
    budget: Duration::from_secs(60),
    backoff: DEFAULT_BACKOFF,
    spread: Spread::Full,
    statuses: false,
};

/// One attempt and all before it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Attempt {
    /// What came of it.
    pub happened: Happened,
    /// How it was asked.
    pub method: Method,
    /// Attempts made so far, this one included; from 1.
    pub attempt: u32,
    /// Time since the first attempt began.
    pub elapsed: Duration,
    /// The wait before this attempt; `None` before the second.
    pub last_wait: Option<Duration>,
    /// What the server suggested (`Retry-After`).
    pub suggested: Option<Duration>,
}

/// What to do now.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Next {
    /// It worked (2xx, 3xx).
    Done,
    /// Again after this wait.
    Again(Duration),
    /// Not again.
    GiveUp(GaveUp),
}

/// Why there is no further attempt.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum GaveUp {
    /// Asking again would give the same answer (other 4xx, parse error).
    Final,
    /// It may have arrived, and a second one could do it twice.
    MayHaveArrived,
    /// We called it off.
    Cancelled,
    /// All attempts are used up.
    Attempts,
    /// The next wait would end after the budget.
    Budget,
    /// The server suggested a wait that this budget cannot hold: said at once instead of waited.
    SuggestedTooLong {
        /// What it suggested.
        suggested: Duration,
    },
    /// A site's refusal or server error inside a page check: the host's ladder decides.
    LadderDecides,
}

/// The one decision. `random` is in [0, 1).
pub fn next(attempt: &Attempt, limits: &Limits, random: f64) -> Next {
    match repeatable(attempt.happened, attempt.method, limits) {
        Repeatable::Done => return Next::Done,
        Repeatable::No(why) => return Next::GiveUp(why),
        Repeatable::Yes => {}
    }
    if attempt.attempt >= limits.attempts {
        return Next::GiveUp(GaveUp::Attempts);
    }
    let drawn = match limits.spread {
        Spread::Full => full(limits.backoff, attempt.attempt.saturating_sub(1), random),
        Spread::Decorrelated => {
            let last = attempt.last_wait.unwrap_or(limits.backoff.base);
            decorrelated(limits.backoff, last, random)
        }
    };
    let fits = |wait: Duration| attempt.elapsed.saturating_add(wait) <= limits.budget;
    let suggested = attempt.suggested.unwrap_or_default();
    if suggested > drawn && !fits(suggested) {
        return Next::GiveUp(GaveUp::SuggestedTooLong { suggested });
    }
    let wait = drawn.max(suggested);
    if fits(wait) { Next::Again(wait) } else { Next::GiveUp(GaveUp::Budget) }
}

enum Repeatable {
    Done,
    Yes,
    No(GaveUp),
}

fn repeatable(happened: Happened, method: Method, limits: &Limits) -> Repeatable {
    match happened {
        Happened::Status(200..=399) => Repeatable::Done,
        Happened::Status(_) if !limits.statuses => Repeatable::No(GaveUp::LadderDecides),
        Happened::Status(429 | 500..=599) | Happened::NotSent => Repeatable::Yes,
        Happened::Status(_) | Happened::Unparsable => Repeatable::No(GaveUp::Final),
        Happened::Unknown => match method {
            Method::Safe | Method::OtherWithKey => Repeatable::Yes,
            Method::Other => Repeatable::No(GaveUp::MayHaveArrived),
        },
        Happened::Cancelled => Repeatable::No(GaveUp::Cancelled),
    }
}
