//! The same numbers as Prometheus text, with few labels: nothing grows with what is found.

use std::fmt::Write as _;

use axum::extract::State;
use axum::response::{IntoResponse, Response};
use http::header;

use super::{board, summary};
use crate::app::Api;
use crate::problem::Problem;

/// Numbers for Prometheus.
#[utoipa::path(get, path = "/metrics", operation_id = "get_metrics", responses((status = 200, body = String, content_type = "text/plain"), (status = "4XX", body = Problem, content_type = "application/problem+json")))]
pub(crate) async fn metrics(State(api): State<Api>) -> Response {
    let now = summary::of(&board(&api));
    let (locked, offences) = api.book.limits(api.engine.clock().now());
    let up = u32::from(now.status == "watching");
    let mut text = String::new();
    for (name, help, value) in [
        ("watching", "1 while pages are watched.", up),
        ("listings_unread", "Listings that nobody has looked at.", now.unread),
        ("searches", "Saved searches.", now.searches),
        ("searches_enabled", "Searches that are watched.", now.searches_enabled),
        ("searches_ok", "Searches that got an answer the last time.", now.searches_ok),
        ("sites_waiting", "Sites that are left alone for a while.", now.sites_waiting),
        ("sites_need_you", "Sites whose check a person could pass.", now.sites_need_you),
        ("api_clients_locked", "Clients of the API that are locked out.", locked),
        ("api_offences", "Overdrawn budgets within the last 24 hours.", offences),
    ] {
        let name = format!("firstknock_{name}");
        writeln!(text, "# HELP {name} {help}\n# TYPE {name} gauge\n{name} {value}")
            .expect("BUG: a String takes everything");
    }
    let kind = "text/plain; version=0.0.4; charset=utf-8";
    ([(header::CONTENT_TYPE, kind)], text).into_response()
}
