//! Many clients that failed in the same moment: when do they come back?

use std::collections::BTreeMap;
use std::time::Duration;

use crate::Mulberry32;
use crate::jitter::{DEFAULT_BACKOFF, exponential, full};

/// The width of a bucket in ms.
const BUCKET_MS: u64 = 200;

/// How many clients wake up in which bucket, by the bucket's first ms. Empty ones are left out.
pub type Histogram = BTreeMap<u64, u32>;

/// The wake-ups of all clients.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Simulation {
    /// Clients.
    pub clients: u32,
    /// Which attempt they wait for, from 1.
    pub attempt: u32,
    /// The width of a bucket in ms.
    pub bucket_ms: u64,
    /// Everybody at once.
    pub without_jitter: Histogram,
    /// Full jitter.
    pub with_jitter: Histogram,
}

/// Simulates `clients` that wait for their `attempt` (from 1), always with the same dice.
pub fn simulate(clients: u32, attempt: u32) -> Simulation {
    let mut dice = Mulberry32::new(Mulberry32::SEED);
    let step = attempt.saturating_sub(1);
    let mut without_jitter = Histogram::new();
    let mut with_jitter = Histogram::new();
    for _ in 0..clients {
        *without_jitter.entry(bucket(exponential(DEFAULT_BACKOFF, step))).or_default() += 1;
        *with_jitter.entry(bucket(full(DEFAULT_BACKOFF, step, dice.draw()))).or_default() += 1;
    }
    Simulation { clients, attempt, bucket_ms: BUCKET_MS, without_jitter, with_jitter }
}

fn bucket(wait: Duration) -> u64 {
    let ms = u64::try_from(wait.as_millis()).unwrap_or(u64::MAX);
    ms / BUCKET_MS * BUCKET_MS
}

impl Simulation {
    /// Both histograms as lines of text, one bar per bucket.
    pub fn lines(&self) -> Vec<String> {
        let mut lines = Vec::new();
        let parts = [("without jitter", &self.without_jitter), ("full jitter", &self.with_jitter)];
        for (name, histogram) in parts {
            lines.push(format!("{} clients, attempt {}, {name}", self.clients, self.attempt));
            let most = histogram.values().copied().max().unwrap_or_default();
            for (from, n) in histogram {
                // At most 60 characters wide, and never empty where somebody wakes up.
                let width = (n * most.min(60) / most).max(1);
                let bar = "#".repeat(usize::try_from(width).unwrap_or_default());
                lines.push(format!("{from:>6} ms  {bar} {n}"));
            }
        }
        lines
    }
}
