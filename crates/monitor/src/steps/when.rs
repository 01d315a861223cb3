//! When a find's message may go out: at once, with the day's others, at the end of quiet hours, or
//! together with what a long pause brought. Checks never wait for any of it.

use firstknock_policy::delivery::AlertPace;
use firstknock_store::{Rhythm, Search};
use jiff::civil::Time;
use jiff::{SignedDuration, Timestamp};

use super::Ended;
use crate::pause::{LONG, Pause};
use crate::quiet;

/// When, and why not at once.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct When {
    /// Not before then; `None` is now.
    pub(super) not_before: Option<Timestamp>,
    /// Why: the code of a digest's reason.
    pub(super) reason: &'static str,
    /// Since when finds are collected.
    pub(super) since: Timestamp,
}

/// After a pause, the first look of every search comes within this time (`schedule` spreads them).
const FIRST_LOOKS: SignedDuration = SignedDuration::from_secs(90);
/// The daily message goes out at six in the evening.
const DAILY: AlertPace = AlertPace::Daily { at: Time::constant(18, 0, 0, 0) };

/// For what this look found.
pub(super) fn when(search: &Search, it: &Ended<'_>, now: Timestamp) -> When {
    let daily = search.wish.rhythm == Rhythm::Digest;
    let due = if daily { DAILY.due(now, it.zone) } else { now };
    let quiet = search.wish.quiet.as_ref().and_then(|hours| quiet::until(hours, due));
    if let Some(end) = quiet {
        let reason = if daily { "chosen" } else { quiet::REASON };
        return When { not_before: Some(end), reason, since: now };
    }
    if daily {
        return When { not_before: Some(due), reason: "chosen", since: now };
    }
    // One that ends after now was seen by a clock that was set back since.
    let long = |pause: &Pause| pause.length() >= LONG && pause.to <= now;
    if let Some(pause) = it.pause.filter(long) {
        let looked_since = it.facts.last_check_at.is_some_and(|at| at >= pause.to);
        let together = pause.to + FIRST_LOOKS;
        if !looked_since && now < together {
            return When { not_before: Some(together), reason: "long_pause", since: pause.from };
        }
    }
    When { not_before: None, reason: "", since: now }
}
