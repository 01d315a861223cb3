//! A wait as a person reads it. The same in every language: digits and the letters h, m, s.

use std::time::Duration;

use jiff::Timestamp;

/// Below 60 s "45s", below 60 min "2m 05s" or from 10 min on "12m", else "1h 05m". A part of a
/// second counts as a whole one, so that a countdown shows "0s" only when it is over.
///
/// ```
/// use std::time::Duration;
/// use firstknock_policy::format_wait;
/// assert_eq!(format_wait(Duration::from_secs(45)), "45s");
/// assert_eq!(format_wait(Duration::from_secs(125)), "2m 05s");
/// assert_eq!(format_wait(Duration::from_secs(12 * 60)), "12m");
/// assert_eq!(format_wait(Duration::from_secs(65 * 60)), "1h 05m");
/// ```
pub fn format_wait(wait: Duration) -> String {
    let seconds = wait.as_secs().saturating_add(u64::from(wait.subsec_nanos() > 0));
    let (hours, minutes) = (seconds / 3600, seconds / 60);
    if minutes == 0 {
        format!("{seconds}s")
    } else if minutes < 10 {
        format!("{minutes}m {:02}s", seconds % 60)
    } else if minutes < 60 {
        format!("{minutes}m")
    } else {
        format!("{hours}h {:02}m", minutes % 60)
    }
}

/// What remains until a deadline; never negative.
pub fn remaining(now: Timestamp, until: Timestamp) -> Duration {
    Duration::try_from(until.duration_since(now)).unwrap_or_default()
}
