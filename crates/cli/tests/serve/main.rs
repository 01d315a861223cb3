//! The local API over real HTTP, with the real engine; the clock is ours where waits matter.

mod browser;
mod budgets;
mod clients;
mod defended;
mod documents;
mod fuzzed;
mod house;
mod photos;
mod process;
mod shapes;
mod streams;
mod writes;

/// The stage of the street's own tests.
#[expect(dead_code, reason = "the street's tests use the rest")]
#[path = "../play/mod.rs"]
mod play;
