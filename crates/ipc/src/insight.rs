//! Numbers that are looked at rather than read.

use serde::{Deserialize, Serialize};
use ts_rs::TS;

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
pub struct InsightQuery {
    pub search: i64,
    /// IANA name of the viewer's zone.
    pub zone: String,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
pub struct Insight {
    pub search: i64,
    pub since: Option<i64>,
    /// New listings by weekday (Monday first) and hour.
    pub by_hour: Vec<Vec<u32>>,
    /// Monthly prices seen, lowest first, at most 500.
    pub prices: Vec<f64>,
    /// From the check before it was seen to "250", in seconds, per mailed listing; newest last.
    pub delays_s: Vec<f64>,
    pub new_total: u32,
}
