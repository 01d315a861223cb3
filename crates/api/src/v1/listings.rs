//! What was found: filtered, page by page.

use axum::Json;
use axum::extract::State;
use axum::response::{IntoResponse, Response};
use firstknock_ipc::{
    Command, ListingCard, ListingOnly, ListingPage, ListingQuery, ListingRow, ListingSort,
    MarkListing, serve,
};
use http::StatusCode;
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use super::asked::{Id, Sent, Wish};
use super::{Done, time, word};
use crate::app::Api;
use crate::cost::{self, Cost};
use crate::problem::Problem;

/// Which listings.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(crate) struct ListingsWish {
    /// That this search has or had.
    search: Option<i64>,
    /// All of these words stand in title or address, also within others; case and accents do not
    /// matter.
    text: Option<String>,
    /// `all` (the usual), `unread`, `starred`, `gone`, `hidden`.
    #[param(inline)]
    only: Option<Only>,
    /// `newest` (the usual), `cheapest`, `largest`.
    #[param(inline)]
    sort: Option<Sort>,
    /// `next` of the page before.
    cursor: Option<String>,
    /// Rows, 1 to 200; 50 if it is not given.
    #[param(minimum = 1, maximum = 200)]
    limit: Option<u32>,
}

#[derive(Debug, Clone, Copy, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Only {
    All,
    Unread,
    Starred,
    Gone,
    Hidden,
}

#[derive(Debug, Clone, Copy, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Sort {
    Newest,
    Cheapest,
    Largest,
}

/// A listing's facts, as far as its page said them.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct CardOut {
    title: Option<String>,
    address: Option<String>,
    price: Option<f64>,
    /// Of a range.
    price_upper: Option<f64>,
    /// ISO 4217.
    currency: Option<String>,
    /// `day`, `week`, `month`, `year`.
    period: Option<String>,
    size_m2: Option<f64>,
    rooms: Option<f64>,
    bedrooms: Option<f64>,
    url: String,
}

/// A listing that was found.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct ListingOut {
    id: i64,
    #[serde(flatten)]
    card: CardOut,
    host: String,
    /// `new`, `price_drop`, `price_rise`, `relisted`.
    news: Option<String>,
    /// RFC 3339, as all times.
    first_seen: String,
    last_seen: String,
    /// When it had left every page.
    gone_at: Option<String>,
    unread: bool,
    starred: bool,
    hidden: bool,
    note: String,
    available_from: Option<String>,
    let_already: bool,
    /// Searches that have it.
    searches: Vec<i64>,
}

#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct Listings {
    listings: Vec<ListingOut>,
    /// The `cursor` of the next page; absent at the end.
    next: Option<String>,
    /// All that match.
    total: u32,
}

/// What to change; what is not given stays.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct ListingChange {
    read: Option<bool>,
    starred: Option<bool>,
    hidden: Option<bool>,
    note: Option<String>,
}

/// Listings, newest first unless asked otherwise.
#[utoipa::path(get, path = "/listings", operation_id = "list_listings", params(ListingsWish), responses((status = 200, body = Listings), (status = "4XX", body = Problem, content_type = "application/problem+json"), (status = "5XX", body = Problem, content_type = "application/problem+json")))]
pub(super) async fn list(
    State(api): State<Api>,
    Wish(wish): Wish<ListingsWish>,
) -> Result<Response, Problem> {
    let limit = wish.limit.unwrap_or(50);
    if !(1..=200).contains(&limit) {
        return Err(Problem::bad("limit is from 1 to 200.").with("field", "limit"));
    }
    let text = wish.text.unwrap_or_default();
    let looks_for_words = !text.is_empty();
    let query = ListingQuery {
        search: wish.search,
        text,
        only: match wish.only.unwrap_or(Only::All) {
            Only::All => ListingOnly::All,
            Only::Unread => ListingOnly::Unread,
            Only::Starred => ListingOnly::Starred,
            Only::Gone => ListingOnly::Gone,
            Only::Hidden => ListingOnly::Hidden,
        },
        sort: match wish.sort.unwrap_or(Sort::Newest) {
            Sort::Newest => ListingSort::Newest,
            Sort::Cheapest => ListingSort::Cheapest,
            Sort::Largest => ListingSort::Largest,
        },
        cursor: wish.cursor,
        limit,
    };
    let reply = serve(&api.engine, api.host(), Command::ListListings(query)).await?;
    let page: ListingPage = serde_json::from_value(reply)
        .map_err(|_| Problem::new(StatusCode::INTERNAL_SERVER_ERROR, "internal", "We broke."))?;
    let cost = cost::listings(page.rows.len() as u64, looks_for_words);
    let listings = page.rows.into_iter().map(out).collect();
    let mut answer =
        Json(Listings { listings, next: page.next, total: page.total }).into_response();
    answer.extensions_mut().insert(Cost(cost));
    Ok(answer)
}

/// Marks a listing.
#[utoipa::path(patch, path = "/listings/{id}", operation_id = "mark_listing", params(("id" = i64, Path)), request_body = ListingChange, responses((status = 200, body = Done), (status = "4XX", body = Problem, content_type = "application/problem+json"), (status = "5XX", body = Problem, content_type = "application/problem+json")))]
pub(super) async fn mark(
    State(api): State<Api>,
    Id(id): Id,
    Sent(change): Sent<ListingChange>,
) -> Result<Json<Done>, Problem> {
    let mark = MarkListing {
        id,
        read: change.read,
        starred: change.starred,
        hidden: change.hidden,
        note: change.note,
    };
    serve(&api.engine, api.host(), Command::MarkListing(mark)).await?;
    Ok(Json(Done { id }))
}

fn out(row: ListingRow) -> ListingOut {
    ListingOut {
        id: row.id,
        card: CardOut::from(row.card),
        host: row.host,
        news: row.news.map(word),
        first_seen: time(row.first_seen),
        last_seen: time(row.last_seen),
        gone_at: row.gone_at.map(time),
        unread: row.unread,
        starred: row.starred,
        hidden: row.hidden,
        note: row.note,
        available_from: row.available_from,
        let_already: row.let_already,
        searches: row.searches,
    }
}

impl From<ListingCard> for CardOut {
    fn from(card: ListingCard) -> Self {
        let price = card.price;
        Self {
            title: card.title,
            address: card.address,
            price: price.as_ref().map(|price| price.amount),
            price_upper: price.as_ref().and_then(|price| price.upper),
            period: price.as_ref().and_then(|price| price.period).map(word),
            currency: price.and_then(|price| price.currency),
            size_m2: card.size_m2,
            rooms: card.rooms,
            bedrooms: card.bedrooms,
            url: card.url,
        }
    }
}
