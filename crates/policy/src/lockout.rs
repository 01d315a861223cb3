//! Offences and Fibonacci lockouts: for a client that overdraws its budget, and for a person who
//! hammers the retry button.
//!
//! **Promises**: offences age out one by one, 24 h after each, and nobody has to forgive by hand;
//! being refused during a lockout is no new offence. **Leaves out**: what an offence is
//! ([`crate::budget`], `schedule`).

use std::time::Duration;

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use crate::ledger::{earlier, later};

/// The nth offence within the window locks for the nth of these minutes; from the ninth on, the last.
pub const MINUTES: [u64; 9] = [1, 2, 3, 5, 8, 13, 21, 34, 55];
/// How long an offence counts.
pub const WINDOW: Duration = Duration::from_secs(24 * 3600);
/// At this offence within the window the owner is told.
pub const TELL_OWNER_AT: u32 = 5;

/// The offences of one client, or at one host's button.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Lockout {
    /// Oldest first; only those of the last [`WINDOW`] count.
    offences: Vec<Timestamp>,
    until: Option<Timestamp>,
}

/// One offence and what follows from it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Offence {
    /// Which one within the window, from 1.
    pub number: u32,
    /// Locked out until then.
    pub until: Timestamp,
    /// The owner is to be told, once: it is the fifth.
    pub tell_owner: bool,
}

/// A [`Lockout`] as it is stored.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct SavedLockout {
    /// Offences, unix ms, oldest first.
    pub offences_ms: Vec<i64>,
    /// Locked until, unix ms.
    pub until_ms: Option<i64>,
}

/// How long the nth offence locks out; 0 counts as the first.
pub fn lock_for(number: u32) -> Duration {
    let at = usize::try_from(number).unwrap_or(usize::MAX).clamp(1, MINUTES.len()) - 1;
    Duration::from_secs(MINUTES[at] * 60)
}

impl Lockout {
    /// Until when it is locked out, if it is.
    pub fn locked_until(&self, now: Timestamp) -> Option<Timestamp> {
        self.until.filter(|until| *until > now)
    }

    /// Counts one offence. During a lockout nothing is counted and the running one is returned.
    pub fn offend(&mut self, now: Timestamp) -> Offence {
        if let Some(until) = self.locked_until(now) {
            return Offence { number: self.count(now), until, tell_owner: false };
        }
        self.offences.retain(|at| counts(*at, now));
        self.offences.push(now);
        let number = self.count(now);
        let until = later(now, lock_for(number));
        self.until = Some(until);
        Offence { number, until, tell_owner: number == TELL_OWNER_AT }
    }

    /// Ends a lock that began then or before; its offence still counts.
    pub(crate) fn lift(&mut self, at: Timestamp) {
        if self.last().is_none_or(|last| last <= at) {
            self.until = None;
        }
    }

    /// The newest offence that is known, whether it still counts or not.
    pub fn last(&self) -> Option<Timestamp> {
        self.offences.last().copied()
    }

    /// Offences that still count.
    pub fn count(&self, now: Timestamp) -> u32 {
        let n = self.offences.iter().filter(|at| counts(**at, now)).count();
        u32::try_from(n).unwrap_or(u32::MAX)
    }

    /// Nothing that still matters.
    pub fn is_clean(&self, now: Timestamp) -> bool {
        self.count(now) == 0 && self.locked_until(now).is_none()
    }

    /// Moves all times along with a wall clock that was set back.
    pub fn set_back(&mut self, by: Duration) {
        for at in self.offences.iter_mut().chain(self.until.as_mut()) {
            *at = earlier(*at, by);
        }
    }
}

fn counts(at: Timestamp, now: Timestamp) -> bool {
    now < later(at, WINDOW)
}

impl SavedLockout {
    /// Reads it back; times that cannot be are moved to now, and a lock is at most the longest.
    pub fn read(&self, now: Timestamp) -> Lockout {
        let time = |ms: &i64| Timestamp::from_millisecond(*ms).ok();
        let mut offences: Vec<_> =
            self.offences_ms.iter().filter_map(time).map(|at| at.min(now)).collect();
        offences.sort_unstable();
        offences.retain(|at| counts(*at, now));
        let longest = later(now, lock_for(u32::MAX));
        let until = self.until_ms.map(|ms| time(&ms).map_or(longest, |at| at.min(longest)));
        Lockout { offences, until }
    }
}

impl From<&Lockout> for SavedLockout {
    fn from(lockout: &Lockout) -> Self {
        Self {
            offences_ms: lockout.offences.iter().map(|at| at.as_millisecond()).collect(),
            until_ms: lockout.until.map(|at| at.as_millisecond()),
        }
    }
}
