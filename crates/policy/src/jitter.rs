//! Spreads: ±15 % for hosts, full and decorrelated jitter for single requests.
//!
//! **Promises**: plain arithmetic over a number in [0, 1) that the caller draws; a number outside
//! is moved to the nearest inside. **Leaves out**: drawing it.

use std::time::Duration;

/// The shortest part of a step that ±15 % leaves.
pub const LOW: f64 = 0.85;
/// How wide the spread is.
pub const SPAN: f64 = 0.30;

/// How far waits of single requests grow.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Backoff {
    /// The first step.
    pub base: Duration,
    /// No step is longer.
    pub cap: Duration,
}

/// 200 ms up to 5 s, unless a channel says otherwise.
pub const DEFAULT_BACKOFF: Backoff =
    Backoff { base: Duration::from_millis(200), cap: Duration::from_secs(5) };

/// `round_ms(step × (0.85 + random × 0.30))`.
pub fn spread_15(step: Duration, random: f64) -> Duration {
    from_ms(to_ms(step) * (LOW + fraction(random) * SPAN))
}

/// `step × (1 + part × (2 × random - 1))`, for example ±10 % of an interval with `part` 0.10.
pub fn plus_minus(step: Duration, part: f64, random: f64) -> Duration {
    from_ms(to_ms(step) * (1.0 + part * (2.0 * fraction(random) - 1.0)))
}

/// `step × (1 + part × random)`: longer only, for gaps that must never be shorter.
pub fn longer(step: Duration, part: f64, random: f64) -> Duration {
    from_ms(to_ms(step) * (1.0 + part * fraction(random)))
}

/// `min(cap, base × 2^attempt)`, where the first retry is attempt 0.
pub fn exponential(backoff: Backoff, attempt: u32) -> Duration {
    let factor = f64::from(attempt.min(63)).exp2();
    from_ms((to_ms(backoff.base) * factor).min(to_ms(backoff.cap)))
}

/// Between 0 and the exponential step: fast recovery, for the quick retry inside a check.
pub fn full(backoff: Backoff, attempt: u32, random: f64) -> Duration {
    from_ms(fraction(random) * to_ms(exponential(backoff, attempt)))
}

/// Between `base` and three times the previous wait, capped: slow recovery, for deliveries.
/// The first call gets `base` as the previous wait.
pub fn decorrelated(backoff: Backoff, previous: Duration, random: f64) -> Duration {
    let base = to_ms(backoff.base);
    let high = (to_ms(previous) * 3.0).max(base);
    from_ms((base + fraction(random) * (high - base)).min(to_ms(backoff.cap)))
}

/// A draw, moved into [0, 1]; not a number counts as 0.
pub(crate) fn fraction(random: f64) -> f64 {
    if random.is_finite() { random.clamp(0.0, 1.0) } else { 0.0 }
}

pub(crate) fn to_ms(duration: Duration) -> f64 {
    duration.as_secs_f64() * 1000.0
}

/// Rounded to whole milliseconds, as all known answers are; absurd values end at a century.
pub(crate) fn from_ms(ms: f64) -> Duration {
    const CENTURY_MS: f64 = 3_155_760_000_000.0;
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "clamped to 0 ..= a century in ms, which is exact in both"
    )]
    Duration::from_millis(ms.round().clamp(0.0, CENTURY_MS) as u64)
}
