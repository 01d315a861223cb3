//! The kinds of channels, each in a file of its own: its set-up, what it says, how it is sent, what
//! to do when that fails, and where its secrets are.

pub(crate) mod desktop;
pub(crate) mod file;
pub(crate) mod memory;
mod ntfy;
pub(crate) mod post;
pub mod smtp;
mod telegram;
mod webhook;

use std::path::Path;
use std::sync::Arc;

use firstknock_policy::delivery::{Attempt, Hold, NotSent, Repeat};
use thiserror::Error;

pub use self::desktop::{Toast, Toaster};
pub use self::file::FOLDER as MAIL_FOLDER;
pub use self::memory::Memory;
pub use self::ntfy::{NtfyConfig, random_topic};
pub use self::telegram::TelegramConfig;
pub use self::webhook::WebhookConfig;

use crate::render::Context;
use crate::{
    Alert, ChannelConfig, Deliver, Hint, Outgoing, Secret, SecretError, SecretName, Secrets,
};

/// Why a channel cannot be made from its configuration.
#[derive(Debug, Error)]
pub enum ChannelError {
    /// An address without @, or with characters that no mail server takes.
    #[error("not a mail address: {0}")]
    Address(String),
    /// Not an http(s) address.
    #[error("not an address of a server: {0}")]
    Url(String),
    /// The trust store of this computer cannot be used.
    #[error("no secure connections can be made on this computer: {0}")]
    Tls(#[source] Box<dyn std::error::Error + Send + Sync>),
    /// Nobody is there to show notifications.
    #[error("there is no desktop here")]
    NoDesktop,
}

/// What a kind of channel is.
pub(crate) trait Kind {
    /// The word for it in JSON, in the database and in logs.
    fn code(&self) -> &'static str;

    /// Who takes the messages, for people.
    fn far_end(&self) -> &str {
        "Firstknock"
    }

    /// Where its secrets are kept; the first is the one that a person sets it up with.
    fn secrets(&self) -> Vec<SecretName> {
        Vec::new()
    }

    /// Whether a message may go again after an unknown outcome.
    fn repeat(&self) -> Repeat;

    /// What the outbox keeps of an alert.
    fn message(&self, alert: &Alert, context: &Context) -> Outgoing;

    /// Who carries it; no server is asked yet.
    fn sender(&self, tools: Tools<'_>) -> Result<Box<dyn Deliver>, ChannelError>;

    /// What the user can do about an attempt that did not work.
    fn hint(&self, _attempt: &Attempt) -> Option<Hint> {
        None
    }
}

/// What senders are made with.
pub(crate) struct Tools<'a> {
    pub(crate) secrets: Arc<dyn Secrets>,
    pub(crate) data_dir: &'a Path,
    pub(crate) toaster: Option<Arc<dyn Toaster>>,
}

/// The sender for a configuration.
///
/// # Errors
/// If the configuration cannot work as it stands; no server is asked.
pub fn channel(
    config: &ChannelConfig,
    secrets: Arc<dyn Secrets>,
    data_dir: &Path,
    toaster: Option<Arc<dyn Toaster>>,
) -> Result<Box<dyn Deliver>, ChannelError> {
    config.kind().sender(Tools { secrets, data_dir, toaster })
}

/// A secret for a delivery that is under way, or what its absence makes of the attempt.
async fn secret(secrets: &dyn Secrets, name: &SecretName) -> Result<Secret, Attempt> {
    let held = |hold| Err(Attempt::AccountHeld { hold, reply: String::new() });
    match secrets.get(name).await {
        Ok(Some(secret)) => Ok(secret),
        Ok(None) => held(Hold::SecretMissing),
        Err(SecretError::Locked | SecretError::Absent | SecretError::Silent) => {
            held(Hold::SecretsLocked)
        }
        Err(error @ (SecretError::File(_) | SecretError::Keychain(_))) => Err(Attempt::NotSent {
            reason: NotSent::Local,
            retry_after: None,
            words: error.to_string(),
        }),
    }
}

fn web(address: &str) -> Result<url::Url, ChannelError> {
    crate::render::web_address(address.trim())
        .ok_or_else(|| ChannelError::Url(firstknock_listing::truncate_chars(address, 100)))
}
