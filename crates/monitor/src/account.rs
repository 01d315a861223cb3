//! The mail account: kept, tested with a real message, forgotten.

use std::sync::Arc;

use firstknock_notify::secrets::Place;
use firstknock_notify::setup::{self, Access, Origin, TokenPlace};
use firstknock_notify::{
    ChannelConfig, ChannelError, Secret, SecretError, SecretName, Secrets, SmtpConfig, channel,
    hint,
};
use firstknock_policy::delivery::Attempt;
use firstknock_store::StoreError;

use crate::secrets::Typed;
use crate::{Engine, Settings};

/// Why an account was not kept or not tried.
#[derive(Debug, thiserror::Error)]
pub enum AccountError {
    /// An address or a server's name that is none.
    #[error(transparent)]
    Channel(#[from] ChannelError),
    /// The password could not be kept or read.
    #[error(transparent)]
    Secret(#[from] SecretError),
    /// Nothing could be stored.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// What the user typed; `None` means the one that is kept.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Credentials {
    /// The account's password.
    pub password: Option<Secret>,
    /// What access tokens are asked with.
    pub refresh_token: Option<Secret>,
    /// What the client proves itself with, where its provider gave it one.
    pub client_secret: Option<Secret>,
}

/// What the test came to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AccountTest {
    /// What the server did.
    pub attempt: Attempt,
    /// What was tried.
    pub tried: ChannelConfig,
}

/// The test's outcome as a person reads it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum TestOutcome {
    /// A server took it.
    Accepted {
        /// Its own words.
        words: String,
    },
    /// It was not sent.
    Refused {
        /// What to do about it: the key of a sentence.
        hint: Option<String>,
        /// What the server (or the network) said.
        words: String,
    },
    /// It may have arrived.
    Unknown {
        /// What was seen.
        words: String,
    },
}

/// What we know about the provider of an address.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AccountGuess {
    /// The account as it would be.
    pub account: SmtpConfig,
    /// How we know.
    pub source: GuessSource,
    /// What to know before trying: the key of a sentence.
    pub hint: Option<String>,
    /// This provider takes no passwords at all.
    pub refuses_passwords: bool,
    /// Where its tokens come from, if we know.
    pub tokens: Option<&'static TokenPlace>,
}

/// How we know a provider's server.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum GuessSource {
    /// From our table.
    Preset,
    /// The provider says so itself.
    Autoconfig,
    /// The usual names; to be confirmed.
    Guess,
}

/// The channel that every user has.
pub(crate) const MAIL: &str = "mail";

impl Credentials {
    /// Each with the name that it is kept under; what this way of logging in does not need is left
    /// out.
    fn named(self, account: &SmtpConfig) -> Vec<(SecretName, Secret)> {
        let Self { password, refresh_token, client_secret } = self;
        let all = [
            (account.password(), password),
            (account.refresh_token(), refresh_token),
            (account.client_secret(), client_secret),
        ];
        let wanted = account.secrets();
        all.into_iter()
            .filter(|(name, _)| wanted.contains(name))
            .filter_map(|(name, secret)| Some((name, secret?)))
            .collect()
    }
}

impl AccountTest {
    /// As a person reads it.
    pub fn outcome(&self) -> TestOutcome {
        let words = self.attempt.words().to_owned();
        match &self.attempt {
            Attempt::Sent { .. } => TestOutcome::Accepted { words },
            Attempt::Unknown { .. } => TestOutcome::Unknown { words },
            _ => {
                let hint = hint(&self.tried, &self.attempt).map(|hint| hint.code);
                TestOutcome::Refused { hint, words }
            }
        }
    }
}

impl Engine {
    /// The account as it is set up; `None` while mail goes to files.
    ///
    /// # Errors
    /// Only if we or the disk broke.
    pub async fn account(&self) -> Result<Option<SmtpConfig>, StoreError> {
        let channel = self.store.run(|store| store.channel(MAIL)).await?;
        let config = channel.and_then(|c| serde_json::from_value::<ChannelConfig>(c.config).ok());
        Ok(match config {
            Some(ChannelConfig::Smtp(smtp)) => Some(smtp),
            _ => None,
        })
    }

    /// Whether the password or token that an account logs in with is kept.
    pub async fn has_secret(&self, account: &SmtpConfig) -> bool {
        match account.secrets().first() {
            Some(name) => matches!(self.secrets.get(name).await, Ok(Some(_))),
            None => false,
        }
    }

    /// Sends a real test mail with this account, without keeping it.
    ///
    /// # Errors
    /// [`AccountError`] if it cannot even be tried.
    pub async fn test_account(
        &self,
        account: &SmtpConfig,
        typed: Credentials,
    ) -> Result<AccountTest, AccountError> {
        let kept = Arc::clone(&self.secrets);
        let secrets = Arc::new(Typed::over(kept, typed.named(account)).await?);
        self.try_once(ChannelConfig::Smtp(account.clone()), secrets).await
    }

    /// Keeps an account and what it logs in with, and frees what waited for it. What only the
    /// account before it needed is forgotten.
    ///
    /// # Errors
    /// [`AccountError`]: nothing was changed.
    pub async fn keep_account(
        &self,
        account: &SmtpConfig,
        typed: Credentials,
        place: Place,
    ) -> Result<(), AccountError> {
        // Made once to see that it can be: a bad address is said now, not at the first alert.
        let config = ChannelConfig::Smtp(account.clone());
        let secrets = Arc::clone(&self.secrets) as Arc<dyn Secrets>;
        drop(channel(&config, secrets, self.folder.path(), None)?);
        let before = self.account().await?;
        self.secrets.choose(place);
        for (name, secret) in typed.named(account) {
            let secret = self.secrets.newest(secret);
            self.secrets.set(&name, secret).await?;
        }
        let now = self.clock.now();
        self.store
            .run(move |store| {
                let config = serde_json::to_value(&config)?;
                keep_place(store, place, now)?;
                store.put_channel(MAIL, "smtp", true, &config, now)?;
                store.release_held(MAIL, now)?;
                Ok(())
            })
            .await?;
        let wanted = account.secrets();
        let old = before.map(|before| before.secrets()).unwrap_or_default();
        for name in old.iter().filter(|name| !wanted.contains(name)) {
            if let Err(error) = self.secrets.forget(name).await {
                tracing::warn!(%error, "what another account logged in with is still kept");
            }
        }
        self.bell.ring();
        self.redraw().await;
        Ok(())
    }

    /// Forgets the account and what it logged in with: mail becomes files again.
    ///
    /// # Errors
    /// [`AccountError`].
    pub async fn forget_account(&self) -> Result<(), AccountError> {
        if let Some(account) = self.account().await? {
            for name in account.secrets() {
                self.secrets.forget(&name).await?;
            }
        }
        let now = self.clock.now();
        self.store
            .run(move |store| {
                let config = serde_json::to_value(ChannelConfig::File)?;
                store.put_channel(MAIL, "file", true, &config, now)?;
                store.release_held(MAIL, now)?;
                Ok(())
            })
            .await?;
        self.bell.ring();
        self.redraw().await;
        Ok(())
    }

    /// Whether the system's keychain answers here.
    pub async fn has_keychain(&self) -> bool {
        let probe = firstknock_notify::SecretName::new("probe", "keychain");
        let keychain = firstknock_notify::secrets::open(Place::Keychain, self.folder.path());
        let asked = keychain.get(&probe);
        tokio::time::timeout(std::time::Duration::from_secs(2), asked)
            .await
            .is_ok_and(|answer| answer.is_ok())
    }

    /// Server, port and login form for an address, without asking for its password.
    ///
    /// # Errors
    /// [`AccountError::Channel`] if it is no mail address.
    pub async fn guess_account(&self, address: &str) -> Result<AccountGuess, AccountError> {
        let found = setup::find(address).await?;
        Ok(AccountGuess {
            account: found.config(address),
            source: match found.origin {
                Origin::Preset => GuessSource::Preset,
                Origin::Autoconfig => GuessSource::Autoconfig,
                Origin::Guess => GuessSource::Guess,
            },
            hint: found.access.hint().map(str::to_owned),
            tokens: setup::token_place(&found.server),
            refuses_passwords: match found.access {
                Access::NoPasswords | Access::NoSmtp => true,
                Access::Password
                | Access::AppPassword
                | Access::AppPasswordPlain
                | Access::MailPassword
                | Access::SwitchOn
                | Access::Bridge => false,
            },
        })
    }

    /// The settings that the engine reads.
    pub async fn settings(&self) -> Settings {
        let read = self.store.run(|store| store.setting(Settings::KEY)).await;
        read.ok().flatten().unwrap_or_default()
    }
}

/// The window's settings live in the same record: only ours is touched.
fn keep_place(
    store: &mut firstknock_store::Store,
    place: Place,
    now: jiff::Timestamp,
) -> Result<(), StoreError> {
    let mut all: serde_json::Map<String, serde_json::Value> =
        store.setting(Settings::KEY)?.unwrap_or_default();
    all.insert("keep_secret".to_owned(), serde_json::to_value(place)?);
    store.set_setting(Settings::KEY, &all, now)
}
