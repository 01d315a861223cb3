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
