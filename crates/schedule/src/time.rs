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
