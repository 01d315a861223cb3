//! The outbox as it is shown.

use serde::{Deserialize, Serialize};
use ts_rs::TS;

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
pub struct DeliveryRow {
    pub id: i64,
    /// `mail`, `file`, `ntfy` …
    pub channel: String,
    pub subject: String,
    pub created_at: i64,
    pub state: DeliveryState,
    pub attempts: u32,
    /// Oldest first.
    pub history: Vec<DeliveryStep>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case", tag = "kind")]
pub enum DeliveryState {
    Pending,
    Sending,
    /// With the server's own words.
    Sent {
        at: i64,
        reply: String,
    },
    RetryAt {
        at: i64,
        why: String,
    },
    Held {
        why: String,
    },
    MaybeDelivered {
        why: String,
    },
    GivenUp {
        why: String,
    },
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
pub struct DeliveryStep {
    pub at: i64,
    pub state: String,
    pub words: String,
}
