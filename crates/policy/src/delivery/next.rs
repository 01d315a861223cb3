//! From an attempt to the next step: all the waits of a delivery.

use std::time::Duration;

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use crate::jitter::{Backoff, DEFAULT_BACKOFF, decorrelated, fraction, spread_15};

use super::{
    Attempt, BACKGROUND_BUDGET, BACKGROUND_TRIES, DAILY_LIMIT_HOLD, DeliveryState, GIVE_UP_AFTER,
    HOUR, Hold, LOCKED_AGAIN, MINUTE, NotSent, Repeat,
};

/// What a message has been through so far, this attempt not counted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Tried {
    /// Attempts that reached for the network.
    pub attempts: u32,
    /// Of those, how many ended with an unknown outcome.
    pub unknowns: u32,
    /// When the first attempt began; the 48 hours count from here.
    pub first_tried: Timestamp,
    /// The wait before this attempt, from which decorrelated jitter draws the next one.
    pub last_wait: Option<Duration>,
}

/// What happens to the message now.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", tag = "next")]
pub enum Next {
    /// Done.
    Sent,
    /// Again at a time.
    RetryAt {
        /// When.
        at: Timestamp,
        /// The wait drawn, to be kept as [`Tried::last_wait`].
        wait: Duration,
        /// Whether the network's return may bring it forward.
        network_first: bool,
    },
    /// The whole account waits, this message with it.
    Held {
        /// Why.
        hold: Hold,
        /// When it is tried again by itself; `None` until the user acts.
        until: Option<Timestamp>,
    },
    /// It may have arrived; left alone.
    MaybeDelivered,
    /// Not delivered, not tried again.
    GivenUp {
        /// Why.
        why: GaveUp,
    },
}

/// Why a message was given up.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum GaveUp {
    /// Two days have passed.
    TooOld,
    /// The recipient is refused.
    Recipient,
    /// The message is refused.
    Rejected,
    /// The far end asked for a wait that ends after the two days.
    AskedTooLong,
}

/// How patiently one kind of channel retries what was certainly not sent.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Pace {
    /// The shortest wait.
    pub base: Duration,
    /// The longest wait of the quick tries.
    pub cap: Duration,
    /// The waits once the quick tries are used up; the last one repeats.
    pub schedule: [Duration; 3],
}

impl Pace {
    /// Mail: a server that is away for a minute is normal.
    pub const MAIL: Self = Self {
        base: Duration::from_secs(5),
        cap: Duration::from_secs(2 * MINUTE),
        schedule: [
            Duration::from_secs(15 * MINUTE),
            Duration::from_secs(30 * MINUTE),
            Duration::from_secs(HOUR),
        ],
    };

    /// One POST each: ntfy, Telegram, a webhook.
    pub const POST: Self = Self {
        base: DEFAULT_BACKOFF.base,
        cap: DEFAULT_BACKOFF.cap,
        schedule: [
            Duration::from_secs(5 * MINUTE),
            Duration::from_secs(15 * MINUTE),
            Duration::from_secs(HOUR),
        ],
    };
}

impl Next {
    /// The row's state after this step.
    pub const fn state(&self) -> DeliveryState {
        match self {
            Self::Sent => DeliveryState::Sent,
            Self::RetryAt { .. } => DeliveryState::RetryAt,
            Self::Held { .. } => DeliveryState::Held,
            Self::MaybeDelivered => DeliveryState::MaybeDelivered,
            Self::GivenUp { .. } => DeliveryState::GivenUp,
        }
    }

    /// When the row is due again, if it is.
    pub const fn at(&self) -> Option<Timestamp> {
        match self {
            Self::RetryAt { at, .. } => Some(*at),
            Self::Held { until, .. } => *until,
            Self::Sent | Self::MaybeDelivered | Self::GivenUp { .. } => None,
        }
    }
}

impl GaveUp {
    /// All reasons.
    pub const ALL: [Self; 4] = [Self::TooOld, Self::Recipient, Self::Rejected, Self::AskedTooLong];

    /// The word used in JSON and in the database; its sentence is `mail_gave_up_<code>`.
    pub const fn code(self) -> &'static str {
        match self {
            Self::TooOld => "too_old",
            Self::Recipient => "recipient",
            Self::Rejected => "rejected",
            Self::AskedTooLong => "asked_too_long",
        }
    }
}

/// The next step after an attempt that ended at `now`. `random` is in [0, 1). What may have arrived
/// at an earlier attempt is never given up as "not delivered".
pub fn next(attempt: &Attempt, tried: &Tried, pace: &Pace, now: Timestamp, random: f64) -> Next {
    match this_time(attempt, tried, pace, now, random) {
        Next::GivenUp { .. } if tried.unknowns > 0 => Next::MaybeDelivered,
        step @ (Next::Sent
        | Next::RetryAt { .. }
        | Next::Held { .. }
        | Next::MaybeDelivered
        | Next::GivenUp { .. }) => step,
    }
}

fn this_time(attempt: &Attempt, tried: &Tried, pace: &Pace, now: Timestamp, random: f64) -> Next {
    match attempt {
        Attempt::Sent { .. } => Next::Sent,
        Attempt::RecipientRefused { .. } => Next::GivenUp { why: GaveUp::Recipient },
        Attempt::Rejected { .. } => Next::GivenUp { why: GaveUp::Rejected },
        Attempt::Unknown { repeat: Repeat::Never, .. } => Next::MaybeDelivered,
        Attempt::Unknown { repeat: Repeat::OnceOrTwice, .. } => {
            match unknown_wait(tried.unknowns, random) {
                // Too old to go again, but it may have arrived: that is the truer word.
                Some(wait) if !too_old(tried, now, wait) => again(now, wait, false),
                _ => Next::MaybeDelivered,
            }
        }
        Attempt::Unknown { repeat: Repeat::Freely, .. } => {
            let wait = quick_wait(tried, pace, now, random);
            if too_old(tried, now, wait) { Next::MaybeDelivered } else { again(now, wait, false) }
        }
        Attempt::CircuitOpen { until } => {
            let wait = Duration::try_from(until.duration_since(now)).unwrap_or_default();
            unless_old(tried, now, wait, false)
        }
        Attempt::NotSent { reason, retry_after, .. } => {
            let own = quick_wait(tried, pace, now, random);
            let wait = own.max(retry_after.unwrap_or_default());
            if retry_after.is_some_and(|asked| asked > GIVE_UP_AFTER) {
                return Next::GivenUp { why: GaveUp::AskedTooLong };
            }
            unless_old(tried, now, wait, is_network(*reason))
        }
        Attempt::Greylisted { .. } => {
            let wait = if tried.attempts == 0 {
                between(5 * MINUTE, 15 * MINUTE, random)
            } else {
                between(30 * MINUTE, 45 * MINUTE, random)
            };
            unless_old(tried, now, wait, false)
        }
        Attempt::Busy { .. } => {
            unless_old(tried, now, between(15 * MINUTE, 20 * MINUTE, random), false)
        }
        Attempt::AccountHeld { hold, .. } => held(*hold, tried, now),
    }
}

/// The next step for a row that was found in [`DeliveryState::Sending`] at a start: its outcome is
/// unknown, not failed. The first repeat goes out at once, since most likely nothing was sent.
pub fn after_crash(repeat: Repeat, tried: &Tried, now: Timestamp) -> Next {
    let again_at_once = match repeat {
        Repeat::OnceOrTwice => tried.unknowns < UNKNOWN_WAITS.len() as u32,
        Repeat::Freely => true,
        Repeat::Never => false,
    };
    if again_at_once && !too_old(tried, now, Duration::ZERO) {
        again(now, Duration::ZERO, false)
    } else {
        Next::MaybeDelivered
    }
}

/// After the first and the second unknown outcome, in minutes, from and to; both end within the
/// hour.
const UNKNOWN_WAITS: [(u64, u64); 2] = [(2, 4), (15, 30)];

fn unknown_wait(unknowns: u32, random: f64) -> Option<Duration> {
    let (from, to) = UNKNOWN_WAITS.get(usize::try_from(unknowns).ok()?)?;
    Some(between(from * MINUTE, to * MINUTE, random))
}

/// Decorrelated jitter while the background budget lasts, then the channel's own schedule.
fn quick_wait(tried: &Tried, pace: &Pace, now: Timestamp, random: f64) -> Duration {
    let backoff = Backoff { base: pace.base, cap: pace.cap };
    // A wait of the slow schedule, or one that the server asked for, starts no quick one.
    let previous = tried.last_wait.unwrap_or(pace.base).clamp(pace.base, pace.cap);
    let wait = decorrelated(backoff, previous, random);
    let spent = Duration::try_from(now.duration_since(tried.first_tried)).unwrap_or_default();
    let tries = tried.attempts.saturating_add(1);
    if tries < BACKGROUND_TRIES && spent + wait <= BACKGROUND_BUDGET {
        return wait;
    }
    // How far into the slow schedule we are follows from the time, so that a restart or a changed
    // count does not begin it anew.
    let [first, second, then] = pace.schedule;
    let step = match spent.saturating_sub(BACKGROUND_BUDGET) {
        slow if slow < first => first,
        slow if slow < first + second => second,
        _ => then,
    };
    spread_15(step, random)
}

fn held(hold: Hold, tried: &Tried, now: Timestamp) -> Next {
    let until = match hold {
        Hold::DailyLimit => Some(later(now, DAILY_LIMIT_HOLD)),
        Hold::SecretsLocked => Some(later(now, LOCKED_AGAIN)),
        Hold::Auth | Hold::StartTlsMissing | Hold::SenderRefused | Hold::SecretMissing => None,
    };
    if too_old(tried, now, Duration::ZERO) {
        return Next::GivenUp { why: GaveUp::TooOld };
    }
    Next::Held { hold, until }
}

const fn is_network(reason: NotSent) -> bool {
    match reason {
        NotSent::Offline
        | NotSent::Dns
        | NotSent::Connect
        | NotSent::Dropped
        | NotSent::Timeout => true,
        NotSent::Tls | NotSent::Protocol | NotSent::TooMany | NotSent::Server | NotSent::Local => {
            false
        }
    }
}

fn unless_old(tried: &Tried, now: Timestamp, wait: Duration, network_first: bool) -> Next {
    if too_old(tried, now, wait) {
        Next::GivenUp { why: GaveUp::TooOld }
    } else {
        again(now, wait, network_first)
    }
}

fn too_old(tried: &Tried, now: Timestamp, wait: Duration) -> bool {
    later(now, wait) > later(tried.first_tried, GIVE_UP_AFTER)
}

fn again(now: Timestamp, wait: Duration, network_first: bool) -> Next {
    Next::RetryAt { at: later(now, wait), wait, network_first }
}

fn between(from_secs: u64, to_secs: u64, random: f64) -> Duration {
    let span = Duration::from_secs(to_secs - from_secs);
    Duration::from_secs(from_secs) + span.mul_f64(fraction(random))
}

fn later(from: Timestamp, wait: Duration) -> Timestamp {
    from.saturating_add(wait).unwrap_or(Timestamp::MAX)
}
