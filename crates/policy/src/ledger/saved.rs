//! A record as it is stored, and reading it back with distrust.

use std::time::Duration;

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use super::{MAX_EVIDENCE, Record, later};
use crate::ladder::MAX_WAIT;
use crate::{Kind, Reason};

/// A [`Record`] in plain words and unix milliseconds. Any value can be read; [`SavedWait::read`]
/// says which could not be true.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct SavedWait {
    /// [`Kind::code`]; a newer version may know more words.
    pub kind: String,
    /// Consecutive failures.
    pub failures: i64,
    /// Nobody asks before that time, unix ms.
    pub next_retry_ms: i64,
    /// Since when it does not answer, unix ms.
    pub since_ms: i64,
    /// When the last failure was recorded, unix ms.
    pub at_ms: i64,
    /// What the site asked for, in ms, before the cap.
    pub asked_ms: Option<i64>,
    /// Why; a word that this version does not know reads as [`Reason::Unknown`].
    pub reason: Option<Reason>,
    /// Whose guard.
    pub vendor: Option<String>,
    /// What was seen.
    pub evidence: Vec<String>,
}

/// What was wrong with a stored record.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Fault {
    /// It would have slept beyond the cap; clamped.
    TooFar,
    /// A count or time that cannot be, by the field's name; set to the nearest that can.
    Impossible(&'static str),
    /// A kind of a newer version: waits out its deadline as an error.
    UnknownKind(String),
}

impl SavedWait {
    /// Reads a record back. Whatever was stored, the result waits no longer than the cap from
    /// `now`: a clock that was wrong once must not put a search to sleep for months.
    pub fn read(&self, now: Timestamp) -> (Record, Vec<Fault>) {
        let mut faults = Vec::new();
        let kind = Kind::from_code(&self.kind);
        if kind.is_none() {
            faults.push(Fault::UnknownKind(self.kind.clone()));
        }
        let failures = u32::try_from(self.failures).ok().filter(|f| *f > 0).unwrap_or_else(|| {
            faults.push(Fault::Impossible("failures"));
            1
        });
        let latest = later(now, MAX_WAIT);
        let next_retry = match Timestamp::from_millisecond(self.next_retry_ms) {
            Ok(_) | Err(_) if self.next_retry_ms < 0 => {
                faults.push(Fault::Impossible("next_retry"));
                now
            }
            Ok(at) if at <= latest => at,
            Ok(_) | Err(_) => {
                faults.push(Fault::TooFar);
                latest
            }
        };
        let at = past(self.at_ms, now, "at", &mut faults);
        let since = past(self.since_ms, now, "since", &mut faults).min(at);
        let asked = self.asked_ms.and_then(|ms| {
            let asked = u64::try_from(ms).ok().map(Duration::from_millis);
            if asked.is_none() {
                faults.push(Fault::Impossible("asked"));
            }
            asked
        });
        let evidence = self.evidence.iter().take(MAX_EVIDENCE).cloned().collect();
        let record = Record {
            kind: kind.unwrap_or(Kind::Error),
            failures: if kind.is_some() { failures } else { 1 },
            next_retry,
            since,
            at,
            asked,
            reason: self.reason.unwrap_or(Reason::Unknown),
            vendor: self.vendor.clone(),
            evidence,
        };
        (record, faults)
    }
}

/// A time that must lie in the past; one in the future (the clock was set back meanwhile) is now.
fn past(ms: i64, now: Timestamp, field: &'static str, faults: &mut Vec<Fault>) -> Timestamp {
    match Timestamp::from_millisecond(ms) {
        Ok(at) if at <= now && ms >= 0 => at,
        Ok(_) | Err(_) => {
            faults.push(Fault::Impossible(field));
            now
        }
    }
}

impl From<&Record> for SavedWait {
    fn from(record: &Record) -> Self {
        Self {
            kind: record.kind.code().to_owned(),
            failures: i64::from(record.failures),
            next_retry_ms: record.next_retry.as_millisecond(),
            since_ms: record.since.as_millisecond(),
            at_ms: record.at.as_millisecond(),
            asked_ms: record.asked.map(|a| i64::try_from(a.as_millis()).unwrap_or(i64::MAX)),
            reason: Some(record.reason),
            vendor: record.vendor.clone(),
            evidence: record.evidence.clone(),
        }
    }
}
