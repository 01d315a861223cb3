//! Sending out what the plan allows: reserve first, then fetch.

use std::sync::Arc;
use std::time::Duration;

use firstknock_extract::{Choice, SourceMemory};
use firstknock_fetch::Validators;
use firstknock_schedule::{Change, Check, StopWhy};
use firstknock_store::{ReaderChoice, RunId, StorageStop, Store, StoreError};
use jiff::Timestamp;

use super::Core;
use super::event::{Event, Looked};
use crate::{Reading, Recipes, Task};

/// What the store says about a check that goes out.
struct Reserved {
    run: RunId,
    task: Task,
}

impl Core {
    /// Plans, reserves, sends.
    pub(super) async fn go_out(&mut self) {
        let now = self.clock.now();
        let mut roll = || self.dice.roll();
        let checks = if self.by_hand { Vec::new() } else { self.schedule.plan(now, &mut roll) };
        let mut change = self.schedule.take_change();
        if checks.is_empty() {
            self.keep(change, now).await;
            return;
        }
        let mut checks = checks.into_iter();
        while let Some(check) = checks.next() {
            let first = std::mem::take(&mut change);
            let gap = Duration::from_secs(3).mul_f64(1.0 + 0.3 * self.dice.roll());
            match self.reserve(&check, &first, gap, now).await {
                Ok(reserved) => self.send(check, reserved),
                Err(error) => {
                    self.schedule.not_kept(&first);
                    // The reservations of the others stood in the same change.
                    for check in std::iter::once(check).chain(checks) {
                        self.schedule.abandon(&check, now);
                    }
                    self.storage_trouble(&error);
                    return;
                }
            }
        }
    }

    /// Keeps decisions that belong to no check.
    pub(super) async fn keep(&mut self, change: Change, now: Timestamp) {
        if change.is_empty() {
            return;
        }
        let kept = change.clone();
        if let Err(error) = self.store.run(move |store| store.keep_schedule(&kept, now)).await {
            self.schedule.not_kept(&change);
            self.storage_trouble(&error);
        }
    }

    async fn reserve(
        &self,
        check: &Check,
        change: &Change,
        gap: Duration,
        now: Timestamp,
    ) -> Result<Reserved, StoreError> {
        let check = check.clone();
        let change = change.clone();
        self.store
            .run(move |store| {
                let run = store.reserve(&check, &change, now)?;
                let task = task(store, &check, gap)?;
                Ok(Reserved { run, task })
            })
            .await
    }

    fn send(&mut self, check: Check, reserved: Reserved) {
        let readers = self.readers.clone();
        let clock = Arc::clone(&self.clock);
        let events = self.events.clone();
        let Reserved { run, mut task } = reserved;
        task.recipes = self.recipes.clone();
        tracing::debug!(host = %check.host, why = ?check.why, "a check goes out");
        while self.looks.try_join_next().is_some() {}
        self.looks.spawn(async move {
            let look = readers.look(task, || clock.now()).await;
            let looked = Event::Looked(Box::new(Looked { check, run, look }));
            if events.send(looked).await.is_err() {
                tracing::debug!("the engine ended before a check did");
            }
        });
    }

    /// Stops the app while nothing can be kept.
    pub(super) fn storage_trouble(&mut self, error: &StoreError) {
        let why = match error.stop() {
            Some(StorageStop::ReadOnly) => StopWhy::ReadOnly,
            Some(StorageStop::DiskFull | StorageStop::DiskError) => StopWhy::DiskFull,
            None => {
                tracing::error!(%error, "the store refused");
                return;
            }
        };
        tracing::error!(%error, "nothing can be kept: no site is asked until it can");
        self.schedule.storage_failed(why, self.clock.now());
    }
}

fn task(store: &mut Store, check: &Check, gap: Duration) -> Result<Task, StoreError> {
    let mut task = Task {
        url: check.url.url().clone(),
        reading: Reading::PlainFirst,
        validators: Validators::default(),
        body_hash: None,
        memory: None,
        choice: None,
        recipes: Recipes::default(),
        gap,
    };
    let Some(id) = check.search else { return Ok(task) };
    let Some(search) = store.search(id)? else { return Ok(task) };
    let host = store.host_notes(&check.host)?;
    task.reading = match (search.wish.reader, host.reader) {
        (ReaderChoice::Plain, _) => Reading::Plain,
        (ReaderChoice::Browser, _) | (ReaderChoice::Auto, Some(ReaderChoice::Browser)) => {
            Reading::Browser
        }
        (ReaderChoice::Auto, _) => Reading::PlainFirst,
    };
    let notes = store.source_notes(id)?;
    // What another version wrote is forgotten rather than misread.
    task.memory = notes.memory.and_then(|json| serde_json::from_value::<SourceMemory>(json).ok());
    task.choice = notes.choice.and_then(|json| serde_json::from_value::<Choice>(json).ok());
    let facts = store.search_facts(id)?;
    if facts.last_listings.is_some() && facts.last_verdict.as_deref() == Some("answer") {
        task.validators = Validators { etag: facts.etag, last_modified: facts.last_modified };
        task.body_hash = facts.body_hash.and_then(|hex| u64::from_str_radix(&hex, 16).ok());
    }
    Ok(task)
}
