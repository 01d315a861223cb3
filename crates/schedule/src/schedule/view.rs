//! What the rows say, and the app's status.

use std::collections::BTreeMap;
use std::time::Duration;

use firstknock_listing::{Domain, SearchId};
use firstknock_policy::Kind;
use firstknock_policy::ledger::Record;
use jiff::Timestamp;

use super::plan::Candidate;
use super::{INTERVAL_SPREAD, Schedule};
use crate::state::{Look, Search};
use crate::{AppStatus, Finding, IntervalUsed, Row, RowState, Turn, Why};

/// When each candidate goes out, if nothing else happens.
pub(super) type Turns = BTreeMap<SearchId, Timestamp>;

impl Schedule {
    /// All rows, in the user's order. Each shows when the next request goes out that it waits for:
    /// nothing that it waits for goes out before, and the soonest of all goes out exactly then.
    pub fn rows(&self, now: Timestamp) -> Vec<Row> {
        let now = now.max(self.clock);
        let turns = self.turns(now);
        let mut searches: Vec<_> = self.searches.values().collect();
        searches.sort_by_key(|search| (search.spec.order, search.spec.id));
        searches.into_iter().map(|search| self.row(search, &turns, now)).collect()
    }

    /// The app's status.
    pub fn status(&self, now: Timestamp) -> AppStatus {
        let now = now.max(self.clock);
        if let Some((why, since)) = self.storage {
            return AppStatus::Stopped { why, since };
        }
        if let Some(since) = self.stopped {
            return AppStatus::Stopped { why: crate::StopWhy::User, since };
        }
        let turns = self.turns(now);
        let next_at = turns.values().min().copied();
        if let Some(offline) = &self.offline {
            return AppStatus::Offline { since: offline.since, next_at };
        }
        let flights = self.hosts.values().filter(|host| host.flight(now).is_some()).count();
        let due = turns.values().filter(|at| **at <= now).count();
        let enabled = u32::try_from(self.enabled_count()).unwrap_or(u32::MAX);
        match u32::try_from(flights + due).unwrap_or(u32::MAX) {
            0 => AppStatus::Idle { waiting: enabled, next_at },
            checking => AppStatus::Polling { checking, of: enabled },
        }
    }

    /// Plays the queue of each domain with the shortest gaps.
    pub(super) fn turns(&self, now: Timestamp) -> Turns {
        let mut queues: BTreeMap<&Domain, Vec<Candidate<'_>>> = BTreeMap::new();
        for candidate in self.candidates(now) {
            queues.entry(candidate.domain).or_default().push(candidate);
        }
        let mut turns = Turns::new();
        for (domain, mut queue) in queues {
            let mut gap = self.domains.get(domain).cloned().unwrap_or_default();
            while !queue.is_empty() {
                let ready = gap.ready_for_searches().max(now);
                let next = (0..queue.len())
                    .min_by_key(|i| (queue[*i].at.max(ready), queue[*i].key()))
                    .expect("BUG: the queue is not empty");
                let candidate = queue.swap_remove(next);
                let at = candidate.at.max(ready);
                gap.take(at, 0.0);
                let turn = turns.entry(candidate.search).or_insert(at);
                *turn = at.min(*turn);
            }
        }
        turns
    }

    fn row(&self, search: &Search, turns: &Turns, now: Timestamp) -> Row {
        let next_at = self.next_try(search, turns, now);
        Row {
            search: search.spec.id,
            host: search.host.clone(),
            state: self.row_state(search, next_at, now),
            retry: self.retry_of(search, now),
            next_at,
            interval: self.interval_used(search),
            answered_at: search.look.map(|look| look.at),
            listings: search.look.map(|look| look.listings),
        }
    }

    /// The next request that this row waits for: its own; the probe of its host; while offline
    /// whoever tries first.
    fn next_try(&self, search: &Search, turns: &Turns, now: Timestamp) -> Option<Timestamp> {
        if !search.spec.enabled || self.stopped.is_some() || self.storage.is_some() {
            return None;
        }
        let own = turns.get(&search.spec.id).copied();
        if self.offline.is_some() {
            return own.or_else(|| turns.values().min().copied());
        }
        let host = self.hosts.get(&search.host)?;
        if host.held.is_some() {
            return None;
        }
        if let Some(flight) = host.flight(now) {
            let waits_for_it = flight.search == Some(search.spec.id) || flight.deadline.is_some();
            let turn = search.by_hand.unwrap_or(self.own_turn(search).0);
            return (!waits_for_it).then(|| turn.max(now));
        }
        if self.ledger.get(&search.host).is_some() {
            let of_host = self.on_host(&search.host).into_iter();
            return of_host.filter_map(|other| turns.get(&other.spec.id).copied()).min();
        }
        own
    }

    fn interval_used(&self, search: &Search) -> IntervalUsed {
        let base = self.interval_of(search.spec.id);
        IntervalUsed {
            from: base.mul_f64(1.0 - INTERVAL_SPREAD),
            to: base.mul_f64(1.0 + INTERVAL_SPREAD),
            stretched: base > search.spec.interval() + Duration::from_millis(1),
        }
    }

    fn row_state(&self, search: &Search, next_at: Option<Timestamp>, now: Timestamp) -> RowState {
        if !search.spec.enabled {
            return RowState::Paused;
        }
        if self.stopped.is_some() || self.storage.is_some() {
            return RowState::Stopped;
        }
        if let Some(state) = self.under_way(search, now) {
            return state;
        }
        if let Some(offline) = &self.offline {
            return RowState::Offline { since: offline.since };
        }
        let next_at = next_at.unwrap_or_else(|| self.own_turn(search).0.max(now));
        if search.by_hand.is_some() {
            return RowState::Queued;
        }
        if let Some(gone) = search.gone {
            return RowState::PageGone { status: gone.status, since: gone.since, next_at };
        }
        if let Some(record) = self.ledger.get(&search.host) {
            return waiting(record, self.turn_of(search, record), false, next_at);
        }
        if let Some(record) = self.pages.get(&search.spec.id) {
            return waiting(record, Turn::First, true, next_at);
        }
        if let Some(reason) = search.error {
            return RowState::FirstError { reason, next_at };
        }
        match search.look {
            Some(look) => looked(look, next_at),
            None => RowState::Queued,
        }
    }

    /// Its own request is out, or the probe of its host.
    fn under_way(&self, search: &Search, now: Timestamp) -> Option<RowState> {
        let flight = self.hosts.get(&search.host)?.flight(now)?;
        let own = flight.search == Some(search.spec.id);
        let host_waits = flight.deadline.is_some();
        let page_waits = own && flight.page_deadline.is_some();
        if self.offline.is_some() && flight.why == Why::OfflineTest {
            return None;
        }
        let since = flight.since;
        if host_waits || page_waits {
            let turn = if own { Turn::First } else { Turn::Waits };
            return Some(RowState::Probing { host: search.host.clone(), since, turn });
        }
        own.then_some(RowState::Checking { since })
    }

    fn turn_of(&self, search: &Search, record: &Record) -> Turn {
        let searches = self.on_host(&search.host);
        let host = self.hosts.get(&search.host);
        let prober = host.and_then(|host| self.prober(host, record, &searches));
        match prober {
            Some(first) if first.spec.id == search.spec.id => Turn::First,
            Some(_) | None => Turn::Waits,
        }
    }
}

fn waiting(record: &Record, turn: Turn, page_only: bool, retry_at: Timestamp) -> RowState {
    let reason = record.reason;
    match record.kind {
        Kind::Challenge | Kind::RateLimited => {
            RowState::Blocked { wall: record.kind, reason, turn, retry_at, asked: record.asked }
        }
        Kind::Denied => RowState::NeedsYou { reason, turn, retry_at, page_only },
        Kind::Error => RowState::ErrorWaiting { reason, turn, retry_at },
    }
}

fn looked(look: Look, next_at: Timestamp) -> RowState {
    let Look { at: checked_at, listings, before, finding } = look;
    match finding {
        Finding::Empty => RowState::Empty { checked_at, next_at },
        Finding::Broken | Finding::Unsure => RowState::Suspicious {
            recognised: listings,
            before: before.unwrap_or_default(),
            finding,
            checked_at,
            next_at,
        },
        Finding::Fine | Finding::Degraded | Finding::ReKeyed => {
            RowState::Ok { listings, checked_at, next_at, finding }
        }
    }
}
