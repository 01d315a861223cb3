//! Reading everything back at start, with distrust.

use std::time::Duration;

use firstknock_listing::{HostKey, SearchId};
use firstknock_policy::jitter::longer;
use firstknock_policy::ladder::MAX_WAIT;
use firstknock_policy::ledger::{Fault, Record, SavedWait};
use jiff::Timestamp;

use super::offline::Offline;
use super::report::answered::GONE_EVERY;
use super::{Dice, Schedule};
use crate::state::{GAP, GAP_SPREAD, Gap, Gone, Host, Look, RATE, Search, Strikes};
use crate::time::{later, whole_ms};
use crate::{
    DomainState, Finding, HostRecord, MAX_ENABLED, Problem, Saved, SearchSpec, SearchState,
};

/// Catching up after a sleep or a wait may put a turn off by so much.
const LONGEST_SPREAD: Duration = Duration::from_secs(300);

impl Schedule {
    /// Reads everything back. What cannot be is clamped or set aside and named; nothing sleeps for
    /// ever. What is overdue is spread, oldest first; what is not due yet keeps its phase.
    pub fn restore(saved: Saved, now: Timestamp, dice: Dice<'_>) -> (Self, Vec<Problem>) {
        let mut problems = Vec::new();
        let now = whole_ms(now);
        let mut schedule = Self { clock: now, ..Self::default() };
        let past = |ms: i64| read_past(ms, now);
        schedule.stopped = saved.app.stopped_ms.map(past);
        let offline = saved.app.offline_ms.map(past);
        schedule.offline = offline.map(|since| Offline::restored(since, now));
        for record in saved.hosts {
            schedule.read_host(record, now, &mut problems);
        }
        for state in saved.domains {
            let domain = HostKey::from_stored(&state.domain).domain();
            schedule.domains.insert(domain, read_gap(&state, now));
        }
        let mut searches = saved.searches;
        searches.sort_by_key(|(spec, _)| (spec.order, spec.id));
        for (spec, state) in searches {
            schedule.read_search(spec, state, now, &mut problems);
        }
        schedule.clamp_turns(now, &mut problems);
        schedule.catch_up(now, now, dice);
        schedule.forget_blank_hosts(now);
        (schedule, problems)
    }

    fn read_host(&mut self, saved: HostRecord, now: Timestamp, problems: &mut Vec<Problem>) {
        let key = HostKey::from_stored(&saved.host);
        if let Some(wait) = &saved.wait {
            let record = read_wait(wait, &saved.host, now, problems);
            self.ledger.put(key.clone(), record);
            self.dirty.host(&key);
        }
        let strikes = Strikes {
            count: saved.strikes,
            at: saved.strike_ms.map(|ms| read_past(ms, now)),
            reason: saved.strike_reason,
        };
        let host = Host {
            refused: saved.refused.into_iter().collect(),
            top_probes: saved.top_probes,
            lone: saved.lone,
            free_used: saved.free_probe_used,
            strikes,
            odd: saved.odd_one_out,
            lockout: saved.lockout.read(now),
            ..Host::default()
        };
        self.hosts.insert(key, host);
    }

    fn read_search(
        &mut self,
        mut spec: SearchSpec,
        state: Option<SearchState>,
        now: Timestamp,
        problems: &mut Vec<Problem>,
    ) {
        let id = spec.id;
        if spec.enabled && self.enabled_count() >= MAX_ENABLED {
            spec.enabled = false;
            problems.push(Problem::TooManyEnabled { search: id });
        }
        let mut search = Search::new(spec, now);
        let state = state.unwrap_or_default();
        let time = |ms: Option<i64>| ms.map(|ms| read_past(ms, now));
        if let Some(ms) = state.next_due_ms {
            search.due = Timestamp::from_millisecond(ms).unwrap_or(Timestamp::MAX);
        }
        search.asked_at = time(state.asked_ms);
        search.gone = time(state.gone_ms).map(|since| Gone { since, status: state.gone_status });
        search.error = state.error_reason;
        search.look = time(state.answered_ms).map(|at| Look {
            at,
            listings: state.listings.unwrap_or_default(),
            before: state.before,
            finding: state.finding.unwrap_or(Finding::Fine),
        });
        self.searches.insert(id, search);
        self.host_entry(id);
        if let Some(wait) = &state.wait {
            let record = read_wait(wait, &format!("search {id}"), now, problems);
            self.pages.put(id, record);
            self.dirty.search(id);
        }
    }

    /// No search is due later than its interval allows, whatever was stored.
    fn clamp_turns(&mut self, now: Timestamp, problems: &mut Vec<Problem>) {
        let ids: Vec<SearchId> = self.searches.keys().copied().collect();
        for id in ids {
            let base = self.interval_of(id);
            let search = self.search_mut(id);
            let every = search.gone.map_or(base, |_| GONE_EVERY);
            let longest = longer(every, super::INTERVAL_SPREAD, 1.0) + LONGEST_SPREAD;
            if search.due > later(now, longest) {
                search.due = later(now, base);
                self.dirty.search(id);
                problems.push(Problem::TooFar { whose: format!("search {id}") });
            }
        }
    }
}

fn read_past(ms: i64, now: Timestamp) -> Timestamp {
    Timestamp::from_millisecond(ms).map_or(now, |at| at.min(now))
}

fn read_wait(
    saved: &SavedWait,
    whose: &str,
    now: Timestamp,
    problems: &mut Vec<Problem>,
) -> Record {
    let (record, faults) = saved.read(now);
    let whose = || whose.to_owned();
    problems.extend(faults.into_iter().map(|fault| match fault {
        Fault::TooFar => Problem::TooFar { whose: whose() },
        Fault::Impossible(field) => Problem::Impossible { whose: whose(), field },
        Fault::UnknownKind(kind) => Problem::UnknownKind { whose: whose(), kind },
    }));
    debug_assert!(record.next_retry <= later(now, MAX_WAIT), "read() clamps");
    record
}

fn read_gap(saved: &DomainState, now: Timestamp) -> Gap {
    let longest = later(now, longer(GAP, GAP_SPREAD, 1.0));
    let free_at = Timestamp::from_millisecond(saved.free_ms).map_or(longest, |at| at.min(longest));
    let mut recent: Vec<_> = saved.recent_ms.iter().map(|ms| read_past(*ms, now)).collect();
    recent.sort_unstable();
    let surplus = recent.len().saturating_sub(RATE);
    Gap { free_at, recent: recent.split_off(surplus).into(), promised: None }
}
