//! What has to be kept: the core decides, the shell writes it in one transaction.

use firstknock_listing::{HostKey, SearchId};
use jiff::Timestamp;

use crate::{AppState, DomainState, HostRecord, SearchState};

/// Everything that changed since the last drain. Each record replaces the stored one with the
/// same key. If the transaction fails, hand the whole change to [`crate::Schedule::not_kept`].
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Change {
    /// Host records to write or delete.
    pub hosts: Vec<HostUpdate>,
    /// Search states to write.
    pub searches: Vec<SearchState>,
    /// States of searches that no longer exist.
    pub removed_searches: Vec<SearchId>,
    /// Domain records to write.
    pub domains: Vec<DomainState>,
    /// The app's own state, if it changed.
    pub app: Option<AppState>,
    /// After a report: the search is still the one that was asked, so its listings may be
    /// written. False for a deleted or edited search, for walls, trouble, previews and photos.
    pub keep_listings: bool,
    /// Worth a line in the log or a word to the user.
    pub notes: Vec<Note>,
}

/// What becomes of one host's stored record.
#[derive(Debug, Clone, PartialEq)]
#[expect(clippy::large_enum_variant, reason = "a handful live for the length of one transaction")]
pub enum HostUpdate {
    /// Write it.
    Put(HostRecord),
    /// Delete it: the host is welcome and nothing about it is worth keeping.
    Clear(HostKey),
}

/// Something that happened which a record alone does not tell.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Note {
    /// A failure was recorded: the host is left alone until then.
    HostWaits {
        /// Who.
        host: HostKey,
        /// Until when.
        until: Timestamp,
        /// Set when the site asked for longer than the cap: what it asked, in ms.
        capped_from_ms: Option<i64>,
    },
    /// The host answered: all its searches carry on.
    HostWelcome {
        /// Who.
        host: HostKey,
    },
    /// We are offline.
    WentOffline,
    /// The internet is back.
    BackOnline,
    /// The nth press on a refusing host within a day: its button is locked.
    ButtonLocked {
        /// Whose.
        host: HostKey,
        /// Which offence, from 1.
        offence: u32,
        /// Until when.
        until: Timestamp,
    },
    /// A check was never reported and was given up.
    CheckLost {
        /// Whose.
        host: HostKey,
    },
    /// The wall clock jumped back by so much; everything was moved along.
    ClockWentBack {
        /// By how much, in ms.
        by_ms: i64,
    },
}

impl Change {
    /// Nothing to write.
    pub fn is_empty(&self) -> bool {
        self.hosts.is_empty()
            && self.searches.is_empty()
            && self.removed_searches.is_empty()
            && self.domains.is_empty()
            && self.app.is_none()
    }
}
