//! The plain client against real, misbehaving servers on loopback.
#![expect(clippy::unwrap_used, reason = "a test that panics is a red test")]

mod bodies;
mod hops;
mod network;
mod pictures;
mod site;
