//! Messages: rendered once, delivered by one sender per channel.
//!
//! **Promises**: rendering is pure (an [`Alert`] and the time in, bytes out); an [`Attempt`] never
//! calls something "not sent" that may have arrived; passwords are types that cannot be printed.
//! **Leaves out**: the outbox, retries and the breaker (`monitor` keeps them, by the rules of
//! `policy::delivery`), and SQL.
//!
//! A new channel is one file in `channel`, one variant of [`ChannelConfig`] and one line in
//! [`channel()`].

#![warn(missing_docs)]

mod alert;
pub mod channel;
mod config;
mod hint;
mod outgoing;
pub mod render;
mod secret;
pub mod secrets;
pub mod setup;
mod test_message;

pub use alert::{Alert, DigestReason, Finding, Found, News, SearchName, SeenPrice};
pub use channel::{ChannelError, Memory, Toast, Toaster, channel};
pub use config::{
    ChannelConfig, Login, NtfyConfig, Security, SmtpConfig, TelegramConfig, WebhookConfig,
};
pub use firstknock_policy::delivery::Attempt;
pub use hint::{Hint, gave_up, hint, meaning};
pub use outgoing::{BoxFuture, Deliver, Outgoing};
pub use secret::{Secret, SecretError, SecretName, Secrets};
pub use test_message::test_message;
