//! A time in which nobody looked: the app was closed or the computer asleep.

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

/// From when to when nobody looked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Pause {
    pub from: Timestamp,
    pub to: Timestamp,
}

impl Pause {
    /// One that is worth a word.
    pub fn between(from: Timestamp, to: Timestamp) -> Option<Self> {
        let pause = Self { from, to };
        (pause.length() > NOTABLE).then_some(pause)
    }

    /// The pause that this start ends; `None` at the very first one, too.
    pub fn before(store: &Store, now: Timestamp) -> Result<Option<Self>, StoreError> {
        let alive: Option<Timestamp> = store.setting(ALIVE)?;
        Ok(alive.and_then(|from| Self::between(from, now)))
    }

    pub fn length(self) -> Duration {
        Duration::try_from(self.to.duration_since(self.from)).unwrap_or_default()
    }
}

/// Notes that we are there.
pub fn note_alive(store: &mut Store, now: Timestamp) -> Result<(), StoreError> {
    store.set_setting(ALIVE, &now, now)
}
