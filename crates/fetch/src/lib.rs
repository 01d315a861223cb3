//! HTTP to raw facts, and facts to a verdict.
//!
//! [`HttpFetch`] is the plain, honest client: it reads one page and says what came back. The
//! webview in the desktop app is the other [`Fetch`]. [`classify`] is pure: facts in, one
//! [`Verdict`] out, with evidence. It leaves out how long to wait (`policy`) and when to ask
//! again (`schedule`); nothing here retries a wall or a status.
#![warn(missing_docs)]

mod classify;
mod exchange;
mod http;
mod retry_after;
mod session;

pub use classify::{Verdict, classify, explain};
pub use exchange::{BoxFuture, Failure, Fetch, Fetched, Hop, Request, Response, Validators};
pub use http::{Config, HttpFetch, ProxyChoice, SetUpError, USER_AGENT, install_crypto};
pub use http::{LARGEST as LARGEST_PICTURE, NoPicture, Picture, PictureRequest};
pub use retry_after::{Asked, asked_wait};
pub use session::{SessionError, Sessions};
