//! Gathers the facts of [`crate::Fact`] for one host.

use firstknock_listing::HostKey;
use firstknock_policy::ladder::MAX_WAIT;
use jiff::Timestamp;

use super::Schedule;
use crate::{Fact, HostState, HostWait, Retry};

impl Schedule {
    /// Why a host waits, since when, what it asked for, and what happens next.
    pub fn explain(&self, key: &HostKey, now: Timestamp) -> Vec<Fact> {
        let card = self.host_card(key, now);
        let mut facts = Vec::new();
        if self.stopped.is_some() || self.storage.is_some() {
            facts.push(Fact::Stopped);
        }
        if let Some(offline) = &self.offline {
            facts.push(Fact::Offline { since: offline.since });
        }
        let searches = u32::try_from(card.searches.len()).unwrap_or(u32::MAX);
        match &card.state {
            HostState::SiteOpen { since } => facts.push(Fact::SiteOpen { since: *since }),
            HostState::Answers { next_at } => {
                facts.push(Fact::Answers);
                facts.extend(next_at.map(|at| Fact::LooksIn { at }));
                self.strike(key, &mut facts);
            }
            HostState::Waits(wait) => {
                reasons(wait, &mut facts);
                facts.push(match wait.next {
                    Some(_) => Fact::LooksIn { at: wait.retry_at },
                    None => Fact::NobodyLooksIn,
                });
                self.outcomes(key, searches, &mut facts);
            }
            HostState::Probing { since, wait, .. } => {
                reasons(wait, &mut facts);
                facts.push(Fact::Probing { since: *since });
                self.outcomes(key, searches, &mut facts);
            }
        }
        if let Retry::Locked { until, why } = card.retry {
            facts.push(Fact::ButtonLocked { until, why });
        }
        self.pages_of(key, &mut facts);
        if let HostState::Waits(wait) | HostState::Probing { wait, .. } = card.state {
            facts.extend(wait.evidence.into_iter().map(|line| Fact::Seen { line }));
        }
        facts
    }

    fn outcomes(&self, key: &HostKey, searches: u32, facts: &mut Vec<Fact>) {
        if searches > 0 {
            facts.push(Fact::IfAnswered { searches });
            facts.push(Fact::IfRefused { wait: self.if_refused(key) });
        }
    }

    fn strike(&self, key: &HostKey, facts: &mut Vec<Fact>) {
        let reason = self.hosts.get(key).and_then(|host| host.strikes.reason);
        facts.extend(reason.map(|reason| Fact::Strike { reason }));
    }

    fn pages_of(&self, key: &HostKey, facts: &mut Vec<Fact>) {
        for search in self.on_host(key) {
            let id = search.spec.id;
            if let Some(gone) = search.gone {
                facts.push(Fact::PageGone { search: id, since: gone.since });
            } else if let Some(record) = self.pages.get(&id) {
                let (kind, until) = (record.kind, record.next_retry);
                facts.push(Fact::PageWaits { search: id, kind, until });
            }
        }
    }
}

fn reasons(wait: &HostWait, facts: &mut Vec<Fact>) {
    let HostWait { wall: kind, reason, since, failures, .. } = *wait;
    let (vendor, evidence) = (wait.vendor.clone(), wait.evidence.first().cloned());
    facts.push(Fact::Waits { kind, reason, since, failures, vendor, evidence });
    facts.push(match wait.asked {
        Some(wait) if wait > MAX_WAIT => Fact::AskedLong { wait },
        Some(wait) => Fact::Asked { wait },
        None => Fact::AskedNothing,
    });
}
