//! Quiet hours: alerts are held back, checks are not. In the named zone, so that travel and
//! summer time are right.

use firstknock_store::QuietHours;
use jiff::civil::Time;
use jiff::tz::TimeZone;
use jiff::{Timestamp, ToSpan, ZonedDateTime};

/// When the quiet hours that run now end; `None` outside of them.
pub(crate) fn ends(quiet: &QuietHours, now: Timestamp) -> Option<Timestamp> {
    if quiet.from_minute == quiet.to_minute {
        return None;
    }
    let zone = TimeZone::get(&quiet.zone).unwrap_or_else(|_| TimeZone::system());
    let local = now.to_zoned_datetime(zone);
    let minute =
        u16::from(local.hour().unsigned_abs()) * 60 + u16::from(local.minute().unsigned_abs());
    let over_night = quiet.from_minute > quiet.to_minute;
    let inside = if over_night {
        minute >= quiet.from_minute || minute < quiet.to_minute
    } else {
        (quiet.from_minute..quiet.to_minute).contains(&minute)
    };
    if !inside {
        return None;
    }
    let tomorrow = over_night && minute >= quiet.from_minute;
    at_minute(&local, quiet.to_minute, tomorrow)
}

/// The next time a daily digest goes out: 18:00 in the system's zone.
pub(crate) fn next_digest(now: Timestamp) -> Timestamp {
    const DIGEST_MINUTE: u16 = 18 * 60;
    let local = now.to_zoned_datetime(TimeZone::system());
    let today = at_minute(&local, DIGEST_MINUTE, false).filter(|at| *at > now);
    today.or_else(|| at_minute(&local, DIGEST_MINUTE, true)).unwrap_or(now)
}

fn at_minute(day: &ZonedDateTime, minute: u16, tomorrow: bool) -> Option<Timestamp> {
    let hour = i8::try_from(minute / 60 % 24).ok()?;
    let date = if tomorrow { day.date().checked_add(1.day()).ok()? } else { day.date() };
    let time = Time::new(hour, i8::try_from(minute % 60).ok()?, 0, 0).ok()?;
    // A time that summer time skips is moved forward, one that comes twice is its first.
    Some(
        jiff::civil::DateTime::from_parts(date, time)
            .to_zoned_datetime(day.time_zone().clone())
            .ok()?
            .timestamp(),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quiet_hours_end_when_the_clock_on_the_wall_says_so() {
        let night =
            QuietHours { from_minute: 22 * 60, to_minute: 7 * 60, zone: "Europe/Amsterdam".into() };
        let noon = QuietHours {
            from_minute: 12 * 60,
            to_minute: 13 * 60,
            zone: "Europe/Amsterdam".into(),
        };
        let cases: [(&QuietHours, &str, Option<&str>); 7] = [
            (&night, "2026-06-10T21:00:00Z", Some("2026-06-11T05:00:00Z")),
            (&night, "2026-06-11T04:59:59Z", Some("2026-06-11T05:00:00Z")),
            (&night, "2026-06-11T05:00:00Z", None),
            (&night, "2026-06-11T12:00:00Z", None),
            // The night in which summer time ends is an hour longer.
            (&night, "2026-10-24T20:30:00Z", Some("2026-10-25T06:00:00Z")),
            (&noon, "2026-01-10T11:30:00Z", Some("2026-01-10T12:00:00Z")),
            (&noon, "2026-01-10T12:00:00Z", None),
        ];
        for (quiet, now, want) in cases {
            let now: Timestamp = now.parse().expect("a time");
            let want = want.map(|text| text.parse::<Timestamp>().expect("a time"));
            assert_eq!(ends(quiet, now), want, "at {now}");
        }
    }
}
