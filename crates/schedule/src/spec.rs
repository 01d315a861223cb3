//! What the user saved: a search as far as the plan needs to know it.

use std::time::Duration;

use firstknock_listing::{Domain, HostKey, Revision, SearchId, SearchUrl};

/// At most so many searches are enabled at once; more may be saved, paused.
pub const MAX_ENABLED: usize = 15;
/// The interval of a search that the user did not set (90 s).
pub const DEFAULT_INTERVAL: Duration = Duration::from_secs(90);
/// The shortest interval that is taken (30 s); a shorter one is raised to it.
pub const MIN_INTERVAL: Duration = Duration::from_secs(30);
/// The longest interval that is taken (24 h); a longer one is lowered to it.
pub const MAX_INTERVAL: Duration = Duration::from_secs(24 * 3600);

/// A saved search, as the plan sees it. Name and filters do not matter for *when*.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SearchSpec {
    /// The row id in `searches`.
    pub id: SearchId,
    /// Counts the edits; a check carries it, so that a report for an older one writes no listings.
    pub revision: Revision,
    /// What is asked. Another address forgets everything that is known of the old one.
    pub url: SearchUrl,
    /// How often the user wants it looked at; clamped to [`MIN_INTERVAL`] ..= [`MAX_INTERVAL`].
    pub interval: Duration,
    /// Paused searches are never asked.
    pub enabled: bool,
    /// The user's order; the first on a host is the one that probes. Ties go by id.
    pub order: i64,
}

impl SearchSpec {
    /// The host whose ladder this search shares.
    pub fn host(&self) -> HostKey {
        self.url.host()
    }

    /// The domain whose gap and rate this search shares.
    pub fn domain(&self) -> Domain {
        self.host().domain()
    }

    /// The interval within its bounds.
    pub fn interval(&self) -> Duration {
        self.interval.clamp(MIN_INTERVAL, MAX_INTERVAL)
    }
}

/// Why a search was not taken or not enabled.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Refused {
    /// [`MAX_ENABLED`] are enabled already; it may be saved paused.
    TooMany,
    /// No such search.
    Unknown,
}
