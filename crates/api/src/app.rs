//! What every handler shares.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use crate::book::Book;
use crate::stopwatch::{Stopwatch, TimeSpent};
use crate::streams::Streams;
use firstknock_ipc::{ApiState, Host};
use firstknock_monitor::{Engine, StoreError};

/// Where the files of the user interface are.
#[derive(Debug, Clone)]
pub enum Ui {
    /// Built into the program: path and bytes.
    Built(&'static [(&'static str, &'static [u8])]),
    /// A folder, as `vite build` leaves it.
    Folder(PathBuf),
    /// Not built: a page says how to.
    Missing,
    /// There is a window elsewhere: no pages here, and no door for them.
    None,
}

/// How long and how much the server bears with anybody.
#[derive(Debug, Clone, Copy)]
pub struct Limits {
    /// A request's head must be there within this.
    pub head: Duration,
    /// Its body within this.
    pub body: Duration,
    /// The most bytes of a body.
    pub body_bytes: usize,
    /// A client that takes nothing of an answer for so long is cut.
    pub stall: Duration,
    /// An answer must be found within this; previews wait for a site.
    pub answer: Duration,
    /// Connections at a time.
    pub connections: usize,
    /// Event streams at a time, of all clients.
    pub streams: usize,
    /// Event streams at a time of one client.
    pub own_streams: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            head: Duration::from_secs(10),
            body: Duration::from_secs(10),
            body_bytes: 128 * 1024,
            stall: Duration::from_secs(20),
            answer: Duration::from_secs(90),
            connections: 128,
            streams: 32,
            own_streams: 4,
        }
    }
}

/// The API over one engine; cheap to clone.
#[derive(Clone)]
pub struct Api {
    pub(crate) engine: Engine,
    pub(crate) ui: Ui,
    pub(crate) limits: Limits,
    pub(crate) book: Arc<Book>,
    pub(crate) streams: Streams,
    pub(crate) stopwatch: Arc<Stopwatch>,
    /// The port that it is reached at: part of the host list.
    pub(crate) port: u16,
}

impl Api {
    /// Reads the clients and takes up where the last run ended.
    ///
    /// # Errors
    /// If the store cannot be read.
    pub async fn open(
        engine: Engine,
        ui: Ui,
        limits: Limits,
        port: u16,
    ) -> Result<Self, StoreError> {
        engine.store().run(|store| store.abandon_all_writes()).await?;
        let book = Book::open(&engine).await?;
        let streams = Streams::new(limits.streams, limits.own_streams);
        let (book, stopwatch) = (Arc::new(book), Arc::default());
        Ok(Self { engine, ui, limits, book, streams, stopwatch, port })
    }

    /// There is no webview here: sites that need a person can be opened in the desktop app.
    pub(crate) const fn host(&self) -> Host {
        let api = ApiState::On { port: self.port };
        Host {
            can_open_sites: false,
            has_tray: false,
            has_street: false,
            api,
            can_switch_api: false,
        }
    }

    /// Where the time of all requests so far went.
    pub fn time_spent(&self) -> TimeSpent {
        self.stopwatch.read()
    }

    /// Reads clients again that were added, changed or revoked meanwhile, and keeps what was spent.
    ///
    /// # Errors
    /// If the store cannot be used.
    pub async fn settle(&self) -> Result<(), StoreError> {
        self.book.keep(&self.engine).await?;
        self.book.refresh(&self.engine).await
    }
}
