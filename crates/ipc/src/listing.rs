//! Listings as they are shown.

use serde::{Deserialize, Serialize};
use ts_rs::TS;

/// A listing as a card shows it: a preview has this much.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
pub struct ListingCard {
    pub title: Option<String>,
    pub address: Option<String>,
    pub price: Option<Price>,
    pub price_on_request: bool,
    pub size_m2: Option<f64>,
    pub rooms: Option<f64>,
    pub bedrooms: Option<f64>,
    /// Opaque key of the photo, for the image scheme or the web twin's `photos/KEY`; `None` when
    /// there is none or photos are off.
    pub image: Option<String>,
    pub url: String,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
pub struct Price {
    pub amount: f64,
    pub upper: Option<f64>,
    /// ISO 4217.
    pub currency: Option<String>,
    pub period: Option<PricePeriod>,
    pub kind: Option<PriceKind>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
pub enum PricePeriod {
    Day,
    Week,
    Month,
    Year,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
pub enum PriceKind {
    Cold,
    Warm,
}

/// A stored listing.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
pub struct ListingRow {
    pub id: i64,
    pub card: ListingCard,
    pub host: String,
    pub news: Option<News>,
    pub first_seen: i64,
    pub last_seen: i64,
    /// When it was no longer on any page.
    pub gone_at: Option<i64>,
    pub unread: bool,
    pub starred: bool,
    pub hidden: bool,
    pub note: String,
    pub available_from: Option<String>,
    pub let_already: bool,
    /// Oldest first; two or more only when the price moved.
    pub prices: Vec<PriceStep>,
    /// Searches that have it.
    pub searches: Vec<i64>,
    pub seen_before: Option<SeenBefore>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
pub enum News {
    New,
    PriceDrop,
    PriceRise,
    Relisted,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
pub struct PriceStep {
    pub at: i64,
    pub amount: f64,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
pub struct SeenBefore {
    pub at: i64,
    pub amount: Option<f64>,
}

/// Which listings, in which order, from where on.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
pub struct ListingQuery {
    pub search: Option<i64>,
    pub text: String,
    pub only: ListingOnly,
    pub sort: ListingSort,
    /// From the last page; `None` for the first.
    pub cursor: Option<String>,
    /// 1 to 200.
    pub limit: u32,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
pub enum ListingOnly {
    All,
    Unread,
    Starred,
    Gone,
    Hidden,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
pub enum ListingSort {
    Newest,
    Cheapest,
    Largest,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
pub struct ListingPage {
    pub rows: Vec<ListingRow>,
    pub next: Option<String>,
    pub total: u32,
    pub unread: u32,
}

/// What to change of a listing; `None` leaves it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
pub struct MarkListing {
    pub id: i64,
    pub read: Option<bool>,
    pub starred: Option<bool>,
    pub hidden: Option<bool>,
    pub note: Option<String>,
}
