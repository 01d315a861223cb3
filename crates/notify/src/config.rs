//! A channel as it is configured; what the settings keep. No secret is in here, only its name.

use firstknock_policy::delivery::Repeat;
use serde::{Deserialize, Serialize};

use crate::SecretName;
use crate::channel::{self, Kind, NtfyConfig, TelegramConfig, WebhookConfig};

/// One way to reach the user.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", tag = "channel")]
pub enum ChannelConfig {
    /// Mail through the user's own account.
    Smtp(SmtpConfig),
    /// Mail as `.eml` files in the data folder's `mail`: what happens until an account is set up.
    File,
    /// Kept in memory, for tests and the rehearsal street.
    Memory,
    /// A notification of the desktop.
    Desktop,
    /// A topic on an ntfy server.
    Ntfy(NtfyConfig),
    /// A Telegram chat, through the user's own bot.
    Telegram(TelegramConfig),
    /// A POST of JSON to an address of the user's.
    Webhook(WebhookConfig),
}

/// A mail account.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct SmtpConfig {
    /// Host name or IP address.
    pub server: String,
    /// 465 with implicit TLS, 587 with STARTTLS.
    pub port: u16,
    /// How the connection is encrypted; there is no "not at all".
    pub security: Security,
    /// The login name, most often the address.
    pub user: String,
    /// How to log in.
    pub login: Login,
    /// The sender's address; must be the login's on most servers.
    pub from: String,
    /// Whom to write to: the user themselves, most often.
    pub to: String,
}

/// How a mail connection is encrypted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Security {
    /// TLS from the first byte.
    ImplicitTls,
    /// STARTTLS, required.
    StartTls,
}

/// How to log in to a mail server.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", tag = "login")]
pub enum Login {
    /// A password or an app password, kept under [`SmtpConfig::password`].
    Password,
    /// XOAUTH2 with a refresh token that the user brings, kept under
    /// [`SmtpConfig::refresh_token`]; the client is the user's own too.
    OAuth2 {
        /// The token endpoint.
        token_url: String,
        /// The client id of the user's own registration.
        client_id: String,
        /// Whether a client secret is kept under [`SmtpConfig::client_secret`].
        #[serde(default)]
        has_client_secret: bool,
    },
    /// No login at all (a server in the user's own network).
    None,
}

/// The host alone: path and query of an address may hold what is nobody's business.
pub(crate) fn host_of(address: &str) -> &str {
    let after = address.split_once("://").map_or(address, |(_, after)| after);
    let authority = after.split(['/', '?', '#']).next().unwrap_or_default();
    authority.rsplit_once('@').map_or(authority, |(_, host)| host)
}

impl ChannelConfig {
    /// What it is: all that a channel knows of itself stands in its own file.
    pub(crate) fn kind(&self) -> &dyn Kind {
        match self {
            Self::Smtp(smtp) => smtp,
            Self::File => &channel::file::File,
            Self::Memory => &channel::memory::InMemory,
            Self::Desktop => &channel::desktop::Desktop,
            Self::Ntfy(ntfy) => ntfy,
            Self::Telegram(telegram) => telegram,
            Self::Webhook(webhook) => webhook,
        }
    }

    /// Who takes the messages, for people: the server's name, as far as there is one.
    pub fn far_end(&self) -> &str {
        self.kind().far_end()
    }

    /// The word for the kind, used in JSON, in the database and in logs.
    pub fn code(&self) -> &'static str {
        self.kind().code()
    }

    /// Where its secrets are kept; the first is the one that a person sets it up with.
    pub fn secrets(&self) -> Vec<SecretName> {
        self.kind().secrets()
    }

    /// Whether a message may go again after an unknown outcome.
    pub fn repeat(&self) -> Repeat {
        self.kind().repeat()
    }
}

impl SmtpConfig {
    /// Where the password is kept.
    pub fn password(&self) -> SecretName {
        SecretName::new("smtp", &format!("{}@{}", self.user, self.server))
    }

    /// Where the refresh token is kept.
    pub fn refresh_token(&self) -> SecretName {
        SecretName::new("smtp-refresh", &format!("{}@{}", self.user, self.server))
    }

    /// Where the client's secret is kept, for providers that want one.
    pub fn client_secret(&self) -> SecretName {
        SecretName::new("smtp-client", &format!("{}@{}", self.user, self.server))
    }

    /// What must be kept for this way of logging in; the first is what the user calls "the
    /// password" or "the token".
    pub fn secrets(&self) -> Vec<SecretName> {
        Kind::secrets(self)
    }
}
