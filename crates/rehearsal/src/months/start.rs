//! How the process starts and dies.

use std::time::Duration;

use firstknock_monitor::steps::Pause;
use firstknock_policy::delivery::after_crash;
use firstknock_schedule::{AppStatus, Problem, RowState, Saved, Schedule, SearchSpec};
use firstknock_store::{Fault, StoreError};
use jiff::Timestamp;

use super::rule::{Broken, Rule, Stop};
use super::sabotage::Sabotage;
use super::sender::{REPEAT, tried};
use super::world::{App, World};
use crate::Dice;

impl World {
    /// The process starts: everything comes from the disk. `trusted`: nobody set the clock back
    /// while it was off.
    pub(super) fn begin(&mut self, trusted: bool) -> Result<(), Broken> {
        let now = self.time.now();
        let fault = |error: StoreError| format!("a start failed: {error:?}");
        // A start on a full disk is refused; the person tries again when there is room.
        self.store.fault(Fault::None).expect("BUG: no fault");
        self.windows.clear();
        self.after_hand.clear();
        let begun = (|| {
            self.store.close_cut_off_checks(now)?;
            self.store.recover_sending(|row| after_crash(REPEAT, &tried(row, now), now), now)?;
            Ok((self.store.load_schedule()?, Pause::before(&self.store, now)?))
        })();
        let (mut saved, pause) = begun.map_err(|error| self.broken(Rule::Restart, fault(error)))?;
        let kept = saved.clone();
        if self.sabotage == Some(Sabotage::Forgets) {
            saved.hosts.clear();
        }
        let mut dice = Dice::new(self.dice.bits());
        let (schedule, problems) = Schedule::restore(saved, now, &mut || dice.roll());
        self.app = App { pause, ..App::new(schedule, dice, now) };
        self.requests.restarted(&kept, &self.time)?;
        if trusted {
            self.same_as_before(&kept, &problems, now)?;
        }
        Ok(())
    }

    fn same_as_before(
        &self,
        kept: &Saved,
        problems: &[Problem],
        now: Timestamp,
    ) -> Result<(), Broken> {
        if !problems.is_empty() {
            return Err(self.broken(Rule::Restart, format!("what we kept is odd: {problems:?}")));
        }
        if !matches!(
            self.app.schedule.status(now),
            AppStatus::Idle { .. } | AppStatus::Polling { .. }
        ) {
            return Ok(());
        }
        let many = u64::try_from(kept.searches.len()).unwrap_or(u64::MAX);
        let slack = Duration::from_secs(10 + 60 + 8 * many);
        let time = |ms: i64| Timestamp::from_millisecond(ms).unwrap_or(now);
        for row in self.rows() {
            let Some((spec, state)) = kept.searches.iter().find(|(spec, _)| spec.id == row.search)
            else {
                continue;
            };
            if row.state == RowState::Paused {
                continue;
            }
            let host = kept.hosts.iter().find(|record| record.host == spec.host().as_str());
            let wait = host.and_then(|record| record.wait.as_ref()).map(|wait| wait.next_retry_ms);
            let page = state.as_ref().and_then(|state| state.wait.as_ref());
            let own = state.as_ref().and_then(|state| state.next_due_ms);
            // A probe is for a page that does not wait alone; if all do, for the first that may.
            let pages = pages_of(kept, spec);
            let first = pages.iter().copied().min().flatten();
            let last = pages.iter().copied().max().flatten().filter(|_| wait.is_some());
            let wait = wait.max(wait.and(first));
            let due = wait.or(page.map(|wait| wait.next_retry_ms)).or(own).map_or(now, time);
            let Some(next) = row.next_at else {
                return Err(self.broken(Rule::Restart, format!("nothing planned: {row:?}")));
            };
            let latest = due.max(now).max(last.map_or(due, time));
            let latest = latest.saturating_add(slack).unwrap_or(Timestamp::MAX);
            if next < due || next > latest {
                let words = format!("was due {due}, is planned for {next} at {now}: {row:?}");
                return Err(self.broken(Rule::Restart, words));
            }
        }
        Ok(())
    }

    /// The process is gone; some time later it starts again.
    pub(super) fn crash(&mut self) -> Result<(), Broken> {
        self.lived.crashes += 1;
        let off = match self.dice.between(0, 3) {
            0 => 0,
            1 => self.dice.between(1, 60),
            2 => self.dice.between(60, 7_200),
            _ => self.dice.between(7_200, 90_000),
        };
        self.time.pass(Duration::from_secs(off));
        if self.dice.roll() < 0.1 {
            self.set_back = true;
            self.time.back(Duration::from_secs(self.dice.between(1, 100_000)));
        }
        for host in self.sites.iter().map(|site| site.host.clone()).collect::<Vec<_>>() {
            self.heard_of(&host);
        }
        self.next_event = self.next_event.max(self.time.lived);
        self.begin(!(self.set_back || self.edited))?;
        // The first turn of the new process.
        loop {
            match self.go_out() {
                Ok(_) => return self.look_at_rows(),
                Err(Stop::Broken(broken)) => return Err(broken),
                Err(Stop::Crash) => self.begin(!(self.set_back || self.edited))?,
            }
        }
    }
}

/// When each page of a search's host may be asked for its own part; `None` for at once.
fn pages_of(kept: &Saved, of: &SearchSpec) -> Vec<Option<i64>> {
    let there = kept.searches.iter().filter(|(spec, _)| spec.enabled && spec.host() == of.host());
    there.map(|(_, state)| Some(state.as_ref()?.wait.as_ref()?.next_retry_ms)).collect()
}
