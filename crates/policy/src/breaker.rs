//! A circuit breaker, one per endpoint group (per delivery channel).
//!
//! **Promises**: after three failures in a row nothing is sent for a cool-down, then exactly one
//! trial, also when several callers ask at once. **Leaves out**: sending, and what counts as a
//! failure. "Not sent, the circuit is open until …" is [`Answer::Open`], not a network error.

use std::time::Duration;

use jiff::Timestamp;

use crate::ledger::later;

/// Consecutive failures that open it.
pub const THRESHOLD: u32 = 3;
/// How long it stays open before a trial.
pub const COOL_DOWN: Duration = Duration::from_secs(5);
/// A trial that was not reported for so long is given up, and the next caller gets one.
pub const TRIAL_DEADLINE: Duration = Duration::from_secs(120);

/// The breaker of one endpoint group.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Breaker {
    state: State,
    threshold: u32,
    cool_down: Duration,
    trial_deadline: Duration,
    /// Counts trials, so that a report that comes late changes nothing.
    turn: u64,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum State {
    Closed { failures: u32 },
    Open { until: Timestamp },
    Trial { given_up_at: Timestamp },
}

/// How it stands, for a person.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Standing {
    /// Everything goes through.
    Closed,
    /// Nothing goes through.
    Open,
    /// One trial may go through, or is under way.
    HalfOpen,
}

/// The answer to a caller that wants to send.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Answer {
    /// Send, and report with this ticket.
    Go(Ticket),
    /// Not sent: the circuit is open until then.
    Open {
        /// When to ask again.
        until: Timestamp,
    },
}

/// Leave to send once.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Ticket {
    turn: u64,
}

impl Default for Breaker {
    fn default() -> Self {
        Self::new(THRESHOLD, COOL_DOWN, TRIAL_DEADLINE)
    }
}

impl Breaker {
    /// A closed breaker. A threshold of 0 counts as 1.
    pub fn new(threshold: u32, cool_down: Duration, trial_deadline: Duration) -> Self {
        let state = State::Closed { failures: 0 };
        Self { state, threshold, cool_down, trial_deadline, turn: 0 }
    }

    /// May I send? In the half-open state the first caller gets the one trial.
    pub fn ask(&mut self, now: Timestamp) -> Answer {
        match self.state {
            State::Closed { .. } => Answer::Go(Ticket { turn: self.turn }),
            // One that ends later than it could have been set: the clock was set back since.
            State::Open { until } if now < until && until <= later(now, self.cool_down) => {
                Answer::Open { until }
            }
            State::Trial { given_up_at }
                if now < given_up_at && given_up_at <= later(now, self.trial_deadline) =>
            {
                Answer::Open { until: given_up_at }
            }
            State::Open { .. } | State::Trial { .. } => {
                self.turn += 1;
                self.state = State::Trial { given_up_at: later(now, self.trial_deadline) };
                Answer::Go(Ticket { turn: self.turn })
            }
        }
    }

    /// What came of a request. One that was sent before the breaker last opened, and a trial that
    /// was given up, change nothing any more.
    pub fn report(&mut self, ticket: Ticket, worked: bool, now: Timestamp) {
        if ticket.turn != self.turn {
            return;
        }
        match (self.state, worked) {
            (State::Open { .. }, _) => {}
            (State::Closed { .. } | State::Trial { .. }, true) => {
                self.state = State::Closed { failures: 0 };
            }
            (State::Closed { failures }, false) if failures + 1 < self.threshold => {
                self.state = State::Closed { failures: failures + 1 };
            }
            (State::Closed { .. } | State::Trial { .. }, false) => {
                self.state = State::Open { until: later(now, self.cool_down) };
            }
        }
    }

    /// How it stands at a time.
    pub fn standing(&self, now: Timestamp) -> Standing {
        match self.state {
            State::Closed { .. } => Standing::Closed,
            State::Open { until } if now < until => Standing::Open,
            State::Open { .. } | State::Trial { .. } => Standing::HalfOpen,
        }
    }
}
