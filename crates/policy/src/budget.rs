//! Budgets of whoever calls *us*: per minute and per day, weighted by cost.
//!
//! **Promises**: a request that would overdraw either budget is refused before any work, and is
//! an offence; one client's limit is nobody else's. **Leaves out**: who a client is (its token,
//! never an address), and what a request costs.

mod window;

use std::time::Duration;

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use crate::lockout::{Lockout, Offence, SavedLockout};
use window::Window;

/// Entries of the day are kept per this much time; they age out together, the last one on time.
const DAY_GRAIN: Duration = Duration::from_secs(300);
const MINUTE: Duration = Duration::from_secs(60);
const DAY: Duration = Duration::from_secs(24 * 3600);

/// What a client may spend, in units of cost.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Allowance {
    /// Within any 60 s.
    pub per_minute: u64,
    /// Within any 24 h.
    pub per_day: u64,
}

/// One client's account: what it spent and what it did wrong.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Account {
    minute: Window,
    day: Window,
    lockout: Lockout,
}

/// What an account says to a request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Verdict {
    /// Do the work, then [`Account::settle`].
    Go(Hold),
    /// Refused during a lockout; no new offence.
    LockedOut {
        /// Until when.
        until: Timestamp,
        /// Offences within the last 24 h.
        offences: u32,
    },
    /// It would have overdrawn: an offence, and locked out from now on.
    Overdrawn {
        /// Which budget.
        which: Which,
        /// Which offence, and until when.
        offence: Offence,
    },
}

/// One of the two budgets.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Which {
    /// Per minute.
    Minute,
    /// Per day.
    Day,
}

/// An estimate that was taken and has to be settled.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Hold {
    at: Timestamp,
    estimate: u64,
}

/// An [`Account`] as it is stored.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct SavedAccount {
    /// (unix ms, cost) of the last minute.
    pub minute: Vec<(i64, u64)>,
    /// (unix ms, cost) of the last day, in grains of five minutes.
    pub day: Vec<(i64, u64)>,
    /// Offences.
    pub lockout: SavedLockout,
}

impl Account {
    /// May a request of this estimated cost be done? A yes takes the estimate at once. An estimate
    /// of 0 counts as 1: nothing is free, or a loop of nothings would never end.
    pub fn ask(&mut self, estimate: u64, allowance: Allowance, now: Timestamp) -> Verdict {
        if let Some(until) = self.lockout.locked_until(now) {
            return Verdict::LockedOut { until, offences: self.lockout.count(now) };
        }
        let estimate = estimate.max(1);
        let over = |spent: u64, limit: u64| spent.saturating_add(estimate) > limit;
        let which = if over(self.minute.spent(MINUTE, now), allowance.per_minute) {
            Which::Minute
        } else if over(self.day.spent(DAY, now), allowance.per_day) {
            Which::Day
        } else {
            self.minute.add(estimate, Duration::ZERO, MINUTE, now);
            self.day.add(estimate, DAY_GRAIN, DAY, now);
            return Verdict::Go(Hold { at: now, estimate });
        };
        Verdict::Overdrawn { which, offence: self.lockout.offend(now) }
    }

    /// The work is done and cost this much. What was dearer than estimated counts in full, also
    /// beyond the limit: the next request meets it.
    pub fn settle(&mut self, hold: Hold, cost: u64) {
        self.minute.settle(hold.at, hold.estimate, cost);
        self.day.settle(hold.at, hold.estimate, cost);
    }

    /// The owner lets it in again: a lock that began until then ends, and what was spent until then
    /// is forgotten, or the next request would overdraw again. Its offences stay and age out.
    /// Saying it again for the same moment changes nothing.
    pub fn let_in(&mut self, at: Timestamp) {
        self.minute.forget(at);
        self.day.forget(at);
        self.lockout.lift(at);
    }

    /// What is spent of (minute, day).
    pub fn spent(&self, now: Timestamp) -> (u64, u64) {
        (self.minute.spent(MINUTE, now), self.day.spent(DAY, now))
    }

    /// Its offences and lock.
    pub fn lockout(&self) -> &Lockout {
        &self.lockout
    }

    /// As it is stored.
    pub fn save(&self) -> SavedAccount {
        SavedAccount {
            minute: self.minute.save(),
            day: self.day.save(),
            lockout: SavedLockout::from(&self.lockout),
        }
    }
}

impl SavedAccount {
    /// Reads it back; entries of the future count as spent now.
    pub fn read(&self, now: Timestamp) -> Account {
        Account {
            minute: Window::read(&self.minute, now),
            day: Window::read(&self.day, now),
            lockout: self.lockout.read(now),
        }
    }
}
