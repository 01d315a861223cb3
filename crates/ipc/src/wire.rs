//! From the engine's types to the wire's: nothing is decided here.

mod board;
mod delivery;
mod listing;

pub(crate) use board::kind;
pub use board::{board, changed, host_card};
pub use delivery::delivery;
pub use listing::{card, criteria, filters, listing_row};

use jiff::Timestamp;

fn ms(at: Timestamp) -> i64 {
    at.as_millisecond()
}

pub(crate) fn span(wait: std::time::Duration) -> i64 {
    i64::try_from(wait.as_millis()).unwrap_or(i64::MAX)
}
