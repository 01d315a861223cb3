//! The policy against its known answers, and each refinement with a test that fails without it.

mod arrived;
mod breaker;
mod budget;
mod known_answers;
mod ladder;
mod ledger;
mod lockout;
mod outcome;
mod pace;
mod reading;
mod retry;

use jiff::Timestamp;

/// A moment in 2026; tests count from it.
fn start() -> Timestamp {
    Timestamp::from_millisecond(1_768_400_000_000).expect("a moment")
}

fn after(ms: u64) -> Timestamp {
    start().checked_add(std::time::Duration::from_millis(ms)).expect("a moment")
}
