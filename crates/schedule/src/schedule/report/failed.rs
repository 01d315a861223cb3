//! The host refused, a page did, or something went wrong on the way.

use std::time::Duration;

use firstknock_listing::SearchId;
use firstknock_policy::ladder::{ERROR_GRACE, MAX_WAIT};
use firstknock_policy::ledger::{Failure, Record};
use firstknock_policy::{Kind, Trouble, Wall};

use super::Report;
use crate::schedule::offline::{Fault, Suspicion, fault_of};
use crate::schedule::{Dice, Schedule};
use crate::state::{Before, Strikes};
use crate::time::since;
use crate::{Note, Why};

/// An error so soon after the last counted strike on the host is the same strike.
const SAME_STRIKE: Duration = Duration::from_secs(60);
/// A page that was refused so often, each time with a neighbour answered right after, waits alone.
const LONE_AFTER: u32 = 2;

impl Schedule {
    /// This page alone is left alone.
    pub(super) fn page_refused(
        &mut self,
        report: &Report<'_>,
        id: SearchId,
        failure: Failure,
        dice: Dice<'_>,
    ) {
        let by_hand = report.check.why == Why::Manual && report.flight.page_deadline.is_some();
        self.pages.record(id, failure, report.now, dice());
        if let Some(deadline) = report.flight.page_deadline {
            self.pages.postpone(&id, deadline);
        }
        self.hosts.entry(report.check.host.clone()).or_default().new_wait();
        let search = self.search_mut(id);
        search.error = None;
        search.gone = None;
        self.dirty.search(id);
        if by_hand {
            self.offend(report);
        }
    }

    /// A deliberate refusal: recorded at once, for the host or for the page that waits alone.
    pub(super) fn refused(&mut self, report: &Report<'_>, failure: Failure, dice: Dice<'_>) {
        let key = &report.check.host;
        let host_waits = self.ledger.get(key).is_some();
        if let Some(id) = report.search.filter(|id| !host_waits && self.pages.get(id).is_some()) {
            self.page_refused(report, id, failure, dice);
            return;
        }
        if let Some(id) = (!host_waits).then(|| self.lone_page(report)).flatten() {
            self.page_refused(report, id, failure, dice);
            return;
        }
        self.record(report, failure, dice);
        if report.check.why == Why::Manual && host_waits {
            self.offend(report);
        }
        let host = self.hosts.entry(key.clone()).or_default();
        host.strikes = Strikes::default();
    }

    /// A page that was refused again and again while its neighbours were answered each time: not
    /// the first on its host, it would lock the host out for good without ever climbing a rung.
    pub(super) fn lone_page(&mut self, report: &Report<'_>) -> Option<SearchId> {
        let host = self.hosts.get_mut(&report.check.host)?;
        let (id, times) = host.lone.take()?;
        let again = Some(id) == report.search;
        if again && times < LONE_AFTER {
            host.lone = Some((id, times));
        }
        (again && times >= LONE_AFTER).then_some(id)
    }

    /// One failure of the host.
    pub(super) fn record(&mut self, report: &Report<'_>, failure: Failure, dice: Dice<'_>) {
        let key = &report.check.host;
        let asked = failure.retry_after;
        self.ledger.record(key.clone(), failure, report.now, dice());
        // Pressed in the middle of a wait: another kind's first rung must not end it sooner.
        if let Some(deadline) = report.flight.deadline {
            self.ledger.postpone(key, deadline);
        }
        let host = self.hosts.entry(key.clone()).or_default();
        host.new_wait();
        host.refused.extend(report.search);
        for search in self.searches.values_mut().filter(|search| search.host == *key) {
            search.by_hand = None;
            search.error = None;
        }
        let capped_from_ms = asked
            .filter(|asked| *asked > MAX_WAIT)
            .map(|asked| i64::try_from(asked.as_millis()).unwrap_or(i64::MAX));
        let until = self.ledger.get(key).map_or(report.now, |record| record.next_retry);
        let host = key.clone();
        self.dirty.notes.push(Note::HostWaits { host, until, capped_from_ms });
    }

    /// Something went wrong on the way. The second strike in a row counts; whether it was our own
    /// network is asked first.
    pub(super) fn trouble(&mut self, report: &Report<'_>, trouble: &Trouble, dice: Dice<'_>) {
        let (key, now) = (&report.check.host, report.now);
        if fault_of(trouble.reason) == Fault::Theirs {
            self.sign_of_life(key, now, dice);
        } else if !self.is_a_strangers(report) {
            let before = self.before(report);
            if self.is_ours(Suspicion::new(key, now, trouble.reason, before), now) {
                self.restore_deadline(report);
                return;
            }
        }
        if self.is_a_strangers(report) && trouble.retry_after.is_none() {
            return;
        }
        let failure = failure_of_trouble(trouble);
        let host_waits = self.ledger.get(key).is_some();
        let alone = report.search.filter(|id| !host_waits && self.pages.get(id).is_some());
        if let Some(id) = alone.filter(|_| fault_of(trouble.reason) == Fault::Theirs) {
            self.page_refused(report, id, failure, dice);
            return;
        }
        let strikes = &mut self.hosts.entry(key.clone()).or_default().strikes;
        let same = strikes.at.is_some_and(|at| since(now, at) <= SAME_STRIKE);
        if !same {
            strikes.count = strikes.count.saturating_add(1);
            strikes.at = Some(now);
        }
        strikes.reason = Some(trouble.reason);
        let counts = !same && strikes.count >= ERROR_GRACE;
        // A site that names a time with its error has spoken: its time is kept.
        if counts || trouble.retry_after.is_some() {
            self.record(report, failure, dice);
        } else if let Some(id) = report.search {
            self.search_mut(id).error = Some(trouble.reason);
            self.dirty.search(id);
        }
    }

    /// A mistyped address in a preview says nothing about our network, and a host that no search
    /// asks has no strikes.
    pub(super) fn is_a_strangers(&self, report: &Report<'_>) -> bool {
        let key = &report.check.host;
        report.check.search.is_none()
            && self.ledger.get(key).is_none()
            && !self.searches.values().any(|search| search.host == *key)
    }

    /// While offline nothing moves: the wait that a test went into ends when it ended before.
    pub(super) fn restore_deadline(&mut self, report: &Report<'_>) {
        if let (Some(deadline), Some(record)) =
            (report.flight.deadline, self.ledger.get(&report.check.host).cloned())
        {
            let record = Record { next_retry: deadline, ..record };
            self.ledger.put(report.check.host.clone(), record);
        }
    }

    pub(super) fn before(&self, report: &Report<'_>) -> Before {
        let key = &report.check.host;
        let host = self.hosts.get(key);
        let record = self.ledger.get(key).cloned().map(|record| Record {
            next_retry: report.flight.deadline.unwrap_or(record.next_retry),
            ..record
        });
        Before {
            record,
            refused: host.map(|host| host.refused.clone()).unwrap_or_default(),
            strikes: host.map(|host| host.strikes).unwrap_or_default(),
        }
    }

    pub(super) fn offend(&mut self, report: &Report<'_>) {
        let host = self.hosts.entry(report.check.host.clone()).or_default();
        let offence = host.lockout.offend(report.now);
        self.dirty.notes.push(Note::ButtonLocked {
            host: report.check.host.clone(),
            offence: offence.number,
            until: offence.until,
        });
    }
}

pub(super) fn failure_of_wall(wall: &Wall) -> Failure {
    Failure {
        kind: wall.kind,
        reason: wall.reason,
        vendor: wall.vendor.clone(),
        retry_after: wall.retry_after,
        evidence: wall.evidence.clone(),
    }
}

fn failure_of_trouble(trouble: &Trouble) -> Failure {
    Failure {
        kind: Kind::Error,
        reason: trouble.reason,
        vendor: None,
        retry_after: trouble.retry_after,
        evidence: trouble.evidence.clone(),
    }
}
