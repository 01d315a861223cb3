//! What goes out: a check of a search, or something else that asks a site.

use firstknock_listing::{Domain, HostKey, Revision, SearchId, SearchUrl};
use jiff::Timestamp;
use serde::{Deserialize, Serialize};

/// Counts the requests of one run of the program; means nothing after a restart.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct CheckId(pub u64);

/// One request that is allowed to go out now. The host is busy until it is reported
/// (or until [`crate::LOST_AFTER`] has passed).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Check {
    /// Which one; [`crate::Schedule::report`] takes the check back.
    pub id: CheckId,
    /// The search it is for; `None` for previews, photos and `knock check`.
    pub search: Option<SearchId>,
    /// The search's revision when this was planned.
    pub revision: Revision,
    /// Who is asked; what comes back is filed here, wherever a redirect ends.
    pub host: HostKey,
    /// Whose gap was taken.
    pub domain: Domain,
    /// What is asked.
    pub url: SearchUrl,
    /// Why now.
    pub why: Why,
    /// When it was allowed to go out.
    pub at: Timestamp,
}

/// Why a request goes out.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Why {
    /// The search's interval is over.
    Due,
    /// The host's wait is over: the one request that goes back in.
    Probe,
    /// The user pressed the button.
    Manual,
    /// The window of "Open site" was closed: one probe, free of charge.
    AfterHand,
    /// While offline: the one request that finds out whether the internet is back.
    OfflineTest,
    /// A preview while a search is being added.
    Preview,
    /// `knock check`: one look by hand.
    ByHand,
    /// A further page of a search's results, or the page of one listing.
    Page,
    /// A listing's picture. Its failure says nothing about the search's pages (fredy#450).
    Photo,
}

/// What an [`crate::Schedule::ask`] is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Purpose {
    /// A preview while a search is being added.
    Preview,
    /// `knock check`.
    ByHand,
    /// A further page of results.
    Page,
    /// A listing's picture; gives way to every search that is due on the domain.
    Photo,
}

/// The answer to [`crate::Schedule::ask`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Permit {
    /// Go; report it like any other check.
    Go(Check),
    /// Not yet: ask again at that time (nothing is reserved).
    NotBefore {
        /// When to ask again.
        at: Timestamp,
        /// What is in the way.
        why: NotYet,
    },
}

/// Why something that wants to ask a site has to wait.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum NotYet {
    /// The gap or the rate of the domain.
    Gap,
    /// Another request to the host is under way.
    Busy,
    /// The host refused and is left alone.
    HostWaits,
    /// The window of "Open site" is open.
    SiteOpen,
    /// We are offline, or just woke up.
    Offline,
    /// The user stopped the app, or storage is full.
    Stopped,
    /// Photos of this host failed and are left alone for an hour.
    PhotosRest,
}
