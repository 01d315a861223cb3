//! The seam to the time of day.

use std::time::Duration;

use firstknock_fetch::BoxFuture;
use jiff::Timestamp;

/// Says what time it is and sleeps. The wall clock is the one that counts: schedules outlive the
/// process. A sleep may end late (timers stop while a laptop sleeps), so whoever sleeps asks again.
pub trait Clock: Send + Sync {
    /// The wall clock.
    fn now(&self) -> Timestamp;

    /// Sleeps for about so long.
    fn sleep(&self, wait: Duration) -> BoxFuture<'_, ()>;
}

/// The system's clock.
#[derive(Debug, Clone, Copy, Default)]
pub struct SystemClock;

impl Clock for SystemClock {
    fn now(&self) -> Timestamp {
        Timestamp::now()
    }

    fn sleep(&self, wait: Duration) -> BoxFuture<'_, ()> {
        Box::pin(tokio::time::sleep(wait))
    }
}
