//! Which search goes out when, and what a report means.
//!
//! **Promises**: a host that refused is asked by exactly one request when its wait is over; no
//! request goes out inside a gap, above a rate or before a deadline; every row can say when the
//! next try is, and that is when it is. **Leaves out**: tokio, `now()`, I/O, dice of its own; what
//! a listing is worth; sentences.
//!
//! The shell calls one mutator, drains [`Schedule::take_change`] into one transaction, then
//! publishes. Time never comes from anywhere but the `now` argument.

#![warn(missing_docs)]
#![warn(clippy::wildcard_enum_match_arm)]

mod card;
mod change;
mod check;
mod explain;
mod row;
mod saved;
mod schedule;
mod seen;
mod spec;
mod state;
mod time;

pub use card::{AppStatus, HostCard, HostState, HostWait, StopWhy};
pub use change::{Change, HostUpdate, Note};
pub use check::{Check, CheckId, NotYet, Permit, Purpose, Why};
pub use explain::Fact;
pub use row::{IntervalUsed, LockWhy, Retry, Row, RowState, Turn};
pub use saved::{AppState, DomainState, HostRecord, Problem, Saved, SavedWait, SearchState};
pub use schedule::{Dice, LOST_AFTER, Locked, Schedule};
pub use seen::{Finding, Seen};
pub use spec::{DEFAULT_INTERVAL, MAX_ENABLED, MAX_INTERVAL, MIN_INTERVAL, Refused, SearchSpec};
pub use state::{GAP, RATE, RATE_WINDOW};
