//! How long to wait: ladders, ledger, jitter, retry, breaker, budgets, lockouts.
//!
//! **Promises**: every rule is a function of (state, event, now, a number in [0, 1)).
//! **Leaves out**: I/O, the clock, threads, randomness of its own.

#![warn(missing_docs)]
#![warn(clippy::wildcard_enum_match_arm)]

pub mod breaker;
pub mod budget;
pub mod delivery;
pub mod jitter;
pub mod ladder;
pub mod ledger;
pub mod lockout;
mod mulberry;
mod outcome;
pub mod reading;
pub mod retry;
mod wait_text;

pub use mulberry::Mulberry32;
pub use outcome::{Kind, Outcome, Reason, Trouble, Wall};
pub use wait_text::{format_wait, remaining};
