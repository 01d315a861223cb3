//! A time in which nobody looked: the app was closed, the computer asleep, or a site refused us.

use std::time::Duration;

use firstknock_store::{Store, StoreError};
use jiff::Timestamp;

/// From this on, what it brought comes as one message.
pub(crate) const LONG: Duration = Duration::from_secs(3 * 3600);
/// From this on, the window says what happened meanwhile.
pub(crate) const NOTABLE: Duration = Duration::from_secs(30 * 60);
/// How often it is noted that we are there.
pub(crate) const NOTE_EVERY: Duration = Duration::from_secs(60);

/// When the app was last known to run.
const ALIVE: &str = "alive_at";

/// Why nobody looked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PauseWhy {
    /// The computer slept.
    Asleep,
    /// The app did not run.
    Closed,
    /// A site refused us.
    Blocked,
}

/// From when to when nobody looked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Pause {
    pub from: Timestamp,
    pub to: Timestamp,
    pub why: PauseWhy,
}

impl Pause {
    /// A sleep that is worth a word.
    pub fn between(from: Timestamp, to: Timestamp) -> Option<Self> {
        let pause = Self { from, to, why: PauseWhy::Asleep };
        (pause.length() > NOTABLE).then_some(pause)
    }

    /// The pause that this start ends; `None` at the very first one, too.
    pub fn before(store: &Store, now: Timestamp) -> Result<Option<Self>, StoreError> {
        let alive: Option<Timestamp> = store.setting(ALIVE)?;
        let pause = alive.and_then(|from| Self::between(from, now));
        Ok(pause.map(|pause| Self { why: PauseWhy::Closed, ..pause }))
    }

    /// The time in which a site refused us, if it is worth a word.
    pub(crate) fn blocked(from: Timestamp, to: Timestamp) -> Option<Self> {
        Self::between(from, to).map(|pause| Self { why: PauseWhy::Blocked, ..pause })
    }

    pub fn length(self) -> Duration {
        Duration::try_from(self.to.duration_since(self.from)).unwrap_or_default()
    }
}

/// Notes that we are there.
pub fn note_alive(store: &mut Store, now: Timestamp) -> Result<(), StoreError> {
    store.set_setting(ALIVE, &now, now)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_start_ends_a_time_in_which_the_app_was_closed_and_a_wake_up_one_of_sleep() {
        let evening: Timestamp = "2026-11-26T22:00:00Z".parse().expect("a time");
        let morning = evening + Duration::from_secs(8 * 3600);
        let mut store = Store::in_memory().expect("a store");
        assert_eq!(Pause::before(&store, morning).expect("a store that reads"), None);
        note_alive(&mut store, evening).expect("a store that writes");
        let closed = Pause { from: evening, to: morning, why: PauseWhy::Closed };
        assert_eq!(Pause::before(&store, morning).expect("a store that reads"), Some(closed));
        let slept = Pause { why: PauseWhy::Asleep, ..closed };
        assert_eq!(Pause::between(evening, morning), Some(slept));
    }
}
