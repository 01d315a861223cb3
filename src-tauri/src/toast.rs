//! Notifications on the desktop: what was found, with a button that opens it.

use firstknock_ipc::ErrorBody;
use tauri::{AppHandle, Manager};
use tauri_plugin_notification::{Action, ActionPerformed, ActionType, NotificationExt};

use crate::words::Words;
use crate::{external, window};

/// The kind whose button opens a listing.
const LISTING: &str = "listing";
/// Where a toast keeps the address that its button opens.
const URL: &str = "url";

/// What a toast says.
#[derive(Debug, Clone)]
pub(crate) struct Toast {
    pub(crate) title: String,
    pub(crate) body: String,
    /// The listing behind it, if it is about one.
    pub(crate) url: Option<String>,
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
            Action::builder("listing", words.say("toast_open_listing", &[])).build(),
            Action::builder("app", words.say("toast_open_app", &[])).build(),
        ])
        .build();
    if let Err(error) = app.notification().register_action_types(vec![kind]) {
        tracing::warn!(%error, "toasts have no buttons here");
    }
}

/// Shows a toast. Whether a daemon shows it, nobody tells; mail is the channel that must arrive.
pub(crate) fn show(app: &AppHandle, toast: Toast) {
    let mut builder = app.notification().builder().title(toast.title).body(toast.body);
    if let Some(url) = toast.url {
        builder = builder.action_type_id(LISTING).extra(URL, url);
    }
    if let Err(error) = builder.show() {
        tracing::warn!(%error, "a toast could not be shown");
    }
}

fn acted(app: &AppHandle, done: &ActionPerformed) {
    let url = done.notification().and_then(|toast| toast.extra().get(URL)?.as_str());
    let opened: Option<Result<(), ErrorBody>> =
        url.filter(|_| done.action_id() == "listing").map(|url| external::open(app, url));
    if !matches!(opened, Some(Ok(()))) {
        let handle = app.clone();
        if let Err(error) = app.run_on_main_thread(move || window::show(&handle)) {
            tracing::warn!(%error, "the window could not be asked for");
        }
    }
}
