//! The web twin of the window: the same command list and status stream, for the owner's pages.

use std::convert::Infallible;
use std::sync::Arc;
use std::time::Duration;

use axum::Extension;
use axum::Router;
use axum::extract::{Path, State};
use axum::middleware::from_fn_with_state;
use axum::response::sse::{Event, KeepAlive, Sse};
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use firstknock_ipc::{Board, Command, ErrorBody, StatusEvent, serve, wire};
use firstknock_monitor::{Photo, PhotoKey};
use futures_util::{StreamExt, stream};
use http::{HeaderMap, StatusCode, header};
use serde_json::Value;
use tokio::sync::watch;

use crate::admit::{self, ShownOnce};
use crate::app::Api;
use crate::book::Caller;
use crate::problem::Problem;
use crate::streams::Place;

/// A comment line that often, so that both sides notice a link that is gone.
pub(crate) const BEAT: Duration = Duration::from_secs(15);

pub(crate) fn routes(api: &Api) -> Router<Api> {
    Router::new()
        .route("/call", post(call))
        .route("/events", get(events))
        .route("/photos/{key}", get(photo))
        .layer(from_fn_with_state(api.clone(), admit::owner))
}

async fn call(State(api): State<Api>, body: String) -> Response {
    let Ok(command) = serde_json::from_str::<Command>(&body) else {
        return Problem::bad("That is no command of the list.").into_response();
    };
    let shown_once = matches!(command, Command::AddClient(_));
    let about_clients = shown_once
        || matches!(
            command,
            Command::EditClient(_) | Command::RevokeClient(_) | Command::LetClientIn(_)
        );
    let done: Result<Value, ErrorBody> = serve(&api.engine, api.host(), command).await;
    if about_clients && let Err(error) = api.book.refresh(&api.engine).await {
        tracing::warn!(%error, "the API's clients could not be read; they are within a second");
    }
    match done {
        Ok(reply) if shown_once => {
            let mut answer = axum::Json(reply).into_response();
            answer.extensions_mut().insert(ShownOnce);
            answer
        }
        Ok(reply) => axum::Json(reply).into_response(),
        Err(error) => Problem::of(error).into_response(),
    }
}

/// A listing's photo. One that is on its way is no error: the board's `photos` name it when it came.
async fn photo(State(api): State<Api>, Path(key): Path<String>, headers: HeaderMap) -> Response {
    let Ok(key) = key.parse::<PhotoKey>() else { return Problem::not_found().into_response() };
    // A key stands for one photo for ever, so it is a tag, too.
    let tag = format!("\"{key}\"");
    let known = headers.get(header::IF_NONE_MATCH).and_then(|value| value.to_str().ok());
    let known = known.is_some_and(|known| known.split(',').any(|it| it.trim() == tag));
    let cached = [
        (header::ETAG, tag.as_str()),
        (header::CACHE_CONTROL, "private, max-age=86400, immutable"),
        (header::VARY, "authorization"),
    ];
    match api.engine.photo(key).await {
        Ok(Photo::Here(_)) if known => (StatusCode::NOT_MODIFIED, cached).into_response(),
        Ok(Photo::Here(jpeg)) => {
            (cached, [(header::CONTENT_TYPE, "image/jpeg")], jpeg).into_response()
        }
        Ok(Photo::Later) => StatusCode::ACCEPTED.into_response(),
        Ok(Photo::None) => Problem::not_found().into_response(),
        Err(error) => Problem::from(error).into_response(),
    }
}

/// What a stream of the board remembers between two messages.
struct Seen {
    board: watch::Receiver<Arc<firstknock_monitor::Board>>,
    last: Option<Board>,
    _place: Place,
}

async fn events(State(api): State<Api>, Extension(caller): Extension<Caller>) -> Response {
    let place = match api.streams.take(&caller) {
        Ok(place) => place,
        Err(refused) => return refused.into_response(),
    };
    let seen = Seen { board: api.engine.board(), last: None, _place: place };
    let messages = stream::unfold(seen, |mut seen| async move {
        loop {
            if seen.last.is_some() && seen.board.changed().await.is_err() {
                return None;
            }
            let now = wire::board(&seen.board.borrow_and_update());
            let message = match &seen.last {
                None => Some(StatusEvent::Snapshot { board: now.clone() }),
                Some(last) => wire::changed(last, &now),
            };
            seen.last = Some(now);
            if let Some(message) = message {
                let json = serde_json::to_string(&message).expect("BUG: the wire is JSON");
                return Some((Ok::<_, Infallible>(Event::default().data(json)), seen));
            }
        }
    });
    let messages = messages.take_until(Box::pin(Arc::clone(&api.book).gone(caller)));
    Sse::new(messages).keep_alive(KeepAlive::new().interval(BEAT)).into_response()
}
