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
mod owner;
mod pages;
mod problem;
mod server;
mod stall;
mod streams;
mod token;
mod v1;

pub use app::{Api, Limits, OWNER_KEY, Ui};
pub use book::{Budget, OWNER_BUDGET, USUAL_BUDGET};
pub use owner::{NoClient, add_client, owner_token};
pub use server::{Server, bind};
pub use token::{Token, TokenHash};
pub use v1::openapi_json;
