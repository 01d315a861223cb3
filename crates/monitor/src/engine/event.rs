//! Everything that can happen to the engine, in one list.

use firstknock_listing::{HostKey, SearchId, SearchUrl};
use firstknock_policy::Outcome;
use firstknock_schedule::{Check, Locked, Permit, Purpose, Seen};
use firstknock_store::{Backup, ImportedLine, Search, SearchWish, StoreError};
use serde_json::Value;
use tokio::sync::oneshot;

use crate::Look;

/// One thing that happened. The loop handles one at a time.
pub(crate) enum Event {
    /// A look at a search's page ended.
    Looked(Box<Looked>),
    /// Somebody wants something.
    Asked(Ask),
    /// The system says whether there is a network.
    Network {
        /// It says yes.
        online: bool,
    },
    /// The machine woke up.
    Woke,
    /// An outbox row moved: the board shows it.
    Delivered,
    /// A photo is in the album.
    PhotoCame {
        /// Which one.
        mark: String,
    },
    /// The end.
    Shutdown,
}

/// A look and the check that it was for.
pub(crate) struct Looked {
    pub(crate) check: Check,
    pub(crate) run: firstknock_store::RunId,
    pub(crate) look: Look,
}

/// What somebody wants, with a way to answer.
pub(crate) enum Ask {
    Add {
        wish: Box<SearchWish>,
        enabled: bool,
        choice: Option<Value>,
        reply: Reply<Search>,
    },
    Edit {
        id: SearchId,
        wish: Box<SearchWish>,
        reply: Reply<Search>,
    },
    Delete {
        id: SearchId,
        reply: Reply<()>,
    },
    Undelete {
        id: SearchId,
        reply: Reply<Search>,
    },
    Enable {
        id: SearchId,
        on: bool,
        reply: Reply<()>,
    },
    Mute {
        id: SearchId,
        on: bool,
        reply: Reply<()>,
    },
    RetryNow {
        id: SearchId,
        reply: oneshot::Sender<Result<(), Locked>>,
    },
    Start,
    Stop,
    /// May this address be asked?
    Permit {
        url: Box<SearchUrl>,
        purpose: Purpose,
        reply: oneshot::Sender<Permit>,
    },
    /// What a permitted request came to.
    Report {
        check: Box<Check>,
        outcome: Box<Outcome>,
        seen: Seen,
    },
    /// It was never sent.
    Abandon {
        check: Box<Check>,
    },
    /// The window of "Open site" is open.
    SiteOpened {
        host: HostKey,
    },
    /// It was closed.
    SiteClosed {
        host: HostKey,
        search: Option<SearchId>,
    },
    /// The stored session of a host is to be forgotten.
    ClearSession {
        host: HostKey,
    },
    /// Searches from a file.
    Import {
        text: String,
        reply: Reply<Vec<ImportedLine>>,
    },
    /// Back to a backup.
    Restore {
        backup: Backup,
        reply: Reply<()>,
    },
    /// "While you were away" was read.
    DismissAway,
    /// Something that the board shows was changed in the store.
    Redraw,
}

/// The answer to an edit.
pub(crate) type Reply<T> = oneshot::Sender<Result<T, StoreError>>;
