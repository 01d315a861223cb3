//! The real app, on a display, a bus and in a home of its own, one at a time.
//!
//! What the window shows is read and clicked over WebDriver; what lies outside it (the site's
//! own window, the tray, a second start) is reached as the desktop would: by X11 and D-Bus.
#![cfg(target_os = "linux")]
#![expect(clippy::unwrap_used, reason = "a test that panics is a red test")]

mod app;
mod bus;
mod desk;
mod kept;
mod menu;
mod photos;
mod probe_site;
mod programs;
mod reading;
mod site;
mod stage;
mod told;
mod window;
