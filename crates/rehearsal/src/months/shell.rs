//! The app's shell without tokio: the engine's steps in the engine's order, each of which may be
//! the process's last. What comes back is in `look`, how it starts and dies in `start`.

use std::time::Duration;

use firstknock_monitor::Task;
use firstknock_monitor::steps::{note_alive, task};
use firstknock_schedule::{AppStatus, Change, Check, StopWhy, Why};
use firstknock_store::{RunId, StorageStop, Store, StoreError};
use jiff::Timestamp;

use super::rule::{Broken, Rule, Stop};
use super::sabotage::Sabotage;
use super::world::{Flight, World};

impl World {
    /// Plans, reserves, sends. Gives how many were planned.
    pub(super) fn go_out(&mut self) -> Result<usize, Stop> {
        let now = self.time.now();
        let before = self.requests.waits.clone();
        let dice = &mut self.app.dice;
        let checks = self.app.schedule.plan(now, &mut || dice.roll());
        let mut change = self.app.schedule.take_change();
        self.requests.note(&change, &self.time)?;
        self.may_crash()?;
        let planned = checks.len();
        if checks.is_empty() {
            self.keep(change)?;
            self.set_back &= self.nothing_can_be_kept();
            self.edited &= self.nothing_can_be_kept();
            return Ok(0);
        }
        for check in checks {
            let first = std::mem::take(&mut change);
            if self.sabotage == Some(Sabotage::Starves) && check.host == self.sites[0].host {
                self.keep(first)?;
                self.app.schedule.abandon(&check, now);
                continue;
            }
            let reserved = (|store: &mut Store| {
                Ok((store.reserve(&check, &first, now)?, task(store, &check, Duration::ZERO)?))
            })(&mut self.store);
            match reserved {
                Ok((run, task)) => {
                    self.may_crash()?;
                    self.requests.goes_out(&check, &before, &self.time)?;
                    self.send(check, Some(run), task)?;
                }
                Err(error) => {
                    self.app.schedule.not_kept(&first);
                    self.app.schedule.abandon(&check, now);
                    self.storage_trouble(&error)?;
                }
            }
        }
        self.set_back &= self.nothing_can_be_kept();
        self.edited &= self.nothing_can_be_kept();
        Ok(planned)
    }

    fn nothing_can_be_kept(&self) -> bool {
        matches!(
            self.app.schedule.status(self.time.now()),
            AppStatus::Stopped { why: StopWhy::DiskFull | StopWhy::ReadOnly, .. }
        )
    }

    /// A request leaves.
    pub(super) fn send(
        &mut self,
        check: Check,
        run: Option<RunId>,
        task: Task,
    ) -> Result<(), Broken> {
        let stopped =
            matches!(self.app.schedule.status(self.time.now()), AppStatus::Stopped { .. });
        if stopped && !matches!(check.why, Why::Preview | Why::ByHand) {
            return Err(self.broken(Rule::Stopped, format!("{check:?}")));
        }
        self.heard_of(&check.host);
        self.after_hand.remove(&check.host);
        self.lived.requests += 1;
        let took = Duration::from_millis(if self.dice.roll() < 0.05 {
            self.dice.between(5_000, 40_000)
        } else {
            self.dice.between(150, 2_500)
        });
        let began = self.time.lived;
        self.app.flights.push(Flight { check, run, task, began, ends: began + took, cut: false });
        Ok(())
    }

    /// Keeps decisions that belong to no check. Gives whether they are kept.
    pub(super) fn keep(&mut self, change: Change) -> Result<bool, Stop> {
        self.requests.note(&change, &self.time)?;
        if change.is_empty() {
            return Ok(true);
        }
        self.may_crash()?;
        if let Err(error) = self.store.keep_schedule(&change, self.time.now()) {
            self.app.schedule.not_kept(&change);
            self.storage_trouble(&error)?;
            return Ok(false);
        }
        Ok(true)
    }

    pub(super) fn storage_trouble(&mut self, error: &StoreError) -> Result<(), Broken> {
        let why = match error.stop() {
            Some(StorageStop::ReadOnly) => StopWhy::ReadOnly,
            Some(StorageStop::DiskFull | StorageStop::DiskError) => StopWhy::DiskFull,
            None => return Err(self.broken(Rule::Stored, format!("the store refused: {error:?}"))),
        };
        self.lived.storage_stops += 1;
        self.app.schedule.storage_failed(why, self.time.now());
        Ok(())
    }

    /// A later start knows how long nobody looked.
    pub(super) fn note_alive(&mut self) {
        const EVERY: Duration = Duration::from_secs(60);
        let now = self.time.now();
        let fresh = |at: Timestamp| {
            Duration::try_from(now.duration_since(at)).is_ok_and(|passed| passed < EVERY)
        };
        if !self.app.noted_at.is_some_and(fresh) {
            self.app.noted_at = Some(now);
            // On a full disk the last note stands.
            drop(note_alive(&mut self.store, now));
        }
    }

    /// Hourly work, and whether storage works again.
    pub(super) fn sweep(&mut self) -> Result<(), Stop> {
        let now = self.time.now();
        if let AppStatus::Stopped { why, .. } = self.app.schedule.status(now)
            && why != StopWhy::User
        {
            if self.store.try_writing(now).is_ok() {
                let dice = &mut self.app.dice;
                self.app.schedule.storage_works(now, &mut || dice.roll());
            }
            return Ok(());
        }
        let hour = Duration::from_secs(3600);
        let due = self.app.swept_at.is_none_or(|at| {
            Duration::try_from(now.duration_since(at)).is_ok_and(|passed| passed >= hour)
        });
        if !due {
            return Ok(());
        }
        self.app.swept_at = Some(now);
        let swept = self.store.give_up_old(now).and_then(|_| self.store.purge(now));
        if let Err(error) = swept {
            self.storage_trouble(&error)?;
        }
        Ok(())
    }
}
