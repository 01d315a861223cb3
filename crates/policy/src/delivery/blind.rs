//! A search that has seen nothing for hours says so once, and once when it sees again: silence
//! must never look like "nothing new".

use std::time::Duration;

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use super::HOUR;

/// How long nothing may be seen before the user hears of it, unless they chose otherwise.
pub const BLIND_AFTER: Duration = Duration::from_secs(6 * HOUR);

/// What one search's eyes are known to have done; kept with the search.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Sight {
    /// When it last saw its page and understood it; when it was added, before that.
    pub last_seen: Timestamp,
    /// Since when it has been blind, once the user was told.
    pub told_blind_since: Option<Timestamp>,
}

/// What to tell the user.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", tag = "tell")]
pub enum Tell {
    /// It sees nothing since then.
    Blind {
        /// When it last saw something.
        since: Timestamp,
    },
    /// It sees again.
    Recovered {
        /// Since when it was blind.
        since: Timestamp,
    },
}

impl Sight {
    /// A search that was just added, switched on again or edited.
    pub const fn starting(now: Timestamp) -> Self {
        Self { last_seen: now, told_blind_since: None }
    }

    /// A check understood its page, also an honestly empty one.
    pub fn saw(&mut self, now: Timestamp) -> Option<Tell> {
        self.last_seen = self.last_seen.max(now);
        self.told_blind_since.take().map(|since| Tell::Recovered { since })
    }

    /// A check ended at a wall, in trouble, or with a page that is not understood any more.
    /// `awake_since` is when the app began to run or the computer woke: time asleep blinds nobody.
    pub fn saw_nothing(
        &mut self,
        now: Timestamp,
        awake_since: Timestamp,
        after: Duration,
    ) -> Option<Tell> {
        let counted_from = self.last_seen.max(awake_since);
        if self.told_blind_since.is_some() || now < counted_from + after {
            return None;
        }
        self.told_blind_since = Some(self.last_seen);
        Some(Tell::Blind { since: self.last_seen })
    }
}
