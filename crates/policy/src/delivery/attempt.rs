//! What one attempt came to.

use std::time::Duration;

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

/// What one attempt to deliver one message came to. `words` and `reply` are the far end's own
/// words, cleaned to one line; they are shown, never parsed again.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", tag = "attempt")]
pub enum Attempt {
    /// The server took responsibility for it.
    Sent {
        /// `250 2.0.0 Ok: queued as 4F…`; empty for channels that say nothing.
        reply: String,
    },
    /// Certainly not sent; trying again cannot make it arrive twice.
    NotSent {
        /// Why.
        reason: NotSent,
        /// What the far end asked for (429, 503): a lower bound.
        retry_after: Option<Duration>,
        /// What was seen.
        words: String,
    },
    /// MAIL or RCPT answered 450, 451 or 452: "try later", most likely greylisting.
    Greylisted {
        /// The server's words.
        reply: String,
    },
    /// 421, or 454 at AUTH: the server is busy or going down.
    Busy {
        /// The server's words.
        reply: String,
    },
    /// Nothing of this account can be sent now.
    AccountHeld {
        /// Why, and so for how long.
        hold: Hold,
        /// The server's words.
        reply: String,
    },
    /// This recipient does not exist or takes no mail (550 5.1.x, a full mailbox with 5xx).
    RecipientRefused {
        /// The server's words.
        reply: String,
    },
    /// The message itself was refused for good.
    Rejected {
        /// The server's words.
        reply: String,
    },
    /// It may have arrived: the answer after the final dot (or to the request) never came.
    Unknown {
        /// Whether the same bytes may go again.
        repeat: Repeat,
        /// What was seen.
        words: String,
    },
    /// Not tried at all: the channel's breaker is open.
    CircuitOpen {
        /// When the next trial may go out.
        until: Timestamp,
    },
}

/// Why a message was certainly not sent.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum NotSent {
    /// This computer has no network; waits for it.
    Offline,
    /// The server's name could not be resolved.
    Dns,
    /// No connection.
    Connect,
    /// The TLS handshake failed, or the certificate is not to be trusted.
    Tls,
    /// The connection broke before the message was handed over.
    Dropped,
    /// A phase ran out of time before the message was handed over.
    Timeout,
    /// What answered does not speak the channel's protocol.
    Protocol,
    /// The far end asked for less (429).
    TooMany,
    /// The far end has trouble of its own (5xx of HTTP, 4xx of SMTP after the final dot).
    Server,
    /// Our own disk, or another thing on this computer.
    Local,
}

/// Why an account is held.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Hold {
    /// The login was refused (535, 534, 530; 401, 403): until the user changes something.
    Auth,
    /// STARTTLS was required and not offered: somebody may strip it. Until the user says go.
    StartTlsMissing,
    /// The server refuses the sender's address (550, 553 at MAIL).
    SenderRefused,
    /// The account's daily limit; up to a day, then one digest.
    DailyLimit,
    /// The keychain is locked or absent: "mail is locked".
    SecretsLocked,
    /// No password is stored for this account.
    SecretMissing,
}

/// Whether a message whose fate is unknown may go again.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Repeat {
    /// Mail: the same bytes with the same Message-ID, once or twice within the hour.
    OnceOrTwice,
    /// The request carries an idempotency key: as often as a request that was not sent.
    Freely,
    /// Neither: it stays "maybe delivered".
    Never,
}

impl Attempt {
    /// The word used in JSON and in the row's history.
    pub const fn code(&self) -> &'static str {
        match self {
            Self::Sent { .. } => "sent",
            Self::NotSent { .. } => "not_sent",
            Self::Greylisted { .. } => "greylisted",
            Self::Busy { .. } => "busy",
            Self::AccountHeld { .. } => "account_held",
            Self::RecipientRefused { .. } => "recipient_refused",
            Self::Rejected { .. } => "rejected",
            Self::Unknown { .. } => "unknown",
            Self::CircuitOpen { .. } => "circuit_open",
        }
    }

    /// The far end's own words, or what was seen.
    pub fn words(&self) -> &str {
        match self {
            Self::NotSent { words, .. } | Self::Unknown { words, .. } => words,
            Self::Sent { reply }
            | Self::Greylisted { reply }
            | Self::Busy { reply }
            | Self::AccountHeld { reply, .. }
            | Self::RecipientRefused { reply }
            | Self::Rejected { reply } => reply,
            Self::CircuitOpen { .. } => "",
        }
    }

    /// What the channel's breaker counts: `Some(true)` an answer from the far end (also a "no" to
    /// this one message), `Some(false)` trouble of the channel, `None` nothing was tried.
    pub const fn channel_works(&self) -> Option<bool> {
        match self {
            Self::Sent { .. }
            | Self::Greylisted { .. }
            | Self::RecipientRefused { .. }
            | Self::Rejected { .. } => Some(true),
            Self::NotSent { .. } | Self::Busy { .. } | Self::Unknown { .. } => Some(false),
            Self::AccountHeld { .. } | Self::CircuitOpen { .. } => None,
        }
    }
}

impl NotSent {
    /// All reasons.
    pub const ALL: [Self; 10] = [
        Self::Offline,
        Self::Dns,
        Self::Connect,
        Self::Tls,
        Self::Dropped,
        Self::Timeout,
        Self::Protocol,
        Self::TooMany,
        Self::Server,
        Self::Local,
    ];

    /// The word used in JSON; its sentence is `mail_not_sent_<code>`.
    pub const fn code(self) -> &'static str {
        match self {
            Self::Offline => "offline",
            Self::Dns => "dns",
            Self::Connect => "connect",
            Self::Tls => "tls",
            Self::Dropped => "dropped",
            Self::Timeout => "timeout",
            Self::Protocol => "protocol",
            Self::TooMany => "too_many",
            Self::Server => "server",
            Self::Local => "local",
        }
    }
}

impl Hold {
    /// All holds.
    pub const ALL: [Self; 6] = [
        Self::Auth,
        Self::StartTlsMissing,
        Self::SenderRefused,
        Self::DailyLimit,
        Self::SecretsLocked,
        Self::SecretMissing,
    ];

    /// The word used in JSON and in the database; its sentence is `mail_hold_<code>`.
    pub const fn code(self) -> &'static str {
        match self {
            Self::Auth => "auth",
            Self::StartTlsMissing => "start_tls_missing",
            Self::SenderRefused => "sender_refused",
            Self::DailyLimit => "daily_limit",
            Self::SecretsLocked => "secrets_locked",
            Self::SecretMissing => "secret_missing",
        }
    }

    /// Reads [`Hold::code`] back; `None` for one of a newer version.
    pub fn from_code(code: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|hold| hold.code() == code)
    }
}
