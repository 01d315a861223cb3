//! The local HTTP API and the web twin of the window.
//!
//! **Promises**: it listens on 127.0.0.1 only and answers only who has a token; every request
//! passes host list, origin, budget and limits before any work; what a client does wrong is that
//! client's trouble alone. **Leaves out**: SQL, decisions, the user interface itself, being
//! reachable from another machine.

mod admit;
mod app;
mod book;
mod cost;
mod door;
mod guard;
mod pages;
mod problem;
mod server;
mod stall;
mod stopwatch;
mod streams;
mod v1;

pub use app::{Api, Limits, Ui};
pub use server::{Server, bind};
pub use stopwatch::TimeSpent;
pub use v1::openapi_json;

// Whoever serves the API makes its clients, too.
pub use firstknock_monitor::clients::{
    Budget, NoClient, OWNER_BUDGET, OWNER_KEY, Token, TokenHash, USUAL_BUDGET, add_client,
    owner_token,
};
