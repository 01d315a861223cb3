//! The four ladders: how long a host is left alone after its nth failure in a row.
//!
//! **Promises**: a wait is never above one hour, never shorter than the site asked for below that
//! hour, and no two draws give the same wait. **Leaves out**: whether a failure counts
//! (`schedule`), and remembering it ([`crate::ledger`]).

use std::time::Duration;

use crate::Kind;
use crate::jitter::{fraction, spread_15};

/// Nothing waits longer: a header of 86400 must not put a search to sleep for a day.
pub const MAX_WAIT: Duration = Duration::from_secs(3600);

/// An `error` is recorded from this many consecutive strikes on.
pub const ERROR_GRACE: u32 = 2;

const CHALLENGE: [u64; 5] = [60, 180, 480, 900, 1800];
const RATE_LIMITED: [u64; 4] = [120, 300, 900, 1800];
const DENIED: [u64; 4] = [300, 900, 1800, 3600];
const ERROR: [u64; 3] = [30, 120, 300];

/// How much of the cap its spread may take off.
const CAP_SPREAD: f64 = 0.10;
/// How much of a winning Retry-After its own spread may add, and at most how many ms.
const ASKED_SPREAD: f64 = 0.10;
const ASKED_SPREAD_MAX_MS: f64 = 60_000.0;

/// The rungs of a kind in seconds; the last is the ceiling.
pub const fn rungs(kind: Kind) -> &'static [u64] {
    match kind {
        Kind::Challenge => &CHALLENGE,
        Kind::RateLimited => &RATE_LIMITED,
        Kind::Denied => &DENIED,
        Kind::Error => &ERROR,
    }
}

/// The rung of the nth failure without jitter. 0 counts as the first.
pub fn step(kind: Kind, failures: u32) -> Duration {
    let rungs = rungs(kind);
    let at = usize::try_from(failures).unwrap_or(usize::MAX).clamp(1, rungs.len()) - 1;
    Duration::from_secs(rungs[at])
}

/// Whether the nth failure is on the last rung.
pub fn is_top(kind: Kind, failures: u32) -> bool {
    usize::try_from(failures).is_ok_and(|f| f >= rungs(kind).len())
}

/// How long to wait after the nth failure in a row, given what the site asked for, with
/// `random` in [0, 1).
///
/// ```
/// use std::time::Duration;
/// use firstknock_policy::{Kind, ladder::delay_for};
/// assert_eq!(delay_for(Kind::Challenge, 1, None, 0.5), Duration::from_secs(60));
/// // Longer wins, with a spread of its own, so that not everybody returns in the same second.
/// let asked = Some(Duration::from_secs(600));
/// assert_eq!(delay_for(Kind::RateLimited, 1, asked, 0.5), Duration::from_secs(630));
/// ```
pub fn delay_for(
    kind: Kind,
    failures: u32,
    retry_after: Option<Duration>,
    random: f64,
) -> Duration {
    let random = fraction(random);
    let jittered = spread_15(step(kind, failures), random);
    let asked = retry_after.unwrap_or_default();
    let wanted =
        if asked > jittered { asked.saturating_add(asked_spread(asked, random)) } else { jittered };
    if wanted < MAX_WAIT {
        return wanted;
    }
    let capped = ms(whole_ms(MAX_WAIT) * (1.0 - CAP_SPREAD * random));
    // Only its spread carried this one over the hour: the floor can be kept below the cap.
    if asked < MAX_WAIT { capped.max(asked) } else { capped }
}

/// Positive only: without it every install that was told "300" returns in the same second.
fn asked_spread(asked: Duration, random: f64) -> Duration {
    ms(random * (whole_ms(asked) * ASKED_SPREAD).min(ASKED_SPREAD_MAX_MS))
}

fn whole_ms(duration: Duration) -> f64 {
    duration.as_secs_f64() * 1000.0
}

fn ms(value: f64) -> Duration {
    crate::jitter::from_ms(value)
}
