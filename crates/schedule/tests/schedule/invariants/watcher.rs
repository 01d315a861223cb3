//! A schedule whose every request and every stored record is held against the rules.
//!
//! The watcher knows nothing of the schedule's inside: it counts in real time, which no wall clock
//! can move, and believes only what was stored before a request went out.

use std::collections::BTreeMap;
use std::time::Duration;

use firstknock_listing::{Domain, HostKey, SearchId, SearchUrl};
use firstknock_policy::ladder::MAX_WAIT;
use firstknock_policy::{Mulberry32, Outcome};
use firstknock_schedule::{
    Change, Check, Permit, Purpose, RowState, Schedule, SearchSpec, Seen, StopWhy, Why,
};
use jiff::Timestamp;

use crate::world::{Disk, later, secs, spec, start};

pub(crate) struct Watched {
    schedule: Schedule,
    disk: Disk,
    dice: Mulberry32,
    now: Timestamp,
    /// Time that really passed.
    real: Duration,
    out: Vec<(Check, Duration)>,
    sent: BTreeMap<Domain, Vec<Duration>>,
    last_sent: BTreeMap<SearchId, Duration>,
    held: BTreeMap<HostKey, ()>,
    off: Off,
}

#[derive(Default)]
struct Off {
    stopped: bool,
    full: bool,
}

impl Watched {
    pub(crate) fn new(urls: &[&str], dice: Mulberry32) -> Self {
        let specs: Vec<_> = (1..).zip(urls).map(|(id, url)| spec(id, url)).collect();
        let mut world = Self {
            schedule: Schedule::default(),
            disk: Disk::with(&specs),
            dice,
            now: start(),
            real: Duration::ZERO,
            out: Vec::new(),
            sent: BTreeMap::new(),
            last_sent: BTreeMap::new(),
            held: BTreeMap::new(),
            off: Off::default(),
        };
        for spec in specs {
            world.upsert(spec);
        }
        world
    }

    pub(crate) fn pass(&mut self, by: Duration) {
        self.now = later(self.now, by);
        self.real += by;
    }

    /// Sleeps until the schedule's own next time: the row that promised it is right.
    pub(crate) fn step(&mut self) {
        let Some(at) = self.schedule.next_wake(self.now) else {
            assert!(self.off.stopped || self.off.full || self.nobody_could(), "asleep for ever");
            return;
        };
        let quiet = self.out.is_empty() && self.held.is_empty();
        let promised = self.schedule.rows(self.now).into_iter().filter_map(|row| row.next_at).min();
        let by = Duration::try_from(at.duration_since(self.now)).unwrap_or_default();
        self.pass(by);
        let sent = self.plan();
        if quiet {
            assert_eq!(promised, Some(at), "the soonest row says when the next request goes out");
            assert!(!sent.is_empty(), "a countdown reached zero and nothing went out");
        }
    }

    fn nobody_could(&self) -> bool {
        let rows = self.schedule.rows(self.now);
        let free = rows.iter().filter(|row| row.state != RowState::Paused);
        !free.into_iter().any(|row| !self.held.contains_key(&row.host))
    }

    pub(crate) fn plan(&mut self) -> Vec<Check> {
        let rows = self.schedule.rows(self.now);
        let dice = &mut self.dice;
        let checks = self.schedule.plan(self.now, &mut || dice.draw());
        for check in &checks {
            let row = rows.iter().find(|row| Some(row.search) == check.search).expect("its row");
            let said = row.next_at.expect("a row whose search goes out says when");
            assert!(said <= self.now, "{check:?} went out before its row said: {said}");
            assert!(!self.off.stopped && !self.off.full, "stopped, but {check:?} went out");
            self.goes_out(check);
        }
        self.keep();
        checks
    }

    /// Every rule about one request.
    fn goes_out(&mut self, check: &Check) {
        let busy = self.out.iter().find(|(other, since)| {
            other.host == check.host && self.real.saturating_sub(*since) < secs(300)
        });
        assert!(busy.is_none(), "two in flight: {check:?} beside {busy:?}");
        assert!(!self.held.contains_key(&check.host), "its window is open: {check:?}");
        if let Some(wait) = self.disk.host(check.host.as_str()).and_then(|r| r.wait.as_ref()) {
            let now = self.now.as_millisecond();
            let by_hand = matches!(check.why, Why::Manual | Why::AfterHand);
            assert!(
                by_hand || wait.next_retry_ms <= now,
                "before its deadline: {check:?} {wait:?}"
            );
            let asked = wait.asked_ms.map_or(i64::MIN, |asked| wait.at_ms.saturating_add(asked));
            assert!(
                asked.min(wait.next_retry_ms) <= now,
                "the site asked for more: {check:?} {wait:?}"
            );
        }
        let sent = self.sent.entry(check.domain.clone()).or_default();
        if let Some(last) = sent.last() {
            let gap = self.real - *last;
            assert!(gap >= secs(3), "inside the gap, {gap:?}: {check:?}");
        }
        if sent.len() >= 10 {
            let ten = self.real - sent[sent.len() - 10];
            assert!(ten >= secs(60), "eleven within {ten:?}: {check:?}");
        }
        sent.push(self.real);
        if let Some(id) = check.search {
            self.last_sent.insert(id, self.real);
        }
        self.out.retain(|(other, _)| other.host != check.host);
        self.out.push((check.clone(), self.real));
    }

    pub(crate) fn report(&mut self, i: usize, outcome: &Outcome, seen: Seen) {
        if self.out.is_empty() {
            return;
        }
        let (check, since) = self.out.remove(i % self.out.len());
        let before = self.failures(&check.host);
        let others: Vec<_> = self.other_deadlines(&check.host);
        let offline = self.disk.saved.app.offline_ms.is_some();
        let dice = &mut self.dice;
        let change = self.schedule.report(&check, outcome, seen, self.now, &mut || dice.draw());
        self.keep_change(&change);
        self.keep();
        let after = self.failures(&check.host);
        assert!(after <= before + 1, "one refusal per wait: {before} to {after}");
        let still = self.disk.saved.app.offline_ms.is_some();
        if offline && still {
            assert_eq!(before, after, "no ladder moves while offline");
        }
        if matches!(outcome, Outcome::Answer) && check.why != Why::Photo {
            let lost = self.real.saturating_sub(since) >= secs(300);
            assert!(lost || after == 0, "answered, but still not welcome");
        }
        if !still {
            assert_eq!(others, self.other_deadlines(&check.host), "a refusal delayed another host");
        }
    }

    fn failures(&self, host: &HostKey) -> i64 {
        let record = self.disk.host(host.as_str());
        record.and_then(|record| record.wait.as_ref()).map_or(0, |wait| wait.failures)
    }

    fn other_deadlines(&self, host: &HostKey) -> Vec<(String, i64)> {
        let mut all: Vec<_> = self
            .disk
            .saved
            .hosts
            .iter()
            .filter(|record| record.host != host.as_str())
            .filter_map(|r| Some((r.host.clone(), r.wait.as_ref()?.next_retry_ms)))
            .collect();
        all.sort();
        all
    }

    fn keep(&mut self) {
        let change = self.schedule.take_change();
        self.keep_change(&change);
    }

    fn keep_change(&mut self, change: &Change) {
        self.disk.keep(change);
        let latest = later(self.now, MAX_WAIT).as_millisecond();
        for record in &self.disk.saved.hosts {
            if let Some(wait) = &record.wait {
                assert!(wait.next_retry_ms <= latest, "waits above one hour: {record:?}");
            }
        }
    }

    pub(crate) fn press(&mut self, id: SearchId) {
        self.schedule.retry_now(id, self.now).unwrap_or_default();
        self.keep();
    }

    pub(crate) fn hold(&mut self, host: &HostKey) {
        self.schedule.hold(host, self.now);
        self.held.insert(host.clone(), ());
        self.keep();
    }

    pub(crate) fn release(&mut self, host: &HostKey) {
        if self.held.remove(host).is_some() {
            self.schedule.release(host, None, self.now);
        }
        self.keep();
    }

    pub(crate) fn upsert(&mut self, spec: SearchSpec) {
        let taken = self.schedule.upsert_search(spec.clone(), self.now);
        if taken.is_ok() {
            match self.disk.saved.searches.iter_mut().find(|(old, _)| old.id == spec.id) {
                Some(slot) => slot.0 = spec,
                None => self.disk.saved.searches.push((spec, None)),
            }
        }
        self.keep();
    }

    pub(crate) fn edit(&mut self, id: SearchId, edit: impl FnOnce(&mut Schedule, Timestamp)) {
        edit(&mut self.schedule, self.now);
        let rows = self.schedule.rows(self.now);
        let enabled = rows.iter().find(|row| row.search == id);
        for (spec, _) in self.disk.saved.searches.iter_mut().filter(|(spec, _)| spec.id == id) {
            spec.enabled = enabled.is_some_and(|row| row.state != RowState::Paused);
        }
        self.keep();
    }

    pub(crate) fn stop(&mut self) {
        self.schedule.stop(self.now);
        self.off.stopped = true;
        self.keep();
    }

    pub(crate) fn start(&mut self) {
        let dice = &mut self.dice;
        self.schedule.start(self.now, &mut || dice.draw());
        self.off.stopped = false;
        self.keep();
    }

    pub(crate) fn storage(&mut self, full: Option<StopWhy>) {
        let dice = &mut self.dice;
        match full {
            Some(why) => self.schedule.storage_failed(why, self.now),
            None => self.schedule.storage_works(self.now, &mut || dice.draw()),
        }
        self.off.full = full.is_some();
        self.keep();
    }

    pub(crate) fn online(&mut self, online: bool) {
        self.schedule.set_online(online, self.now);
        self.keep();
    }

    pub(crate) fn sleep(&mut self, time: Duration) {
        self.pass(time);
        let dice = &mut self.dice;
        self.schedule.woke(self.now, &mut || dice.draw());
        self.keep();
    }

    pub(crate) fn set_back(&mut self, by: Duration) {
        self.now = self.now.checked_sub(by).expect("a moment");
        self.plan_after_jump();
    }

    /// Rows that were read before the schedule saw the jump cannot be right; the rules must.
    fn plan_after_jump(&mut self) {
        let dice = &mut self.dice;
        let checks = self.schedule.plan(self.now, &mut || dice.draw());
        self.keep();
        for check in &checks {
            let wait = self.disk.saved.hosts.iter_mut().find(|r| r.host == check.host.as_str());
            if let Some(wait) = wait.and_then(|record| record.wait.as_mut()) {
                // Reserving moved it one interval on; what counts is that it was over before.
                wait.next_retry_ms = wait.next_retry_ms.min(self.now.as_millisecond());
            }
            self.goes_out(check);
        }
    }

    pub(crate) fn crash(&mut self) {
        let dice = &mut self.dice;
        let saved = self.disk.saved.clone();
        let (schedule, problems) = Schedule::restore(saved, self.now, &mut || dice.draw());
        assert_eq!(problems, [], "what we stored ourselves is fine");
        self.schedule = schedule;
        self.out.clear();
        self.held.clear();
        self.off.full = false;
        self.keep();
    }

    pub(crate) fn ask(&mut self, url: &str, purpose: Purpose) {
        let url = SearchUrl::parse(url).expect("an address");
        let dice = &mut self.dice;
        match self.schedule.ask(&url, purpose, self.now, &mut || dice.draw()) {
            Permit::Go(check) => {
                assert!(!self.off.full, "nothing could be kept");
                self.goes_out(&check);
            }
            Permit::NotBefore { at, .. } => assert!(at >= self.now),
        }
        self.keep();
    }

    /// From now on all is well: within the longest wait and its own interval every enabled search
    /// is looked at.
    pub(crate) fn everything_gets_its_turn(&mut self) {
        self.start();
        self.storage(None);
        for host in self.held.keys().cloned().collect::<Vec<_>>() {
            self.release(&host);
        }
        while !self.out.is_empty() {
            self.report(0, &Outcome::Answer, Seen::fine(20));
        }
        let begin = self.real;
        let end = begin + secs(2 * 3600);
        while self.real < end {
            let Some(at) = self.schedule.next_wake(self.now) else { break };
            let by = Duration::try_from(at.duration_since(self.now)).unwrap_or_default();
            self.pass(by.max(Duration::from_millis(1)));
            self.plan();
            while !self.out.is_empty() {
                self.report(0, &Outcome::Answer, Seen::fine(20));
            }
        }
        for row in self.schedule.rows(self.now) {
            let gone = matches!(row.state, RowState::PageGone { .. } | RowState::Paused);
            let last = self.last_sent.get(&row.search).copied().unwrap_or_default();
            assert!(gone || last > begin, "{:?} starves: {:?}", row.search, row.state);
        }
    }
}
