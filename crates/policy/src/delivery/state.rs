//! The states of an outbox row.

use serde::{Deserialize, Serialize};

/// Where one message to one channel stands. What belongs to a state (when, why, the server's own
/// words) stands in the row's columns.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum DeliveryState {
    /// Written, never tried.
    Pending,
    /// Being tried now. Found at a start, it means that we died in between: the outcome is unknown.
    Sending,
    /// The server took it, in its own words.
    Sent,
    /// Tried, to be tried again at a time.
    RetryAt,
    /// The account cannot send now; every message of the channel waits with it.
    Held,
    /// It may have arrived; trying once more could only make it arrive twice.
    MaybeDelivered,
    /// Not delivered, and not tried again by itself.
    GivenUp,
}

impl DeliveryState {
    /// All states, in the order of a message's life.
    pub const ALL: [Self; 7] = [
        Self::Pending,
        Self::Sending,
        Self::Sent,
        Self::RetryAt,
        Self::Held,
        Self::MaybeDelivered,
        Self::GivenUp,
    ];

    /// The word used in JSON and in the database.
    pub const fn code(self) -> &'static str {
        match self {
            Self::Pending => "pending",
            Self::Sending => "sending",
            Self::Sent => "sent",
            Self::RetryAt => "retry_at",
            Self::Held => "held",
            Self::MaybeDelivered => "maybe_delivered",
            Self::GivenUp => "given_up",
        }
    }

    /// Reads [`DeliveryState::code`] back; `None` for a state of a newer version.
    pub fn from_code(code: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|state| state.code() == code)
    }

    /// Whether nothing more happens to it unless somebody asks.
    pub const fn is_final(self) -> bool {
        matches!(self, Self::Sent | Self::MaybeDelivered | Self::GivenUp)
    }
}
