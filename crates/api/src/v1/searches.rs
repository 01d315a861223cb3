//! Saved searches: list, add, edit, delete, check now.

use axum::Json;
use axum::extract::State;
use axum::response::{IntoResponse, Response};
use firstknock_ipc::{
    AlertChoices, ById, Command, EditSearch, NewSearch, Retry, RowState, SearchRow, Switch, serve,
};
use http::{StatusCode, header};
use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize};
use utoipa::ToSchema;

use super::asked::{Id, Sent};
use super::{Done, board, time, word};
use super::{previews, shown};
use crate::app::Api;
use crate::problem::Problem;

/// A saved search and how it is doing.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct SearchOut {
    id: i64,
    name: String,
    url: String,
    /// The site that is asked.
    host: String,
    enabled: bool,
    /// Found, but not sent.
    muted: bool,
    /// Listings that nobody has looked at.
    unread: u32,
    /// Seconds between two looks.
    interval_s: i64,
    /// `queued`, `checking`, `ok`, `empty`, `suspicious`, `blocked`, `probing`, `needs_you`,
    /// `first_error`, `error_waiting`, `offline`, `page_gone`, `paused`, `stopped`.
    state: String,
    /// Why, where the state has a reason: a code.
    reason: Option<String>,
    /// A person can pass this site's check in the desktop app; there is no window here.
    open_in_app: bool,
    /// When it is asked next (RFC 3339).
    next_at: Option<String>,
    /// When the page last answered (RFC 3339).
    last_answer_at: Option<String>,
    /// Listings on the page then.
    last_listings: Option<u32>,
    /// What `check` would do: `none`, `ready`, `free`, `locked`, `busy`.
    check: String,
    /// With `locked`: until when (RFC 3339).
    check_locked_until: Option<String>,
    filters: FiltersBody,
}

/// What is worth telling. Money per month, size in m².
#[derive(Debug, Default, Serialize, Deserialize, ToSchema)]
#[serde(default, deny_unknown_fields)]
pub(crate) struct FiltersBody {
    min_price: Option<f64>,
    max_price: Option<f64>,
    min_size: Option<f64>,
    min_rooms: Option<f64>,
    want_words: Vec<String>,
    exclude_words: Vec<String>,
    hide_let: bool,
}

#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct Searches {
    searches: Vec<SearchOut>,
}

/// A search to add. The page is looked at first, unless `preview` is false.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct SearchIn {
    /// The address of a search page.
    url: String,
    /// Else what the page calls itself.
    name: Option<String>,
    /// 30 to 86400; 300 if it is not given.
    #[schema(minimum = 30, maximum = 86400)]
    interval_s: Option<i64>,
    #[serde(default, deserialize_with = "an_object")]
    filters: Option<FiltersBody>,
    /// False adds it without a look, for a site that cannot be asked now.
    preview: Option<bool>,
    /// Which set of cards, where a preview was unsure.
    #[schema(minimum = 0, maximum = 4294967295u32)]
    choice: Option<u32>,
    /// Also send what is there now.
    #[serde(default)]
    send_current: bool,
    /// False saves it paused.
    enabled: Option<bool>,
}

/// What to change; what is not given stays.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct SearchChange {
    url: Option<String>,
    name: Option<String>,
    /// 30 to 86400.
    #[schema(minimum = 30, maximum = 86400)]
    interval_s: Option<i64>,
    #[serde(default, deserialize_with = "an_object")]
    filters: Option<FiltersBody>,
    enabled: Option<bool>,
    muted: Option<bool>,
}

/// Serde would take a list for the fields in their order; the description says an object.
fn an_object<'de, D: Deserializer<'de>>(from: D) -> Result<Option<FiltersBody>, D::Error> {
    let fields = Option::<serde_json::Map<String, serde_json::Value>>::deserialize(from)?;
    let read = |fields| serde_json::from_value(serde_json::Value::Object(fields));
    fields.map(read).transpose().map_err(D::Error::custom)
}

const USUAL_INTERVAL_S: i64 = 300;

/// All saved searches.
#[utoipa::path(get, path = "/searches", operation_id = "list_searches", responses((status = 200, body = Searches), (status = "4XX", body = Problem, content_type = "application/problem+json")))]
pub(super) async fn list(State(api): State<Api>) -> Json<Searches> {
    Json(Searches { searches: board(&api).rows.into_iter().map(out).collect() })
}

/// One saved search.
#[utoipa::path(get, path = "/searches/{id}", operation_id = "get_search", params(("id" = i64, Path)), responses((status = 200, body = SearchOut), (status = "4XX", body = Problem, content_type = "application/problem+json")))]
pub(super) async fn one(State(api): State<Api>, Id(id): Id) -> Result<Json<SearchOut>, Problem> {
    Ok(Json(out(row(&api, id)?)))
}

/// Looks at a page and saves it as a search.
#[utoipa::path(post, path = "/searches", operation_id = "add_search", request_body = SearchIn, responses((status = 201, body = Done), (status = "4XX", body = Problem, content_type = "application/problem+json"), (status = "5XX", body = Problem, content_type = "application/problem+json")))]
pub(super) async fn add(
    State(api): State<Api>,
    Sent(new): Sent<SearchIn>,
) -> Result<Response, Problem> {
    let mut name = new.name.unwrap_or_default();
    if new.preview.unwrap_or(true) {
        let suggested = previews::must_be_a_list(&api, &new.url, new.choice).await?;
        if name.is_empty() {
            name = suggested;
        }
    }
    let command = Command::AddSearch(NewSearch {
        url: new.url,
        name,
        filters: filters(new.filters.unwrap_or_default()),
        alerts: AlertChoices::default(),
        interval_ms: new.interval_s.unwrap_or(USUAL_INTERVAL_S).saturating_mul(1000),
        reader: firstknock_ipc::Reader::Auto,
        enabled: new.enabled.unwrap_or(true),
        choice: new.choice,
        send_current: new.send_current,
    });
    let added = serve(&api.engine, api.host(), command).await?;
    let id = added.get("id").and_then(serde_json::Value::as_i64).unwrap_or_default();
    shown::search(&api, id).await;
    let place = [(header::LOCATION, format!("/api/v1/searches/{id}"))];
    Ok((StatusCode::CREATED, place, Json(Done { id })).into_response())
}

/// Changes a search. Another address starts a new baseline.
#[utoipa::path(patch, path = "/searches/{id}", operation_id = "edit_search", params(("id" = i64, Path)), request_body = SearchChange, responses((status = 200, body = Done), (status = "4XX", body = Problem, content_type = "application/problem+json"), (status = "5XX", body = Problem, content_type = "application/problem+json")))]
pub(super) async fn edit(
    State(api): State<Api>,
    Id(id): Id,
    Sent(change): Sent<SearchChange>,
) -> Result<Json<Done>, Problem> {
    let now = row(&api, id)?;
    let edit = EditSearch {
        id,
        url: change.url.unwrap_or(now.url),
        name: change.name.unwrap_or(now.name),
        filters: change.filters.map_or(now.filters, filters),
        alerts: now.alerts,
        interval_ms: change.interval_s.map_or(now.interval_ms, |s| s.saturating_mul(1000)),
        reader: now.reader,
        muted: change.muted.unwrap_or(now.muted),
    };
    serve(&api.engine, api.host(), Command::EditSearch(edit)).await?;
    if let Some(on) = change.enabled {
        serve(&api.engine, api.host(), Command::SetEnabled(Switch { id, on })).await?;
    }
    shown::search(&api, id).await;
    Ok(Json(Done { id }))
}

/// Deletes a search; what it found stays.
#[utoipa::path(delete, path = "/searches/{id}", operation_id = "delete_search", params(("id" = i64, Path)), responses((status = 200, body = Done), (status = "4XX", body = Problem, content_type = "application/problem+json"), (status = "5XX", body = Problem, content_type = "application/problem+json")))]
pub(super) async fn delete(State(api): State<Api>, Id(id): Id) -> Result<Json<Done>, Problem> {
    serve(&api.engine, api.host(), Command::DeleteSearch(ById { id })).await?;
    shown::search(&api, id).await;
    Ok(Json(Done { id }))
}

/// Checks now. The site's own time and the gap between two requests are kept.
#[utoipa::path(post, path = "/searches/{id}/check", operation_id = "check_search", params(("id" = i64, Path)), responses((status = 202, body = Done), (status = "4XX", body = Problem, content_type = "application/problem+json"), (status = "5XX", body = Problem, content_type = "application/problem+json")))]
pub(super) async fn check(State(api): State<Api>, Id(id): Id) -> Result<Response, Problem> {
    serve(&api.engine, api.host(), Command::CheckNow(ById { id })).await?;
    Ok((StatusCode::ACCEPTED, Json(Done { id })).into_response())
}

fn row(api: &Api, id: i64) -> Result<SearchRow, Problem> {
    board(api).rows.into_iter().find(|row| row.id == id).ok_or_else(Problem::not_found)
}

fn filters(it: FiltersBody) -> firstknock_ipc::Filters {
    firstknock_ipc::Filters {
        min_price: it.min_price,
        max_price: it.max_price,
        min_size: it.min_size,
        min_rooms: it.min_rooms,
        want_words: it.want_words,
        exclude_words: it.exclude_words,
        hide_let: it.hide_let,
    }
}

pub(super) fn out(row: SearchRow) -> SearchOut {
    let (reason, next_at) = match &row.state {
        RowState::Ok { next_at, .. }
        | RowState::Empty { next_at, .. }
        | RowState::Suspicious { next_at, .. }
        | RowState::PageGone { next_at, .. } => (None, Some(*next_at)),
        RowState::Blocked { wall, retry_at, .. } => (Some(word(wall)), Some(*retry_at)),
        RowState::NeedsYou { reason, retry_at, .. }
        | RowState::ErrorWaiting { reason, retry_at, .. } => {
            (Some(reason.clone()), Some(*retry_at))
        }
        RowState::FirstError { reason, next_at } => (Some(reason.clone()), Some(*next_at)),
        RowState::Queued
        | RowState::Checking { .. }
        | RowState::Probing { .. }
        | RowState::Offline { .. }
        | RowState::Paused
        | RowState::Stopped => (None, None),
    };
    let locked = match row.retry {
        Retry::Locked { until, .. } => Some(time(until)),
        Retry::None | Retry::Ready | Retry::Free | Retry::Busy => None,
    };
    SearchOut {
        open_in_app: needs_person(&row.state),
        state: word(&row.state),
        check: word(&row.retry),
        check_locked_until: locked,
        reason,
        next_at: next_at.map(time),
        last_answer_at: row.last_answer_at.map(time),
        last_listings: row.last_listings,
        interval_s: row.interval_ms / 1000,
        id: row.id,
        name: row.name,
        url: row.url,
        host: row.host,
        enabled: row.enabled,
        muted: row.muted,
        unread: row.unread,
        filters: FiltersBody {
            min_price: row.filters.min_price,
            max_price: row.filters.max_price,
            min_size: row.filters.min_size,
            min_rooms: row.filters.min_rooms,
            want_words: row.filters.want_words,
            exclude_words: row.filters.exclude_words,
            hide_let: row.filters.hide_let,
        },
    }
}

pub(super) fn needs_person(state: &RowState) -> bool {
    use firstknock_ipc::WallKind::{Challenge, Denied};
    matches!(state, RowState::NeedsYou { .. } | RowState::Blocked { wall: Challenge | Denied, .. })
}
