//! Who is left alone, until when and why: one record per key.
//!
//! The key is whoever refused: a host, or one page where only that page is refused. **Promises**:
//! the same kind climbs one rung, another kind starts its own ladder; nothing sleeps beyond the
//! cap, whatever was stored. **Leaves out**: whether a failure counts (that is `schedule`'s
//! decision), and what the record is saved in.

mod saved;

use std::collections::BTreeMap;
use std::time::Duration;

use jiff::Timestamp;

use crate::ladder::{self, MAX_WAIT};
use crate::{Kind, Reason};

pub use saved::{Fault, SavedWait};

/// At most so many lines of evidence are kept.
const MAX_EVIDENCE: usize = 12;

/// All records of one sort of key.
#[derive(Debug, Clone, PartialEq)]
pub struct Ledger<K: Ord> {
    records: BTreeMap<K, Record>,
}

/// Why one key is left alone.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Record {
    /// Which ladder.
    pub kind: Kind,
    /// Consecutive failures of that kind, from 1.
    pub failures: u32,
    /// Nobody asks before that time.
    pub next_retry: Timestamp,
    /// Since when it does not answer, whatever the kinds.
    pub since: Timestamp,
    /// When the last failure was recorded.
    pub at: Timestamp,
    /// What the site asked for with the last failure, before the cap.
    pub asked: Option<Duration>,
    /// Why, as a code.
    pub reason: Reason,
    /// Whose guard it was.
    pub vendor: Option<String>,
    /// What was seen.
    pub evidence: Vec<String>,
}

/// One failure that counts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Failure {
    /// Which ladder.
    pub kind: Kind,
    /// Why.
    pub reason: Reason,
    /// Whose guard, if known.
    pub vendor: Option<String>,
    /// What the site asked for.
    pub retry_after: Option<Duration>,
    /// What was seen.
    pub evidence: Vec<String>,
}

impl<K: Ord> Default for Ledger<K> {
    fn default() -> Self {
        Self { records: BTreeMap::new() }
    }
}

impl<K: Ord + Clone> Ledger<K> {
    /// Records one failure and says how it stands now.
    pub fn record(&mut self, key: K, failure: Failure, now: Timestamp, random: f64) -> &Record {
        let old = self.records.get(&key);
        let failures = match old {
            Some(old) if old.kind == failure.kind => old.failures.saturating_add(1),
            Some(_) | None => 1,
        };
        let wait = ladder::delay_for(failure.kind, failures, failure.retry_after, random);
        let mut evidence = failure.evidence;
        evidence.truncate(MAX_EVIDENCE);
        let record = Record {
            kind: failure.kind,
            failures,
            next_retry: later(now, wait),
            since: old.map_or(now, |old| old.since.min(now)),
            at: now,
            asked: failure.retry_after,
            reason: failure.reason,
            vendor: failure.vendor,
            evidence,
        };
        self.records.insert(key.clone(), record);
        self.records.get(&key).expect("BUG: it was inserted just now")
    }

    /// Forgets a key: it answered.
    pub fn clear(&mut self, key: &K) -> Option<Record> {
        self.records.remove(key)
    }

    /// Puts a record in as it is: read back at start, undone, or handed over.
    pub fn put(&mut self, key: K, record: Record) {
        self.records.insert(key, record);
    }

    /// Moves a wait's end to `until` if that is later (a probe met a first error: the record
    /// stays, and one interval later one probe goes again).
    pub fn postpone(&mut self, key: &K, until: Timestamp) {
        if let Some(record) = self.records.get_mut(key) {
            record.next_retry = record.next_retry.max(until);
        }
    }

    /// Clamps every wait to `now` + the cap; says how many were moved.
    pub fn clamp(&mut self, now: Timestamp) -> usize {
        let latest = later(now, MAX_WAIT);
        let far = self.records.values_mut().filter(|record| record.next_retry > latest);
        far.map(|record| record.next_retry = latest).count()
    }

    /// Moves every time along with a wall clock that was set back by `by`, so that what remains
    /// of each wait stays what it was.
    pub fn set_back(&mut self, by: Duration) {
        for record in self.records.values_mut() {
            record.set_back(by);
        }
    }
}

impl<K: Ord> Ledger<K> {
    /// The record of a key.
    pub fn get(&self, key: &K) -> Option<&Record> {
        self.records.get(key)
    }

    /// Whether a key is still to be left alone.
    pub fn waits(&self, key: &K, now: Timestamp) -> bool {
        self.records.get(key).is_some_and(|record| record.next_retry > now)
    }

    /// The key that comes due first; the smaller key if two come due together.
    pub fn soonest(&self) -> Option<(&K, &Record)> {
        self.records.iter().min_by_key(|(_, record)| record.next_retry)
    }

    /// All records, by key.
    pub fn iter(&self) -> impl Iterator<Item = (&K, &Record)> {
        self.records.iter()
    }
}

impl Record {
    /// Moves all its times along with a wall clock that was set back.
    pub fn set_back(&mut self, by: Duration) {
        for time in [&mut self.next_retry, &mut self.since, &mut self.at] {
            *time = earlier(*time, by);
        }
    }

    /// Until when what the site asked for runs: never beyond our own deadline, so that a
    /// Retry-After above the cap locks nothing for longer than we wait ourselves.
    pub fn asked_until(&self) -> Option<Timestamp> {
        self.asked.map(|asked| later(self.at, asked).min(self.next_retry))
    }

    /// Whether the last rung is reached.
    pub fn on_top(&self) -> bool {
        ladder::is_top(self.kind, self.failures)
    }
}

/// `now + wait`, at the end of time if it would be beyond.
pub(crate) fn later(now: Timestamp, wait: Duration) -> Timestamp {
    now.checked_add(wait).unwrap_or(Timestamp::MAX)
}

/// `now - by`, at the beginning of time if it would be before.
pub(crate) fn earlier(now: Timestamp, by: Duration) -> Timestamp {
    now.checked_sub(by).unwrap_or(Timestamp::MIN)
}
