//! The world's time: what really passes, and what the clock on the wall shows.

use std::time::Duration;

use jiff::{SignedDuration, Timestamp};

/// A clock that people and time servers set.
#[derive(Debug, Clone)]
pub(super) struct Time {
    /// Since the world began; never runs back.
    pub(super) lived: Duration,
    /// The same with every jump ahead: what a program can know of what passed.
    pub(super) seen: Duration,
    wall: Timestamp,
}

impl Time {
    pub(super) fn new(wall: Timestamp) -> Self {
        Self { lived: Duration::ZERO, seen: Duration::ZERO, wall }
    }

    pub(super) fn now(&self) -> Timestamp {
        self.wall
    }

    pub(super) fn pass(&mut self, by: Duration) {
        self.lived += by;
        self.seen += by;
        self.wall = self.wall.saturating_add(by).unwrap_or(Timestamp::MAX);
    }

    pub(super) fn ahead(&mut self, by: Duration) {
        self.seen += by;
        self.wall = self.wall.saturating_add(by).unwrap_or(Timestamp::MAX);
    }

    pub(super) fn back(&mut self, by: Duration) {
        self.wall = self.wall.saturating_sub(by).unwrap_or(Timestamp::MIN);
    }

    /// From now until the wall shows `at`; zero if it does.
    pub(super) fn until(&self, at: Timestamp) -> Duration {
        Duration::try_from(at.duration_since(self.wall)).unwrap_or_default()
    }

    /// A time on the wall as a time of [`Time::seen`].
    pub(super) fn seen_at(&self, at: Timestamp) -> SignedDuration {
        SignedDuration::try_from(self.seen).unwrap_or(SignedDuration::MAX)
            + at.duration_since(self.wall)
    }
}
