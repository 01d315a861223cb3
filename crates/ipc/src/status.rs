//! The status stream: one snapshot, then changes, on one ordered channel.

use serde::{Deserialize, Serialize};
use ts_rs::TS;

use crate::{AlertChoices, Filters, Reader};

/// One message of the stream. The first is always a snapshot.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case", tag = "kind")]
pub enum StatusEvent {
    /// Everything.
    Snapshot { board: Board },
    /// What changed since the last message; rows and hosts that are not named are as they were.
    Changed {
        app: AppStatus,
        rows: Vec<SearchRow>,
        hosts: Vec<HostCard>,
        removed_rows: Vec<i64>,
        removed_hosts: Vec<String>,
        facts: BoardFacts,
    },
}

/// All that the main view shows.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
pub struct Board {
    pub app: AppStatus,
    /// In the user's order.
    pub rows: Vec<SearchRow>,
    pub hosts: Vec<HostCard>,
    pub facts: BoardFacts,
}

/// Small facts beside the rows.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
pub struct BoardFacts {
    pub unread: u32,
    pub mail: MailState,
    pub banners: Vec<Banner>,
    pub max_searches: u32,
    pub enabled_searches: u32,
    pub away: Option<Away>,
    /// What stands behind the `-` in the keys of the last photos that came, newest last: who drew
    /// a front in one's place asks again.
    pub photos: Vec<String>,
}

/// "While you were away: 6 appeared, 2 already gone".
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
pub struct Away {
    pub appeared: u32,
    pub gone: u32,
    pub from: i64,
    pub to: i64,
    pub why: AwayWhy,
    /// Of a site that refused us: its name; only its listings are counted.
    pub host: Option<String>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
pub enum AwayWhy {
    Asleep,
    Blocked,
    Closed,
}

/// Something the whole window should know.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case", tag = "kind")]
pub enum Banner {
    Offline,
    MailLocked,
    DiskFull,
    ReadOnly,
    RestoredBackup {
        from: i64,
    },
    /// Mails become files because no account is set up.
    MailToFolder {
        folder: String,
    },
    /// A client of the local API overdraws its budget again and again.
    ClientLimited {
        client: String,
        offences: u32,
        /// Locked out until then, while it is.
        until: Option<i64>,
    },
}

/// Whether mail goes out.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case", tag = "kind")]
pub enum MailState {
    /// No account: `.eml` files in the folder.
    Folder {
        folder: String,
        last: Option<i64>,
    },
    Works {
        address: String,
        last_accepted: Option<i64>,
    },
    Held {
        address: String,
        why: String,
        hint: Option<String>,
    },
    Locked {
        address: String,
    },
    Retrying {
        address: String,
        next: i64,
        why: String,
    },
}

/// What the app as a whole is doing.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case", tag = "kind")]
pub enum AppStatus {
    /// Something is in flight or due.
    Polling {
        checking: u32,
        of: u32,
    },
    /// Nothing in flight, nothing due.
    Idle {
        waiting: u32,
        next_at: Option<i64>,
    },
    Stopped {
        why: StopWhy,
        since: i64,
    },
    Offline {
        since: i64,
        next_at: Option<i64>,
    },
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
pub enum StopWhy {
    User,
    DiskFull,
    ReadOnly,
}

/// One search on the board.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
pub struct SearchRow {
    pub id: i64,
    pub name: String,
    pub url: String,
    pub host: String,
    pub position: i64,
    pub enabled: bool,
    pub muted: bool,
    pub unread: u32,
    pub filters: Filters,
    pub alerts: AlertChoices,
    pub interval_ms: i64,
    /// The range really used, jitter and stretching included.
    pub interval_used_ms: (i64, i64),
    /// Too many searches on one site: the interval is stretched, and the row says so.
    pub stretched: bool,
    pub reader: Reader,
    /// Newest last; at most 40.
    pub checks: Vec<CheckMark>,
    pub state: RowState,
    pub retry: Retry,
    /// Last answer that was not a refusal or an error.
    pub last_answer_at: Option<i64>,
    /// Listings on the page at the last answer.
    pub last_listings: Option<u32>,
    /// A remark that changes nothing: the extractor found something odd (`page_<code>`).
    pub remark: Option<Remark>,
}

/// A code with arguments.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct Remark {
    pub code: String,
    pub args: std::collections::BTreeMap<String, String>,
}

/// One past check, for the bar.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
pub enum CheckMark {
    News,
    Answered,
    Empty,
    Refused,
    Failed,
    NotAsked,
}

/// One variant per line of the policy's table, with its own facts only.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case", tag = "kind")]
pub enum RowState {
    Queued,
    Checking {
        since: i64,
    },
    Ok {
        listings: u32,
        checked_at: i64,
        next_at: i64,
    },
    /// Honest empty.
    Empty {
        checked_at: i64,
        next_at: i64,
    },
    /// The page looks different.
    Suspicious {
        recognised: u32,
        before: u32,
        next_at: i64,
    },
    Blocked {
        wall: WallKind,
        turn: Turn,
        retry_at: i64,
    },
    Probing {
        host: String,
        since: i64,
        turn: Turn,
    },
    NeedsYou {
        reason: String,
        turn: Turn,
        retry_at: i64,
    },
    FirstError {
        reason: String,
        next_at: i64,
    },
    ErrorWaiting {
        reason: String,
        turn: Turn,
        retry_at: i64,
    },
    Offline {
        since: i64,
    },
    PageGone {
        status: Option<u16>,
        since: i64,
        next_at: i64,
    },
    Paused,
    Stopped,
}

/// Who goes first when the host comes due.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
pub enum Turn {
    First,
    Waits,
}

/// The four kinds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
pub enum WallKind {
    Challenge,
    RateLimited,
    Denied,
    Error,
}

/// The retry button of a row or host.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case", tag = "kind")]
pub enum Retry {
    /// No button.
    None,
    /// Sends one probe; refused again it costs a rung and an offence.
    Ready,
    /// Sends one check and can cost nothing.
    Free,
    Locked {
        until: i64,
        why: LockWhy,
    },
    /// A request is under way, or the site's window is open.
    Busy,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
pub enum LockWhy {
    SiteAsked,
    RefusedAgain,
}

/// The card above the rows of one host.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
pub struct HostCard {
    pub host: String,
    pub searches: u32,
    pub state: HostState,
    pub retry: Retry,
    pub last_answer_at: Option<i64>,
    /// Cookies of plain requests, or a webview session, are kept for it.
    pub has_session: bool,
    /// "Open site" makes sense here (needs a person, or can be looked at).
    pub can_open_site: bool,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case", tag = "kind")]
pub enum HostState {
    Answers {
        next_at: Option<i64>,
    },
    Waits {
        wall: WallKind,
        reason: String,
        since: i64,
        failures: u32,
        /// What the site asked for, before the cap.
        asked_ms: Option<i64>,
        retry_at: i64,
        evidence: Vec<String>,
    },
    Probing {
        since: i64,
    },
    /// Its window is open: nothing else asks it.
    SiteOpen {
        since: i64,
    },
}
