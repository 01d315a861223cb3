//! Sleep, wake, and wall clocks that jump.
//!
//! A clock that was set back moves every time along with it, so that what remains of each wait
//! stays what it was. One that jumps ahead, or a machine that slept, gets a grace for the network
//! and then one catch-up check per search, spread.

use std::time::Duration;

use jiff::Timestamp;

use super::{Dice, Schedule};
use crate::Note;
use crate::time::{earlier, later, part, since, whole_ms};

/// A clock may run back so far between two events without having been set (events of several
/// threads come out of order).
const OUT_OF_ORDER: Duration = Duration::from_secs(2);
/// After waking up the network gets 20 to 30 s before anybody is asked.
const GRACE: Duration = Duration::from_secs(20);
const GRACE_SPREAD: Duration = Duration::from_secs(10);
/// So long after waking up a connecting error means that *we* are not online yet.
const SUSPECT: Duration = Duration::from_secs(60);
/// Catch-up checks: hosts start within so much time, and the searches of one host follow.
const CATCH_UP_SPREAD: Duration = Duration::from_secs(10);
const CATCH_UP_STEP: Duration = Duration::from_secs(4);

impl Schedule {
    /// The machine woke up, or the shell saw the wall clock jump ahead of its own sleep: nothing
    /// goes out for 20 to 30 s, connecting errors of the first minute are nobody's fault, then one
    /// catch-up check per overdue search, spread. Calling it twice within the grace changes nothing.
    pub fn woke(&mut self, now: Timestamp, dice: Dice<'_>) {
        let now = self.observe(now);
        if self.in_grace(now) {
            return;
        }
        let until = later(later(now, GRACE), part(GRACE_SPREAD, dice()));
        self.grace_until = Some(until);
        self.suspect_until = Some(later(now, SUSPECT));
        self.ledger.clamp(now);
        self.pages.clamp(now);
        self.catch_up(now, until, dice);
        self.mark_all();
    }

    pub(super) fn in_grace(&self, now: Timestamp) -> bool {
        self.grace_until.is_some_and(|until| now < until)
    }

    pub(super) fn suspect(&self, now: Timestamp) -> bool {
        self.suspect_until.is_some_and(|until| now < until)
    }

    /// Takes the time of an event. The answer never runs back; a clock that was set back moves
    /// everything along.
    pub(super) fn observe(&mut self, now: Timestamp) -> Timestamp {
        let now = whole_ms(now);
        let back = since(self.clock, now);
        if back > OUT_OF_ORDER {
            self.set_back(back);
            self.clock = now;
            let by_ms = i64::try_from(back.as_millis()).unwrap_or(i64::MAX);
            self.dirty.notes.push(Note::ClockWentBack { by_ms });
            self.mark_all();
        }
        self.clock = self.clock.max(now);
        self.clock
    }

    fn set_back(&mut self, by: Duration) {
        self.ledger.set_back(by);
        self.pages.set_back(by);
        let back = |at: &mut Timestamp| *at = earlier(*at, by);
        for search in self.searches.values_mut() {
            back(&mut search.due);
            search.asked_at.as_mut().map(back).unwrap_or_default();
            search.by_hand.as_mut().map(back).unwrap_or_default();
            search.look.as_mut().map(|look| back(&mut look.at)).unwrap_or_default();
            search.gone.as_mut().map(|gone| back(&mut gone.since)).unwrap_or_default();
        }
        for host in self.hosts.values_mut() {
            host.lockout.set_back(by);
            let times = [
                host.strikes.at.as_mut(),
                host.held.as_mut(),
                host.photos_rest.as_mut(),
                host.tested_at.as_mut(),
                host.free_probe.as_mut().map(|(_, at)| at),
            ];
            times.into_iter().flatten().for_each(back);
            if let Some(flight) = &mut host.flight {
                back(&mut flight.since);
                flight.deadline.as_mut().map(back).unwrap_or_default();
                flight.page_deadline.as_mut().map(back).unwrap_or_default();
            }
        }
        for gap in self.domains.values_mut() {
            gap.set_back(by);
        }
        let times = [
            self.stopped.as_mut(),
            self.storage.as_mut().map(|(_, at)| at),
            self.grace_until.as_mut(),
            self.suspect_until.as_mut(),
        ];
        times.into_iter().flatten().for_each(back);
        if let Some(offline) = &mut self.offline {
            back(&mut offline.since);
            back(&mut offline.next_test);
        }
        for suspicion in &mut self.suspicions {
            suspicion.set_back(by);
        }
    }

    /// Spreads what is overdue at `now` from `from` on, oldest first: hosts begin within ten
    /// seconds, the searches of one host follow one gap apart. What is not due keeps its phase.
    pub(super) fn catch_up(&mut self, now: Timestamp, from: Timestamp, dice: Dice<'_>) {
        let keys: Vec<_> = self.hosts.keys().cloned().collect();
        for key in keys {
            let mut overdue: Vec<_> = self
                .on_host(&key)
                .into_iter()
                .filter(|search| search.due <= from)
                .map(|search| (search.due.min(now), search.spec.order, search.spec.id))
                .collect();
            overdue.sort_unstable();
            let start = later(from, part(CATCH_UP_SPREAD, dice()));
            for (i, (_, _, id)) in overdue.into_iter().enumerate() {
                let i = u32::try_from(i).unwrap_or(u32::MAX);
                let step = CATCH_UP_STEP.saturating_mul(i);
                self.search_mut(id).due = later(start, step);
                self.dirty.search(id);
            }
        }
    }
}
