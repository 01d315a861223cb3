//! Quiet hours, in the zone that they were set in.

use firstknock_store::QuietHours;
use jiff::Timestamp;
use jiff::civil::Time;
use jiff::tz::TimeZone;

/// Why a digest waited for their end: its reason's code.
pub(crate) const REASON: &str = "quiet_hours";

/// When the quiet hours that run at a time end; `None` outside of them. In the named zone, so that
/// travel and summer time are right.
pub(crate) fn until(quiet: &QuietHours, at: Timestamp) -> Option<Timestamp> {
    let time = |minute: u16| {
        let hour = i8::try_from(minute / 60 % 24).ok()?;
        Time::new(hour, i8::try_from(minute % 60).ok()?, 0, 0).ok()
    };
    let hours = firstknock_policy::delivery::QuietHours {
        from: time(quiet.from_minute)?,
        to: time(quiet.to_minute)?,
    };
    let zone = TimeZone::get(&quiet.zone).unwrap_or_else(|_| TimeZone::system());
    hours.until(at, &zone)
}
