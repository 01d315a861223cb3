//! The engine, as the shell uses it: the same door as everybody's, and the few things that only
//! a desktop can do after it.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use anyhow::Context;
use firstknock_fetch::{Config, Fetch, HttpFetch, install_crypto};
use firstknock_ipc::{
    Command, ErrorBody, ErrorCode, Host, Nothing, Settings, StatusEvent, serve, wire,
};
use firstknock_monitor::store::{DataLock, Store};
use firstknock_monitor::{
    DataFolder, Dice, Engine as Monitor, HostKey, Parts, Photo, PhotoKey, Readers, SearchId,
    SystemClock, Toaster,
};
use futures_util::Stream;
use serde_json::Value;
use tauri::{AppHandle, Manager};

use crate::desktop::{self, Desktop};
use crate::local_api::LocalApi;
use crate::site::Place;
use crate::street::Street;
use crate::toast::Toasts;

/// A handle on the running engine; cheap to clone.
#[derive(Clone)]
pub(crate) struct Engine {
    monitor: Monitor,
    api: Arc<LocalApi>,
    /// The folder stays ours as long as anybody can ask the engine.
    _lock: Arc<DataLock>,
}

/// Between two messages of the stream: what changes faster is seen as one change.
const COALESCE: Duration = Duration::from_millis(80);

impl Engine {
    /// Opens the data folder and starts the engine on it.
    pub(crate) async fn start(app: &AppHandle, folder: &DataFolder) -> anyhow::Result<Self> {
        install_crypto();
        let lock = DataLock::acquire(folder.path())?;
        let (store, opened) = Store::open(folder.path(), jiff::Timestamp::now())
            .with_context(|| format!("the data in {}", folder.path().display()))?;
        let config = Config { fixed_names: Street::names(), ..Config::default() };
        let http = HttpFetch::new(config).context("secure connections cannot be set up")?;
        let browser = browser(app, folder);
        let monitor = Monitor::begin(Parts {
            folder: folder.clone(),
            store,
            opened,
            can_open_sites: browser.is_some(),
            readers: Readers { plain: Arc::new(http.clone()), browser },
            http: Some(http),
            clock: Arc::new(SystemClock::default()),
            dice: Dice::unforeseen(),
            secrets: None,
            toaster: Some(Arc::new(Toasts::new(app.clone())) as Arc<dyn Toaster>),
        })
        .context("the engine cannot start")?;
        let engine = Self { monitor, api: Arc::new(LocalApi::new()), _lock: Arc::new(lock) };
        engine.apply_stored(app).await;
        Ok(engine)
    }

    /// The engine's own handle.
    pub(crate) fn monitor(&self) -> &Monitor {
        &self.monitor
    }

    /// One command; what concerns the desktop is done when the engine has kept it.
    pub(crate) async fn call(&self, app: &AppHandle, command: Command) -> Result<Value, ErrorBody> {
        let after = After::of(&command);
        if let Command::ClearSession(it) = &command {
            // First what a browser holds open, then what the engine finds on the disk.
            self.forget_webview(app, self.monitor.folder().webview(&it.host)).await;
        }
        let reply = serve(&self.monitor, self.host(app), command).await?;
        match after {
            After::Nothing => {}
            After::Settings(settings) => self.apply(app, *settings).await,
            After::Restored => self.apply_stored(app).await,
        }
        Ok(reply)
    }

    /// The board, then its changes; whatever changed meanwhile comes as one change.
    pub(crate) fn subscribe(&self) -> impl Stream<Item = StatusEvent> + Send + Unpin + 'static {
        let boards = self.monitor.board();
        let first = (boards, None::<firstknock_ipc::Board>);
        Box::pin(futures_util::stream::unfold(first, async |(mut boards, last)| {
            let Some(last) = last else {
                let board = wire::board(&boards.borrow_and_update());
                let event = StatusEvent::Snapshot { board: board.clone() };
                return Some((event, (boards, Some(board))));
            };
            loop {
                boards.changed().await.ok()?;
                tokio::time::sleep(COALESCE).await;
                let board = wire::board(&boards.borrow_and_update());
                if let Some(event) = wire::changed(&last, &board) {
                    return Some((event, (boards, Some(board))));
                }
            }
        }))
    }

    /// Where the window of "Open site" goes for a search.
    pub(crate) fn place_of(&self, search: i64) -> Result<Place, ErrorBody> {
        let board = self.monitor.board().borrow().clone();
        let row = board.rows.iter().find(|row| row.search.id == SearchId(search));
        let search = &row.ok_or_else(|| ErrorBody::new(ErrorCode::NotFound))?.search;
        Ok(Place {
            search: search.id,
            host: search.host.clone(),
            url: search.wish.url.url().clone(),
            session: self.monitor.folder().webview(search.host.as_str()),
        })
    }

    /// The window of "Open site" is open: nothing else asks that host.
    pub(crate) async fn site_opened(&self, host: HostKey) {
        self.monitor.site_opened(host).await;
    }

    /// It was closed: one probe goes out by itself.
    pub(crate) async fn site_closed(&self, host: HostKey, search: SearchId) {
        self.monitor.site_closed(host, Some(search)).await;
    }

    /// What there is of a listing's photo.
    pub(crate) async fn photo(&self, key: PhotoKey) -> Photo {
        self.monitor.photo(key).await.unwrap_or_else(|error| {
            tracing::warn!(%error, "a photo could not be looked up");
            Photo::None
        })
    }

    /// Ends the engine; what is decided is kept.
    pub(crate) async fn shut_down(&self) {
        let end = async {
            self.api.stop().await;
            self.monitor.shut_down().await;
        };
        if tokio::time::timeout(Duration::from_secs(5), end).await.is_err() {
            tracing::warn!("the engine took too long to end");
        }
    }

    /// The settings that are kept.
    async fn apply_stored(&self, app: &AppHandle) {
        let stored = serve(&self.monitor, self.host(app), Command::GetSettings(Nothing {})).await;
        let settings = stored.ok().and_then(|value| serde_json::from_value(value).ok());
        self.apply(app, settings.unwrap_or_default()).await;
    }

    /// Settings that the desktop has a part in.
    async fn apply(&self, app: &AppHandle, settings: Settings) {
        let toasts = settings.desktop_notifications;
        let now = jiff::Timestamp::now();
        let kept = self.monitor.store().run(move |store| {
            let config = serde_json::json!({ "channel": "desktop" });
            store.put_channel("desktop", "desktop", toasts, &config, now)
        });
        if let Err(error) = kept.await {
            tracing::warn!(%error, "whether to show toasts was not kept");
        }
        self.api.follow(&self.monitor, &settings).await;
        desktop::apply(app, settings);
    }

    /// What this desktop can do.
    fn host(&self, app: &AppHandle) -> Host {
        Host {
            can_open_sites: cfg!(target_os = "linux"),
            has_tray: app.state::<Desktop>().has_tray(),
            has_street: true,
            api: self.api.state(),
            can_switch_api: true,
        }
    }

    /// The browser's part of "clear this host's session".
    #[cfg(target_os = "linux")]
    async fn forget_webview(&self, app: &AppHandle, folder: PathBuf) {
        let (tell, told) = tokio::sync::oneshot::channel();
        let sent = app.run_on_main_thread(move || {
            if let Err(error) = crate::webview::forget(&folder) {
                tracing::warn!(%error, "a site's session could not be forgotten");
            }
            tell.send(()).ok();
        });
        match sent {
            Ok(()) => drop(told.await),
            Err(error) => tracing::warn!(%error, "a site's session could not be forgotten"),
        }
    }

    #[cfg(not(target_os = "linux"))]
    #[expect(clippy::unused_async, reason = "the same call as on Linux")]
    async fn forget_webview(&self, _app: &AppHandle, _folder: PathBuf) {}
}

/// What is left to do when the engine has done its part.
enum After {
    Nothing,
    Settings(Box<Settings>),
    /// Settings came back with a backup.
    Restored,
}

impl After {
    fn of(command: &Command) -> Self {
        match command {
            Command::PutSettings(settings) => Self::Settings(Box::new(settings.clone())),
            Command::Restore(_) => Self::Restored,
            _ => Self::Nothing,
        }
    }
}

#[cfg(target_os = "linux")]
fn browser(app: &AppHandle, folder: &DataFolder) -> Option<Arc<dyn Fetch>> {
    Some(Arc::new(crate::reader::WebviewReader::new(app.clone(), folder.clone())))
}

#[cfg(not(target_os = "linux"))]
fn browser(_app: &AppHandle, _folder: &DataFolder) -> Option<Arc<dyn Fetch>> {
    None
}
