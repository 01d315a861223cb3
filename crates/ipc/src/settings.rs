//! Settings and the set-up of mail.

use serde::{Deserialize, Serialize};
use ts_rs::TS;

use crate::QuietHours;

/// The local API's port, where nobody chose another.
pub const API_PORT: u16 = 7433;
/// From which to which it can be: lower ones are the system's.
pub const API_PORTS: (u16, u16) = (1024, 65_535);

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
#[serde(default)]
pub struct Settings {
    /// `None` follows the system.
    pub language: Option<Language>,
    pub theme: Theme,
    pub photos: bool,
    pub single_letter_keys: bool,
    pub start_with_system: bool,
    pub close_to_tray: bool,
    pub desktop_notifications: bool,
    /// Hours without an answer before a search says that it is blind.
    pub blind_after_hours: u32,
    pub daily_mail_cap: u32,
    pub mail_photo: bool,
    /// Quiet hours that a new search starts with.
    pub quiet: Option<QuietHours>,
    /// The app answers programs on this computer; `knock serve` always does.
    pub local_api: bool,
    /// Where, on 127.0.0.1.
    pub local_api_port: u16,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
pub enum Language {
    En,
    Nl,
    De,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
pub enum Theme {
    System,
    Light,
    Dark,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            language: None,
            theme: Theme::System,
            photos: true,
            single_letter_keys: true,
            start_with_system: false,
            close_to_tray: true,
            desktop_notifications: true,
            blind_after_hours: 6,
            daily_mail_cap: 100,
            mail_photo: false,
            quiet: None,
            local_api: false,
            local_api_port: API_PORT,
        }
    }
}

/// What we know about the provider of an address.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
pub struct MailGuess {
    pub address: String,
    pub server: String,
    pub port: u16,
    pub security: MailSecurity,
    pub login: String,
    pub source: GuessSource,
    /// `hint_<code>`: an app password is needed, this provider refuses passwords …
    pub hint: Option<String>,
    pub refuses_passwords: bool,
    /// Where its tokens come from, if we know.
    pub token: Option<TokenPlace>,
}

/// Where a provider gives out access tokens.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct TokenPlace {
    pub token_url: String,
    /// The permission that a token must carry to send mail.
    pub scope: String,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
pub enum MailSecurity {
    /// TLS from the first byte.
    Implicit,
    /// STARTTLS, required.
    Starttls,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
pub enum GuessSource {
    Preset,
    Autoconfig,
    Guess,
}

/// A mail account as the user confirms it. The password goes in and never comes out.
#[derive(Clone, PartialEq, Serialize, Deserialize, TS)]
pub struct MailAccount {
    pub from: String,
    pub to: String,
    pub server: String,
    pub port: u16,
    pub security: MailSecurity,
    pub login: String,
    /// `None` keeps the stored one.
    pub password: Option<String>,
    /// Signing in with a token; `None` means with the password.
    pub token: Option<MailToken>,
    pub keep_secret: KeepSecret,
}

/// Signing in with a token: the client is the user's own, and so is the token. Both secrets go in
/// and never come out.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct MailToken {
    pub token_url: String,
    pub client_id: String,
    /// The provider gave the client a secret.
    pub has_client_secret: bool,
    /// `None` keeps the stored one.
    pub client_secret: Option<String>,
    /// `None` keeps the stored one.
    pub refresh_token: Option<String>,
}

impl std::fmt::Debug for MailToken {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("MailToken").field("token_url", &self.token_url).finish_non_exhaustive()
    }
}

/// The same as it is shown.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct MailTokenShown {
    pub token_url: String,
    pub client_id: String,
    pub has_client_secret: bool,
}

impl std::fmt::Debug for MailAccount {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("MailAccount").field("server", &self.server).finish_non_exhaustive()
    }
}

/// Where a secret is kept; a fallback is asked for, never silent.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
pub enum KeepSecret {
    Keychain,
    Session,
    File,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case", tag = "kind")]
pub enum TestResult {
    /// With the server's own words.
    Accepted {
        by: String,
        words: String,
    },
    Refused {
        hint: Option<String>,
        words: String,
    },
    /// It may have arrived.
    Unknown {
        words: String,
    },
}

/// The account as it is shown: everything but the secret.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
pub struct MailAccountShown {
    pub from: String,
    pub to: String,
    pub server: String,
    pub port: u16,
    pub security: MailSecurity,
    pub login: String,
    /// The password or the refresh token is kept.
    pub has_secret: bool,
    pub token: Option<MailTokenShown>,
    pub keep_secret: KeepSecret,
}

/// What the window needs to know about where it runs.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
pub struct About {
    pub version: String,
    pub data_folder: String,
    pub mail_folder: String,
    /// A webview can open sites and read pages here.
    pub can_open_sites: bool,
    pub has_keychain: bool,
    /// A tray can be seen here.
    pub has_tray: bool,
    /// The street is offered here.
    pub has_street: bool,
}
