//! What a person may do by hand: try now, open the site.

use firstknock_listing::{HostKey, SearchId};
use jiff::Timestamp;

use super::Schedule;
use crate::state::Search;
use crate::time::full_minute;
use crate::{LockWhy, Retry};

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

impl Schedule {
    /// The retry button of a row, also "check now" on a row that does not wait: one request, as
    /// soon as the gap allows. It may shorten a wait that we imposed, not one that the site asked
    /// for. Refused again it costs a rung and an offence, which locks the host's button.
    ///
    /// # Errors
    /// [`Locked`]: nothing goes out by hand.
    pub fn retry_now(&mut self, id: SearchId, now: Timestamp) -> Result<(), Locked> {
        let now = self.observe(now);
        let search = self.searches.get(&id).ok_or(Locked::Unknown)?;
        match self.retry_of(search, now) {
            Retry::Ready | Retry::Free => {}
            Retry::Locked { until, why } => return Err(Locked::Until { until, why }),
            Retry::Busy => return Err(Locked::Busy),
            Retry::None => return Err(Locked::Off),
        }
        self.search_mut(id).by_hand = Some(now);
        Ok(())
    }

    /// The window of "Open site" was opened: nothing else asks that host.
    pub fn hold(&mut self, host: &HostKey, now: Timestamp) {
        let now = self.observe(now);
        self.hosts.entry(host.clone()).or_default().held.get_or_insert(now);
    }

    /// The window of "Open site" was closed. One probe goes out free of charge, with the search
    /// whose row it was opened from: once per ladder wait, and never while a Retry-After runs.
    /// True if one does.
    pub fn release(&mut self, key: &HostKey, search: Option<SearchId>, now: Timestamp) -> bool {
        let now = self.observe(now);
        let Some(host) = self.hosts.get_mut(key) else {
            return false;
        };
        host.held = None;
        let (host, record) = (&self.hosts[key], self.ledger.get(key));
        let searches = self.on_host(key);
        let own = searches.iter().copied().find(|s| Some(s.spec.id) == search);
        let waits = |s: &&Search| self.pages.get(&s.spec.id).is_some();
        let prober = match record {
            Some(record) => own.or_else(|| self.prober(host, record, &searches)),
            None => own.filter(|s| waits(s)).or_else(|| searches.iter().copied().find(waits)),
        };
        let off = self.stopped.is_some() || self.storage.is_some();
        let free = prober.filter(|search| {
            !off && !host.free_used && self.asked_until(search).is_none_or(|until| until <= now)
        });
        let probe = free.map(|search| (search.spec.id, now));
        let host = self.hosts.entry(key.clone()).or_default();
        host.free_probe = probe;
        probe.is_some()
    }

    /// The button of a row.
    pub(super) fn retry_of(&self, search: &Search, now: Timestamp) -> Retry {
        if !search.spec.enabled || self.stopped.is_some() || self.storage.is_some() {
            return Retry::None;
        }
        let host = &self.hosts[&search.host];
        let waits =
            self.ledger.get(&search.host).is_some() || self.pages.get(&search.spec.id).is_some();
        // A neighbour's ordinary check is over in a moment: this one goes out after it.
        let in_the_way =
            host.flight(now).filter(|flight| waits || flight.search == Some(search.spec.id));
        if in_the_way.is_some() || host.held.is_some() || search.by_hand.is_some() {
            return Retry::Busy;
        }
        if !waits {
            return Retry::Free;
        }
        let locks = [
            self.asked_until(search).map(|until| (until, LockWhy::SiteAsked)),
            host.lockout.locked_until(now).map(|until| (until, LockWhy::RefusedAgain)),
        ];
        // The button opens when a clock shows the time that the row names.
        let locks = locks.into_iter().flatten().map(|(until, why)| (full_minute(until), why));
        match locks.filter(|(until, _)| *until > now).max_by_key(|(until, _)| *until) {
            Some((until, why)) => Retry::Locked { until, why },
            None => Retry::Ready,
        }
    }

    /// Until when what the site asked for runs, for the host or for this page.
    fn asked_until(&self, search: &Search) -> Option<Timestamp> {
        let records = [self.ledger.get(&search.host), self.pages.get(&search.spec.id)];
        records.into_iter().flatten().filter_map(|record| record.asked_until()).max()
    }
}
