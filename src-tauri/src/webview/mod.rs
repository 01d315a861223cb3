//! One host's own browser: the system's webview with a session of its own, and nothing of ours
//! in it.
//!
//! **Promises**: these views are made on the engine of the system directly, not through Tauri, so
//! there is no command, no script and no address of the app in them that a page could find. What
//! a page earns (cookies, clearance) stays in that host's folder. The browser's name is its own.
//! **Leaves out**: when to read, and what a page means.
//!
//! Only Linux (WebKitGTK) has it so far; elsewhere the app reads plainly.

mod cookies;
mod rails;
mod session;

pub(crate) use rails::{Guest, is_web, put_up_rails};
pub(crate) use session::{Session, forget};
