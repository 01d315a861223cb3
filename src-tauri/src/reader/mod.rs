//! The second way of reading a page: a hidden webview that lets scripts run.
//!
//! **Promises**: one page at a time, in the host's own session; nothing is clicked, typed or
//! injected; an interstitial is waited out for up to 20 s; a hard deadline; a crashed or hung web
//! process is trouble at our end, and a fresh one follows. **Leaves out**: what the page means
//! (`classify` and `extract` decide that, as for any other reading).

mod check_page;
mod failure;
mod hidden;
mod settle;
mod visit;

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use firstknock_fetch::{BoxFuture, Fetch, Fetched, Request};
use firstknock_monitor::{DataFolder, HostKey, Reason};
use tauri::AppHandle;
use tokio::sync::{Mutex, oneshot};

use visit::Order;

/// Reads pages in the system's webview, on the app's main thread.
pub(crate) struct WebviewReader {
    app: AppHandle,
    folder: DataFolder,
    /// Memory: a web process is about 100 MB, so there is one at most.
    turn: Arc<Mutex<()>>,
}

/// The main thread did not answer: nothing can be read.
const SLACK: Duration = Duration::from_secs(15);

impl WebviewReader {
    /// A reader that keeps each host's session under the data folder.
    pub(crate) fn new(app: AppHandle, folder: DataFolder) -> Self {
        Self { app, folder, turn: Arc::default() }
    }

    fn session_of(&self, request: &Request) -> Option<PathBuf> {
        HostKey::of(&request.url).map(|host| self.folder.webview(host.as_str()))
    }

    async fn read(&self, request: &Request) -> Fetched {
        let Some(session) = self.session_of(request) else {
            return failure::of(Reason::NotAPage, "the address has no host");
        };
        let turn = Arc::clone(&self.turn).lock_owned().await;
        let order = Order { url: request.url.clone(), deadline: request.deadline, session };
        let (tell, told) = oneshot::channel();
        let sent = self.app.run_on_main_thread(move || {
            gtk::glib::MainContext::default().spawn_local(async move {
                visit::visit(order, tell).await;
                drop(turn);
            });
        });
        if sent.is_err() {
            return failure::of(Reason::Browser, "the app is shutting down");
        }
        match tokio::time::timeout(request.deadline + SLACK, told).await {
            Ok(Ok(fetched)) => fetched,
            Ok(Err(_)) => failure::of(Reason::Browser, "the webview went away"),
            Err(_) => failure::of(Reason::Browser, "the webview did not answer"),
        }
    }
}

impl Fetch for WebviewReader {
    fn fetch<'a>(&'a self, request: &'a Request) -> BoxFuture<'a, Fetched> {
        Box::pin(self.read(request))
    }
}
