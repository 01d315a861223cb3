//! The seam between what is said and who carries it.

use std::future::Future;
use std::pin::Pin;

use firstknock_policy::delivery::{Attempt, Pace};

/// A future that a trait object can return.
pub type BoxFuture<'a, T> = Pin<Box<dyn Future<Output = T> + Send + 'a>>;

/// One rendered message, as the outbox keeps it: it is never rendered again, so a repeat carries
/// the same bytes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Outgoing {
    /// Ours and stable: the Message-ID of a mail, the idempotency key of a request.
    pub key: String,
    /// One line for the app's list of deliveries.
    pub subject: String,
    /// What goes over the wire: an RFC 5322 message, or the JSON of a request.
    pub body: Vec<u8>,
}

/// One sender of one channel. It tries once and says what it came to; whether and when to try
/// again is decided elsewhere.
pub trait Deliver: Send + Sync {
    /// Tries to deliver one message. Dropping the future is safe: what was under way is then of
    /// unknown outcome, and no half-used connection is kept.
    fn deliver<'a>(&'a self, message: &'a Outgoing) -> BoxFuture<'a, Attempt>;

    /// The end of a batch: a mail connection is closed politely. To be called after the last
    /// message that is due now.
    fn rest(&self) -> BoxFuture<'_, ()> {
        Box::pin(std::future::ready(()))
    }

    /// How patiently this channel retries.
    fn pace(&self) -> Pace;
}
