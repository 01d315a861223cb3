//! The sites that are asked, and the ledger: which of them wait, since when, until when, and why.

use axum::Json;
use axum::extract::State;
use firstknock_ipc::{HostCard, HostState, WallKind};
use serde::Serialize;
use utoipa::ToSchema;

use super::{board, time, word};
use crate::app::Api;
use crate::problem::Problem;

/// A site.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct HostOut {
    host: String,
    /// Searches there.
    searches: u32,
    /// `answers`, `waits`, `probing`, `site_open`.
    state: String,
    /// What it said: `challenge`, `rate_limited`, `denied`, `error`.
    wall: Option<String>,
    /// Why: a code.
    reason: Option<String>,
    /// Since when (RFC 3339).
    since: Option<String>,
    /// Refusals in a row.
    failures: Option<u32>,
    /// The wait that the site itself asked for, in seconds.
    asked_s: Option<i64>,
    /// Not before (RFC 3339).
    retry_at: Option<String>,
    /// What the verdict rests on.
    evidence: Vec<String>,
    last_answer_at: Option<String>,
    /// A person can pass its check in the desktop app; there is no window here.
    open_in_app: bool,
}

#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct Hosts {
    hosts: Vec<HostOut>,
}

/// All sites with their waits.
#[utoipa::path(get, path = "/hosts", operation_id = "list_hosts", responses((status = 200, body = Hosts), (status = "4XX", body = Problem, content_type = "application/problem+json")))]
pub(super) async fn list(State(api): State<Api>) -> Json<Hosts> {
    Json(Hosts { hosts: board(&api).hosts.into_iter().map(out).collect() })
}

fn out(card: HostCard) -> HostOut {
    let mut host = HostOut {
        state: word(&card.state),
        host: card.host,
        searches: card.searches,
        wall: None,
        reason: None,
        since: None,
        failures: None,
        asked_s: None,
        retry_at: None,
        evidence: Vec::new(),
        last_answer_at: card.last_answer_at.map(time),
        open_in_app: false,
    };
    match card.state {
        HostState::Answers { next_at } => host.retry_at = next_at.map(time),
        HostState::Probing { since } | HostState::SiteOpen { since } => {
            host.since = Some(time(since));
        }
        HostState::Waits { wall, reason, since, failures, asked_ms, retry_at, evidence } => {
            host.open_in_app = matches!(wall, WallKind::Challenge | WallKind::Denied);
            host.wall = Some(word(wall));
            host.reason = Some(reason);
            host.since = Some(time(since));
            host.failures = Some(failures);
            host.asked_s = asked_ms.map(|ms| ms / 1000);
            host.retry_at = Some(time(retry_at));
            host.evidence = evidence;
        }
    }
    host
}
