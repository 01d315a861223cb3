//! What a report means: for the host, for the page, for us.

use std::time::Duration;

use firstknock_listing::SearchId;
use firstknock_policy::jitter::plus_minus;
use firstknock_policy::ladder::{ERROR_GRACE, MAX_WAIT};
use firstknock_policy::ledger::{Failure, Record};
use firstknock_policy::{Kind, Outcome, Reason, Trouble, Wall};
use jiff::Timestamp;

use super::offline::{Fault, Suspicion, fault_of};
use super::{Dice, INTERVAL_SPREAD, Schedule};
use crate::state::{Before, Flight, Gone, Look, Strikes};
use crate::time::{later, part, since, whole_ms};
use crate::{Change, Check, Finding, Note, Seen, Why};

/// An error so soon after the last counted strike on the host is the same strike.
const SAME_STRIKE: Duration = Duration::from_secs(60);
/// A page that is gone is looked at again once a day.
const GONE_EVERY: Duration = Duration::from_secs(24 * 3600);
/// A page that was refused so often, each time with a neighbour answered right after, waits alone.
const LONE_AFTER: u32 = 2;
/// After photos of a host failed, none are asked for this long.
const PHOTOS_REST: Duration = Duration::from_secs(3600);
/// When a host is welcome again, its overdue searches are spread over their interval, but over no
/// more than this: a search that looks in once a day was due, and is late already.
const WELCOME_SPREAD: Duration = Duration::from_secs(300);

/// One report on its way through the rules.
struct Report<'a> {
    check: &'a Check,
    flight: Flight,
    /// The search, if it is still the one that was asked.
    search: Option<SearchId>,
    now: Timestamp,
}

impl Schedule {
    /// What a check came to. Returns everything that has to be kept with its listings, in one
    /// transaction; see [`Change::keep_listings`]. A report for an edited or deleted search still
    /// counts for its host; one for a check that was given up as lost counts nowhere.
    pub fn report(
        &mut self,
        check: &Check,
        outcome: &Outcome,
        seen: Seen,
        now: Timestamp,
        dice: Dice<'_>,
    ) -> Change {
        let now = self.observe(now);
        let host = self.hosts.entry(check.host.clone()).or_default();
        let Some(flight) = host.flight.filter(|flight| flight.id == check.id) else {
            return self.take_change();
        };
        host.flight = None;
        self.dirty.host(&check.host);
        let asked = check.search.and_then(|id| self.searches.get(&id));
        let current = asked
            .filter(|s| s.spec.revision == check.revision && s.spec.url == check.url)
            .map(|search| search.spec.id);
        let report = Report { check, flight, search: current, now };
        let answered = if check.why == Why::Photo {
            self.photo_came_to(&report, outcome);
            false
        } else {
            self.came_to(&report, outcome, seen, dice)
        };
        if let (Some(id), None) = (check.search, current)
            && let Some(edited) = self.searches.get_mut(&id)
        {
            // It was edited meanwhile, so nothing of this look is kept: it looks again soon.
            edited.due = now;
            self.dirty.search(id);
        }
        self.forget_blank_hosts(now);
        let mut change = self.take_change();
        change.keep_listings = answered && current.is_some();
        change
    }

    fn came_to(
        &mut self,
        report: &Report<'_>,
        outcome: &Outcome,
        seen: Seen,
        dice: Dice<'_>,
    ) -> bool {
        match outcome {
            Outcome::Answer => {
                self.answered(report, dice);
                self.looked(report, seen);
                true
            }
            Outcome::Trouble(Trouble { reason: Reason::PageGone, .. }) => {
                self.answered(report, dice);
                self.page_gone(report, seen, dice);
                false
            }
            Outcome::Wall(wall) if wall.reason == Reason::Login => {
                let page = report.search.and_then(|id| self.pages.get(&id).cloned());
                self.answered(report, dice);
                if let Some(id) = report.search {
                    page.map(|record| self.pages.put(id, record)).unwrap_or_default();
                    self.page_refused(report, id, failure_of_wall(wall), dice);
                }
                false
            }
            Outcome::Wall(wall) => {
                self.sign_of_life(&report.check.host, report.now, dice);
                self.refused(report, failure_of_wall(wall), dice);
                false
            }
            Outcome::Trouble(trouble) => {
                self.trouble(report, trouble, dice);
                false
            }
        }
    }

    /// The host answered, whatever was on the page: it is welcome, and so are all its searches.
    fn answered(&mut self, report: &Report<'_>, dice: Dice<'_>) {
        let key = &report.check.host;
        self.sign_of_life(key, report.now, dice);
        let record = self.ledger.clear(key);
        let host = self.hosts.entry(key.clone()).or_default();
        let refused = std::mem::take(&mut host.refused);
        host.welcome();
        host.lone = host.lone.filter(|(id, _)| Some(*id) != report.search);
        if let Some(id) = report.search {
            self.pages.clear(&id);
            let search = self.search_mut(id);
            search.error = None;
            self.dirty.search(id);
        }
        let Some(mut record) = record else {
            return;
        };
        // One page alone was refused on the top rung, and another one answered: that page keeps a
        // wait of its own.
        let lone = refused.first().copied().filter(|id| {
            refused.len() == 1
                && Some(*id) != report.check.search
                && self.searches.get(id).is_some_and(|search| search.host == *key)
        });
        let host = self.hosts.entry(key.clone()).or_default();
        let times = host.lone.filter(|(id, _)| Some(*id) == lone).map_or(1, |(_, times)| times + 1);
        host.lone = lone.map(|id| (id, times)).or(host.lone);
        if let Some(lone) = lone.filter(|_| record.on_top()) {
            host.lone = None;
            let wait =
                firstknock_policy::ladder::delay_for(record.kind, record.failures, None, dice());
            record.next_retry = later(report.now, wait);
            record.asked = None;
            self.pages.put(lone, record);
            self.dirty.search(lone);
        }
        self.dirty.notes.push(Note::HostWelcome { host: key.clone() });
        self.spread_after_welcome(report, dice);
    }

    /// Overdue searches of a host that is welcome again, over their interval instead of at once.
    fn spread_after_welcome(&mut self, report: &Report<'_>, dice: Dice<'_>) {
        let now = report.now;
        let overdue: Vec<_> = self
            .on_host(&report.check.host)
            .into_iter()
            .filter(|search| search.due <= now && Some(search.spec.id) != report.check.search)
            .map(|search| search.spec.id)
            .collect();
        let parts = u32::try_from(overdue.len()).unwrap_or(u32::MAX);
        for (i, id) in overdue.into_iter().enumerate() {
            let window = self.interval_of(id).min(WELCOME_SPREAD);
            let share = window / parts.max(1);
            let i = u32::try_from(i).unwrap_or(u32::MAX);
            let due = whole_ms(later(now, share.saturating_mul(i) + part(share, dice())));
            self.search_mut(id).due = due;
            self.dirty.search(id);
        }
    }

    fn looked(&mut self, report: &Report<'_>, seen: Seen) {
        let Some(id) = report.search else {
            return;
        };
        let search = self.search_mut(id);
        let before = search.look.and_then(|look| look.before);
        // No listings, no word that there are none, and there were some: not an honest empty page.
        let lost = seen.listings == 0 && before.is_some_and(|before| before > 0);
        let finding = match seen.finding {
            Finding::Fine | Finding::Degraded | Finding::ReKeyed if lost => Finding::Broken,
            Finding::Fine
            | Finding::Degraded
            | Finding::ReKeyed
            | Finding::Empty
            | Finding::Broken
            | Finding::Unsure => seen.finding,
        };
        let before = if finding.is_suspicious() { before } else { Some(seen.listings) };
        search.gone = None;
        search.look = Some(Look { at: report.now, listings: seen.listings, before, finding });
    }

    fn page_gone(&mut self, report: &Report<'_>, seen: Seen, dice: Dice<'_>) {
        let Some(id) = report.search else {
            return;
        };
        let now = report.now;
        let wait = plus_minus(GONE_EVERY, INTERVAL_SPREAD, dice());
        let search = self.search_mut(id);
        let since = search.gone.map_or(now, |gone| gone.since);
        search.gone = Some(Gone { since, status: seen.status });
        search.due = later(now, wait);
    }

    /// This page alone is left alone.
    fn page_refused(
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
    fn refused(&mut self, report: &Report<'_>, failure: Failure, dice: Dice<'_>) {
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
    fn lone_page(&mut self, report: &Report<'_>) -> Option<SearchId> {
        let host = self.hosts.get_mut(&report.check.host)?;
        let (id, times) = host.lone.take()?;
        let again = Some(id) == report.search;
        if again && times < LONE_AFTER {
            host.lone = Some((id, times));
        }
        (again && times >= LONE_AFTER).then_some(id)
    }

    /// One failure of the host.
    fn record(&mut self, report: &Report<'_>, failure: Failure, dice: Dice<'_>) {
        let key = &report.check.host;
        let asked = failure.retry_after;
        let record = self.ledger.record(key.clone(), failure, report.now, dice());
        let until = record.next_retry;
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
        let host = key.clone();
        self.dirty.notes.push(Note::HostWaits { host, until, capped_from_ms });
    }

    /// Something went wrong on the way. The second strike in a row counts; whether it was our own
    /// network is asked first.
    fn trouble(&mut self, report: &Report<'_>, trouble: &Trouble, dice: Dice<'_>) {
        let (key, now) = (&report.check.host, report.now);
        if fault_of(trouble.reason) == Fault::Theirs {
            self.sign_of_life(key, now, dice);
        } else {
            let before = self.before(report);
            if self.is_ours(Suspicion::new(key, now, trouble.reason, before), now) {
                self.restore_deadline(report);
                return;
            }
        }
        let failure = failure_of_trouble(trouble);
        let host_waits = self.ledger.get(key).is_some();
        let alone = report.search.filter(|id| !host_waits && self.pages.get(id).is_some());
        if let Some(id) = alone.filter(|_| fault_of(trouble.reason) == Fault::Theirs) {
            self.page_refused(report, id, failure, dice);
            return;
        }
        let strikes = &mut self.hosts.entry(key.clone()).or_default().strikes;
        let same = strikes.at.is_some_and(|at| strikes.count > 0 && since(now, at) < SAME_STRIKE);
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

    /// While offline nothing moves: the wait that a test went into ends when it ended before.
    fn restore_deadline(&mut self, report: &Report<'_>) {
        if let (Some(deadline), Some(record)) =
            (report.flight.deadline, self.ledger.get(&report.check.host).cloned())
        {
            let record = Record { next_retry: deadline, ..record };
            self.ledger.put(report.check.host.clone(), record);
        }
    }

    fn before(&self, report: &Report<'_>) -> Before {
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

    /// Photos say nothing about the host's pages; theirs simply stop for a while (fredy#450).
    fn photo_came_to(&mut self, report: &Report<'_>, outcome: &Outcome) {
        let failed = match outcome {
            Outcome::Answer => false,
            Outcome::Trouble(trouble) => trouble.reason != Reason::PageGone,
            Outcome::Wall(_) => true,
        };
        if failed {
            let host = self.hosts.entry(report.check.host.clone()).or_default();
            host.photos_rest = Some(later(report.now, PHOTOS_REST));
        }
    }

    fn offend(&mut self, report: &Report<'_>) {
        let host = self.hosts.entry(report.check.host.clone()).or_default();
        let offence = host.lockout.offend(report.now);
        self.dirty.notes.push(Note::ButtonLocked {
            host: report.check.host.clone(),
            offence: offence.number,
            until: offence.until,
        });
    }
}

fn failure_of_wall(wall: &Wall) -> Failure {
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
