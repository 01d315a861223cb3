//! The wire between the engine and whoever shows it: types, the command list, error codes.
//!
//! **Promises**: what is here is all that crosses the wire; the TypeScript twins in
//! `ui/src/backend/bindings.ts` are generated from it and a test compares them. Times are unix
//! milliseconds, texts are codes with arguments. **Leaves out**: decisions, tauri, SQL.

mod channel;
mod client;
mod command;
mod data;
mod delivery;
mod error;
mod insight;
mod listing;
mod menu;
mod preview;
mod search;
mod serve;
mod settings;
mod status;
pub mod wire;

pub use channel::*;
pub use client::*;
pub use command::{ByHost, ById, Command, MailAddress, Nothing, Pasted, Switch, bindings};
pub use data::*;
pub use delivery::*;
pub use error::{ErrorBody, ErrorCode};
pub use insight::*;
pub use listing::*;
pub use menu::*;
pub use preview::*;
pub use search::*;
pub use serve::{Host, serve};
pub use settings::*;
pub use status::*;
