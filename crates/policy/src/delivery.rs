//! What becomes of one message to one channel after an attempt to deliver it.
//!
//! **Promises**: every wait of the delivery rules as a pure function; what may have arrived is
//! never called "not sent"; nothing waits longer than [`GIVE_UP_AFTER`] without saying so.
//! **Leaves out**: talking to a server, the breaker ([`crate`]'s `breaker`), and which message is
//! next.

mod attempt;
mod blind;
mod hours;
mod next;
mod state;

pub use attempt::{Attempt, Hold, NotSent, Repeat};
pub use blind::{BLIND_AFTER, Sight, Tell};
pub use hours::{AlertPace, DAILY_CAP, QuietHours, cap_allows};
pub use next::{GaveUp, Next, Pace, Tried, after_crash, next};
pub use state::DeliveryState;

use std::time::Duration;

const MINUTE: u64 = 60;
const HOUR: u64 = 60 * MINUTE;

/// A message that could not be sent for this long is given up, and says so: a room that was new
/// two days ago is gone.
pub const GIVE_UP_AFTER: Duration = Duration::from_secs(48 * HOUR);

/// How many quick tries a message gets before its channel's own, slower schedule.
pub const BACKGROUND_TRIES: u32 = 8;

/// How long those quick tries may take together, their waits included.
pub const BACKGROUND_BUDGET: Duration = Duration::from_secs(10 * MINUTE);

/// How long an account is held when its provider says that today's limit is reached.
pub const DAILY_LIMIT_HOLD: Duration = Duration::from_secs(24 * HOUR);

/// How often a locked or absent keychain is asked again.
pub const LOCKED_AGAIN: Duration = Duration::from_secs(MINUTE);
