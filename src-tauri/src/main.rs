//! Firstknock's desktop app: the window, the tray and the webview that reads pages.
//!
//! **Promises**: no decision is made here; whether, when and how long is the engine's. A window
//! that shows somebody else's site has no way to the app's commands. **Leaves out**: SQL, HTTP,
//! anything about when a search is due.
#![cfg_attr(not(debug_assertions), windows_subsystem = "windows")]

mod app;
mod args;
mod close;
mod commands;
mod desktop;
#[cfg(target_os = "linux")]
mod drawing;
mod engine;
mod external;
mod files;
mod local_api;
mod menu;
mod outside;
mod paint;
mod photo;
#[cfg(target_os = "linux")]
mod reader;
mod site;
mod stream;
mod street;
mod toast;
mod tray;
#[cfg(target_os = "linux")]
mod webview;
mod window;
mod words;

fn main() -> anyhow::Result<()> {
    let args = args::read();
    #[cfg(target_os = "linux")]
    if let Err(error) = drawing::plainly() {
        eprintln!("The window is drawn as WebKit does by itself: {error}");
    }
    app::run(args)
}
