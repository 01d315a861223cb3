//! Sending out what the plan allows: reserve first, then fetch.

use std::sync::Arc;
use std::time::Duration;

use firstknock_schedule::{Change, Check, StopWhy};
use firstknock_store::{RunId, StorageStop, StoreError};
use jiff::Timestamp;

use super::Core;
use super::event::{Event, Looked};
use crate::{Task, steps};

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

    /// Keeps decisions that belong to no check. Gives whether they are kept.
    pub(super) async fn keep(&mut self, change: Change, now: Timestamp) -> bool {
        if change.is_empty() {
            return true;
        }
        let kept = change.clone();
        let done = self.store.run(move |store| store.keep_schedule(&kept, now)).await;
        if let Err(error) = &done {
            self.schedule.not_kept(&change);
            self.storage_trouble(error);
        }
        done.is_ok()
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
                let task = steps::task(store, &check, gap)?;
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
