//! When an alert may go out: quiet hours, the daily digest, the cap of a day. All of them hold
//! messages back, never checks, and never lose one.

use std::time::Duration;

use jiff::civil::{Date, Time};
use jiff::tz::TimeZone;
use jiff::{Timestamp, ToSpan as _};
use serde::{Deserialize, Serialize};

use super::HOUR;

/// How many mails an account sends in 24 hours before what comes next waits for one digest:
/// far below every provider's own limit, and more than anybody reads.
pub const DAILY_CAP: usize = 100;

/// A part of the day in which nothing is sent, by the clock on the user's wall. `from` after `to`
/// spans midnight; equal ends mean "never quiet".
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct QuietHours {
    /// The first quiet moment.
    pub from: Time,
    /// The first moment that is not quiet any more.
    pub to: Time,
}

/// When a search's alerts go out.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", tag = "pace")]
pub enum AlertPace {
    /// At once.
    #[default]
    Instant,
    /// All of a day in one message.
    Daily {
        /// When, by the clock on the wall.
        at: Time,
    },
}

impl QuietHours {
    /// The end of the quiet hours if `now` is within them: one summary goes out then.
    pub fn until(&self, now: Timestamp, zone: &TimeZone) -> Option<Timestamp> {
        let here = now.to_zoned_datetime(zone.clone());
        let (date, time) = (here.date(), here.time());
        let spans_midnight = self.from > self.to;
        let end = match (time >= self.from, spans_midnight) {
            (true, true) => Some(day_after(date)),
            (true, false) | (false, true) => Some(date),
            (false, false) => None,
        };
        // Today's end may be behind us already, also in the hour that comes twice.
        end.map(|date| moment(date, self.to, zone)).filter(|end| *end > now)
    }
}

impl AlertPace {
    /// When what was found at `now` may go out, quiet hours aside.
    pub fn due(&self, now: Timestamp, zone: &TimeZone) -> Timestamp {
        match self {
            Self::Instant => now,
            Self::Daily { at } => {
                let today = now.to_zoned_datetime(zone.clone()).date();
                let due = moment(today, *at, zone);
                if due > now { due } else { moment(day_after(today), *at, zone) }
            }
        }
    }
}

/// When the next message may go out under a cap per 24 hours ([`DAILY_CAP`] unless the user chose
/// another; at least one), given when the last ones were sent: at once, or when the oldest of the
/// last `cap` is a day old.
pub fn cap_allows(sent: &[Timestamp], cap: usize, now: Timestamp) -> Timestamp {
    let cap = cap.max(1);
    let day = Duration::from_secs(24 * HOUR);
    let mut sent: Vec<Timestamp> = sent.iter().copied().filter(|at| *at <= now).collect();
    sent.sort_unstable();
    let first_that_counts = sent.len().checked_sub(cap);
    first_that_counts.map_or(now, |first| now.max(sent[first] + day))
}

fn day_after(date: Date) -> Date {
    date.saturating_add(1.day())
}

/// A time of day on a date. One that a clock change skips is the moment after the gap; one that
/// comes twice is the first.
fn moment(date: Date, time: Time, zone: &TimeZone) -> Timestamp {
    zone.to_ambiguous_timestamp(date.to_datetime(time)).compatible().unwrap_or(Timestamp::MAX)
}
