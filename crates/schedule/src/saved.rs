//! What must survive a restart, in the form in which it is stored: plain words and unix
//! milliseconds, every field optional to a reader of another version.
//!
//! The store writes these as they are (one JSON text per record, or columns) and hands them back
//! to [`crate::Schedule::restore`], which checks them: what cannot be is clamped or set aside with
//! a [`Problem`], so that the store never has to judge a value.

use firstknock_listing::SearchId;
use firstknock_policy::Reason;
pub use firstknock_policy::ledger::SavedWait;
use firstknock_policy::lockout::SavedLockout;
use serde::{Deserialize, Serialize};

use crate::{Finding, SearchSpec};

/// Everything that [`crate::Schedule::restore`] wants.
#[derive(Debug, Clone, Default)]
pub struct Saved {
    /// All saved searches with the state that was last kept for them.
    pub searches: Vec<(SearchSpec, Option<SearchState>)>,
    /// All host records.
    pub hosts: Vec<HostRecord>,
    /// All domain records.
    pub domains: Vec<DomainState>,
    /// The app as a whole.
    pub app: AppState,
}

/// One host's back-pressure: its wait, its strikes, its retry button. Keyed by `host`.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct HostRecord {
    /// The [`firstknock_listing::HostKey`] as text.
    pub host: String,
    /// The ledger's record; `None` while the host is welcome.
    pub wait: Option<SavedWait>,
    /// The searches that this host refused since it was last welcome.
    pub refused: Vec<SearchId>,
    /// Probes sent while it sat on the top rung with one search refused: every second is a
    /// second opinion.
    pub top_probes: u32,
    /// The one search that it refused while others were answered, and how often in a row.
    pub lone: Option<(SearchId, u32)>,
    /// The free probe after "Open site" was used in this wait.
    pub free_probe_used: bool,
    /// Consecutive errors that counted.
    pub strikes: u32,
    /// When the last counted strike was, unix ms.
    pub strike_ms: Option<i64>,
    /// The last strike's reason, for the row.
    pub strike_reason: Option<Reason>,
    /// Its errors no longer speak for our being offline, since others answered meanwhile.
    pub odd_one_out: bool,
    /// Offences at the retry button.
    pub lockout: SavedLockout,
}

/// What one search remembers. Keyed by `search`.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct SearchState {
    /// Whose it is.
    pub search: SearchId,
    /// When it is due next, unix ms: phases survive a restart.
    pub next_due_ms: Option<i64>,
    /// When it last went out, unix ms.
    pub asked_ms: Option<i64>,
    /// When it last got an answer, unix ms.
    pub answered_ms: Option<i64>,
    /// Listings on the page at the last answer.
    pub listings: Option<u32>,
    /// Listings at the last answer that looked as it should, for "48 last time".
    pub before: Option<u32>,
    /// What the extractor made of the last answer.
    pub finding: Option<Finding>,
    /// The page itself is gone since then, unix ms.
    pub gone_ms: Option<i64>,
    /// The status that said so.
    pub gone_status: Option<u16>,
    /// The last check met trouble that did not count yet, with this reason.
    pub error_reason: Option<Reason>,
    /// A wait of this page alone (a login wall, or refused while its neighbours are welcome).
    pub wait: Option<SavedWait>,
}

/// When a registrable domain may be asked again. Keyed by `domain`.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct DomainState {
    /// The [`firstknock_listing::Domain`] as text.
    pub domain: String,
    /// The gap ends then, unix ms.
    pub free_ms: i64,
    /// Requests of the last minute, unix ms, oldest first; at most ten.
    pub recent_ms: Vec<i64>,
}

/// The app as a whole.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct AppState {
    /// The user pressed Stop at that time, unix ms.
    pub stopped_ms: Option<i64>,
    /// Offline since then, unix ms. A start tries somebody at once.
    pub offline_ms: Option<i64>,
}

/// Something stored that could not be, and what was done about it. Codes for the log and the
/// user (`error_saved_*`).
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Problem {
    /// A wait ended farther away than the cap allows; clamped.
    TooFar {
        /// Whose.
        whose: String,
    },
    /// A count or time was negative or absurd; set to the nearest that can be.
    Impossible {
        /// Whose.
        whose: String,
        /// Which field.
        field: &'static str,
    },
    /// A kind of a newer version; the record is set aside and the host waits as after an error.
    UnknownKind {
        /// Whose.
        whose: String,
        /// The word.
        kind: String,
    },
    /// More than [`crate::MAX_ENABLED`] searches were enabled; this one starts paused.
    TooManyEnabled {
        /// Which.
        search: SearchId,
    },
}
