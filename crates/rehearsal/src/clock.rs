//! A clock that stands still until it is told to go on.

use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use firstknock_fetch::BoxFuture;
use firstknock_monitor::Clock;
use jiff::Timestamp;
use tokio::sync::Notify;

/// The time of a rehearsal. Sleepers wake when the clock is moved past their time, so hours pass
/// as fast as the machine can work.
pub struct FakeClock {
    time: Mutex<(Timestamp, Duration)>,
    moved: Notify,
}

impl FakeClock {
    /// A clock that shows a time.
    pub fn at(start: Timestamp) -> Self {
        Self { time: Mutex::new((start, Duration::ZERO)), moved: Notify::new() }
    }

    /// Time passes.
    pub fn advance(&self, by: Duration) {
        self.shift(by, by);
    }

    /// The machine sleeps: the wall clock goes on, the running one stands still.
    pub fn sleep_through(&self, by: Duration) {
        self.shift(by, Duration::ZERO);
    }

    /// Somebody sets the wall clock.
    pub fn set(&self, to: Timestamp) {
        self.lock().0 = to;
        self.moved.notify_waiters();
    }

    /// Lets time pass in small steps, with a moment of real time after each for real sockets and
    /// disks, until something is true. Gives up after so much of the clock's own time.
    ///
    /// # Panics
    /// If it never becomes true; `what` says what was waited for.
    pub async fn until(&self, what: &str, longest: Duration, mut is: impl FnMut() -> bool) {
        const STEP: Duration = Duration::from_millis(500);
        const MOMENT: Duration = Duration::from_millis(4);
        let mut passed = Duration::ZERO;
        while !is() {
            assert!(passed < longest, "{what}: not within {longest:?} of the clock's time");
            self.advance(STEP);
            passed += STEP;
            tokio::time::sleep(MOMENT).await;
        }
    }

    fn shift(&self, wall: Duration, running: Duration) {
        let mut time = self.lock();
        time.0 = time.0.saturating_add(wall).unwrap_or(Timestamp::MAX);
        time.1 += running;
        drop(time);
        self.moved.notify_waiters();
    }

    fn lock(&self) -> MutexGuard<'_, (Timestamp, Duration)> {
        self.time.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Clock for FakeClock {
    fn now(&self) -> Timestamp {
        self.lock().0
    }

    fn running(&self) -> Duration {
        self.lock().1
    }

    fn sleep(&self, wait: Duration) -> BoxFuture<'_, ()> {
        let until = self.running() + wait;
        Box::pin(async move {
            loop {
                let moved = self.moved.notified();
                tokio::pin!(moved);
                moved.as_mut().enable();
                if self.running() >= until {
                    return;
                }
                moved.await;
            }
        })
    }
}
