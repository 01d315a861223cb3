//! The board in words, for a terminal: the same codes and the same catalogue as the window.

use std::time::Duration;

use firstknock_ipc::{AppStatus, MailState, RowState, SearchRow, WallKind};
use firstknock_listing::catalogue::{Language, say};
use firstknock_monitor::store::NewsKind;
use firstknock_policy::format_wait;
use jiff::Timestamp;

/// The language of the terminal: the system's, else English.
pub(crate) fn language() -> Language {
    ["LC_ALL", "LC_MESSAGES", "LANG"]
        .iter()
        .filter_map(|name| std::env::var(name).ok())
        .find_map(|locale| Language::from_code(&locale))
        .unwrap_or_default()
}

/// A row's state as one sentence, with its countdown.
pub(crate) fn row(row: &SearchRow, now: Timestamp) -> String {
    let parts = [state(&row.state), due(&row.state, now)];
    parts.into_iter().flatten().collect::<Vec<_>>().join(" · ")
}

/// The same without anything that counts: it changes only when something happened.
pub(crate) fn still(row: &SearchRow) -> String {
    let mark = row.last_answer_at.filter(|_| matches!(row.state, RowState::Ok { .. }));
    format!("{} {} {mark:?}", row.name, state(&row.state).unwrap_or_default())
}

fn state(state: &RowState) -> Option<String> {
    let l = language();
    let text = match state {
        RowState::Queued => say(l, "row_queued", &[]),
        RowState::Checking { .. } => say(l, "row_checking", &[]),
        RowState::Ok { listings, .. } => say(l, "row_ok", &[("n", &listings.to_string())]),
        RowState::Empty { .. } => say(l, "row_empty", &[]),
        RowState::Suspicious { recognised, before, .. } => {
            let (n, before) = (recognised.to_string(), before.to_string());
            say(l, "row_suspicious", &[("n", &n), ("before", &before)])
        }
        RowState::Blocked { wall, .. } => {
            say(l, "row_blocked", &[("kind", &say(l, &format!("wall_{}", code(*wall)), &[]))])
        }
        RowState::Probing { host, .. } => say(l, "row_probing", &[("host", host)]),
        RowState::NeedsYou { reason, .. } => either(l, "row_needs_you", reason),
        RowState::FirstError { reason, .. } => {
            format!("{} · {}", either(l, "row_error", reason), say(l, "row_first_error_then", &[]))
        }
        RowState::ErrorWaiting { reason, .. } => either(l, "row_error", reason),
        RowState::Offline { .. } => {
            format!("{} · {}", say(l, "row_offline", &[]), say(l, "row_offline_then", &[]))
        }
        RowState::PageGone { status, .. } => {
            let status = status.map_or_else(|| "404".to_owned(), |s| s.to_string());
            say(l, "row_page_gone", &[("status", &status)])
        }
        RowState::Paused => say(l, "row_paused", &[]),
        RowState::Stopped => say(l, "row_stopped", &[]),
    };
    Some(text.replace("**", ""))
}

/// The special sentence for a reason where there is one, else the general one.
fn either(l: Language, general: &str, reason: &str) -> String {
    let special = format!("{general}_{reason}");
    let text = say(l, &special, &[]);
    if text == special { say(l, general, &[]) } else { text }
}

fn due(state: &RowState, now: Timestamp) -> Option<String> {
    let (label, at) = match state {
        RowState::Ok { next_at, .. }
        | RowState::Empty { next_at, .. }
        | RowState::Suspicious { next_at, .. }
        | RowState::PageGone { next_at, .. } => ("due_next", *next_at),
        RowState::Blocked { retry_at, .. }
        | RowState::NeedsYou { retry_at, .. }
        | RowState::ErrorWaiting { retry_at, .. } => ("due_retry", *retry_at),
        RowState::FirstError { .. }
        | RowState::Queued
        | RowState::Checking { .. }
        | RowState::Probing { .. }
        | RowState::Offline { .. }
        | RowState::Paused
        | RowState::Stopped => return None,
    };
    Some(format!("{} {}", say(language(), label, &[]), wait(at, now)))
}

/// The app's sentence.
pub(crate) fn app(status: &AppStatus, now: Timestamp) -> String {
    let l = language();
    match status {
        AppStatus::Polling { checking, of } => {
            let (n, checking) = (of.to_string(), checking.to_string());
            say(l, "head_polling", &[("n", &n), ("checking", &checking)])
        }
        AppStatus::Idle { waiting, next_at } => match next_at {
            Some(at) => {
                let text = say(l, "head_idle", &[("n", &waiting.to_string())]);
                format!("{text} {}", wait(*at, now))
            }
            None => say(l, "head_nothing_runs", &[]),
        },
        AppStatus::Offline { .. } => say(l, "head_offline", &[]),
        AppStatus::Stopped { why, .. } => {
            let why = match why {
                firstknock_ipc::StopWhy::User => "user",
                firstknock_ipc::StopWhy::DiskFull => "disk_full",
                firstknock_ipc::StopWhy::ReadOnly => "read_only",
            };
            say(l, &format!("head_stopped_{why}"), &[])
        }
    }
}

/// What is new about a listing.
pub(crate) fn news(kind: NewsKind) -> String {
    say(language(), &format!("news_{}", kind.code()), &[])
}

/// When mail was last taken, and by whom.
pub(crate) fn mail(mail: &MailState) -> Option<String> {
    match mail {
        MailState::Folder { folder, last: Some(_) } => Some(format!("mail written to {folder}")),
        MailState::Works { address, last_accepted: Some(_) } => {
            Some(format!("mail to {address} accepted by the server"))
        }
        MailState::Held { address, why, .. } => Some(format!("mail to {address} is held: {why}")),
        MailState::Locked { address } => Some(format!("mail to {address} is locked")),
        MailState::Folder { .. } | MailState::Works { .. } | MailState::Retrying { .. } => None,
    }
}

fn wait(at_ms: i64, now: Timestamp) -> String {
    let left = u64::try_from(at_ms - now.as_millisecond()).unwrap_or_default();
    format_wait(Duration::from_millis(left))
}

const fn code(wall: WallKind) -> &'static str {
    match wall {
        WallKind::Challenge => "challenge",
        WallKind::RateLimited => "rate_limited",
        WallKind::Denied => "denied",
        WallKind::Error => "error",
    }
}
