//! Notifications on the desktop: what was found, with a button that opens it.

use firstknock_ipc::{Command, Switch};
use firstknock_monitor::{Toast, Toaster};
use serde_json::Value;
use tauri::{AppHandle, Manager};
use tauri_plugin_notification::{Action, ActionPerformed, ActionType, NotificationExt};

use crate::engine::Engine;
use crate::words::Words;
use crate::{external, window};

/// The kind whose button opens a listing.
const LISTING: &str = "listing";
/// Where a toast keeps the address that its button opens.
const URL: &str = "url";
/// And the search that its other button mutes.
const SEARCH: &str = "search";

/// Shows what the outbox hands over.
pub(crate) struct Toasts(AppHandle);

impl Toasts {
    pub(crate) fn new(app: AppHandle) -> Self {
        Self(app)
    }
}

impl Toaster for Toasts {
    fn show(&self, toast: Toast) -> Result<(), String> {
        show(&self.0, toast)
    }
}

/// Must run before the first toast: a toast that nobody listens to shows no buttons.
pub(crate) fn prepare(app: &AppHandle) {
    let handle = app.clone();
    let listening = app.notification().on_action(move |done| acted(&handle, done));
    if let Err(error) = listening {
        tracing::warn!(%error, "toasts have no buttons here");
    }
    name_buttons(app);
}

/// The buttons in the language of now.
pub(crate) fn name_buttons(app: &AppHandle) {
    let words = app.state::<Words>();
    let kind = ActionType::builder(LISTING)
        .actions(vec![
            Action::builder("open", words.say("toast_open_listing", &[])).build(),
            Action::builder("mute", words.say("toast_mute", &[])).build(),
        ])
        .build();
    if let Err(error) = app.notification().register_action_types(vec![kind]) {
        tracing::warn!(%error, "toasts have no buttons here");
    }
}

/// Whether a daemon shows it, nobody tells; mail is the channel that must arrive.
fn show(app: &AppHandle, toast: Toast) -> Result<(), String> {
    let mut builder = app.notification().builder().title(toast.title).body(toast.body);
    if toast.url.is_some() || toast.search.is_some() {
        builder = builder.action_type_id(LISTING);
    }
    if let Some(url) = toast.url {
        builder = builder.extra(URL, url);
    }
    if let Some(search) = toast.search {
        builder = builder.extra(SEARCH, search.0);
    }
    builder.show().map_err(|error| error.to_string())
}

fn acted(app: &AppHandle, done: &ActionPerformed) {
    let extra = |key: &str| done.notification().and_then(|toast| toast.extra().get(key));
    let url = extra(URL).and_then(Value::as_str);
    let search = extra(SEARCH).and_then(Value::as_i64);
    match (done.action_id(), url, search) {
        ("open", Some(url), _) if external::open(app, url).is_ok() => {}
        ("mute", _, Some(id)) => mute(app, id),
        _ => come_forward(app),
    }
}

fn mute(app: &AppHandle, id: i64) {
    let app = app.clone();
    tauri::async_runtime::spawn(async move {
        let command = Command::SetMuted(Switch { id, on: true });
        if let Err(refused) = app.state::<Engine>().call(&app, command).await {
            tracing::warn!(code = ?refused.code, "a search could not be muted");
        }
    });
}

fn come_forward(app: &AppHandle) {
    let handle = app.clone();
    if let Err(error) = app.run_on_main_thread(move || window::show(&handle)) {
        tracing::warn!(%error, "the window could not be asked for");
    }
}
