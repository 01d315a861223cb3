//! What goes out now, and when the next thing does.
//!
//! One list of candidates serves the plan, the next wake-up and the rows, so that a row's next
//! try is what the plan does.

use std::time::Duration;

use firstknock_listing::{Domain, HostKey, Revision, SearchId, SearchUrl};
use firstknock_policy::jitter::plus_minus;
use firstknock_policy::ladder::MAX_WAIT;
use firstknock_policy::ledger::Record;
use jiff::Timestamp;

use super::offline::TEST_EVERY;
use super::{Dice, INTERVAL_SPREAD, LOST_AFTER, Schedule};
use crate::state::{Flight, GAP, Host, Search};
use crate::time::{earlier, later};
use crate::{Check, CheckId, NotYet, Note, Permit, Purpose, Why};

/// What a person asked for goes before searches that are overdue by less than this.
const HEAD_START: Duration = Duration::from_secs(30);
/// Photos leave this many of a domain's requests per minute to the pages of searches there.
const KEPT_FOR_PAGES: usize = 5;
/// A photo goes out only where no search of its domain is due so soon: neither the gap that it
/// takes nor a slow answer may make a page late (a photo's own time limit is 6 s, the gap 3.9 s).
const ROOM_FOR_A_PHOTO: Duration = Duration::from_secs(10);

/// Something that wants to go out.
#[derive(Debug, Clone, Copy)]
pub(super) struct Candidate<'a> {
    pub(super) domain: &'a Domain,
    pub(super) search: SearchId,
    pub(super) why: Why,
    /// Not before then; gap and rate may make it later.
    pub(super) at: Timestamp,
    order: i64,
}

impl<'a> Candidate<'a> {
    fn new(search: &'a Search, why: Why, at: Timestamp) -> Self {
        Self { domain: &search.domain, search: search.spec.id, why, at, order: search.spec.order }
    }

    /// Oldest first, a person's wish with a head start, then the user's order.
    pub(super) fn key(&self) -> (Timestamp, i64, SearchId) {
        let by_hand = matches!(self.why, Why::Manual | Why::AfterHand);
        let at = if by_hand { earlier(self.at, HEAD_START) } else { self.at };
        (at, self.order, self.search)
    }
}

impl Schedule {
    /// What goes out now. Each check is reserved: its host is busy, its domain's gap runs, and its
    /// next turn is set, so that a crash loop stays polite. Drain [`Schedule::take_change`] and
    /// keep it before sending.
    pub fn plan(&mut self, now: Timestamp, dice: Dice<'_>) -> Vec<Check> {
        let now = self.observe(now);
        self.give_up_lost(now);
        let mut ready = self.candidates(now);
        ready.retain(|candidate| candidate.at <= now);
        ready.sort_by_key(Candidate::key);
        let mut checks = Vec::new();
        let ready: Vec<_> = ready.into_iter().map(|c| (c.search, c.why)).collect();
        for (id, why) in ready {
            let search = &self.searches[&id];
            let busy = self.hosts[&search.host].flight(now).is_some();
            if busy || self.searches_ready(&search.domain) > now {
                continue;
            }
            let (revision, url) = (search.spec.revision, search.spec.url.clone());
            let host = search.host.clone();
            checks.push(self.reserve(Some((id, revision)), host, url, why, now, dice));
        }
        checks
    }

    /// Asks to send something that is no check of a saved search: the same gap, rate and ledger.
    /// It gives way to searches that are long overdue on the domain, a photo to any that is due
    /// or soon will be.
    pub fn ask(
        &mut self,
        url: &SearchUrl,
        purpose: Purpose,
        now: Timestamp,
        dice: Dice<'_>,
    ) -> Permit {
        let now = self.observe(now);
        self.give_up_lost(now);
        let host = url.host();
        if let Some((at, why)) = self.in_the_way(&host, purpose, now) {
            return Permit::NotBefore { at: at.max(now), why };
        }
        Permit::Go(self.reserve(None, host, url.clone(), Why::from(purpose), now, dice))
    }

    /// When to call [`Schedule::plan`] again, at the latest. `None`: only an event can change
    /// anything.
    pub fn next_wake(&self, now: Timestamp) -> Option<Timestamp> {
        let now = now.max(self.clock);
        let soonest = self.candidates(now).iter().map(|c| self.goes_out(c, now)).min();
        let flights = self.hosts.values().filter_map(|host| host.flight(now));
        let lost = flights.map(|flight| later(flight.since, LOST_AFTER)).min();
        [soonest, lost].into_iter().flatten().min().map(|at| at.max(now))
    }

    /// When a candidate goes out if nothing else takes its place.
    pub(super) fn goes_out(&self, candidate: &Candidate<'_>, now: Timestamp) -> Timestamp {
        candidate.at.max(self.searches_ready(candidate.domain)).max(now)
    }

    pub(super) fn searches_ready(&self, domain: &Domain) -> Timestamp {
        self.domains.get(domain).map_or(Timestamp::MIN, |gap| gap.ready_for_searches())
    }

    /// Everything that wants to go out, now or later, with the time that ladder, interval, grace
    /// and offline test allow it. Hosts that are busy or held have none.
    pub(super) fn candidates(&self, now: Timestamp) -> Vec<Candidate<'_>> {
        if self.stopped.is_some() || self.storage.is_some() {
            return Vec::new();
        }
        let mut all = Vec::new();
        for (key, host) in &self.hosts {
            if host.flight(now).is_none() && host.held.is_none() {
                self.add_candidates(key, host, &mut all);
            }
        }
        if self.offline.is_some() {
            all.retain(|candidate| matches!(candidate.why, Why::Manual | Why::AfterHand));
            all.extend(self.offline_test(now));
        }
        if let Some(grace) = self.grace_until {
            for candidate in &mut all {
                candidate.at = candidate.at.max(grace);
            }
        }
        all
    }

    fn add_candidates<'a>(&'a self, key: &HostKey, host: &Host, all: &mut Vec<Candidate<'a>>) {
        let searches = self.on_host(key);
        for search in searches.iter().copied() {
            if let Some(at) = search.by_hand {
                all.push(Candidate::new(search, Why::Manual, at));
            }
        }
        if let Some((id, at)) = host.free_probe
            && let Some(search) = searches.iter().copied().find(|search| search.spec.id == id)
        {
            all.push(Candidate::new(search, Why::AfterHand, at));
        }
        if let Some(record) = self.ledger.get(key) {
            let prober = self.prober(host, record, &searches);
            all.extend(prober.map(|search| {
                // Where every page waits alone as well, the probe's own wait counts too.
                let page = self.pages.get(&search.spec.id).map(|page| page.next_retry);
                let at = page.map_or(record.next_retry, |page| page.max(record.next_retry));
                Candidate::new(search, Why::Probe, at)
            }));
            return;
        }
        for search in searches {
            let (at, why) = self.own_turn(search);
            all.push(Candidate::new(search, why, at));
        }
    }

    /// A search's own turn while its host is welcome: its interval, or the wait of its page alone.
    pub(super) fn own_turn(&self, search: &Search) -> (Timestamp, Why) {
        match self.pages.get(&search.spec.id) {
            Some(record) => (record.next_retry, Why::Probe),
            None => (search.due, Why::Due),
        }
    }

    /// The search that goes back in: the first the user has there, so that the probe is the same
    /// page each time; on the top rung with one search refused, every second time the next one.
    pub(super) fn prober<'a>(
        &self,
        host: &Host,
        record: &Record,
        searches: &[&'a Search],
    ) -> Option<&'a Search> {
        let usable =
            |search: &&&Search| search.gone.is_none() && self.pages.get(&search.spec.id).is_none();
        let first = searches.iter().find(usable).or(searches.first()).copied()?;
        if self.wants_second_opinion(host, record) {
            let other = searches
                .iter()
                .filter(usable)
                .find(|search| !host.refused.contains(&search.spec.id));
            return Some(other.copied().unwrap_or(first));
        }
        Some(first)
    }

    fn wants_second_opinion(&self, host: &Host, record: &Record) -> bool {
        record.on_top() && host.refused.len() == 1 && host.top_probes % 2 == 1
    }

    /// While offline: one host that is not waiting, the one that was tried longest ago.
    fn offline_test(&self, now: Timestamp) -> Option<Candidate<'_>> {
        let offline = self.offline.as_ref()?;
        let free =
            self.hosts.iter().filter(|(_, host)| host.flight(now).is_none() && host.held.is_none());
        let candidate = |(key, host): (&HostKey, &Host)| {
            let searches = self.on_host(key);
            let record = self.ledger.get(key);
            let search = match record {
                Some(record) => self.prober(host, record, &searches)?,
                None => searches.iter().copied().min_by_key(|search| self.own_turn(search))?,
            };
            let page = self.pages.get(&search.spec.id);
            let ends = [record, page].into_iter().flatten().map(|record| record.next_retry);
            let waits = ends.max().unwrap_or(Timestamp::MIN);
            let test = Candidate::new(search, Why::OfflineTest, waits.max(offline.next_test));
            let at = self.goes_out(&test, now);
            Some(((at, host.tested_at, test.order, test.search), test))
        };
        free.filter_map(candidate).min_by_key(|(key, _)| *key).map(|(_, test)| test)
    }

    fn in_the_way(
        &mut self,
        key: &HostKey,
        purpose: Purpose,
        now: Timestamp,
    ) -> Option<(Timestamp, NotYet)> {
        let by_person = matches!(purpose, Purpose::Preview | Purpose::ByHand);
        if self.storage.is_some() || (self.stopped.is_some() && !by_person) {
            return Some((later(now, TEST_EVERY), NotYet::Stopped));
        }
        if let Some(grace) = self.grace_until.filter(|grace| now < *grace) {
            return Some((grace, NotYet::Offline));
        }
        if self.offline.is_some() && !by_person {
            return Some((later(now, TEST_EVERY), NotYet::Offline));
        }
        let host = self.hosts.get(key);
        if host.is_some_and(|host| host.held.is_some()) {
            return Some((later(now, GAP), NotYet::SiteOpen));
        }
        if let Some(record) = self.ledger.get(key)
            && (record.next_retry > now || purpose == Purpose::Photo)
        {
            return Some((record.next_retry.max(later(now, GAP)), NotYet::HostWaits));
        }
        if host.is_some_and(|host| host.flight(now).is_some()) {
            return Some((later(now, GAP), NotYet::Busy));
        }
        let rest = host.and_then(|host| host.photos_rest).filter(|until| *until > now);
        if let (Purpose::Photo, Some(until)) = (purpose, rest) {
            return Some((until, NotYet::PhotosRest));
        }
        self.gap_in_the_way(&key.domain(), purpose, now)
    }

    fn gap_in_the_way(
        &mut self,
        domain: &Domain,
        purpose: Purpose,
        now: Timestamp,
    ) -> Option<(Timestamp, NotYet)> {
        let next = self.candidates(now).into_iter().filter(|c| c.domain == domain).map(|c| c.at);
        let next = next.min();
        let overdue = next.is_some_and(|at| match purpose {
            Purpose::Photo => at <= later(now, ROOM_FOR_A_PHOTO),
            Purpose::Preview | Purpose::ByHand | Purpose::Page => later(at, HEAD_START) <= now,
        });
        let gap = self.domains.entry(domain.clone()).or_default();
        let ready = match purpose {
            Purpose::Photo => gap.ready_for_searches(),
            Purpose::Preview | Purpose::ByHand | Purpose::Page => gap.ready(),
        };
        if overdue {
            return Some((later(ready.max(now), GAP), NotYet::Gap));
        }
        if ready > now {
            if purpose != Purpose::Photo {
                gap.promise();
            }
            return Some((ready, NotYet::Gap));
        }
        let minute_ago = earlier(now, crate::state::RATE_WINDOW);
        let recent = gap.recent.iter().filter(|at| **at > minute_ago).count();
        let pages_there = || self.searches.values().any(|s| s.spec.enabled && s.domain == *domain);
        if purpose == Purpose::Photo && recent >= KEPT_FOR_PAGES && pages_there() {
            return Some((later(now, GAP), NotYet::Gap));
        }
        None
    }

    fn reserve(
        &mut self,
        search: Option<(SearchId, Revision)>,
        host: HostKey,
        url: SearchUrl,
        why: Why,
        now: Timestamp,
        dice: Dice<'_>,
    ) -> Check {
        self.next_id += 1;
        let id = CheckId(self.next_id);
        let domain = host.domain();
        self.domains.entry(domain.clone()).or_default().take(now, dice());
        self.dirty.domain(&domain);
        let search_id = search.map(|(id, _)| id);
        let base = search_id.map_or(crate::DEFAULT_INTERVAL, |id| self.interval_of(id));
        let next_turn = later(now, plus_minus(base, INTERVAL_SPREAD, dice()));
        let record = self.ledger.get(&host);
        let entry = self.hosts.entry(host.clone()).or_default();
        let deadline = record.map(|record| record.next_retry);
        if record.is_some_and(|r| why == Why::Probe && r.on_top() && entry.refused.len() == 1) {
            entry.top_probes = entry.top_probes.saturating_add(1);
        }
        let page = search_id.and_then(|id| self.pages.get(&id));
        let page_deadline = page.map(|record| record.next_retry);
        entry.flight =
            Some(Flight { id, search: search_id, why, since: now, deadline, page_deadline });
        if why == Why::AfterHand {
            entry.free_used = true;
        }
        // One request finds out for all that wanted to know.
        entry.free_probe =
            entry.free_probe.filter(|(wanted, _)| deadline.is_none() && Some(*wanted) != search_id);
        if deadline.is_some() {
            for other in self.searches.values_mut().filter(|search| search.host == host) {
                other.by_hand = None;
            }
        }
        if why == Why::OfflineTest {
            entry.tested_at = Some(now);
            if let Some(offline) = &mut self.offline {
                offline.next_test = later(now, TEST_EVERY);
            }
        }
        // If the program dies now, or the answer is lost, the next try is one interval away.
        let held_off = next_turn.min(later(now, MAX_WAIT));
        self.ledger.postpone(&host, held_off);
        self.dirty.host(&host);
        if let Some(id) = search_id {
            self.pages.postpone(&id, held_off);
            let search = self.search_mut(id);
            search.asked_at = Some(now);
            search.by_hand = None;
            search.due = next_turn;
            self.dirty.search(id);
        }
        let revision = search.map_or(Revision::default(), |(_, revision)| revision);
        Check { id, search: search_id, revision, host, domain, url, why, at: now }
    }

    /// A check was never sent (shutdown, a shell that broke): its host is free again. What it
    /// reserved stays reserved.
    pub fn abandon(&mut self, check: &Check, now: Timestamp) {
        self.observe(now);
        if let Some(host) = self.hosts.get_mut(&check.host) {
            host.flight = host.flight.filter(|flight| flight.id != check.id);
        }
    }

    /// What a permit becomes whose reservation could not be kept: the check does not go out.
    pub fn not_reserved(&mut self, check: &Check, now: Timestamp) -> Permit {
        self.abandon(check, now);
        Permit::NotBefore { at: later(now, TEST_EVERY), why: NotYet::Stopped }
    }

    fn give_up_lost(&mut self, now: Timestamp) {
        for (key, host) in &mut self.hosts {
            if host.flight.is_some() && host.flight(now).is_none() {
                host.flight = None;
                self.dirty.notes.push(Note::CheckLost { host: key.clone() });
            }
        }
        self.domains.retain(|_, gap| !gap.is_idle(now));
    }
}
