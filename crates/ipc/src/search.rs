//! Searches as they are added and edited.

use serde::{Deserialize, Serialize};
use ts_rs::TS;

/// The user's own filters. Money in whole units per month, size in m².
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize, TS)]
#[serde(default)]
pub struct Filters {
    pub min_price: Option<f64>,
    pub max_price: Option<f64>,
    pub min_size: Option<f64>,
    pub min_rooms: Option<f64>,
    pub want_words: Vec<String>,
    pub exclude_words: Vec<String>,
    pub hide_let: bool,
}

/// What a search tells about, and when.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct AlertChoices {
    pub new: bool,
    pub price_drops: bool,
    pub relisted: bool,
    pub pace: Pace,
    pub quiet: Option<QuietHours>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
pub enum Pace {
    Instant,
    Digest,
}

/// Alerts are held back, checks are not. Minutes since midnight in the named zone.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct QuietHours {
    pub from_minute: u16,
    pub to_minute: u16,
    /// IANA name.
    pub zone: String,
}

/// How a page is read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
pub enum Reader {
    Auto,
    Plain,
    Browser,
}

/// A new search, after its preview.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
pub struct NewSearch {
    pub url: String,
    pub name: String,
    pub filters: Filters,
    pub alerts: AlertChoices,
    pub interval_ms: i64,
    pub reader: Reader,
    pub enabled: bool,
    /// Which candidate set, where the preview was unsure.
    pub choice: Option<u32>,
    /// Also send what is there now.
    pub send_current: bool,
}

/// Everything of a search that may change. Another address starts a new baseline.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
pub struct EditSearch {
    pub id: i64,
    pub url: String,
    pub name: String,
    pub filters: Filters,
    pub alerts: AlertChoices,
    pub interval_ms: i64,
    pub reader: Reader,
    pub muted: bool,
}

impl Default for AlertChoices {
    fn default() -> Self {
        Self { new: true, price_drops: true, relisted: true, pace: Pace::Instant, quiet: None }
    }
}
