//! One sender per kind of channel, each in a file of its own.

mod desktop;
mod file;
mod memory;
mod ntfy;
pub(crate) mod post;
pub mod smtp;
mod telegram;
mod webhook;

use std::path::Path;
use std::sync::Arc;

use firstknock_policy::delivery::{Attempt, Hold, NotSent};
use thiserror::Error;

pub use self::desktop::{Toast, Toaster};
pub use self::file::FOLDER as MAIL_FOLDER;
pub use self::memory::Memory;
pub use self::ntfy::random_topic;

use crate::{ChannelConfig, Deliver, Secret, SecretError, SecretName, Secrets};

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
    Ok(match config {
        ChannelConfig::Smtp(smtp) => Box::new(smtp::SmtpSender::new(smtp, secrets)?),
        ChannelConfig::File => Box::new(file::FileSender::new(data_dir)),
        ChannelConfig::Memory => Box::new(Memory::default()),
        ChannelConfig::Desktop => {
            Box::new(desktop::DesktopSender::new(toaster.ok_or(ChannelError::NoDesktop)?))
        }
        ChannelConfig::Ntfy(ntfy) => Box::new(ntfy::NtfySender::new(ntfy, secrets)?),
        ChannelConfig::Telegram(telegram) => {
            Box::new(telegram::TelegramSender::new(telegram, secrets)?)
        }
        ChannelConfig::Webhook(webhook) => Box::new(webhook::WebhookSender::new(webhook, secrets)?),
    })
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
