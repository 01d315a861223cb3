//! The decision core: one struct, one mutation at a time.
//!
//! Each part of its life is a file: searches and the app's switches here, [`plan`] what goes out,
//! [`report`] what came of it, [`button`] what a person may do, [`offline`] whose fault it is,
//! [`clock`] sleep and jumps, [`view`], [`cards`] and [`explaining`] what is shown, [`restore`] and [`keep`] what survives.

mod button;
mod cards;
mod clock;
mod explaining;
mod keep;
mod offline;
mod plan;
mod report;
mod restore;
mod view;

use std::collections::BTreeMap;
use std::time::Duration;

use firstknock_listing::{Domain, HostKey, SearchId};
use firstknock_policy::ledger::Ledger;
use jiff::Timestamp;

use crate::state::{Gap, Host, RATE, RATE_WINDOW, Search};
use crate::time::later;
use crate::{Refused, SearchSpec, StopWhy};

pub use button::Locked;

/// A check that was not reported for so long is given up: its host is no longer busy. The shell's
/// own deadline for a page is much shorter.
pub const LOST_AFTER: Duration = Duration::from_secs(300);

/// Draws a number in [0, 1). The same seed replays the same month.
pub type Dice<'a> = &'a mut dyn FnMut() -> f64;

/// How far an interval is drawn to either side.
pub(crate) const INTERVAL_SPREAD: f64 = 0.10;

/// Decides; holds all state of *when*.
#[derive(Debug, Clone, Default)]
pub struct Schedule {
    searches: BTreeMap<SearchId, Search>,
    hosts: BTreeMap<HostKey, Host>,
    /// Which hosts are left alone.
    ledger: Ledger<HostKey>,
    /// Which pages are left alone while their host is welcome.
    pages: Ledger<SearchId>,
    domains: BTreeMap<Domain, Gap>,
    stopped: Option<Timestamp>,
    storage: Option<(StopWhy, Timestamp)>,
    offline: Option<offline::Offline>,
    /// Failures that may turn out to be our own network's.
    suspicions: Vec<offline::Suspicion>,
    /// After waking up nothing goes out before then.
    grace_until: Option<Timestamp>,
    /// After waking up no connecting error counts before then.
    suspect_until: Option<Timestamp>,
    /// The latest time that was seen.
    clock: Timestamp,
    next_id: u64,
    dirty: keep::Dirty,
}

impl Schedule {
    /// Adds or edits a search. Interval, order and revision change nothing that is known; another
    /// address forgets the old page and is due at once. An edit never brings a running wait
    /// forward.
    ///
    /// # Errors
    /// [`Refused::TooMany`]: nothing was changed.
    pub fn upsert_search(&mut self, spec: SearchSpec, now: Timestamp) -> Result<(), Refused> {
        let now = self.observe(now);
        let id = spec.id;
        let was_enabled = self.searches.get(&id).is_some_and(|old| old.spec.enabled);
        if spec.enabled && !was_enabled && self.enabled_count() >= crate::MAX_ENABLED {
            return Err(Refused::TooMany);
        }
        match self.searches.get_mut(&id) {
            Some(old) if old.spec.url == spec.url => {
                old.spec = spec;
                // A shorter interval counts from the last look; a longer one from the next.
                let base = self.interval_of(id);
                let search = self.search_mut(id);
                if search.gone.is_none() {
                    search.due = search.due.min(later(search.asked_at.unwrap_or(now), base));
                }
            }
            Some(_) | None => {
                self.forget_page(id);
                self.searches.insert(id, Search::new(spec, now));
            }
        }
        self.host_entry(id);
        self.dirty.search(id);
        Ok(())
    }

    /// Deletes a search. Its host's record stays, and so does a request under way: what comes of
    /// it still counts for the host.
    pub fn remove_search(&mut self, id: SearchId, now: Timestamp) {
        let now = self.observe(now);
        if self.searches.remove(&id).is_none() {
            return;
        }
        self.forget_page(id);
        self.dirty.removed(id);
        for host in self.hosts.values_mut() {
            host.free_probe = host.free_probe.filter(|(search, _)| *search != id);
        }
        self.forget_blank_hosts(now);
    }

    /// Pauses or resumes a search. One that was looked at a moment ago is not asked again before
    /// its interval is over.
    ///
    /// # Errors
    /// [`Refused`]: nothing was changed.
    pub fn set_enabled(
        &mut self,
        id: SearchId,
        enabled: bool,
        now: Timestamp,
    ) -> Result<(), Refused> {
        self.observe(now);
        let was = self.searches.get(&id).ok_or(Refused::Unknown)?.spec.enabled;
        if enabled && !was && self.enabled_count() >= crate::MAX_ENABLED {
            return Err(Refused::TooMany);
        }
        let search = self.search_mut(id);
        search.spec.enabled = enabled;
        search.by_hand = None;
        self.dirty.search(id);
        Ok(())
    }

    /// The user pressed Start. Starting twice changes nothing.
    pub fn start(&mut self, now: Timestamp, dice: Dice<'_>) {
        let now = self.observe(now);
        if self.stopped.take().is_some() {
            self.dirty.app = true;
            self.catch_up(now, now, dice);
        }
    }

    /// The user pressed Stop: no site is asked. What is under way may still be reported.
    pub fn stop(&mut self, now: Timestamp) {
        let now = self.observe(now);
        self.stopped.get_or_insert(now);
        self.dirty.app = true;
        self.forget_presses();
    }

    /// What is seen can no longer be kept: nothing is asked until [`Schedule::storage_works`].
    pub fn storage_failed(&mut self, why: StopWhy, now: Timestamp) {
        let now = self.observe(now);
        self.storage = Some(self.storage.map_or((why, now), |(_, since)| (why, since)));
        self.forget_presses();
    }

    /// Storage works again.
    pub fn storage_works(&mut self, now: Timestamp, dice: Dice<'_>) {
        let now = self.observe(now);
        if self.storage.take().is_some() {
            self.catch_up(now, now, dice);
        }
    }

    /// The interval before jitter: the user's, stretched where one domain has so many searches
    /// that they would go above the rate.
    fn interval_of(&self, id: SearchId) -> Duration {
        let Some(search) = self.searches.get(&id) else {
            return crate::DEFAULT_INTERVAL;
        };
        let interval = search.spec.interval();
        let stretch = self.stretch(&search.domain);
        Duration::from_secs_f64(interval.as_secs_f64() * stretch)
    }

    /// By how much the intervals on a domain are stretched; 1 where its searches fit the rate.
    fn stretch(&self, domain: &Domain) -> f64 {
        let on_it = self.searches.values().filter(|s| s.spec.enabled && s.domain == *domain);
        let per_window: f64 = on_it
            .filter(|search| search.gone.is_none())
            .map(|search| RATE_WINDOW.as_secs_f64() / search.spec.interval().as_secs_f64())
            .sum();
        #[expect(clippy::cast_precision_loss, reason = "ten")]
        let rate = RATE as f64;
        (per_window / rate).max(1.0)
    }

    fn enabled_count(&self) -> usize {
        self.searches.values().filter(|search| search.spec.enabled).count()
    }

    fn search_mut(&mut self, id: SearchId) -> &mut Search {
        self.searches.get_mut(&id).expect("BUG: the search was looked up before")
    }

    fn host_entry(&mut self, id: SearchId) {
        if let Some(search) = self.searches.get(&id) {
            self.hosts.entry(search.host.clone()).or_default();
        }
    }

    /// Enabled searches of a host, in the user's order.
    fn on_host(&self, host: &HostKey) -> Vec<&Search> {
        let mut found: Vec<_> =
            self.searches.values().filter(|s| s.spec.enabled && s.host == *host).collect();
        found.sort_by_key(|search| (search.spec.order, search.spec.id));
        found
    }

    /// What hosts and pages remember of a search's address.
    fn forget_page(&mut self, id: SearchId) {
        self.pages.clear(&id);
        for (key, host) in &mut self.hosts {
            let lone = host.lone.take_if(|(lone, _)| *lone == id).is_some();
            if host.refused.remove(&id) || lone {
                self.dirty.host(key);
            }
        }
    }

    fn forget_presses(&mut self) {
        for search in self.searches.values_mut() {
            search.by_hand = None;
        }
        for host in self.hosts.values_mut() {
            host.free_probe = None;
        }
    }

    fn forget_blank_hosts(&mut self, now: Timestamp) {
        let (searches, ledger) = (&self.searches, &self.ledger);
        self.hosts.retain(|key, host| {
            !host.is_blank(now)
                || ledger.get(key).is_some()
                || searches.values().any(|search| search.host == *key)
        });
    }
}
