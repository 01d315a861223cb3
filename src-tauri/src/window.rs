//! The main window: built when asked for, destroyed when closed, so that a hidden app is small.

use tauri::{AppHandle, Manager, WebviewUrl, WebviewWindowBuilder};
use tauri_plugin_window_state::{AppHandleExt, StateFlags};

use firstknock_monitor::DataFolder;

use crate::{menu, paint};

/// The label that the capability names. No other window has one.
pub(crate) const MAIN: &str = "main";

/// What is remembered of the window. Not whether it was visible: that is decided at each start.
pub(crate) fn remembered() -> StateFlags {
    StateFlags::all() - StateFlags::VISIBLE
}

/// Brings the main window to the front; builds it where there is none.
pub(crate) fn show(app: &AppHandle) {
    let shown = match app.get_webview_window(MAIN) {
        Some(window) => {
            window.unminimize().and_then(|()| window.show()).and_then(|()| window.set_focus())
        }
        None => build(app),
    };
    if let Err(error) = shown {
        tracing::error!(%error, "the main window could not be shown");
    }
}

/// Keeps the window's place on disk, so that an app that is killed still remembers it.
pub(crate) fn remember(app: &AppHandle) {
    if let Err(error) = app.save_window_state(remembered()) {
        tracing::warn!(%error, "the window's place was not kept");
    }
}

fn build(app: &AppHandle) -> tauri::Result<()> {
    let folder = app.state::<DataFolder>().path().join("window");
    WebviewWindowBuilder::new(app, MAIN, WebviewUrl::App("index.html".into()))
        .title("Firstknock")
        .inner_size(1120.0, 780.0)
        .min_inner_size(720.0, 520.0)
        .data_directory(folder)
        .on_navigation(is_own_page)
        .on_new_window(|_, _| tauri::webview::NewWindowResponse::Deny)
        .on_download(|_, _| false)
        .build()?;
    paint::again(app);
    menu::put_up(app)
}

/// Only the app's own pages load in the app's window.
fn is_own_page(url: &url::Url) -> bool {
    url.scheme() == "tauri" || url.host_str() == Some("tauri.localhost")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_main_window_never_leaves_the_apps_own_pages() {
        let own = |text: &str| is_own_page(&text.parse().unwrap());
        assert!(own("tauri://localhost/index.html"));
        assert!(own("http://tauri.localhost/"));
        assert!(!own("https://kamer.example/"));
        assert!(!own("https://tauri.localhost.example/"));
        assert!(!own("about:blank"));
        assert!(!own("file:///etc/passwd"));
    }
}
