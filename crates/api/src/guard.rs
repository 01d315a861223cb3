//! What every request passes first: exact host, no foreign origin, bounded body, bounded time.

use std::time::Instant;

use axum::Router;
use axum::body::Body;
use axum::extract::{Request, State};
use axum::middleware::{Next, from_fn_with_state};
use axum::response::{IntoResponse, Response};
use http::{HeaderName, HeaderValue, Method, StatusCode, header};

use crate::app::Api;
use crate::problem::Problem;

/// Scripts, styles and connections of our own only; nobody frames us.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; \
     img-src 'self' data:; font-src 'self'; connect-src 'self'; form-action 'self'; \
     base-uri 'none'; frame-ancestors 'none'";

pub(crate) fn over(routes: Router, api: &Api) -> Router {
    routes.layer(from_fn_with_state(api.clone(), check))
}

async fn check(State(api): State<Api>, request: Request, next: Next) -> Response {
    let begun = Instant::now();
    let mut answer = match refused(&api, &request) {
        // Nobody who is in the right place: the connection is not kept for more of it.
        Some(problem) => ([(header::CONNECTION, "close")], problem).into_response(),
        None => match whole(&api, request).await {
            Ok(request) => within(&api, request, next).await,
            Err(problem) => problem.into_response(),
        },
    };
    let headers = answer.headers_mut();
    for (name, value) in [
        (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
        (header::REFERRER_POLICY, "no-referrer"),
        (header::CONTENT_SECURITY_POLICY, POLICY),
        (HeaderName::from_static("cross-origin-resource-policy"), "same-origin"),
    ] {
        headers.insert(name, HeaderValue::from_static(value));
    }
    headers.entry(header::CACHE_CONTROL).or_insert(HeaderValue::from_static("no-store"));
    api.stopwatch.answered(begun);
    answer
}

fn refused(api: &Api, request: &Request) -> Option<Problem> {
    if !named(api, request) {
        return Some(Problem::new(
            StatusCode::MISDIRECTED_REQUEST,
            "wrong_host",
            "This server answers to 127.0.0.1 and localhost with its port only.",
        ));
    }
    let foreign = || {
        Problem::new(
            StatusCode::FORBIDDEN,
            "foreign_origin",
            "Pages of other sites may not ask this server.",
        )
    };
    let mut origins = request.headers().get_all(header::ORIGIN).iter();
    if origins.any(|origin| !own_origin(api, origin)) {
        return Some(foreign());
    }
    let site = request.headers().get("sec-fetch-site").and_then(|value| value.to_str().ok());
    let path = request.uri().path();
    if path.starts_with("/api/") && matches!(site, Some("cross-site" | "same-site")) {
        return Some(foreign());
    }
    None
}

/// Exactly one Host header that names us; an address in the request line must name us, too.
fn named(api: &Api, request: &Request) -> bool {
    let mut hosts = request.headers().get_all(header::HOST).iter();
    let (Some(host), None) = (hosts.next(), hosts.next()) else { return false };
    let line = request.uri().authority().map(|authority| authority.as_str().as_bytes());
    own_host(api, host.as_bytes()) && line.is_none_or(|line| own_host(api, line))
}

fn own_host(api: &Api, host: &[u8]) -> bool {
    let port = api.port;
    let bare = port == 80;
    ["127.0.0.1", "localhost"].iter().any(|name| {
        host.eq_ignore_ascii_case(format!("{name}:{port}").as_bytes())
            || (bare && host.eq_ignore_ascii_case(name.as_bytes()))
    })
}

fn own_origin(api: &Api, origin: &HeaderValue) -> bool {
    origin.as_bytes().strip_prefix(b"http://").is_some_and(|host| own_host(api, host))
}

/// Reads the body whole, within its limits, before any work is done for it.
async fn whole(api: &Api, request: Request) -> Result<Request, Problem> {
    if matches!(*request.method(), Method::GET | Method::HEAD) {
        let (head, _) = request.into_parts();
        return Ok(Request::from_parts(head, Body::empty()));
    }
    let too_large = || {
        Problem::new(StatusCode::PAYLOAD_TOO_LARGE, "too_large", "The body is too large.")
            .with("max_bytes", api.limits.body_bytes)
    };
    let (head, body) = request.into_parts();
    let said = head.headers.get(header::CONTENT_LENGTH).and_then(|v| v.to_str().ok());
    if said.and_then(|v| v.parse::<usize>().ok()).is_some_and(|n| n > api.limits.body_bytes) {
        return Err(too_large());
    }
    let read = axum::body::to_bytes(body, api.limits.body_bytes);
    match tokio::time::timeout(api.limits.body, read).await {
        Ok(Ok(bytes)) => Ok(Request::from_parts(head, Body::from(bytes))),
        Ok(Err(_)) => Err(too_large()),
        Err(_) => Err(Problem::new(
            StatusCode::REQUEST_TIMEOUT,
            "too_slow",
            "The body did not come in time.",
        )),
    }
}

/// The work goes on to its end even if the client goes away: what was begun is finished.
async fn within(api: &Api, request: Request, next: Next) -> Response {
    let work = tokio::spawn(next.run(request));
    match tokio::time::timeout(api.limits.answer, work).await {
        Ok(Ok(answer)) => answer,
        Ok(Err(_)) => {
            Problem::new(StatusCode::INTERNAL_SERVER_ERROR, "internal", "We broke.").into_response()
        }
        Err(_) => Problem::new(
            StatusCode::SERVICE_UNAVAILABLE,
            "took_too_long",
            "The answer was not found in time.",
        )
        .into_response(),
    }
}
