//! What was sent, or waits to be.

use axum::Json;
use axum::extract::State;
use firstknock_ipc::{Command, DeliveryRow, DeliveryState, Nothing, serve};
use http::StatusCode;
use serde::Serialize;
use utoipa::ToSchema;

use super::{time, word};
use crate::app::Api;
use crate::problem::Problem;

/// A message.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct DeliveryOut {
    id: i64,
    /// `mail`, `file`, `ntfy` …
    channel: String,
    subject: String,
    /// RFC 3339.
    created_at: String,
    /// `pending`, `sending`, `sent`, `retry_at`, `held`, `maybe_delivered`, `given_up`.
    state: String,
    /// When it was sent, or is tried again (RFC 3339).
    at: Option<String>,
    /// Why, or the server's own words.
    words: Option<String>,
    attempts: u32,
}

#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct Deliveries {
    deliveries: Vec<DeliveryOut>,
}

/// The newest hundred deliveries.
#[utoipa::path(get, path = "/deliveries", operation_id = "list_deliveries", responses((status = 200, body = Deliveries), (status = "4XX", body = Problem, content_type = "application/problem+json"), (status = "5XX", body = Problem, content_type = "application/problem+json")))]
pub(super) async fn list(State(api): State<Api>) -> Result<Json<Deliveries>, Problem> {
    let reply = serve(&api.engine, api.host(), Command::ListDeliveries(Nothing {})).await?;
    let rows: Vec<DeliveryRow> = serde_json::from_value(reply)
        .map_err(|_| Problem::new(StatusCode::INTERNAL_SERVER_ERROR, "internal", "We broke."))?;
    Ok(Json(Deliveries { deliveries: rows.into_iter().map(out).collect() }))
}

fn out(row: DeliveryRow) -> DeliveryOut {
    let state = word(&row.state);
    let (at, words) = match row.state {
        DeliveryState::Pending | DeliveryState::Sending => (None, None),
        DeliveryState::Sent { at, reply } => (Some(at), Some(reply)),
        DeliveryState::RetryAt { at, why } => (Some(at), Some(why)),
        DeliveryState::Held { why }
        | DeliveryState::MaybeDelivered { why }
        | DeliveryState::GivenUp { why } => (None, Some(why)),
    };
    DeliveryOut {
        id: row.id,
        channel: row.channel,
        subject: row.subject,
        created_at: time(row.created_at),
        state,
        at: at.map(time),
        words,
        attempts: row.attempts,
    }
}
