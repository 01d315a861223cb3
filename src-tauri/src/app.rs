//! Putting the app together: plugins, windows, what happens at the start and at the end.

use std::time::Duration;

use anyhow::Context;
use firstknock_monitor::DataFolder;
use firstknock_monitor::store::LockError;
use tauri::{AppHandle, Manager, RunEvent, WindowEvent};
use tauri_plugin_autostart::MacosLauncher;

use crate::args::Args;
use crate::desktop::Desktop;
use crate::engine::Engine;
use crate::menu::MenuBar;
use crate::paint::Paint;
use crate::stream::Watch;
use crate::street::Street;
use crate::tray::Tray;
use crate::window::MAIN;
use crate::words::Words;
use crate::{close, commands, menu, outside, photo, stream, street, toast, tray, window};

/// Runs the app until it is quit.
pub(crate) fn run(args: Args) -> anyhow::Result<()> {
    log();
    let folder = DataFolder::choose(args.data.as_deref())?;
    let mut builder = tauri::Builder::default();
    if !args.multi {
        // First of all plugins: a second start ends here, before it touches anything.
        builder = builder.plugin(tauri_plugin_single_instance::init(|app, _, _| window::show(app)));
    }
    let app = builder
        .plugin(
            tauri_plugin_window_state::Builder::default()
                .with_state_flags(window::remembered())
                .build(),
        )
        .plugin(tauri_plugin_autostart::init(MacosLauncher::LaunchAgent, Some(vec!["--hidden"])))
        .plugin(tauri_plugin_notification::init())
        .plugin(tauri_plugin_opener::Builder::new().open_js_links_on_click(false).build())
        .manage(folder)
        .manage(Desktop::default())
        .manage(Words::default())
        .manage(Watch::default())
        .manage(Tray::default())
        .manage(MenuBar::default())
        .manage(Paint::default())
        .manage(Street::default())
        .invoke_handler(tauri::generate_handler![
            commands::call,
            commands::watch_status,
            commands::watch_menu,
            commands::open_site,
            commands::open_external,
            commands::try_street,
            commands::save_file,
            commands::open_folder,
            commands::quit,
        ])
        .register_asynchronous_uri_scheme_protocol(photo::SCHEME, photo::serve)
        .on_menu_event(|app, event| menu::chosen(app, event.id().as_ref()))
        .on_window_event(|window, event| on_window(window.label(), window.app_handle(), event))
        .setup(move |app| Ok(start(app.handle(), args.hidden)?))
        .build(tauri::generate_context!())
        .context("the desktop could not be reached")?;
    app.run(on_event);
    Ok(())
}

/// Everything that needs the app to be there. An error here would be a panic, so what a user can
/// cause is said in a dialog instead.
fn start(app: &AppHandle, hidden: bool) -> anyhow::Result<()> {
    let folder = app.state::<DataFolder>().inner().clone();
    // Before the engine: a toast that is shown before anybody listens has no buttons.
    toast::prepare(app);
    match tauri::async_runtime::block_on(Engine::start(app, &folder)) {
        Ok(engine) => app.manage(engine),
        Err(problem) => return refuse(app, &problem),
    };
    outside::listen(app);
    tauri::async_runtime::block_on(street::take_away(app));
    tauri::async_runtime::spawn(tray::keep(app.clone()));
    tauri::async_runtime::spawn(end_on_signal(app.clone()));
    if hidden {
        tauri::async_runtime::spawn(show_unless_tray(app.clone()));
    } else {
        window::show(app);
    }
    Ok(())
}

/// Started into the tray, but where there is none the window opens: an app that nobody can see
/// is an app that nobody can stop.
async fn show_unless_tray(app: AppHandle) {
    for _ in 0..40 {
        if app.state::<Desktop>().has_tray() {
            return;
        }
        tokio::time::sleep(Duration::from_millis(250)).await;
    }
    let handle = app.clone();
    if let Err(error) = app.run_on_main_thread(move || window::show(&handle)) {
        tracing::error!(%error, "neither tray nor window");
    }
}

fn on_window(label: &str, app: &AppHandle, event: &WindowEvent) {
    if label != MAIN {
        return;
    }
    match event {
        WindowEvent::CloseRequested { api, .. } => {
            api.prevent_close();
            tauri::async_runtime::spawn(close::asked(app.clone()));
        }
        WindowEvent::Destroyed => {
            stream::stop(app);
            menu::stop(app);
        }
        _ => {}
    }
}

fn on_event(app: &AppHandle, event: RunEvent) {
    match event {
        // The last window went; only a code means that somebody said Quit.
        RunEvent::ExitRequested { code: None, api, .. } => api.prevent_exit(),
        RunEvent::Exit => {
            if let Some(engine) = app.try_state::<Engine>() {
                tauri::async_runtime::block_on(engine.shut_down());
            }
        }
        _ => {}
    }
}

/// A session that ends, or a terminal's Ctrl-C, ends the app in order.
#[cfg(unix)]
async fn end_on_signal(app: AppHandle) {
    use tokio::signal::unix::{SignalKind, signal};

    let (Ok(mut term), Ok(mut int)) =
        (signal(SignalKind::terminate()), signal(SignalKind::interrupt()))
    else {
        return tracing::warn!("signals cannot be heard");
    };
    tokio::select! {
        _ = term.recv() => {}
        _ = int.recv() => {}
    }
    app.exit(0);
}

#[cfg(not(unix))]
async fn end_on_signal(app: AppHandle) {
    if tokio::signal::ctrl_c().await.is_ok() {
        app.exit(0);
    }
}

/// The engine cannot start here (another process owns the folder, the database is newer …): says
/// it where a user sees it, and ends.
#[cfg(target_os = "linux")]
fn refuse(app: &AppHandle, problem: &anyhow::Error) -> anyhow::Result<()> {
    use gtk::prelude::*;

    let words = app.state::<Words>();
    let text = match problem.downcast_ref::<LockError>() {
        Some(LockError::HeldBy { pid, program }) => {
            words.say("start_refused_in_use", &[("program", program), ("pid", &pid.to_string())])
        }
        _ => format!("{problem:#}"),
    };
    eprintln!("firstknock: {text}");
    let dialog = gtk::MessageDialog::new(
        None::<&gtk::Window>,
        gtk::DialogFlags::empty(),
        gtk::MessageType::Error,
        gtk::ButtonsType::Close,
        &words.say("start_refused_title", &[]),
    );
    dialog.set_title("Firstknock");
    dialog.set_secondary_text(Some(&text));
    let app = app.clone();
    dialog.connect_response(move |_, _| app.exit(1));
    dialog.show_all();
    Ok(())
}

#[cfg(not(target_os = "linux"))]
fn refuse(_app: &AppHandle, problem: &anyhow::Error) -> anyhow::Result<()> {
    Err(anyhow::anyhow!("{problem:#}"))
}

fn log() {
    let filter = tracing_subscriber::EnvFilter::try_from_default_env()
        .unwrap_or_else(|_| tracing_subscriber::EnvFilter::new("info"));
    tracing_subscriber::fmt().with_env_filter(filter).with_writer(std::io::stderr).init();
}
