//! "Open site": a search's page in a window, for the user to pass a check by hand.
//!
//! **Promises**: the real address is shown, the page is fully usable, nothing lies over it and
//! nothing is put into it; it shares the host's session with the reader. While it is open nothing
//! else asks that host; when it closes, the engine looks in once. **Leaves out**: passing
//! anything for the user.

#[cfg(target_os = "linux")]
mod bar;
#[cfg(target_os = "linux")]
mod window;

use firstknock_ipc::ErrorBody;
use tauri::{AppHandle, Manager};

use crate::engine::Engine;

/// Opens the window of a search's host, or brings it to the front.
pub(crate) fn open(app: &AppHandle, search: i64) -> Result<(), ErrorBody> {
    let place = app.state::<Engine>().place_of(search)?;
    show(app, place)
}

/// What a window is opened for.
#[derive(Debug, Clone)]
pub(crate) struct Place {
    pub(crate) search: firstknock_monitor::SearchId,
    pub(crate) host: firstknock_monitor::HostKey,
    pub(crate) url: url::Url,
    pub(crate) session: std::path::PathBuf,
}

#[cfg(target_os = "linux")]
fn show(app: &AppHandle, place: Place) -> Result<(), ErrorBody> {
    use firstknock_ipc::ErrorCode;

    let handle = app.clone();
    app.run_on_main_thread(move || {
        gtk::glib::MainContext::default().spawn_local(window::show(handle, place));
    })
    .map_err(|_| ErrorBody::new(ErrorCode::Stopping))
}

/// Elsewhere the system's browser has to do; what it earns stays there.
#[cfg(not(target_os = "linux"))]
fn show(app: &AppHandle, place: Place) -> Result<(), ErrorBody> {
    crate::external::open(app, place.url.as_str())
}
