//! Who is let in, with what scope, within which budget; and writes that come twice are done once.

use std::panic::AssertUnwindSafe;
use std::time::Instant;

use axum::body::Body;
use axum::extract::{Request, State};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use firstknock_ipc::{ErrorBody, ErrorCode};
use firstknock_monitor::StoreError;
use firstknock_monitor::store::Begun;
use futures_util::FutureExt;
use http::{HeaderMap, HeaderValue, Method, StatusCode, header};
use sha2::{Digest, Sha256};

use crate::app::Api;
use crate::book::Caller;
use crate::cost::{self, Cost};
use crate::problem::{PROBLEM_JSON, Problem};

/// The middleware of `/api/v1`: any client with a good token.
pub(crate) async fn client(State(api): State<Api>, request: Request, next: Next) -> Response {
    admit(&api, request, next, false).await
}

/// The middleware of `/api/ui`: the owner's token only.
pub(crate) async fn owner(State(api): State<Api>, request: Request, next: Next) -> Response {
    admit(&api, request, next, true).await
}

async fn admit(api: &Api, mut request: Request, next: Next, owner_only: bool) -> Response {
    let begun = Instant::now();
    let caller = match who(api, request.method(), request.headers(), owner_only).await {
        Ok(caller) => caller,
        Err(problem) => return problem.into_response(),
    };
    let estimate = cost::estimate(request.method(), request.uri());
    let hold = match api.book.ask(&api.engine, &caller, estimate).await {
        Ok(hold) => hold,
        Err(problem) => return problem.answer_at(api.engine.clock().now()),
    };
    api.stopwatch.admitted(begun);
    request.extensions_mut().insert(caller.clone());
    let answer = once(api, &caller, request, next).await;
    let done = Instant::now();
    let cost = answer.extensions().get::<Cost>().map_or(estimate, |cost| cost.0);
    api.book.settle(&caller, hold, cost);
    api.stopwatch.admitted(done);
    answer
}

async fn who(
    api: &Api,
    method: &Method,
    headers: &HeaderMap,
    owner_only: bool,
) -> Result<Caller, Problem> {
    let caller = match token(headers) {
        Some(token) => api.book.caller(&api.engine, token).await,
        None => None,
    };
    let Some(caller) = caller else {
        return Err(Problem::new(
            StatusCode::UNAUTHORIZED,
            "no_token",
            "A token is needed: Authorization: Bearer TOKEN.",
        ));
    };
    let writes = !matches!(*method, Method::GET | Method::HEAD);
    if (owner_only && !caller.is_owner) || (writes && !caller.can_write) {
        let title = "This token may not do that.";
        return Err(Problem::new(StatusCode::FORBIDDEN, "scope", title));
    }
    Ok(caller)
}

fn token(headers: &HeaderMap) -> Option<&str> {
    let line = headers.get(header::AUTHORIZATION)?.to_str().ok()?;
    let (scheme, token) = line.split_once(' ')?;
    (scheme.eq_ignore_ascii_case("bearer") && !token.is_empty()).then_some(token.trim())
}

/// Runs a write that carries an Idempotency-Key once, however often it comes.
async fn once(api: &Api, caller: &Caller, request: Request, next: Next) -> Response {
    let Some(key) = request.headers().get("idempotency-key") else {
        return next.run(request).await;
    };
    if matches!(*request.method(), Method::GET | Method::HEAD) {
        return next.run(request).await;
    }
    let good =
        |key: &&str| (1..=200).contains(&key.len()) && key.bytes().all(|b| b.is_ascii_graphic());
    let Some(key) = key.to_str().ok().filter(good).map(str::to_owned) else {
        return Problem::bad("An Idempotency-Key is 1 to 200 visible characters.").into_response();
    };
    let (head, body) = request.into_parts();
    // The guard has read it whole already, within its limit.
    let Ok(body) = axum::body::to_bytes(body, usize::MAX).await else {
        return Problem::bad("The body cannot be read.").into_response();
    };
    let mut print = Sha256::new();
    // With ends, so that a line and a body are not another line and another body.
    print.update(format!("{} {}\n", head.method, head.uri));
    print.update(&body);
    let print: [u8; 32] = print.finalize().into();
    match begin(api, caller.id, &key, print).await {
        Ok(Begun::New) => {
            let work = next.run(Request::from_parts(head, Body::from(body)));
            // After a panic the key is free again: it would stay "in flight" for ever.
            let answer = AssertUnwindSafe(work).catch_unwind().await.unwrap_or_else(|_| {
                Problem::new(StatusCode::INTERNAL_SERVER_ERROR, "internal", "We broke.")
                    .into_response()
            });
            finish(api, caller.id, key, answer).await
        }
        Ok(Begun::InFlight) => {
            let title = "The first request with this key is still being done.";
            Problem::new(StatusCode::CONFLICT, "in_flight", title).into_response()
        }
        Ok(Begun::OtherBody) => {
            let title = "This key came with another request before.";
            Problem::new(StatusCode::UNPROCESSABLE_ENTITY, "key_reused", title).into_response()
        }
        Ok(Begun::Done { status, answer, location }) => again(status, answer, location),
        Err(error) => Problem::from(error).into_response(),
    }
}

async fn begin(api: &Api, id: i64, key: &str, print: [u8; 32]) -> Result<Begun, StoreError> {
    let now = api.engine.clock().now();
    let key = key.to_owned();
    api.engine.store().run(move |store| store.begin_write(id, &key, &print, now)).await
}

/// On an answer with a secret in it: it is not kept, and a repeated request is told that it is late.
#[derive(Debug, Clone, Copy)]
pub(crate) struct ShownOnce;

/// Keeps what was decided; what broke on our side, or may come later, can be tried again.
async fn finish(api: &Api, id: i64, key: String, answer: Response) -> Response {
    let status = answer.status();
    let (head, body) = answer.into_parts();
    let has_secret = head.extensions.get::<ShownOnce>().is_some();
    let Ok(bytes) = axum::body::to_bytes(body, usize::MAX).await else {
        return Problem::new(StatusCode::INTERNAL_SERVER_ERROR, "internal", "We broke.")
            .into_response();
    };
    let settled = !status.is_server_error() && status != StatusCode::TOO_MANY_REQUESTS;
    let (kept_status, kept) =
        if has_secret { too_late() } else { (status.as_u16(), bytes.to_vec()) };
    let place = head.headers.get(header::LOCATION).and_then(|place| place.to_str().ok());
    let place = place.map(str::to_owned);
    let done = api
        .engine
        .store()
        .run(move |store| {
            if settled {
                store.finish_write(id, &key, kept_status, &kept, place.as_deref())
            } else {
                store.abandon_write(id, &key)
            }
        })
        .await;
    if let Err(error) = done {
        tracing::warn!(%error, "the answer of a write could not be kept");
    }
    Response::from_parts(head, Body::from(bytes))
}

/// What is kept in the place of an answer with a secret.
fn too_late() -> (u16, Vec<u8>) {
    let problem = Problem::of(ErrorBody::new(ErrorCode::ShownOnce));
    (problem.status, serde_json::to_vec(&problem).expect("BUG: a problem is JSON"))
}

fn again(status: u16, answer: Vec<u8>, location: Option<String>) -> Response {
    let status = StatusCode::from_u16(status).unwrap_or(StatusCode::OK);
    let mut response = (status, answer).into_response();
    let json = HeaderValue::from_static("application/json");
    let kind = if status.is_success() { json } else { PROBLEM_JSON };
    response.headers_mut().insert(header::CONTENT_TYPE, kind);
    if let Some(place) = location.and_then(|place| HeaderValue::try_from(place).ok()) {
        response.headers_mut().insert(header::LOCATION, place);
    }
    response.headers_mut().insert("idempotency-replayed", HeaderValue::from_static("true"));
    response.extensions_mut().insert(Cost(1));
    response
}
