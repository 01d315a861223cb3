//! `/api/v1`: what scripts and home automation may rely on. Types of its own, so that the window's
//! wire can change without breaking them.

mod asked;
mod deliveries;
mod etag;
mod events;
mod hosts;
mod listings;
mod metrics;
mod previews;
mod searches;
mod shown;
mod summary;

pub(crate) use metrics::metrics;

use axum::Router;
use axum::extract::State;
use axum::middleware::{from_fn, from_fn_with_state};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use firstknock_ipc::{Board, wire};
use http::{StatusCode, header};
use jiff::Timestamp;
use serde::Serialize;
use utoipa::openapi::security::{HttpAuthScheme, HttpBuilder, SecurityScheme};
use utoipa::{Modify, OpenApi, ToSchema};
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::admit;
use crate::app::Api;
use crate::problem::Problem;

#[derive(OpenApi)]
#[openapi(
    info(
        title = "Firstknock",
        version = "1",
        description = "The local API of `knock serve`. It listens on 127.0.0.1 only. Every client \
            has a token and a budget; an answer 429 says until when it is locked out.",
        license(name = "MIT OR Apache-2.0"),
    ),
    components(schemas(Problem)),
    modifiers(&Bearer),
    security(("token" = [])),
)]
struct Doc;

struct Bearer;

impl Modify for Bearer {
    fn modify(&self, doc: &mut utoipa::openapi::OpenApi) {
        let scheme =
            SecurityScheme::Http(HttpBuilder::new().scheme(HttpAuthScheme::Bearer).build());
        doc.components.get_or_insert_default().add_security_scheme("token", scheme);
    }
}

fn described() -> (Router<Api>, utoipa::openapi::OpenApi) {
    OpenApiRouter::with_openapi(Doc::openapi())
        .routes(routes!(searches::list, searches::add))
        .routes(routes!(searches::one, searches::edit, searches::delete))
        .routes(routes!(searches::check))
        .routes(routes!(previews::preview))
        .routes(routes!(listings::list))
        .routes(routes!(listings::mark))
        .routes(routes!(hosts::list))
        .routes(routes!(deliveries::list))
        .routes(routes!(events::stream))
        .routes(routes!(summary::summary))
        .routes(routes!(metrics::metrics))
        .split_for_parts()
}

/// The OpenAPI 3.1 description, as it is served and checked in.
pub fn openapi_json() -> String {
    let (_, mut doc) = described();
    let paths = std::mem::take(&mut doc.paths.paths);
    doc.paths.paths =
        paths.into_iter().map(|(path, item)| (format!("/api/v1{path}"), item)).collect();
    let mut json = doc.to_pretty_json().expect("BUG: the description is JSON");
    json.push('\n');
    json
}

pub(crate) fn routes(api: &Api) -> Router<Api> {
    let (inside, _) = described();
    inside
        .method_not_allowed_fallback(no_such_method)
        .fallback(no_such_path)
        .layer(from_fn(etag::tag))
        .layer(from_fn_with_state(api.clone(), admit::client))
        .route("/healthz", get(healthz))
        .route("/openapi.json", get(openapi).layer(from_fn(etag::tag)))
}

async fn openapi() -> Response {
    ([(header::CONTENT_TYPE, "application/json")], openapi_json()).into_response()
}

/// Whether the engine runs. No token: it says nothing else.
pub(crate) async fn healthz(State(api): State<Api>) -> Response {
    #[derive(Serialize)]
    struct Health {
        status: &'static str,
    }
    if api.engine.board().has_changed().is_ok() {
        axum::Json(Health { status: "ok" }).into_response()
    } else {
        (StatusCode::SERVICE_UNAVAILABLE, axum::Json(Health { status: "stopped" })).into_response()
    }
}

pub(crate) async fn no_such_method() -> Problem {
    let title = "That method is not for this path.";
    Problem::new(StatusCode::METHOD_NOT_ALLOWED, "method_not_allowed", title)
}

async fn no_such_path() -> Problem {
    Problem::not_found()
}

/// What a write was about.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct Done {
    /// The search or listing.
    pub(crate) id: i64,
}

pub(crate) fn board(api: &Api) -> Board {
    wire::board(&api.engine.board().borrow())
}

/// A time of the wire as RFC 3339.
pub(crate) fn time(ms: i64) -> String {
    Timestamp::from_millisecond(ms).map(|at| at.to_string()).unwrap_or_default()
}

/// The word that a code of the wire is.
pub(crate) fn word(code: impl Serialize) -> String {
    match serde_json::to_value(code) {
        Ok(serde_json::Value::String(word)) => word,
        Ok(serde_json::Value::Object(mut it)) => match it.remove("kind") {
            Some(serde_json::Value::String(word)) => word,
            _ => String::new(),
        },
        _ => String::new(),
    }
}
