//! From an address to a working account in a minute: the table, else what the provider itself
//! publishes, else a guess for the user to confirm.
//!
//! **Promises**: nobody is sent the address or the password by a search for settings; what takes
//! no passwords is said before one is typed. **Leaves out**: MX records, so a company's own domain
//! with Google or Microsoft behind it is found only through autoconfig.

mod autoconfig;
mod presets;
mod tokens;

use serde::{Deserialize, Serialize};

pub use self::autoconfig::{autoconfig, read};
pub use self::presets::{Preset, preset, presets};
pub(crate) use self::presets::{by_domain, by_server};
pub use self::tokens::{TokenPlace, token_place, token_places};

use crate::channel::smtp::address;
use crate::{ChannelError, Login, Security, SmtpConfig};

/// An account that could work for an address.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Account {
    /// The provider's name, where it is known.
    pub provider: Option<String>,
    /// The server; empty where the provider has none for others.
    pub server: String,
    /// The port.
    pub port: u16,
    /// How it is encrypted.
    pub security: Security,
    /// The login name.
    pub user: String,
    /// What the provider wants of its users first.
    pub access: Access,
    /// Where this comes from; a guess is confirmed by the user.
    pub origin: Origin,
}

/// Where an account's facts come from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Origin {
    /// Our table.
    Preset,
    /// The provider's own file.
    Autoconfig,
    /// Nobody said so.
    Guess,
}

/// What a provider wants before another program may send.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Access {
    /// The account's password.
    Password,
    /// An app password, which needs 2-step verification first.
    AppPassword,
    /// An app password.
    AppPasswordPlain,
    /// A password for mail programs, set apart.
    MailPassword,
    /// The account's password, once the user has allowed it in the web mail.
    SwitchOn,
    /// OAuth only; no password of any kind.
    NoPasswords,
    /// A bridge program or a paid token.
    Bridge,
    /// Nothing: there is no server for others.
    NoSmtp,
}

/// What to log in with.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum LoginName {
    /// The whole address.
    Address,
    /// What stands before the @.
    LocalPart,
}

impl Access {
    /// All kinds.
    pub const ALL: [Self; 8] = [
        Self::Password,
        Self::AppPassword,
        Self::AppPasswordPlain,
        Self::MailPassword,
        Self::SwitchOn,
        Self::NoPasswords,
        Self::Bridge,
        Self::NoSmtp,
    ];

    /// The word used in the table and on the wire.
    pub const fn code(self) -> &'static str {
        match self {
            Self::Password => "password",
            Self::AppPassword => "app_password",
            Self::AppPasswordPlain => "app_password_plain",
            Self::MailPassword => "mail_password",
            Self::SwitchOn => "switch_on",
            Self::NoPasswords => "no_passwords",
            Self::Bridge => "bridge",
            Self::NoSmtp => "no_smtp",
        }
    }

    /// Reads [`Access::code`] back.
    pub fn from_code(code: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|access| access.code() == code)
    }

    /// What to tell the user before they try, as a key of the catalogue with a place `{provider}`.
    pub const fn hint(self) -> Option<&'static str> {
        match self {
            Self::Password => None,
            Self::AppPassword => Some("hint_app_password"),
            Self::AppPasswordPlain => Some("hint_app_password_plain"),
            Self::MailPassword => Some("hint_mail_password"),
            Self::SwitchOn => Some("hint_switch_on"),
            Self::NoPasswords => Some("hint_no_passwords"),
            Self::Bridge => Some("hint_bridge"),
            Self::NoSmtp => Some("hint_no_smtp"),
        }
    }
}

impl LoginName {
    pub(crate) fn of(self, user: &str, domain: &str) -> String {
        match self {
            Self::Address => format!("{user}@{domain}"),
            Self::LocalPart => user.to_owned(),
        }
    }
}

impl Account {
    /// The configuration that this account makes for an address that writes to itself.
    pub fn config(&self, address: &str) -> SmtpConfig {
        SmtpConfig {
            server: self.server.clone(),
            port: self.port,
            security: self.security,
            user: self.user.clone(),
            login: Login::Password,
            from: address.trim().to_owned(),
            to: address.trim().to_owned(),
        }
    }
}

/// The account for an address: the table, else autoconfig, else a guess.
///
/// # Errors
/// If it is no address.
pub async fn find(text: &str) -> Result<Account, ChannelError> {
    let parsed = address(text)?;
    if let Some(account) = preset(text) {
        return Ok(account);
    }
    match autoconfig(text).await {
        Some(account) => Ok(account),
        None => Ok(guess(parsed.user(), parsed.domain())),
    }
}

fn guess(user: &str, domain: &str) -> Account {
    Account {
        provider: None,
        server: format!("smtp.{domain}"),
        port: 465,
        security: Security::ImplicitTls,
        user: format!("{user}@{domain}"),
        access: Access::Password,
        origin: Origin::Guess,
    }
}
