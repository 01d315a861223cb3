//! What rendering needs to know besides the alert.

use jiff::Timestamp;
use jiff::tz::TimeZone;

use crate::SmtpConfig;

/// The circumstances of one message.
#[derive(Debug, Clone)]
pub struct Context {
    /// Ours, random, one per outbox row: it becomes the Message-ID and the idempotency key, so
    /// that a repeat can be recognised. Letters and digits.
    pub key: String,
    /// When the message is made; its `Date`.
    pub now: Timestamp,
    /// The reader's time zone, in which times are told.
    pub zone: TimeZone,
    /// The sender's address; `None` until an account is set up.
    pub from: Option<String>,
    /// The recipient's address; `None` until an account is set up.
    pub to: Option<String>,
    /// One small photo for the first listing, if the user wants it in the mail.
    pub photo: Option<Photo>,
}

/// A small photo, already re-encoded and of at most about 100 KB.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Photo {
    /// The bytes of a JPEG.
    pub jpeg: Vec<u8>,
    /// Width and height in pixels, as shown.
    pub size: (u32, u32),
}

impl Context {
    /// For channels that need no addresses.
    pub const fn new(key: String, now: Timestamp, zone: TimeZone) -> Self {
        Self { key, now, zone, from: None, to: None, photo: None }
    }

    /// With the addresses of a mail account.
    #[must_use]
    pub fn addressed(mut self, config: &SmtpConfig) -> Self {
        self.from = Some(config.from.clone());
        self.to = Some(config.to.clone());
        self
    }
}

/// A key for a new outbox row: 125 random bits as 25 letters and digits. `dice` gives 64 random
/// bits at a time.
pub fn new_key(dice: &mut impl FnMut() -> u64) -> String {
    const LETTERS: &[u8; 32] = b"abcdefghijkmnpqrstuvwxyz23456789";
    let mut key = String::with_capacity(25);
    let mut bits = 0;
    for at in 0..25 {
        if at % 12 == 0 {
            bits = dice();
        }
        key.push(char::from(LETTERS[(bits % 32) as usize]));
        bits /= 32;
    }
    key
}
