//! What this desktop can do, and what the user chose about it.
//!
//! GNOME shows no tray. Without one a hidden app would be lost, so it never hides there.

use std::sync::RwLock;
use std::sync::atomic::{AtomicBool, Ordering};

use firstknock_ipc::Settings;

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

    /// The app goes on when its window is closed.
    pub(crate) fn stays_in_tray(&self) -> bool {
        self.has_tray() && self.settings().close_to_tray
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
