//! The local API: whether it is on, and who may use it.

use serde::{Deserialize, Serialize};
use ts_rs::TS;

/// The local API as it is where the engine runs.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct ApiShown {
    pub state: ApiState,
    /// It is on or off as the settings say; `knock serve` is always on.
    pub can_switch: bool,
    pub clients: Vec<ClientShown>,
}

/// Whether programs on this computer can ask.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case", tag = "kind")]
pub enum ApiState {
    Off,
    /// On 127.0.0.1.
    On {
        port: u16,
    },
    /// It should be on, but the port cannot be used.
    Failed {
        port: u16,
    },
}

/// A client and how it does; never its token.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct ClientShown {
    pub id: i64,
    pub name: String,
    /// It may change things, not only look.
    pub can_write: bool,
    /// Units of cost that it may spend within any 60 s.
    pub per_minute: u32,
    /// Within any 24 h.
    pub per_day: u32,
    pub spent_minute: u64,
    pub spent_day: u64,
    /// When it was last answered.
    pub seen_at: Option<i64>,
    /// Of the last 24 h.
    pub offences: u32,
    pub locked_until: Option<i64>,
}

/// A client to make, with the usual budget.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct NewClient {
    pub name: String,
    pub can_write: bool,
}

/// The one answer that has a token in it.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct MadeClient {
    pub id: i64,
    pub token: String,
}

impl std::fmt::Debug for MadeClient {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("MadeClient").field("id", &self.id).finish_non_exhaustive()
    }
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct EditClient {
    pub id: i64,
    pub name: String,
    pub can_write: bool,
    pub per_minute: u32,
    pub per_day: u32,
}
