//! The board on its way to the window: one ordered channel, and nobody is told who cannot see.

use std::sync::Mutex;

use firstknock_ipc::StatusEvent;
use futures_util::StreamExt;
use tauri::async_runtime::JoinHandle;
use tauri::ipc::Channel;
use tauri::{AppHandle, Manager};

use crate::engine::Engine;

/// The one reader of the board that the window has.
#[derive(Default)]
pub(crate) struct Watch(Mutex<Option<JoinHandle<()>>>);

/// Sends the board and its changes to the window. A window that asks again (after a reload)
/// replaces its old channel.
pub(crate) fn watch(app: &AppHandle, channel: Channel<StatusEvent>) {
    let mut events = app.state::<Engine>().subscribe();
    let task = tauri::async_runtime::spawn(async move {
        while let Some(event) = events.next().await {
            if channel.send(event).is_err() {
                break;
            }
        }
    });
    replace(app, Some(task));
}

/// The window is gone: nothing more is sent.
pub(crate) fn stop(app: &AppHandle) {
    replace(app, None);
}

fn replace(app: &AppHandle, next: Option<JoinHandle<()>>) {
    let watch = app.state::<Watch>();
    let mut slot = watch.0.lock().expect("BUG: no thread panics with this lock");
    if let Some(old) = std::mem::replace(&mut *slot, next) {
        old.abort();
    }
}
