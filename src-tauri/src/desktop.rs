//! What this desktop can do, and what the user chose about it.
//!
//! GNOME shows no tray. Without one a hidden app would be lost, so it never hides there.

use std::sync::RwLock;
use std::sync::atomic::{AtomicBool, Ordering};

use firstknock_ipc::Settings;
use firstknock_monitor::catalogue::Language;
use tauri::{AppHandle, Manager};
use tauri_plugin_autostart::ManagerExt;

use crate::words::Words;
use crate::{menu, paint, toast, tray};

/// Facts about the desktop that were found out at run time, and the settings that concern it.
#[derive(Default)]
pub(crate) struct Desktop {
    tray: AtomicBool,
    settings: RwLock<Settings>,
}

impl Desktop {
    /// The tray's icon is in place.
    pub(crate) fn has_tray(&self) -> bool {
        self.tray.load(Ordering::Relaxed)
    }

    /// Remembers what the tray's registration came to.
    pub(crate) fn set_tray(&self, there: bool) {
        self.tray.store(there, Ordering::Relaxed);
    }

    /// The settings as they are now.
    pub(crate) fn settings(&self) -> Settings {
        self.settings.read().expect("BUG: no thread panics with this lock").clone()
    }

    /// The engine kept new ones.
    pub(crate) fn set_settings(&self, settings: Settings) {
        *self.settings.write().expect("BUG: no thread panics with this lock") = settings;
    }
}

/// Somebody on the session bus shows tray icons.
#[cfg(target_os = "linux")]
pub(crate) async fn somebody_shows_trays() -> bool {
    async fn ask() -> zbus::Result<bool> {
        let bus = zbus::Connection::session().await?;
        let bus = zbus::fdo::DBusProxy::new(&bus).await?;
        let name = zbus::names::BusName::try_from("org.kde.StatusNotifierWatcher")?;
        Ok(bus.name_has_owner(name).await?)
    }
    ask().await.unwrap_or(false)
}

/// Windows and macOS always have one.
#[cfg(not(target_os = "linux"))]
#[expect(clippy::unused_async, reason = "the same call as on Linux, where it asks the bus")]
pub(crate) async fn somebody_shows_trays() -> bool {
    true
}

/// Settings came in: language, start with the system, what closing means.
pub(crate) fn apply(app: &AppHandle, settings: Settings) {
    let language = settings.language.map(|language| match language {
        firstknock_ipc::Language::En => Language::En,
        firstknock_ipc::Language::Nl => Language::Nl,
        firstknock_ipc::Language::De => Language::De,
    });
    app.state::<Words>().choose(language);
    toast::name_buttons(app);
    tray::say_again(app);
    start_with_system(app, settings.start_with_system);
    app.state::<Desktop>().set_settings(settings);
    menu::follow(app);
    paint::follow(app);
}

fn start_with_system(app: &AppHandle, wanted: bool) {
    let autostart = app.autolaunch();
    let is = autostart.is_enabled().unwrap_or(false);
    let done = match (wanted, is) {
        (true, false) => autostart.enable(),
        (false, true) => autostart.disable(),
        _ => return,
    };
    if let Err(error) = done {
        tracing::warn!(%error, "starting with the system could not be changed");
    }
}
