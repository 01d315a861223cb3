//! What a host's card and the app's head say.

use std::time::Duration;

use firstknock_listing::{HostKey, SearchId};
use firstknock_policy::{Kind, Reason};
use jiff::Timestamp;

use crate::Retry;

/// The card above the rows of one host.
#[derive(Debug, Clone, PartialEq)]
pub struct HostCard {
    /// Who.
    pub host: HostKey,
    /// Its enabled searches, in the user's order.
    pub searches: Vec<SearchId>,
    /// How it stands.
    pub state: HostState,
    /// The host's button: the one of the search that would go in.
    pub retry: Retry,
    /// The last time that any of its searches got an answer.
    pub answered_at: Option<Timestamp>,
}

/// How a host stands.
#[derive(Debug, Clone, PartialEq)]
pub enum HostState {
    /// It answers.
    Answers {
        /// The next request to it.
        next_at: Option<Timestamp>,
    },
    /// It refused, or we could not reach it.
    Waits(HostWait),
    /// One request is looking in.
    Probing {
        /// Since when.
        since: Timestamp,
        /// The next step of the ladder without jitter, if it is refused.
        if_refused: Duration,
        /// The wait that it ends.
        wait: HostWait,
    },
    /// Its window is open: nothing else asks it.
    SiteOpen {
        /// Since when.
        since: Timestamp,
    },
}

/// The facts of one wait.
#[derive(Debug, Clone, PartialEq)]
pub struct HostWait {
    /// Which ladder; [`Kind::Denied`] needs a person.
    pub wall: Kind,
    /// Why.
    pub reason: Reason,
    /// Whose guard it was ("Cloudflare"), if known.
    pub vendor: Option<String>,
    /// Since when it is not answered.
    pub since: Timestamp,
    /// Failures on this ladder.
    pub failures: u32,
    /// What the site asked for, before the cap.
    pub asked: Option<Duration>,
    /// What it asked for ended, or ends, then (no later than the wait's own end).
    pub asked_until: Option<Timestamp>,
    /// When one request goes back in (with [`HostWait::next`] `None`: when one could).
    pub retry_at: Timestamp,
    /// What was seen, in the words of the wire.
    pub evidence: Vec<String>,
    /// The searches that it refused.
    pub refused: Vec<SearchId>,
    /// Which search goes back in.
    pub next: Option<SearchId>,
}

/// What the app as a whole is doing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AppStatus {
    /// Something is in flight or due.
    Polling {
        /// Requests under way or due.
        checking: u32,
        /// Enabled searches.
        of: u32,
    },
    /// Nothing in flight, nothing due.
    Idle {
        /// Enabled searches, all waiting.
        waiting: u32,
        /// The next request.
        next_at: Option<Timestamp>,
    },
    /// We cannot reach anybody.
    Offline {
        /// Since when.
        since: Timestamp,
        /// The next test.
        next_at: Option<Timestamp>,
    },
    /// No site is asked.
    Stopped {
        /// Why.
        why: StopWhy,
        /// Since when.
        since: Timestamp,
    },
}

/// Why nothing is asked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum StopWhy {
    /// The user pressed Stop.
    User,
    /// The disk is full: what is seen could not be kept.
    DiskFull,
    /// The data folder cannot be written.
    ReadOnly,
}
