//! What closing the main window means: into the tray, or the end of the app, and never silently.

use tauri::{AppHandle, Manager};

use crate::desktop::{Desktop, somebody_shows_trays};
use crate::window::{self, MAIN};
use crate::words::Words;

/// The user closed the main window. Runs after its own closing was held back.
pub(crate) async fn asked(app: AppHandle) {
    window::remember(&app);
    let desktop = app.state::<Desktop>();
    if !desktop.settings().close_to_tray {
        return app.exit(0);
    }
    if desktop.has_tray() && somebody_shows_trays().await {
        return put_away(&app);
    }
    desktop.set_tray(false);
    let handle = app.clone();
    if let Err(error) = app.run_on_main_thread(move || say_so(&handle)) {
        tracing::warn!(%error, "the question could not be asked");
        app.exit(0);
    }
}

/// Destroyed rather than hidden: a hidden page costs as much as a shown one.
fn put_away(app: &AppHandle) {
    if let Some(window) = app.get_webview_window(MAIN)
        && let Err(error) = window.destroy()
    {
        tracing::warn!(%error, "the window could not be put away");
    }
}

/// Without a tray, closing the window would hide the app where nobody finds it, so it ends; and
/// an app that has ended sends no alerts, so it says so before.
#[cfg(target_os = "linux")]
fn say_so(app: &AppHandle) {
    use gtk::prelude::*;

    let words = app.state::<Words>();
    let parent = app.get_webview_window(MAIN).and_then(|window| window.gtk_window().ok());
    let dialog = gtk::MessageDialog::new(
        parent.as_ref(),
        gtk::DialogFlags::MODAL | gtk::DialogFlags::DESTROY_WITH_PARENT,
        gtk::MessageType::Question,
        gtk::ButtonsType::None,
        &words.say("close_no_tray_title", &[]),
    );
    dialog.set_title("Firstknock");
    dialog.set_secondary_text(Some(&words.say("close_no_tray_text", &[])));
    dialog.add_button(&words.say("close_no_tray_stay", &[]), gtk::ResponseType::Cancel);
    dialog.add_button(&words.say("close_no_tray_quit", &[]), gtk::ResponseType::Accept);
    dialog.set_default_response(gtk::ResponseType::Cancel);
    let app = app.clone();
    dialog.connect_response(move |dialog, response| {
        dialog.close();
        if response == gtk::ResponseType::Accept {
            app.exit(0);
        }
    });
    dialog.show_all();
}

#[cfg(not(target_os = "linux"))]
fn say_so(app: &AppHandle) {
    app.exit(0);
}
