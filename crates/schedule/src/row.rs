//! What a row says (`policy.md`, section 4): facts and absolute times, never sentences.

use std::time::Duration;

use firstknock_listing::{HostKey, SearchId};
use firstknock_policy::{Kind, Reason};
use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use crate::Finding;

/// One search on the board.
#[derive(Debug, Clone, PartialEq)]
pub struct Row {
    /// Which search.
    pub search: SearchId,
    /// Its host; rows are grouped by it.
    pub host: HostKey,
    /// The state, with the facts that are valid in it.
    pub state: RowState,
    /// The row's button.
    pub retry: Retry,
    /// When the next request goes out that this row waits for: its own, or the probe of its host.
    /// `None` while nothing is planned: paused, stopped, in flight, or its site's window is open.
    pub next_at: Option<Timestamp>,
    /// The interval really used.
    pub interval: IntervalUsed,
    /// When it last got an answer.
    pub answered_at: Option<Timestamp>,
    /// Listings on the page at the last answer.
    pub listings: Option<u32>,
}

/// The interval that a search really has.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct IntervalUsed {
    /// The shortest.
    pub from: Duration,
    /// The longest.
    pub to: Duration,
    /// Longer than the user asked, since one site has many searches.
    pub stretched: bool,
}

/// One variant per line of the table, each with its own facts only.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", tag = "kind")]
pub enum RowState {
    /// Never looked at yet, or its turn comes in a moment.
    Queued,
    /// Its request is under way.
    Checking {
        /// Since when.
        since: Timestamp,
    },
    /// Answered.
    Ok {
        /// Listings on the page.
        listings: u32,
        /// When.
        checked_at: Timestamp,
        /// The next look.
        next_at: Timestamp,
        /// What the extractor found odd, if anything ([`Finding::Fine`] otherwise).
        finding: Finding,
    },
    /// Answered: the page says that nothing matches.
    Empty {
        /// When.
        checked_at: Timestamp,
        /// The next look.
        next_at: Timestamp,
    },
    /// Answered, but the page looks different.
    Suspicious {
        /// Listings recognised now.
        recognised: u32,
        /// Listings when it last looked as it should; 0 if it never did.
        before: u32,
        /// Why: broken or unsure.
        finding: Finding,
        /// When.
        checked_at: Timestamp,
        /// The next look.
        next_at: Timestamp,
    },
    /// The host (or this page alone) refused: challenge, rate limit.
    Blocked {
        /// Which ladder.
        wall: Kind,
        /// Why.
        reason: Reason,
        /// Whether this row's search is the one that goes back in.
        turn: Turn,
        /// When one goes back in.
        retry_at: Timestamp,
        /// What the site asked for, before the cap.
        asked: Option<Duration>,
    },
    /// One request is looking in; all others of the host wait for its answer.
    Probing {
        /// Whom.
        host: HostKey,
        /// Since when.
        since: Timestamp,
        /// Whether it is this row's search that looks in.
        turn: Turn,
    },
    /// Denied: a person must pass a check by hand.
    NeedsYou {
        /// Why.
        reason: Reason,
        /// Whether this row's search is the one that goes back in.
        turn: Turn,
        /// When one goes back in by itself.
        retry_at: Timestamp,
        /// This page alone, or the whole host.
        page_only: bool,
    },
    /// The first error: changes nothing, retried at the next check.
    FirstError {
        /// What went wrong.
        reason: Reason,
        /// The next check.
        next_at: Timestamp,
    },
    /// Errors count now: the host is left alone for a while.
    ErrorWaiting {
        /// What went wrong.
        reason: Reason,
        /// Whether this row's search is the one that goes back in.
        turn: Turn,
        /// When one goes back in.
        retry_at: Timestamp,
    },
    /// We are offline.
    Offline {
        /// Since when.
        since: Timestamp,
    },
    /// This search's page no longer exists.
    PageGone {
        /// What the host said, as a status.
        status: Option<u16>,
        /// Since when.
        since: Timestamp,
        /// Looked at again then, once a day.
        next_at: Timestamp,
    },
    /// Paused by the user.
    Paused,
    /// The whole app is stopped.
    Stopped,
}

/// Whether a row's own search is the one that goes back in.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Turn {
    /// This one.
    First,
    /// Another one, whose answer counts for this row too.
    Waits,
}

/// The button of a row or host.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", tag = "kind")]
pub enum Retry {
    /// No button: paused or stopped.
    None,
    /// Pressing sends one probe; refused again it costs a rung and an offence.
    Ready,
    /// Pressing sends one check and can cost nothing: nobody refused.
    Free,
    /// Not now.
    Locked {
        /// From when on (a full minute, rounded up, so that "from 14:32" is true).
        until: Timestamp,
        /// Why not.
        why: LockWhy,
    },
    /// Not now, and there is no time to name: a request is under way, or the site's window is open.
    Busy,
}

/// Why the button is locked.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum LockWhy {
    /// A Retry-After runs: we may not shorten what the site asked for.
    SiteAsked,
    /// Tried by hand, refused again.
    RefusedAgain,
}
