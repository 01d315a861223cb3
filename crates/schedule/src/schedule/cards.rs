//! The cards of hosts: cause, since when, what was asked for, what happens next.

use std::collections::BTreeSet;
use std::time::Duration;

use firstknock_listing::HostKey;
use firstknock_policy::ladder;
use firstknock_policy::ledger::Record;
use jiff::Timestamp;

use super::Schedule;
use super::view::Turns;
use crate::{HostCard, HostState, HostWait, Retry};

impl Schedule {
    /// One card per host with an enabled search, a wait or an open window; by the user's order,
    /// hosts without a search last.
    pub fn host_cards(&self, now: Timestamp) -> Vec<HostCard> {
        let now = now.max(self.clock);
        let turns = self.turns(now);
        let mut searches: Vec<_> = self.searches.values().filter(|s| s.spec.enabled).collect();
        searches.sort_by_key(|search| (search.spec.order, search.spec.id));
        let waiting = self.ledger.iter().map(|(key, _)| key);
        let held = self.hosts.iter().filter(|(_, host)| host.held.is_some()).map(|(key, _)| key);
        let mut seen = BTreeSet::new();
        let keys = searches.iter().map(|search| &search.host).chain(waiting).chain(held);
        keys.filter(|key| seen.insert((*key).clone()))
            .map(|key| self.card(key, &turns, now))
            .collect()
    }

    /// The card of one host, also one that was never asked.
    pub fn host_card(&self, key: &HostKey, now: Timestamp) -> HostCard {
        let now = now.max(self.clock);
        self.card(key, &self.turns(now), now)
    }

    fn card(&self, key: &HostKey, turns: &Turns, now: Timestamp) -> HostCard {
        let searches = self.on_host(key);
        let host = self.hosts.get(key);
        let flight = host.and_then(|host| host.flight(now));
        let next_at = searches.iter().filter_map(|s| turns.get(&s.spec.id).copied()).min();
        let wait = self.ledger.get(key).map(|record| self.host_wait(key, record, next_at));
        let state = match (host.and_then(|host| host.held), wait) {
            (Some(since), _) => HostState::SiteOpen { since },
            (None, None) => HostState::Answers { next_at },
            (None, Some(wait)) => match flight.filter(|flight| flight.deadline.is_some()) {
                Some(flight) => HostState::Probing {
                    since: flight.since,
                    if_refused: self.if_refused(key),
                    wait,
                },
                None => HostState::Waits(wait),
            },
        };
        let record = self.ledger.get(key);
        let prober = record
            .zip(host)
            .and_then(|(record, host)| self.prober(host, record, &searches))
            .or(searches.first().copied());
        HostCard {
            host: key.clone(),
            searches: searches.iter().map(|search| search.spec.id).collect(),
            state,
            retry: prober.map_or(Retry::None, |search| self.retry_of(search, now)),
            answered_at: searches.iter().filter_map(|s| s.look.map(|look| look.at)).max(),
        }
    }

    pub(super) fn if_refused(&self, key: &HostKey) -> Duration {
        self.ledger.get(key).map_or(Duration::ZERO, |record| {
            ladder::step(record.kind, record.failures.saturating_add(1))
        })
    }

    fn host_wait(&self, key: &HostKey, record: &Record, next_at: Option<Timestamp>) -> HostWait {
        let searches = self.on_host(key);
        let host = self.hosts.get(key);
        let prober = host.and_then(|host| self.prober(host, record, &searches));
        HostWait {
            wall: record.kind,
            reason: record.reason,
            vendor: record.vendor.clone(),
            since: record.since,
            failures: record.failures,
            asked: record.asked,
            asked_until: record.asked_until(),
            retry_at: next_at.unwrap_or(record.next_retry),
            evidence: record.evidence.clone(),
            refused: host.map(|host| host.refused.iter().copied().collect()).unwrap_or_default(),
            next: prober.map(|search| search.spec.id),
        }
    }
}
