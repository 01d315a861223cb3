//! The decision core: one struct, one mutation at a time.

use std::time::Duration;

use firstknock_listing::{HostKey, SearchId, SearchUrl};
use firstknock_policy::Outcome;
use jiff::Timestamp;

use crate::{
    AppStatus, Change, Check, HostCard, LockWhy, Permit, Problem, Purpose, Refused, Row, Saved,
    SearchSpec, Seen, StopWhy,
};

/// A check that was not reported for so long is given up: its host is no longer busy. The shell's
/// own deadline for a page is much shorter.
pub const LOST_AFTER: Duration = Duration::from_secs(300);

/// Draws a number in [0, 1). The same seed replays the same month.
pub type Dice<'a> = &'a mut dyn FnMut() -> f64;

/// Why the retry button did nothing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Locked {
    /// Locked until then.
    Until {
        /// From when on it works.
        until: Timestamp,
        /// Why.
        why: LockWhy,
    },
    /// A request is under way, or the site's window is open.
    Busy,
    /// The search is paused or the app is stopped.
    Off,
    /// No such search.
    Unknown,
}

/// Decides; holds all state of *when*.
#[derive(Debug, Clone, Default)]
pub struct Schedule {
    pending: Change,
}

impl Schedule {
    /// Reads everything back. What cannot be is clamped or set aside and named. What is overdue
    /// is spread, oldest first; what is not due yet keeps its phase.
    pub fn restore(saved: Saved, now: Timestamp, dice: Dice<'_>) -> (Self, Vec<Problem>) {
        let _ = (saved, now, dice());
        (Self::default(), Vec::new())
    }

    /// Adds or edits a search. Interval and order change nothing else; another address forgets
    /// the old page and is due at once.
    ///
    /// # Errors
    /// [`Refused::TooMany`]: nothing was changed.
    pub fn upsert_search(
        &mut self,
        spec: SearchSpec,
        now: Timestamp,
        dice: Dice<'_>,
    ) -> Result<(), Refused> {
        let _ = (spec, now, dice());
        Ok(())
    }

    /// Deletes a search. Its host's record stays.
    pub fn remove_search(&mut self, id: SearchId, now: Timestamp) {
        let _ = (id, now);
    }

    /// Pauses or resumes a search.
    ///
    /// # Errors
    /// [`Refused`]: nothing was changed.
    pub fn set_enabled(
        &mut self,
        id: SearchId,
        enabled: bool,
        now: Timestamp,
    ) -> Result<(), Refused> {
        let _ = (id, enabled, now);
        Ok(())
    }

    /// The user pressed Start.
    pub fn start(&mut self, now: Timestamp, dice: Dice<'_>) {
        let _ = (now, dice());
    }

    /// The user pressed Stop: no site is asked.
    pub fn stop(&mut self, now: Timestamp) {
        let _ = now;
    }

    /// What is seen can no longer be kept: nothing is asked until [`Schedule::storage_works`].
    pub fn storage_failed(&mut self, why: StopWhy, now: Timestamp) {
        let _ = (why, now);
    }

    /// Storage works again.
    pub fn storage_works(&mut self, now: Timestamp, dice: Dice<'_>) {
        let _ = (now, dice());
    }

    /// The system says whether there is a network.
    pub fn set_online(&mut self, online: bool, now: Timestamp, dice: Dice<'_>) {
        let _ = (online, now, dice());
    }

    /// The machine woke up, or the shell saw the wall clock jump ahead of its own sleep: a grace
    /// for the network, then one catch-up check per search, spread.
    pub fn woke(&mut self, now: Timestamp, dice: Dice<'_>) {
        let _ = (now, dice());
    }

    /// What goes out now. Each check is reserved: its host is busy, its domain's gap runs. Drain
    /// [`Schedule::take_change`] and keep it before sending.
    pub fn plan(&mut self, now: Timestamp, dice: Dice<'_>) -> Vec<Check> {
        let _ = (now, dice());
        Vec::new()
    }

    /// Asks to send something that is no check of a saved search.
    pub fn ask(
        &mut self,
        url: &SearchUrl,
        purpose: Purpose,
        now: Timestamp,
        dice: Dice<'_>,
    ) -> Permit {
        let _ = (url, purpose, dice());
        Permit::NotBefore { at: now, why: crate::NotYet::Stopped }
    }

    /// What a check came to. Returns everything that has to be kept with its listings, in one
    /// transaction; see [`Change::keep_listings`].
    pub fn report(
        &mut self,
        check: &Check,
        outcome: &Outcome,
        seen: Seen,
        now: Timestamp,
        dice: Dice<'_>,
    ) -> Change {
        let _ = (check, outcome, seen, now, dice());
        self.take_change()
    }

    /// A check was never sent (shutdown, a shell that broke): its host is free again.
    pub fn abandon(&mut self, check: &Check, now: Timestamp) {
        let _ = (check, now);
    }

    /// The retry button of a row, also "check now" on a row that does not wait.
    ///
    /// # Errors
    /// [`Locked`]: nothing goes out by hand.
    pub fn retry_now(&mut self, id: SearchId, now: Timestamp) -> Result<(), Locked> {
        let _ = (id, now);
        Err(Locked::Unknown)
    }

    /// The window of "Open site" was opened: nothing else asks that host.
    pub fn hold(&mut self, host: &HostKey, now: Timestamp) {
        let _ = (host, now);
    }

    /// The window of "Open site" was closed. True if one probe goes out, free of charge.
    pub fn release(&mut self, host: &HostKey, search: Option<SearchId>, now: Timestamp) -> bool {
        let _ = (host, search, now);
        false
    }

    /// Everything that changed since the last drain.
    pub fn take_change(&mut self) -> Change {
        std::mem::take(&mut self.pending)
    }

    /// The transaction with this change failed: all of it is handed out again with the next drain.
    pub fn not_kept(&mut self, change: &Change) {
        let _ = change;
    }

    /// When to call [`Schedule::plan`] again, at the latest. `None`: only an event can change
    /// anything.
    pub fn next_wake(&self, now: Timestamp) -> Option<Timestamp> {
        let _ = now;
        None
    }

    /// All rows, in the user's order, grouped by host.
    pub fn rows(&self, now: Timestamp) -> Vec<Row> {
        let _ = now;
        Vec::new()
    }

    /// The app's status.
    pub fn status(&self, now: Timestamp) -> AppStatus {
        AppStatus::Idle { waiting: 0, next_at: Some(now) }
    }

    /// One card per host with an enabled search or a wait.
    pub fn host_cards(&self, now: Timestamp) -> Vec<HostCard> {
        let _ = now;
        Vec::new()
    }
}
