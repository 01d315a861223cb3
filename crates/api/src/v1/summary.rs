//! A handful of numbers, flat and stable: for a sensor that asks every half minute.

use axum::Json;
use axum::extract::State;
use firstknock_ipc::{AppStatus, Board, HostState, RowState, WallKind};
use serde::Serialize;
use utoipa::ToSchema;

use super::{board, time, word};
use crate::app::Api;
use crate::problem::Problem;

/// How it is going. Fields are only ever added.
#[derive(Debug, Clone, PartialEq, Serialize, ToSchema)]
pub(crate) struct Summary {
    /// `watching`, `stopped` or `offline`.
    pub(crate) status: String,
    /// Listings that nobody has looked at.
    pub(crate) unread: u32,
    /// Saved searches.
    pub(crate) searches: u32,
    /// Of those, how many are watched.
    pub(crate) searches_enabled: u32,
    /// Of those, how many got an answer the last time.
    pub(crate) searches_ok: u32,
    /// Sites that are left alone for a while.
    pub(crate) sites_waiting: u32,
    /// Sites of which a person could pass the check, in the desktop app.
    pub(crate) sites_need_you: u32,
    /// `folder`, `works`, `held`, `locked`, `retrying`.
    pub(crate) mail: String,
    /// When any page last answered (RFC 3339).
    pub(crate) last_answer_at: Option<String>,
    /// When the next page is asked (RFC 3339).
    pub(crate) next_check_at: Option<String>,
}

/// How it is going, in one small object.
#[utoipa::path(get, path = "/summary", operation_id = "get_summary", responses((status = 200, body = Summary), (status = "4XX", body = Problem, content_type = "application/problem+json")))]
pub(super) async fn summary(State(api): State<Api>) -> Json<Summary> {
    Json(of(&board(&api)))
}

pub(crate) fn of(board: &Board) -> Summary {
    let count = |n: usize| u32::try_from(n).unwrap_or(u32::MAX);
    let waits = |person: bool| {
        let hosts = board.hosts.iter().filter(|host| match host.state {
            HostState::Waits { wall, .. } => {
                !person || matches!(wall, WallKind::Challenge | WallKind::Denied)
            }
            HostState::Answers { .. } | HostState::Probing { .. } | HostState::SiteOpen { .. } => {
                false
            }
        });
        count(hosts.count())
    };
    let well = |state: &RowState| matches!(state, RowState::Ok { .. } | RowState::Empty { .. });
    let (status, next) = match board.app {
        AppStatus::Polling { .. } => ("watching", None),
        AppStatus::Idle { next_at, .. } => ("watching", next_at),
        AppStatus::Offline { next_at, .. } => ("offline", next_at),
        AppStatus::Stopped { .. } => ("stopped", None),
    };
    Summary {
        status: status.to_owned(),
        unread: board.facts.unread,
        searches: count(board.rows.len()),
        searches_enabled: count(board.rows.iter().filter(|row| row.enabled).count()),
        searches_ok: count(board.rows.iter().filter(|row| well(&row.state)).count()),
        sites_waiting: waits(false),
        sites_need_you: waits(true),
        mail: word(&board.facts.mail),
        last_answer_at: board.rows.iter().filter_map(|row| row.last_answer_at).max().map(time),
        next_check_at: next.map(time),
    }
}
