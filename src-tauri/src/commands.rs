//! What the window may ask for. Each hands over at once; nothing is decided here.

use firstknock_ipc::{Command, ErrorBody, ExportWhat, MenuPick, StatusEvent};
use serde_json::Value;
use tauri::ipc::Channel;
use tauri::{AppHandle, Manager};

use crate::engine::Engine;
use crate::{external, files, menu, site, stream, street};

/// Any command of the engine.
#[tauri::command]
pub(crate) async fn call(command: Command, app: AppHandle) -> Result<Value, ErrorBody> {
    app.state::<Engine>().call(&app, command).await
}

/// The board, then every change of it, in order, until the window goes.
#[tauri::command]
pub(crate) fn watch_status(channel: Channel<StatusEvent>, app: AppHandle) {
    stream::watch(&app, channel);
}

/// What is chosen in the menu bar, until the window goes.
#[tauri::command]
pub(crate) fn watch_menu(channel: Channel<MenuPick>, app: AppHandle) {
    menu::watch(&app, channel);
}

/// Opens a search's page in a window of its own, for the user to pass a check by hand.
#[tauri::command]
pub(crate) fn open_site(search: i64, app: AppHandle) -> Result<(), ErrorBody> {
    site::open(&app, search)
}

/// Opens a listing in the system's browser.
#[tauri::command]
pub(crate) fn open_external(url: String, app: AppHandle) -> Result<(), ErrorBody> {
    external::open(&app, &url)
}

/// Starts the rehearsal street and adds its searches.
#[tauri::command]
pub(crate) async fn try_street(app: AppHandle) -> Result<(), ErrorBody> {
    street::open(&app).await
}

/// Writes an export where the user says: its path, or nothing if they changed their mind.
#[tauri::command]
pub(crate) async fn save_file(
    what: ExportWhat,
    app: AppHandle,
) -> Result<Option<String>, ErrorBody> {
    files::save(&app, what).await
}

/// Shows the data folder in the system's file manager.
#[tauri::command]
pub(crate) fn open_folder(app: AppHandle) -> Result<(), ErrorBody> {
    files::show_folder(&app)
}

/// Ends the app, whatever the tray says.
#[tauri::command]
pub(crate) fn quit(app: AppHandle) {
    app.exit(0);
}
