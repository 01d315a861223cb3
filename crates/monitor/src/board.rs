//! The status board: what everybody sees, published after each commit.

use firstknock_listing::HostKey;
use firstknock_schedule::{AppStatus, HostCard, Row};
use firstknock_store::{CheckMark, Search};
use jiff::Timestamp;

use crate::clients::ClientFacts;
use crate::pause::PauseWhy;

/// Everything that the main view shows, as facts with absolute times.
#[derive(Debug, Clone, PartialEq)]
pub struct Board {
    /// When it was drawn.
    pub at: Timestamp,
    /// The app as a whole.
    pub app: AppStatus,
    /// In the user's order.
    pub rows: Vec<BoardRow>,
    /// One per host that is asked or waits.
    pub hosts: Vec<BoardHost>,
    /// Small facts beside the rows.
    pub facts: Facts,
}

/// One search on the board.
#[derive(Debug, Clone, PartialEq)]
pub struct BoardRow {
    /// What the user saved.
    pub search: Search,
    /// What the schedule says.
    pub row: Row,
    /// The last checks, newest last.
    pub marks: Vec<CheckMark>,
    /// Listings that nobody has looked at.
    pub unread: u32,
}

/// One host on the board.
#[derive(Debug, Clone, PartialEq)]
pub struct BoardHost {
    /// What the schedule says.
    pub card: HostCard,
    /// Cookies are kept for it, or a browser's session of its pages.
    pub has_session: bool,
}

/// Facts beside the rows.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Facts {
    /// Listings that nobody has looked at.
    pub unread: u32,
    /// Whether messages go out.
    pub mail: MailFacts,
    /// The data come from a backup of that time: the last run's database could not be read.
    pub restored_from: Option<Timestamp>,
    /// A window or webview is there to open sites.
    pub can_open_sites: bool,
    /// What happened while the app was not looking.
    pub away: Option<Away>,
    /// A client of the local API that offends again and again, the one with the latest lock.
    pub worrying_client: Option<ClientFacts>,
    /// The marks of the last photos that came, newest last: who wanted one looks again.
    pub photos: Vec<String>,
}

/// "While you were away".
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Away {
    /// Listings that appeared.
    pub appeared: u32,
    /// Of those and the known, how many are gone.
    pub gone: u32,
    /// From when on nobody looked.
    pub from: Timestamp,
    /// Until when.
    pub to: Timestamp,
    /// Why.
    pub why: PauseWhy,
    /// The site that refused us: only its listings are counted.
    pub host: Option<HostKey>,
}

/// Whether mail goes out.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct MailFacts {
    /// The address that mail goes to; `None` while no account is set up.
    pub address: Option<String>,
    /// Where `.eml` files go instead.
    pub folder: std::path::PathBuf,
    /// When a server (or the folder) last took one.
    pub last_accepted: Option<Timestamp>,
    /// The account cannot send: a code.
    pub held: Option<String>,
    /// What to do about that: the key of a sentence.
    pub hint: Option<String>,
    /// Messages that wait for another try, and until when.
    pub retrying: Option<(Timestamp, String)>,
}
