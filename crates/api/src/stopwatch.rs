//! Where the time of requests goes, counted while they are served: all of it between head and
//! answer, and what admission (token, budget, settling) has of it.

use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

/// Sums since the server was opened.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct TimeSpent {
    /// Requests that were answered, refused ones too.
    pub requests: u64,
    /// From the head that was read to the answer that is ready, body included.
    pub whole: Duration,
    /// Of that, finding out whose token it is, asking its budget, and settling.
    pub admission: Duration,
}

impl TimeSpent {
    /// What came since an earlier reading.
    #[must_use]
    pub const fn since(self, before: Self) -> Self {
        Self {
            requests: self.requests - before.requests,
            whole: self.whole.saturating_sub(before.whole),
            admission: self.admission.saturating_sub(before.admission),
        }
    }
}

#[derive(Default)]
pub(crate) struct Stopwatch {
    requests: AtomicU64,
    whole_ns: AtomicU64,
    admission_ns: AtomicU64,
}

impl Stopwatch {
    pub(crate) fn answered(&self, since: Instant) {
        self.requests.fetch_add(1, Ordering::Relaxed);
        self.whole_ns.fetch_add(ns(since), Ordering::Relaxed);
    }

    pub(crate) fn admitted(&self, since: Instant) {
        self.admission_ns.fetch_add(ns(since), Ordering::Relaxed);
    }

    pub(crate) fn read(&self) -> TimeSpent {
        let sum = |ns: &AtomicU64| Duration::from_nanos(ns.load(Ordering::Relaxed));
        TimeSpent {
            requests: self.requests.load(Ordering::Relaxed),
            whole: sum(&self.whole_ns),
            admission: sum(&self.admission_ns),
        }
    }
}

fn ns(since: Instant) -> u64 {
    u64::try_from(since.elapsed().as_nanos()).unwrap_or(u64::MAX)
}
