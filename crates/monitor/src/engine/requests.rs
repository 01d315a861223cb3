//! What somebody wants of the engine, one by one.

use std::time::Duration;

use firstknock_schedule::{Permit, SearchSpec};
use firstknock_store::{ImportedLine, Search, Store, StoreError};
use jiff::Timestamp;

use super::Core;
use super::event::Ask;

impl Core {
    pub(super) async fn answer(&mut self, ask: Ask) {
        let now = self.clock.now();
        match ask {
            Ask::Add { wish, enabled, choice, reply } => {
                let added = self
                    .store
                    .run(move |store| {
                        let search = store.add_search(&wish, enabled, now)?;
                        if choice.is_some() {
                            store.set_choice(search.id, choice.as_ref(), now)?;
                        }
                        Ok(search)
                    })
                    .await;
                hand_back(reply, self.take_in(added));
            }
            Ask::Edit { id, wish, reply } => {
                let edited = self.store.run(move |store| store.edit_search(id, &wish, now)).await;
                hand_back(reply, self.take_in(edited));
            }
            Ask::Undelete { id, reply } => {
                let back = self.store.run(move |store| store.undelete_search(id)).await;
                hand_back(reply, self.take_in(back));
            }
            Ask::Delete { id, reply } => {
                let deleted = self.store.run(move |store| store.delete_search(id, now)).await;
                if deleted.is_ok() {
                    self.schedule.remove_search(id, now);
                }
                hand_back(reply, deleted);
            }
            Ask::Enable { id, on, reply } => {
                let done = self.store.run(move |store| store.set_enabled(id, on)).await;
                if done.is_ok()
                    && let Err(refused) = self.schedule.set_enabled(id, on, now)
                {
                    tracing::error!(?refused, "store and schedule disagree about a search");
                }
                if on {
                    self.watch.begun.insert(id, now);
                }
                hand_back(reply, done);
            }
            Ask::Mute { id, on, reply } => {
                hand_back(reply, self.store.run(move |store| store.set_muted(id, on)).await);
            }
            Ask::RetryNow { id, reply } => {
                let done = self.schedule.retry_now(id, now);
                if reply.send(done).is_err() {
                    tracing::debug!("nobody waited for the retry button");
                }
            }
            Ask::Start => {
                let mut roll = || self.dice.roll();
                self.schedule.start(now, &mut roll);
            }
            Ask::Stop => self.schedule.stop(now),
            Ask::Permit { url, purpose, reply } => {
                let mut roll = || self.dice.roll();
                let mut permit = self.schedule.ask(&url, purpose, now, &mut roll);
                let change = self.schedule.take_change();
                // Reserved on disk before it goes out, as every request is, or it stays.
                if !self.keep(change, now).await
                    && let Permit::Go(check) = &permit
                {
                    permit = self.schedule.not_reserved(check, now);
                }
                if let Err(Permit::Go(check)) = reply.send(permit) {
                    self.schedule.abandon(&check, now);
                }
                // It changes nothing that is read from the store; photos ask often.
                return;
            }
            Ask::Report { check, outcome, seen } => {
                let mut roll = || self.dice.roll();
                let change = self.schedule.report(&check, &outcome, seen, now, &mut roll);
                self.keep(change, now).await;
            }
            Ask::Abandon { check } => self.schedule.abandon(&check, now),
            Ask::SiteOpened { host } => self.schedule.hold(&host, now),
            Ask::SiteClosed { host, search } => {
                if self.schedule.release(&host, search, now) {
                    self.after_hand(host, now).await;
                }
            }
            Ask::ClearSession { host } => {
                if let Some(http) = &self.http {
                    http.sessions().clear(&host);
                }
                forget_browsed(&self.folder.webview(host.as_str()));
                let done = self
                    .store
                    .run(move |store| {
                        store.set_session(&host, None, now)?;
                        store.set_host_reader(&host, None, now)
                    })
                    .await;
                if let Err(error) = done {
                    self.storage_trouble(&error);
                }
            }
            Ask::Import { text, reply } => {
                let imported = self.store.run(move |store| import(store, &text, now)).await;
                hand_back(
                    reply,
                    imported.map(|(lines, added)| {
                        for search in added {
                            self.take_in(Ok(search)).ok();
                        }
                        lines
                    }),
                );
            }
            Ask::Restore { backup, reply } => {
                let restored = self.restore(backup).await;
                hand_back(reply, restored);
            }
            Ask::DismissAway => (self.pause, self.blocked) = (None, None),
            Ask::Redraw => {}
        }
        self.shelf.stale = true;
    }

    /// The probe after a check that a person passed reads through the same store of cookies.
    async fn after_hand(&mut self, host: firstknock_listing::HostKey, now: jiff::Timestamp) {
        if self.readers.browser.is_none() {
            return;
        }
        let browser = Some(firstknock_store::ReaderChoice::Browser);
        let done = self
            .store
            .run(move |store| {
                store.set_solved(&host, now)?;
                store.set_host_reader(&host, browser, now)
            })
            .await;
        if let Err(error) = done {
            self.storage_trouble(&error);
        }
    }

    /// Tells the schedule about a search that the store took.
    fn take_in(&mut self, taken: Result<Search, StoreError>) -> Result<Search, StoreError> {
        let search = taken?;
        let now = self.clock.now();
        self.watch.begun.insert(search.id, now);
        if let Err(refused) = self.schedule.upsert_search(spec(&search), now) {
            tracing::error!(?refused, "store and schedule disagree about a search");
        }
        Ok(search)
    }
}

/// The lines of an import, and the searches that came of it.
fn import(
    store: &mut Store,
    text: &str,
    now: Timestamp,
) -> Result<(Vec<ImportedLine>, Vec<Search>), StoreError> {
    let lines = store.import_searches(text, now)?;
    let mut added = Vec::new();
    for id in lines.iter().filter_map(|line| line.fate.added()) {
        added.extend(store.search(id)?);
    }
    Ok((lines, added))
}

fn spec(search: &Search) -> SearchSpec {
    SearchSpec {
        id: search.id,
        revision: search.revision,
        url: search.wish.url.clone(),
        interval: search.wish.interval.max(Duration::from_secs(1)),
        enabled: search.enabled,
        order: search.position,
    }
}

fn hand_back<T>(reply: super::event::Reply<T>, result: Result<T, StoreError>) {
    if reply.send(result).is_err() {
        tracing::debug!("nobody waited for an edit");
    }
}

/// What pages of a host left in the webview; nobody has it open now.
fn forget_browsed(folder: &std::path::Path) {
    if let Err(error) = std::fs::remove_dir_all(folder)
        && error.kind() != std::io::ErrorKind::NotFound
    {
        tracing::warn!(%error, "a browser's session stays on the disk");
    }
}
