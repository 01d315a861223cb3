//! One sender per kind of channel.

use std::path::Path;
use std::sync::Arc;

use thiserror::Error;

use crate::{ChannelConfig, Deliver, Secrets};

/// A notification on the desktop, as the shell shows it.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct Toast {
    /// Price, place.
    pub title: String,
    /// The listing, or the first few.
    pub body: String,
    /// What "Open" opens: one listing's address, or nothing (then the app's list).
    pub url: Option<String>,
    /// What "Mute search" mutes.
    pub search: Option<firstknock_listing::SearchId>,
}

/// Who shows notifications; the shell has one, the terminal has none.
pub trait Toaster: Send + Sync {
    /// Shows it; the error is a word for the delivery's history.
    fn show(&self, toast: Toast) -> Result<(), String>;
}

/// Why a channel cannot be made from its configuration.
#[derive(Debug, Error)]
pub enum ChannelError {
    /// An address without @, or with characters that no mail server takes.
    #[error("not a mail address: {0}")]
    Address(String),
    /// Not an http(s) address.
    #[error("not an address of a server: {0}")]
    Url(String),
    /// The trust store or the HTTP client cannot be set up.
    #[error("no secure connections can be made on this computer: {0}")]
    Tls(#[source] Box<dyn std::error::Error + Send + Sync>),
    /// Nobody is there to show notifications.
    #[error("there is no desktop here")]
    NoDesktop,
}

/// The sender for a configuration.
///
/// # Errors
/// If the configuration cannot work as it stands; the server is not asked.
pub fn channel(
    config: &ChannelConfig,
    _secrets: Arc<dyn Secrets>,
    _data_dir: &Path,
    toaster: Option<Arc<dyn Toaster>>,
) -> Result<Box<dyn Deliver>, ChannelError> {
    match config {
        ChannelConfig::Desktop if toaster.is_none() => Err(ChannelError::NoDesktop),
        _ => Err(ChannelError::NoDesktop),
    }
}
