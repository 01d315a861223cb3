//! Messages: rendered once, delivered by one sender per channel.
//!
//! **Promises**: rendering is pure (an [`Alert`] and the time in, bytes out); an [`Attempt`] never
//! calls something "not sent" that may have arrived; passwords are types that cannot be printed.
//! **Leaves out**: the outbox, retries and the breaker (`monitor` keeps them, by the rules of
//! `policy::delivery`), and SQL.
//!
//! A new channel is one file in `channel`, with its set-up, its words, its sender and its hints, plus
//! a variant of [`ChannelConfig`] and its line in `ChannelConfig::kind`. What a person fills in to
//! set it up is `ipc`'s `ChannelSetup` and the window's form.

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
pub use channel::{
    ChannelError, Memory, NtfyConfig, TelegramConfig, Toast, Toaster, WebhookConfig, channel,
};
pub use config::{ChannelConfig, Login, Security, SmtpConfig};
pub use firstknock_policy::delivery::Attempt;
pub use hint::{Hint, gave_up, hint, meaning};
pub use outgoing::{BoxFuture, Deliver, Outgoing};
pub use secret::{Secret, SecretError, SecretName, Secrets};
pub use test_message::test_message;
