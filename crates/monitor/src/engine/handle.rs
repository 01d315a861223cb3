//! The way in: what windows, commands and tests hold.

use std::collections::HashMap;
use std::sync::{Arc, Mutex};

use firstknock_extract::Choice;
use firstknock_listing::{HostKey, SearchId, SearchUrl};
use firstknock_notify::Toaster;
use firstknock_policy::Outcome;
use firstknock_schedule::{Check, Locked, Permit, Purpose, Seen};
use firstknock_store::{Search, SearchWish, StoreError, StoreHandle};
use serde_json::Value;
use tokio::sync::{mpsc, oneshot, watch};

use super::event::{Ask, Event, Reply};
use crate::outbox::Bell;
use crate::photo::Photos;
use crate::secrets::ChosenSecrets;
use crate::{Board, Clock, DataFolder, Readers, Recipes};

/// A handle on a running engine; cheap to clone.
#[derive(Clone)]
pub struct Engine {
    pub(crate) events: mpsc::Sender<Event>,
    pub(crate) board: watch::Receiver<Arc<Board>>,
    pub(crate) store: StoreHandle,
    pub(crate) clock: Arc<dyn Clock>,
    pub(crate) readers: Readers,
    pub(crate) folder: DataFolder,
    pub(crate) bell: Bell,
    pub(crate) secrets: Arc<ChosenSecrets>,
    pub(crate) toaster: Option<Arc<dyn Toaster>>,
    /// The sets of cards that the last previews offered, by address.
    pub(crate) offered: Arc<Mutex<HashMap<String, Vec<Choice>>>>,
    pub(crate) photos: Photos,
    pub(crate) recipes: Recipes,
}

impl Engine {
    /// The board as it is, and every later one: `changed()` on it, then `borrow()`.
    pub fn board(&self) -> watch::Receiver<Arc<Board>> {
        self.board.clone()
    }

    /// What is stored. Reads go here directly (`read`, so that they hold no check up); edits of
    /// searches go through the engine.
    pub fn store(&self) -> &StoreHandle {
        &self.store
    }

    /// The engine's clock.
    pub fn clock(&self) -> &dyn Clock {
        self.clock.as_ref()
    }

    /// Where everything is kept.
    pub fn folder(&self) -> &DataFolder {
        &self.folder
    }

    /// The user's recipes, as they were read at the start.
    pub fn recipes(&self) -> &Recipes {
        &self.recipes
    }

    /// Adds a search; `choice` is the set of cards that the user picked in the preview.
    ///
    /// # Errors
    /// [`StoreError::Duplicate`], [`StoreError::TooManyEnabled`], [`StoreError::OutOfRange`],
    /// [`StoreError::Stopped`], [`StoreError::Closed`].
    pub async fn add_search(
        &self,
        wish: SearchWish,
        enabled: bool,
        choice: Option<Value>,
    ) -> Result<Search, StoreError> {
        self.edit(|reply| Ask::Add { wish: Box::new(wish), enabled, choice, reply }).await
    }

    /// Changes a search; another address starts a new baseline.
    ///
    /// # Errors
    /// As for [`Engine::add_search`], and [`StoreError::NotFound`].
    pub async fn edit_search(&self, id: SearchId, wish: SearchWish) -> Result<Search, StoreError> {
        self.edit(|reply| Ask::Edit { id, wish: Box::new(wish), reply }).await
    }

    /// Deletes a search; it can be had back with [`Engine::undelete_search`] for a while.
    ///
    /// # Errors
    /// [`StoreError::NotFound`] and the like.
    pub async fn delete_search(&self, id: SearchId) -> Result<(), StoreError> {
        self.edit(|reply| Ask::Delete { id, reply }).await
    }

    /// Takes a deletion back.
    ///
    /// # Errors
    /// [`StoreError::NotFound`], [`StoreError::Duplicate`].
    pub async fn undelete_search(&self, id: SearchId) -> Result<Search, StoreError> {
        self.edit(|reply| Ask::Undelete { id, reply }).await
    }

    /// Pauses or resumes a search.
    ///
    /// # Errors
    /// [`StoreError::TooManyEnabled`], [`StoreError::NotFound`].
    pub async fn set_enabled(&self, id: SearchId, on: bool) -> Result<(), StoreError> {
        self.edit(|reply| Ask::Enable { id, on, reply }).await
    }

    /// Mutes a search: found, but not sent.
    ///
    /// # Errors
    /// [`StoreError::NotFound`].
    pub async fn set_muted(&self, id: SearchId, on: bool) -> Result<(), StoreError> {
        self.edit(|reply| Ask::Mute { id, on, reply }).await
    }

    /// The retry button: one probe now; on a row that does not wait, one check.
    ///
    /// # Errors
    /// Why it did nothing.
    pub async fn retry_now(&self, id: SearchId) -> Result<(), Locked> {
        let (reply, answer) = oneshot::channel();
        self.send(Event::Asked(Ask::RetryNow { id, reply })).await;
        answer.await.unwrap_or(Err(Locked::Off))
    }

    /// Start, after Stop.
    pub async fn start(&self) {
        self.send(Event::Asked(Ask::Start)).await;
    }

    /// Stop: no site is asked until Start.
    pub async fn stop(&self) {
        self.send(Event::Asked(Ask::Stop)).await;
    }

    /// Whether an address may be asked now; a permit must be reported or abandoned.
    pub(crate) async fn permit(&self, url: SearchUrl, purpose: Purpose) -> Option<Permit> {
        let (reply, answer) = oneshot::channel();
        self.send(Event::Asked(Ask::Permit { url: Box::new(url), purpose, reply })).await;
        answer.await.ok()
    }

    /// What a permitted request came to.
    pub(crate) async fn report(&self, check: Check, outcome: Outcome, seen: Seen) {
        let ask = Ask::Report { check: Box::new(check), outcome: Box::new(outcome), seen };
        self.send(Event::Asked(ask)).await;
    }

    /// A permitted request was never sent.
    pub(crate) async fn abandon(&self, check: Check) {
        self.send(Event::Asked(Ask::Abandon { check: Box::new(check) })).await;
    }

    /// The window of "Open site" was opened: nothing else asks that host.
    pub async fn site_opened(&self, host: HostKey) {
        self.send(Event::Asked(Ask::SiteOpened { host })).await;
    }

    /// It was closed: one probe goes out by itself.
    pub async fn site_closed(&self, host: HostKey, search: Option<SearchId>) {
        self.send(Event::Asked(Ask::SiteClosed { host, search })).await;
    }

    /// Forgets a host's cookies. It neither clears nor shortens a wait.
    pub async fn clear_session(&self, host: HostKey) {
        self.send(Event::Asked(Ask::ClearSession { host })).await;
    }

    /// "While you were away" was read.
    pub async fn dismiss_away(&self) {
        self.send(Event::Asked(Ask::DismissAway)).await;
    }

    /// Something that the board shows was changed in the store.
    pub async fn redraw(&self) {
        self.send(Event::Asked(Ask::Redraw)).await;
    }

    /// Wakes the senders: a row was added or freed.
    pub fn ring(&self) {
        self.bell.ring();
    }

    /// The system says whether there is a network.
    pub async fn network(&self, online: bool) {
        self.send(Event::Network { online }).await;
    }

    /// The machine woke up.
    pub async fn woke(&self) {
        self.send(Event::Woke).await;
    }

    /// Ends the engine: what is in flight is cancelled, what is decided is kept. Returns when the
    /// database is closed.
    pub async fn shut_down(&self) {
        self.send(Event::Shutdown).await;
        self.events.closed().await;
    }

    async fn edit<T>(&self, ask: impl FnOnce(Reply<T>) -> Ask) -> Result<T, StoreError> {
        let (reply, answer) = oneshot::channel();
        self.send(Event::Asked(ask(reply))).await;
        answer.await.unwrap_or(Err(StoreError::Closed))
    }

    pub(crate) async fn send(&self, event: Event) {
        if self.events.send(event).await.is_err() {
            tracing::debug!("the engine has ended");
        }
    }
}
