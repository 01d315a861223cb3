//! A stream of what changes: `summary` when a number of it does, `search` for each row that does,
//! `happened` for what is kept of the past (its id continues a broken stream).

use std::collections::HashMap;
use std::convert::Infallible;
use std::sync::Arc;

use axum::Extension;
use axum::extract::State;
use axum::response::sse::{Event, KeepAlive, Sse};
use axum::response::{IntoResponse, Response};
use firstknock_ipc::{SearchRow, wire};
use firstknock_monitor::store::Happened;
use futures_util::{StreamExt, stream as streams};
use http::HeaderMap;
use serde_json::json;

use super::searches;
use super::summary::{self, Summary};
use crate::app::Api;
use crate::book::Caller;
use crate::door::BEAT;
use crate::problem::Problem;
use crate::streams::Place;

/// So many kept events are read at once.
const MOST: u32 = 100;

/// What was told last.
struct Told {
    api: Api,
    board: tokio::sync::watch::Receiver<Arc<firstknock_monitor::Board>>,
    summary: Option<Summary>,
    rows: HashMap<i64, SearchRow>,
    after: i64,
    waiting: std::collections::VecDeque<Event>,
    _place: Place,
}

/// Server-sent events, the state as it is first. `Last-Event-ID` continues a broken stream.
#[utoipa::path(get, path = "/events", operation_id = "stream_events", responses((status = 200, body = String, content_type = "text/event-stream"), (status = "4XX", body = Problem, content_type = "application/problem+json")))]
pub(super) async fn stream(
    State(api): State<Api>,
    Extension(caller): Extension<Caller>,
    headers: HeaderMap,
) -> Response {
    let place = match api.streams.take(&caller) {
        Ok(place) => place,
        Err(refused) => return refused.into_response(),
    };
    let last = headers.get("last-event-id").and_then(|id| id.to_str().ok()?.parse().ok());
    let gone = Box::pin(Arc::clone(&api.book).gone(caller));
    let told = Told {
        board: api.engine.board(),
        api,
        summary: None,
        rows: HashMap::new(),
        after: last.unwrap_or(0),
        waiting: std::collections::VecDeque::new(),
        _place: place,
    };
    let events = streams::unfold(told, |mut told| async move {
        loop {
            if let Some(event) = told.waiting.pop_front() {
                return Some((Ok::<_, Infallible>(event), told));
            }
            if told.summary.is_some() && told.board.changed().await.is_err() {
                return None;
            }
            told.draw().await;
        }
    });
    Sse::new(events.take_until(gone)).keep_alive(KeepAlive::new().interval(BEAT)).into_response()
}

impl Told {
    async fn draw(&mut self) {
        let board = wire::board(&self.board.borrow_and_update());
        let now = summary::of(&board);
        if self.summary.as_ref() != Some(&now) {
            self.waiting.extend(event("summary", None, &now));
            self.summary = Some(now);
        }
        for row in board.rows {
            if self.rows.get(&row.id) != Some(&row) {
                self.waiting.extend(event("search", None, &searches::out(row.clone())));
                self.rows.insert(row.id, row);
            }
        }
        loop {
            let after = self.after;
            let store = self.api.engine.store();
            let kept = store.read(move |store| store.events_after(after, MOST)).await;
            let kept = kept.unwrap_or_default();
            for happened in &kept {
                self.after = happened.id;
                self.waiting.extend(event("happened", Some(happened.id), &said(happened)));
            }
            if kept.len() < MOST as usize {
                return;
            }
        }
    }
}

fn said(it: &Happened) -> serde_json::Value {
    json!({
        "code": it.code,
        "at": it.at.to_string(),
        "search": it.search.map(|id| id.0),
        "host": it.host.as_ref().map(firstknock_monitor::HostKey::as_str),
        "args": it.args,
    })
}

fn event(name: &str, id: Option<i64>, data: &impl serde::Serialize) -> Option<Event> {
    let event = Event::default().event(name).data(serde_json::to_string(data).ok()?);
    Some(match id {
        Some(id) => event.id(id.to_string()),
        None => event,
    })
}
