//! What the machine tells: it woke up, it has a network, it has none.

use std::time::Duration;

use tauri::{AppHandle, Manager};

use crate::engine::Engine;

/// Passes both on to the engine for as long as the app runs.
#[cfg(target_os = "linux")]
pub(crate) fn listen(app: &AppHandle) {
    listen_for_network(app);
    let app = app.clone();
    tauri::async_runtime::spawn(async move {
        while let Err(error) = wake_ups(&app).await {
            tracing::debug!(%error, "nobody tells when the machine wakes up");
            tokio::time::sleep(Duration::from_secs(600)).await;
        }
    });
}

/// Elsewhere the engine notices by its own clock.
#[cfg(not(target_os = "linux"))]
pub(crate) fn listen(_app: &AppHandle) {}

/// Only changes are passed on: whether there is a network at the start, the first check shows.
#[cfg(target_os = "linux")]
fn listen_for_network(app: &AppHandle) {
    use gtk::gio::prelude::*;

    let app = app.clone();
    let monitor = gtk::gio::NetworkMonitor::default();
    monitor.connect_network_available_notify(move |monitor| {
        let (engine, online) =
            (app.state::<Engine>().inner().clone(), monitor.is_network_available());
        tracing::info!(online, "the network changed");
        tauri::async_runtime::spawn(async move { engine.monitor().network(online).await });
    });
}

/// logind's own word. It says true before sleep and false after it.
#[cfg(target_os = "linux")]
async fn wake_ups(app: &AppHandle) -> zbus::Result<()> {
    use futures_util::StreamExt;

    let bus = zbus::Connection::system().await?;
    let logind = zbus::Proxy::new(
        &bus,
        "org.freedesktop.login1",
        "/org/freedesktop/login1",
        "org.freedesktop.login1.Manager",
    )
    .await?;
    let mut signals = logind.receive_signal("PrepareForSleep").await?;
    while let Some(signal) = signals.next().await {
        let going_to_sleep: bool = signal.body().deserialize()?;
        if !going_to_sleep {
            app.state::<Engine>().monitor().woke().await;
        }
    }
    Err(zbus::Error::InputOutput(std::sync::Arc::new(std::io::Error::other("the bus is gone"))))
}
