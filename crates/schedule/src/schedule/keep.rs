//! What has to be written: which keys changed since the last drain.

use std::collections::BTreeSet;

use firstknock_listing::{Domain, HostKey, SearchId};
use firstknock_policy::ledger::SavedWait;
use firstknock_policy::lockout::SavedLockout;
use jiff::Timestamp;

use super::Schedule;
use crate::state::{Gap, Search};
use crate::{AppState, Change, DomainState, HostRecord, HostUpdate, Note, SearchState};

/// Keys whose stored record is out of date.
#[derive(Debug, Clone, Default)]
pub(super) struct Dirty {
    hosts: BTreeSet<HostKey>,
    searches: BTreeSet<SearchId>,
    removed: BTreeSet<SearchId>,
    domains: BTreeSet<Domain>,
    pub(super) app: bool,
    pub(super) notes: Vec<Note>,
}

impl Dirty {
    pub(super) fn host(&mut self, key: &HostKey) {
        self.hosts.insert(key.clone());
    }

    pub(super) fn search(&mut self, id: SearchId) {
        self.removed.remove(&id);
        self.searches.insert(id);
    }

    pub(super) fn removed(&mut self, id: SearchId) {
        self.searches.remove(&id);
        self.removed.insert(id);
    }

    pub(super) fn domain(&mut self, domain: &Domain) {
        self.domains.insert(domain.clone());
    }
}

impl Schedule {
    /// Everything that changed since the last drain. Keep it in one transaction before anything
    /// that it decided is sent or shown.
    pub fn take_change(&mut self) -> Change {
        let dirty = std::mem::take(&mut self.dirty);
        let hosts = dirty.hosts.iter().map(|key| self.host_update(key)).collect();
        let search = |id: &SearchId| self.searches.get(id).map(|s| self.search_state(s));
        let domain =
            |domain: &Domain| self.domains.get(domain).map(|gap| domain_state(domain, gap));
        Change {
            hosts,
            searches: dirty.searches.iter().filter_map(search).collect(),
            removed_searches: dirty.removed.into_iter().collect(),
            domains: dirty.domains.iter().filter_map(domain).collect(),
            app: dirty.app.then(|| self.app_state()),
            keep_listings: false,
            notes: dirty.notes,
        }
    }

    /// The transaction with this change failed: the newest state of all that it named is handed
    /// out again with the next drain. Its notes are not repeated.
    pub fn not_kept(&mut self, change: &Change) {
        for update in &change.hosts {
            match update {
                HostUpdate::Put(record) => self.dirty.host(&HostKey::from_stored(&record.host)),
                HostUpdate::Clear(key) => self.dirty.host(key),
            }
        }
        for state in &change.searches {
            if self.searches.contains_key(&state.search) {
                self.dirty.search(state.search);
            }
        }
        for id in &change.removed_searches {
            if !self.searches.contains_key(id) {
                self.dirty.removed(*id);
            }
        }
        for state in &change.domains {
            self.dirty.domain(&HostKey::from_stored(&state.domain).domain());
        }
        self.dirty.app |= change.app.is_some();
    }

    pub(super) fn mark_all(&mut self) {
        let hosts = self.hosts.keys().chain(self.ledger.iter().map(|(key, _)| key));
        self.dirty.hosts.extend(hosts.cloned());
        self.dirty.searches.extend(self.searches.keys().copied());
        self.dirty.domains.extend(self.domains.keys().cloned());
        self.dirty.app = true;
    }

    fn host_update(&self, key: &HostKey) -> HostUpdate {
        let wait = self.ledger.get(key).map(SavedWait::from);
        let Some(host) = self.hosts.get(key) else {
            return match wait {
                Some(_) => HostUpdate::Put(HostRecord {
                    host: key.to_string(),
                    wait,
                    ..HostRecord::default()
                }),
                None => HostUpdate::Clear(key.clone()),
            };
        };
        if wait.is_none() && host.is_plain(self.clock) {
            return HostUpdate::Clear(key.clone());
        }
        HostUpdate::Put(HostRecord {
            host: key.to_string(),
            wait,
            refused: host.refused.iter().copied().collect(),
            top_probes: host.top_probes,
            lone: host.lone,
            free_probe_used: host.free_used,
            strikes: host.strikes.count,
            strike_ms: host.strikes.at.map(Timestamp::as_millisecond),
            strike_reason: host.strikes.reason,
            odd_one_out: host.odd,
            lockout: SavedLockout::from(&host.lockout),
        })
    }

    fn search_state(&self, search: &Search) -> SearchState {
        let look = search.look;
        SearchState {
            search: search.spec.id,
            next_due_ms: Some(search.due.as_millisecond()),
            asked_ms: search.asked_at.map(Timestamp::as_millisecond),
            answered_ms: look.map(|look| look.at.as_millisecond()),
            listings: look.map(|look| look.listings),
            before: look.and_then(|look| look.before),
            finding: look.map(|look| look.finding),
            gone_ms: search.gone.map(|gone| gone.since.as_millisecond()),
            gone_status: search.gone.and_then(|gone| gone.status),
            error_reason: search.error,
            wait: self.pages.get(&search.spec.id).map(SavedWait::from),
        }
    }

    fn app_state(&self) -> AppState {
        AppState {
            stopped_ms: self.stopped.map(Timestamp::as_millisecond),
            offline_ms: self.offline.as_ref().map(|offline| offline.since.as_millisecond()),
        }
    }
}

fn domain_state(domain: &Domain, gap: &Gap) -> DomainState {
    DomainState {
        domain: domain.to_string(),
        free_ms: gap.free_at.as_millisecond(),
        recent_ms: gap.recent.iter().map(|at| at.as_millisecond()).collect(),
    }
}
