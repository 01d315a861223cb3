//! The seam to the time of day.

use std::time::{Duration, Instant};

use firstknock_fetch::BoxFuture;
use jiff::Timestamp;

/// Says what time it is and sleeps. The wall clock is the one that counts: schedules outlive the
/// process. A sleep may end late (timers stop while a laptop sleeps), so whoever sleeps asks again.
pub trait Clock: Send + Sync {
    /// The wall clock.
    fn now(&self) -> Timestamp;

    /// Time that passed since some moment of this run, which no jump of the wall clock changes. On
    /// most systems it stands still while the machine sleeps.
    fn running(&self) -> Duration;

    /// Sleeps for about so long.
    fn sleep(&self, wait: Duration) -> BoxFuture<'_, ()>;
}

/// The system's clock.
#[derive(Debug, Clone, Copy)]
pub struct SystemClock {
    started: Instant,
}

impl Default for SystemClock {
    fn default() -> Self {
        Self { started: Instant::now() }
    }
}

impl Clock for SystemClock {
    fn now(&self) -> Timestamp {
        Timestamp::now()
    }

    fn running(&self) -> Duration {
        self.started.elapsed()
    }

    fn sleep(&self, wait: Duration) -> BoxFuture<'_, ()> {
        Box::pin(tokio::time::sleep(wait))
    }
}
