//! The engine: one task that owns the schedule, and everything that it starts.

mod begin;
mod blind;
mod event;
mod finish;
mod go_out;
mod handle;
mod publish;
mod requests;
mod restore;

use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;

use firstknock_fetch::HttpFetch;
use firstknock_listing::{HostKey, SearchId};
use firstknock_notify::{Secrets, Toaster};
use firstknock_schedule::Schedule;
use firstknock_store::{CheckMark, Opened, Search, StoreHandle};
use jiff::Timestamp;
use tokio::sync::{mpsc, watch};
use tokio::task::JoinSet;

use crate::board::Facts;
use crate::outbox::{Bell, Workers};
use crate::pause::{self, Pause};
use crate::photo::Photos;
use crate::{Board, Clock, DataFolder, Dice, Readers, Recipes};

pub use begin::BeginError;
pub use handle::Engine;

pub(crate) use event::{Ask, Event};

/// Everything that an engine is made of.
pub struct Parts {
    /// Where everything is kept.
    pub folder: DataFolder,
    /// The open database, with what happened when it was opened.
    pub store: firstknock_store::Store,
    /// What happened when it was opened.
    pub opened: Opened,
    /// Who reads pages.
    pub readers: Readers,
    /// The plain client, if its cookies are to be kept.
    pub http: Option<HttpFetch>,
    /// The time of day.
    pub clock: Arc<dyn Clock>,
    /// The dice.
    pub dice: Dice,
    /// Where passwords are kept, instead of the place that the user chose; for tests.
    pub secrets: Option<Arc<dyn Secrets>>,
    /// Who shows notifications.
    pub toaster: Option<Arc<dyn Toaster>>,
    /// A webview is there, in which sites can be opened.
    pub can_open_sites: bool,
}

/// The loop's own state.
struct Core {
    events: mpsc::Sender<Event>,
    inbox: mpsc::Receiver<Event>,
    store: StoreHandle,
    schedule: Schedule,
    readers: Readers,
    http: Option<HttpFetch>,
    clock: Arc<dyn Clock>,
    dice: Dice,
    bell: Bell,
    workers: Workers,
    /// Somebody shows notifications.
    toasts: bool,
    photos: Photos,
    recipes: Recipes,
    looks: JoinSet<()>,
    shelf: Shelf,
    board: watch::Sender<Arc<Board>>,
    folder: DataFolder,
    /// Wall clock and monotonic clock at the last turn, to notice a sleep or a jump.
    last_turn: (Timestamp, Duration),
    /// The last time in which nobody looked.
    pause: Option<Pause>,
    /// The last time in which a site refused us, and which.
    blocked: Option<(Pause, Option<HostKey>)>,
    /// It was last noted then that we are there.
    noted_at: Option<Timestamp>,
    /// Who could have seen something since when.
    watch: blind::Watch,
    /// Daily work was last done then.
    swept_at: Option<Timestamp>,
    /// Said once when it begins, not at every turn.
    was_idle: bool,
    /// Nothing goes out but what is asked for by hand.
    by_hand: bool,
}

/// What the board shows beside the schedule's own facts; read from the store when it changed.
#[derive(Default)]
struct Shelf {
    searches: Vec<Search>,
    marks: HashMap<SearchId, Vec<CheckMark>>,
    unread: HashMap<SearchId, u32>,
    /// Hosts whose pages stored something in the webview.
    browsed: Vec<HostKey>,
    facts: Facts,
    stale: bool,
}

/// A sleep is never longer: timers stop while a laptop sleeps, so the clock is asked again.
const LONGEST_SLEEP: Duration = Duration::from_secs(30);
/// The wall clock ran ahead of the monotonic one by so much: the machine slept.
const SLEPT: Duration = Duration::from_secs(15);
/// A window that looks at each change sees all photos that came between two.
const PHOTOS_TOLD: usize = 32;
/// How often what is old is purged and a backup is made.
const SWEEP_EVERY: Duration = Duration::from_secs(3600);

impl Core {
    async fn run(mut self) {
        loop {
            self.notice_sleep();
            self.sweep().await;
            self.go_out().await;
            self.sweep_blind().await;
            self.publish().await;
            let wait = self.wait();
            let clock = Arc::clone(&self.clock);
            let event = tokio::select! {
                event = self.inbox.recv() => event,
                () = clock.sleep(wait) => continue,
            };
            match event {
                Some(Event::Shutdown) | None => break,
                Some(event) => self.handle(event).await,
            }
            // What came in meanwhile belongs to the same turn.
            while let Ok(event) = self.inbox.try_recv() {
                if matches!(event, Event::Shutdown) {
                    return self.end().await;
                }
                self.handle(event).await;
            }
        }
        self.end().await;
    }

    async fn handle(&mut self, event: Event) {
        match event {
            Event::Looked(looked) => self.finish(*looked).await,
            Event::Asked(ask) => self.answer(ask).await,
            Event::Network { online } => {
                let now = self.clock.now();
                self.schedule.set_online(online, now);
                if online {
                    self.network_is_back(now).await;
                }
            }
            Event::Woke => {
                let now = self.clock.now();
                let mut roll = || self.dice.roll();
                self.schedule.woke(now, &mut roll);
            }
            Event::Delivered => self.shelf.stale = true,
            Event::PhotoCame { mark } => {
                let photos = &mut self.shelf.facts.photos;
                photos.push(mark);
                photos.drain(..photos.len().saturating_sub(PHOTOS_TOLD));
            }
            Event::Shutdown => {}
        }
    }

    fn wait(&self) -> Duration {
        let now = self.clock.now();
        let next = if self.by_hand { None } else { self.schedule.next_wake(now) };
        let wait = next.map_or(LONGEST_SLEEP, |at| {
            Duration::try_from(at.duration_since(now)).unwrap_or(Duration::ZERO)
        });
        // A few milliseconds keep a rounding error from spinning.
        wait.clamp(Duration::from_millis(5), LONGEST_SLEEP)
    }

    fn notice_sleep(&mut self) {
        let now = (self.clock.now(), self.clock.running());
        let wall = Duration::try_from(now.0.duration_since(self.last_turn.0)).unwrap_or_default();
        let real = now.1.saturating_sub(self.last_turn.1);
        let before = self.last_turn.0;
        self.last_turn = now;
        if wall > real + SLEPT {
            let slept_ms = wall.saturating_sub(real).as_millis();
            tracing::info!(slept_ms, "the machine slept or its clock jumped");
            if let Some(pause) = Pause::between(before, now.0) {
                self.pause = Some(pause);
                self.watch.awake_since = now.0;
                self.shelf.stale = true;
            }
            let mut roll = || self.dice.roll();
            self.schedule.woke(now.0, &mut roll);
        }
    }

    /// A start later than this knows how long nobody looked.
    async fn note_alive(&mut self, now: Timestamp) {
        self.noted_at = Some(now);
        if let Err(error) = self.store.run(move |store| pause::note_alive(store, now)).await {
            tracing::debug!(%error, "the time could not be noted");
        }
    }

    async fn network_is_back(&mut self, now: Timestamp) {
        match self.store.run(move |store| store.network_is_back(now)).await {
            Ok(_) => self.bell.ring(),
            Err(error) => self.storage_trouble(&error),
        }
    }

    async fn end(mut self) {
        self.looks.shutdown().await;
        self.workers.end().await;
        let change = self.schedule.take_change();
        let now = self.clock.now();
        self.note_alive(now).await;
        if !change.is_empty()
            && let Err(error) = self.store.run(move |s| s.keep_schedule(&change, now)).await
        {
            tracing::warn!(%error, "the last decisions could not be kept");
        }
        self.store.close().await;
        // Whoever waits for the end sees the inbox close now.
        drop(self.inbox);
    }
}
