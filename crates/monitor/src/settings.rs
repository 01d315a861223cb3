//! The settings that the engine itself reads. The window has more; they live in the same record.

use firstknock_listing::catalogue::Language;
use firstknock_notify::secrets::Place;
use serde::{Deserialize, Serialize};

/// What the engine reads of the stored settings; everything has a default.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Settings {
    /// The language of messages; `None` follows the system.
    pub language: Option<Language>,
    /// A search that has seen nothing for so many hours says so.
    pub blind_after_hours: u32,
    /// At most so many mails in 24 hours; what is beyond comes as a digest.
    pub daily_mail_cap: u32,
    /// Photos of listings are read and shown.
    pub photos: bool,
    /// One small photo goes with a mail, if it comes in time; only where photos are on.
    pub mail_photo: bool,
    /// New finds are shown by the desktop, where it can.
    pub desktop_notifications: bool,
    /// Where passwords are kept.
    pub keep_secret: Place,
}

impl Settings {
    /// Where they are stored.
    pub const KEY: &str = "app";

    /// The language of messages: chosen, else the system's, else English.
    pub fn language(&self) -> Language {
        let system = || {
            ["LC_ALL", "LC_MESSAGES", "LANG"]
                .iter()
                .filter_map(|name| std::env::var(name).ok())
                .find_map(|locale| Language::from_code(&locale))
        };
        self.language.or_else(system).unwrap_or_default()
    }
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            language: None,
            blind_after_hours: 6,
            daily_mail_cap: 100,
            photos: true,
            mail_photo: false,
            desktop_notifications: true,
            keep_secret: Place::Keychain,
        }
    }
}
