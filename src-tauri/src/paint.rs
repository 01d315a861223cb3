//! The chosen theme for what the desktop draws around our page: menu bar, dialogs, title bars.

use std::sync::Mutex;

use firstknock_ipc::Theme;
use tauri::{AppHandle, Manager};

use crate::desktop::Desktop;

/// Whether the system wanted it dark, kept while the user wants it otherwise.
#[derive(Default)]
pub(crate) struct Paint(Mutex<Option<bool>>);

/// Settings came in.
pub(crate) fn follow(app: &AppHandle) {
    on_main(app, wear);
}

/// A window was built, and with it the system's own wish came in again.
pub(crate) fn again(app: &AppHandle) {
    on_main(app, |app| {
        *app.state::<Paint>().0.lock().expect("BUG: no thread panics with this lock") = None;
        wear(app);
    });
}

fn on_main(app: &AppHandle, work: fn(&AppHandle)) {
    let handle = app.clone();
    if let Err(error) = app.run_on_main_thread(move || work(&handle)) {
        tracing::warn!(%error, "the theme stays as it was outside the page");
    }
}

/// GTK knows no "as the system", so what that was is remembered. It holds for the whole process.
#[cfg(target_os = "linux")]
fn wear(app: &AppHandle) {
    use gtk::prelude::GtkSettingsExt;

    let Some(settings) = gtk::Settings::default() else { return };
    let paint = app.state::<Paint>();
    let mut system = paint.0.lock().expect("BUG: no thread panics with this lock");
    let dark = match app.state::<Desktop>().settings().theme {
        Theme::System => match system.take() {
            Some(dark) => dark,
            None => return,
        },
        chosen => {
            system.get_or_insert(settings.is_gtk_application_prefer_dark_theme());
            chosen == Theme::Dark
        }
    };
    settings.set_gtk_application_prefer_dark_theme(dark);
}

#[cfg(not(target_os = "linux"))]
fn wear(app: &AppHandle) {
    app.set_theme(match app.state::<Desktop>().settings().theme {
        Theme::System => None,
        Theme::Light => Some(tauri::Theme::Light),
        Theme::Dark => Some(tauri::Theme::Dark),
    });
}
