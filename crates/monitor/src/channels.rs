//! The channels beside mail: desktop, ntfy, Telegram, webhooks; each with its own sender.
//!
//! **Leaves out**: the mail account (`account`), which the window sets up by itself.

use std::sync::Arc;

use firstknock_notify::{Alert, ChannelConfig, Outgoing, Secret, Secrets, channel, render};
use firstknock_store::{Channel, Store, StoreError};
use jiff::Timestamp;
use jiff::tz::TimeZone;

use crate::account::MAIL;
use crate::{AccountError, AccountTest, Dice, Engine, Settings};

/// A channel as it is set up and as it does.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ChannelFacts {
    /// Its name.
    pub name: String,
    /// Its set-up, without secrets.
    pub config: ChannelConfig,
    /// Switched off ones get nothing.
    pub enabled: bool,
    /// It cannot send now: a code.
    pub held: Option<String>,
    /// When it last took something.
    pub last_accepted: Option<Timestamp>,
}

const DESKTOP: &str = "desktop";

impl Engine {
    /// All channels but mail.
    ///
    /// # Errors
    /// Only if we or the disk broke.
    pub async fn channels(&self) -> Result<Vec<ChannelFacts>, StoreError> {
        let channels = self.store.run(|store| store.channels()).await?;
        Ok(channels.into_iter().filter(|c| c.channel != MAIL).filter_map(facts).collect())
    }

    /// Sets a channel up, with its secret if it has one and it is new. What waited is freed.
    ///
    /// # Errors
    /// [`AccountError`]: nothing was changed.
    pub async fn put_channel(
        &self,
        name: &str,
        config: ChannelConfig,
        secret: Option<Secret>,
    ) -> Result<(), AccountError> {
        if name == MAIL || name.trim().is_empty() {
            return Err(StoreError::NotFound.into());
        }
        // Made once to see that it can be.
        let secrets = Arc::clone(&self.secrets) as Arc<dyn Secrets>;
        drop(channel(&config, secrets, self.folder.path(), self.toaster.clone())?);
        if let (Some(place), Some(secret)) = (config.secrets().first(), secret) {
            self.secrets.set(place, secret).await?;
        }
        let (name, now) = (name.to_owned(), self.clock.now());
        self.store
            .run(move |store| {
                let kind = config.code();
                store.put_channel(&name, kind, true, &serde_json::to_value(&config)?, now)?;
                store.release_held(&name, now)
            })
            .await?;
        self.bell.ring();
        self.redraw().await;
        Ok(())
    }

    /// Removes a channel and its secret; what it has not delivered is given up, and says so. The
    /// desktop's is switched off: otherwise it would be back at the next start.
    ///
    /// # Errors
    /// [`AccountError`].
    pub async fn remove_channel(&self, name: &str) -> Result<(), AccountError> {
        let config = self.config_of(name).await?;
        for place in config.secrets() {
            self.secrets.forget(&place).await?;
        }
        let (name, now) = (name.to_owned(), self.clock.now());
        self.store
            .run(move |store| {
                store.remove_channel(&name, now)?;
                if config == ChannelConfig::Desktop {
                    let kept = serde_json::to_value(&config)?;
                    store.put_channel(&name, config.code(), false, &kept, now)?;
                }
                Ok(())
            })
            .await?;
        self.redraw().await;
        Ok(())
    }

    /// Sends a real test message through a channel.
    ///
    /// # Errors
    /// [`AccountError`] if it cannot even be tried.
    pub async fn test_channel(&self, name: &str) -> Result<AccountTest, AccountError> {
        let config = self.config_of(name).await?;
        self.try_once(config, Arc::clone(&self.secrets) as Arc<dyn Secrets>).await
    }

    /// One test message through a sender of its own.
    pub(crate) async fn try_once(
        &self,
        config: ChannelConfig,
        secrets: Arc<dyn Secrets>,
    ) -> Result<AccountTest, AccountError> {
        let sender = channel(&config, secrets, self.folder.path(), self.toaster.clone())?;
        let language = self.settings().await.language();
        let now = self.clock.now();
        let key = format!("{:016x}", Dice::unforeseen().bits());
        let context = render::Context::new(key, now, TimeZone::system());
        let context = match &config {
            ChannelConfig::Smtp(account) => context.addressed(account),
            _ => context,
        };
        let message: Outgoing = render::outgoing(&config, &Alert::test(language, now), &context);
        let attempt = sender.deliver(&message).await;
        sender.rest().await;
        Ok(AccountTest { attempt, tried: config })
    }

    async fn config_of(&self, name: &str) -> Result<ChannelConfig, AccountError> {
        let asked = name.to_owned();
        let kept = self.store.run(move |store| store.channel(&asked)).await?;
        let kept = kept.filter(|kept| kept.channel != MAIL).and_then(facts);
        Ok(kept.ok_or(StoreError::NotFound)?.config)
    }
}

/// At a start: the desktop's channel is there if somebody shows notifications and the user wants
/// them; where nobody does, nothing waits for it.
pub(crate) fn desktop(store: &mut Store, shown: bool, now: Timestamp) -> Result<(), StoreError> {
    let settings: Settings = store.setting(Settings::KEY)?.unwrap_or_default();
    let kept = store.channel(DESKTOP)?;
    let config = serde_json::to_value(ChannelConfig::Desktop)?;
    match (shown, kept) {
        (true, None) => {
            store.put_channel(DESKTOP, "desktop", settings.desktop_notifications, &config, now)
        }
        (false, Some(Channel { enabled: true, .. })) => store.remove_channel(DESKTOP, now),
        _ => Ok(()),
    }
}

fn facts(channel: Channel) -> Option<ChannelFacts> {
    Some(ChannelFacts {
        name: channel.channel,
        config: serde_json::from_value(channel.config).ok()?,
        enabled: channel.enabled,
        held: channel.held.map(|hold| hold.code().to_owned()),
        last_accepted: channel.last_sent_at,
    })
}

/// An ntfy topic that nobody guesses.
pub fn random_topic() -> String {
    channel::random_topic(&mut || Dice::unforeseen().bits())
}
