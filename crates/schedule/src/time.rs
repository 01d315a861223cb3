//! Arithmetic with times that cannot overflow.

use std::time::Duration;

use jiff::Timestamp;

/// `at + by`, at the end of time if it would be beyond.
pub(crate) fn later(at: Timestamp, by: Duration) -> Timestamp {
    at.checked_add(by).unwrap_or(Timestamp::MAX)
}

/// `at - by`, at the beginning of time if it would be before.
pub(crate) fn earlier(at: Timestamp, by: Duration) -> Timestamp {
    at.checked_sub(by).unwrap_or(Timestamp::MIN)
}

/// A part of a duration, in whole milliseconds.
pub(crate) fn part(of: Duration, random: f64) -> Duration {
    Duration::from_millis(
        u64::try_from(of.mul_f64(random.clamp(0.0, 1.0)).as_millis()).unwrap_or(0),
    )
}

/// `at` in whole milliseconds: what is stored is what is remembered.
pub(crate) fn whole_ms(at: Timestamp) -> Timestamp {
    Timestamp::from_millisecond(at.as_millisecond()).unwrap_or(at)
}

/// How long ago `at` was; zero for the future.
pub(crate) fn since(now: Timestamp, at: Timestamp) -> Duration {
    Duration::try_from(now.duration_since(at)).unwrap_or_default()
}

/// The next full minute, or `at` itself if it is one: "Try now, from 14:32" must be true.
pub(crate) fn full_minute(at: Timestamp) -> Timestamp {
    const MINUTE_MS: i64 = 60_000;
    let ms = at.as_millisecond();
    let up = ms.saturating_add(MINUTE_MS - 1).div_euclid(MINUTE_MS).saturating_mul(MINUTE_MS);
    Timestamp::from_millisecond(up).unwrap_or(at)
}
