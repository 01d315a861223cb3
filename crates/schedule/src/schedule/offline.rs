//! Our end or theirs: errors of two unrelated hosts within a minute are ours.
//!
//! While offline no ladder moves; one host that is not waiting is tried every 30 s, and the first
//! sign of life resumes all, spread out.

use std::collections::BTreeSet;
use std::time::Duration;

use firstknock_listing::{Domain, HostKey};
use firstknock_policy::Reason;
use jiff::Timestamp;

use super::{Dice, Schedule};
use crate::Note;
use crate::state::Before;
use crate::time::{earlier, later, since};

/// Failures so close together speak for each other.
const WINDOW: Duration = Duration::from_secs(60);
/// How often somebody is tried while offline.
pub(super) const TEST_EVERY: Duration = Duration::from_secs(30);

/// We cannot reach anybody.
#[derive(Debug, Clone)]
pub(super) struct Offline {
    pub(super) since: Timestamp,
    pub(super) next_test: Timestamp,
    /// Whose errors led here: if others answer while these do not, it was not us.
    blamed: BTreeSet<HostKey>,
}

/// One failure that may be our own network's, and what it changed.
#[derive(Debug, Clone)]
pub(super) struct Suspicion {
    host: HostKey,
    domain: Domain,
    at: Timestamp,
    reason: Reason,
    before: Before,
}

impl Offline {
    /// Read back at start: somebody is tried at once.
    pub(super) fn restored(since: Timestamp, now: Timestamp) -> Self {
        Self { since, next_test: now, blamed: BTreeSet::new() }
    }
}

impl Suspicion {
    pub(super) fn new(host: &HostKey, at: Timestamp, reason: Reason, before: Before) -> Self {
        Self { host: host.clone(), domain: host.domain(), at, reason, before }
    }

    pub(super) fn set_back(&mut self, by: Duration) {
        self.at = earlier(self.at, by);
        if let Some(record) = &mut self.before.record {
            record.set_back(by);
        }
        if let Some(at) = &mut self.before.strikes.at {
            *at = earlier(*at, by);
        }
    }
}

/// How far an error speaks for our own end being at fault.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Fault {
    /// DNS, TCP, TLS, timeout: any two of these speak for each other.
    Connecting,
    /// Only the same one on another host does (a portal's redirect, our own browser).
    SameOnly,
    /// It came from the site: proof that the network works.
    Theirs,
}

pub(super) fn fault_of(reason: Reason) -> Fault {
    match reason {
        Reason::Dns
        | Reason::Connect
        | Reason::Certificate
        | Reason::Timeout
        | Reason::Proxy
        | Reason::CaptivePortal
        | Reason::Network => Fault::Connecting,
        Reason::ForeignHost
        | Reason::ProviderPage
        | Reason::Browser
        | Reason::Truncated
        | Reason::Unknown => Fault::SameOnly,
        Reason::Answered
        | Reason::BrowserCheck
        | Reason::Queue
        | Reason::TooManyRequests
        | Reason::HumanCheck
        | Reason::Refused
        | Reason::AddressBlocked
        | Reason::Consent
        | Reason::Login
        | Reason::TooLarge
        | Reason::RedirectLoop
        | Reason::ServerError
        | Reason::Maintenance
        | Reason::PageGone
        | Reason::NotAPage => Fault::Theirs,
    }
}

impl Schedule {
    /// The system says whether there is a network. A yes while offline tries somebody at once:
    /// only an answer is proof.
    pub fn set_online(&mut self, online: bool, now: Timestamp) {
        let now = self.observe(now);
        match (&mut self.offline, online) {
            (Some(offline), true) => offline.next_test = offline.next_test.min(now),
            (None, false) => self.go_offline(now, BTreeSet::new()),
            (None, true) | (Some(_), false) => {}
        }
    }

    /// Takes one failure into account before it counts. True if it is our own: nothing may count.
    pub(super) fn is_ours(&mut self, suspicion: Suspicion, now: Timestamp) -> bool {
        let fault = fault_of(suspicion.reason);
        let connecting = fault == Fault::Connecting;
        if self.offline.is_some() {
            return fault != Fault::Theirs;
        }
        if connecting && self.suspect(now) {
            self.go_offline(now, BTreeSet::from([suspicion.host]));
            return true;
        }
        if self.hosts[&suspicion.host].odd || fault == Fault::Theirs {
            return false;
        }
        self.suspicions.retain(|old| since(now, old.at) <= WINDOW);
        let speaks = |old: &Suspicion| {
            old.domain != suspicion.domain
                && (old.reason == suspicion.reason
                    || (connecting && fault_of(old.reason) == Fault::Connecting))
        };
        let ours = self.suspicions.iter().any(speaks);
        self.suspicions.push(suspicion);
        if ours {
            self.undo_suspicions(now);
        }
        ours
    }

    /// Somebody answered in any way: the network works.
    pub(super) fn sign_of_life(&mut self, from: &HostKey, now: Timestamp, dice: Dice<'_>) {
        self.suspicions.clear();
        self.suspect_until = None;
        let Some(offline) = self.offline.take() else {
            return;
        };
        for key in offline.blamed.iter().filter(|key| *key != from) {
            if let Some(host) = self.hosts.get_mut(key) {
                host.odd = true;
                self.dirty.host(key);
            }
        }
        self.dirty.app = true;
        self.dirty.notes.push(Note::BackOnline);
        self.catch_up(now, now, dice);
    }

    fn undo_suspicions(&mut self, now: Timestamp) {
        let suspicions = std::mem::take(&mut self.suspicions);
        let mut blamed = BTreeSet::new();
        // Newest first, so that the oldest state of a host that failed twice is what remains.
        for Suspicion { host: key, before, .. } in suspicions.into_iter().rev() {
            match before.record {
                Some(record) => self.ledger.put(key.clone(), record),
                None => drop(self.ledger.clear(&key)),
            }
            let host = self.hosts.entry(key.clone()).or_default();
            host.refused = before.refused;
            host.strikes = before.strikes;
            self.dirty.host(&key);
            blamed.insert(key);
        }
        self.go_offline(now, blamed);
    }

    fn go_offline(&mut self, now: Timestamp, blamed: BTreeSet<HostKey>) {
        let next_test = later(now, TEST_EVERY);
        self.offline = Some(Offline { since: now, next_test, blamed });
        self.suspicions.clear();
        for search in self.searches.values_mut() {
            search.error = None;
        }
        self.dirty.app = true;
        self.dirty.notes.push(Note::WentOffline);
    }
}
