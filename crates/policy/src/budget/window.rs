//! What was spent within a rolling span.

use std::collections::VecDeque;
use std::time::Duration;

use jiff::Timestamp;

use crate::ledger::later;

/// Spendings, oldest first, and their sum: asking costs no more with many of them.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(super) struct Window {
    entries: VecDeque<Entry>,
    sum: u128,
}

/// All that was spent from `from` to `to`; it ages out with its last spending.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Entry {
    from: Timestamp,
    to: Timestamp,
    cost: u64,
}

impl Window {
    pub(super) fn spent(&self, span: Duration, now: Timestamp) -> u64 {
        let aged_out = self.entries.iter().take_while(|entry| now >= later(entry.to, span));
        let gone: u128 = aged_out.map(|entry| u128::from(entry.cost)).sum();
        u64::try_from(self.sum - gone).unwrap_or(u64::MAX)
    }

    /// Adds a spending; what falls within `grain` of an entry's begin joins that entry.
    pub(super) fn add(&mut self, cost: u64, grain: Duration, span: Duration, now: Timestamp) {
        while let Some(old) = self.entries.pop_front_if(|entry| now >= later(entry.to, span)) {
            self.sum -= u128::from(old.cost);
        }
        match self.entries.back_mut() {
            Some(last) if now < later(last.from, grain) => {
                last.to = last.to.max(now);
                let joined = last.cost.saturating_add(cost);
                self.sum += u128::from(joined - last.cost);
                last.cost = joined;
            }
            Some(_) | None => {
                self.entries.push_back(Entry { from: now, to: now, cost });
                self.sum += u128::from(cost);
            }
        }
    }

    /// Replaces the estimate that was taken at `at` by what it really cost.
    pub(super) fn settle(&mut self, at: Timestamp, estimate: u64, cost: u64) {
        let found = self.entries.iter_mut().rev().find(|e| e.from <= at && at <= e.to);
        if let Some(entry) = found {
            let settled = entry.cost.saturating_sub(estimate).saturating_add(cost);
            self.sum = self.sum - u128::from(entry.cost) + u128::from(settled);
            entry.cost = settled;
        }
    }

    /// Forgets what was spent up to then.
    pub(super) fn forget(&mut self, at: Timestamp) {
        while let Some(old) = self.entries.pop_front_if(|entry| entry.to <= at) {
            self.sum -= u128::from(old.cost);
        }
    }

    pub(super) fn save(&self) -> Vec<(i64, u64)> {
        self.entries.iter().map(|entry| (entry.to.as_millisecond(), entry.cost)).collect()
    }

    pub(super) fn read(saved: &[(i64, u64)], now: Timestamp) -> Self {
        let read = |&(ms, cost): &(i64, u64)| {
            let at = Timestamp::from_millisecond(ms).map_or(now, |at| at.min(now));
            Entry { from: at, to: at, cost }
        };
        let mut entries: Vec<_> = saved.iter().map(read).collect();
        entries.sort_by_key(|entry| entry.to);
        let sum = entries.iter().map(|entry| u128::from(entry.cost)).sum();
        Self { entries: entries.into(), sum }
    }
}
