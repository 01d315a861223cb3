//! The channels beside mail.

use firstknock_monitor as monitor;
use firstknock_monitor::{ChannelConfig, Engine, Secret};

use super::{mail, store};
use crate::{ChannelSetup, ChannelShown, ChannelWish, ErrorBody, TestResult};

pub(super) async fn list(engine: &Engine) -> Result<Vec<ChannelShown>, ErrorBody> {
    let channels = engine.channels().await.map_err(store)?;
    Ok(channels
        .into_iter()
        .filter_map(|channel| {
            Some(ChannelShown {
                setup: setup(&channel.config)?,
                name: channel.name,
                enabled: channel.enabled,
                held: channel.held,
                last_accepted: channel.last_accepted.map(|at| at.as_millisecond()),
            })
        })
        .collect())
}

pub(super) async fn put(engine: &Engine, wish: ChannelWish) -> Result<(), ErrorBody> {
    let config = config(wish.setup);
    let secret = wish.secret.map(Secret::new);
    engine.put_channel(&wish.name, config, secret).await.map_err(mail::trouble)
}

pub(super) async fn remove(engine: &Engine, name: &str) -> Result<(), ErrorBody> {
    engine.remove_channel(name).await.map_err(mail::trouble)
}

pub(super) async fn test(engine: &Engine, name: &str) -> Result<TestResult, ErrorBody> {
    engine.test_channel(name).await.map(|test| mail::result(&test)).map_err(mail::trouble)
}

/// `None` for mail, which has commands of its own.
fn setup(config: &ChannelConfig) -> Option<ChannelSetup> {
    Some(match config {
        ChannelConfig::Desktop => ChannelSetup::Desktop,
        ChannelConfig::Ntfy(ntfy) => ChannelSetup::Ntfy {
            server: ntfy.server.clone(),
            topic: ntfy.topic.clone(),
            with_street: ntfy.with_street,
            has_token: ntfy.has_token,
        },
        ChannelConfig::Telegram(telegram) => ChannelSetup::Telegram { chat: telegram.chat.clone() },
        ChannelConfig::Webhook(webhook) => {
            ChannelSetup::Webhook { url: webhook.url.clone(), signed: webhook.signed }
        }
        ChannelConfig::Smtp(_) | ChannelConfig::File | ChannelConfig::Memory => return None,
    })
}

fn config(setup: ChannelSetup) -> ChannelConfig {
    match setup {
        ChannelSetup::Desktop => ChannelConfig::Desktop,
        ChannelSetup::Ntfy { server, topic, with_street, has_token } => {
            let topic = match topic.trim() {
                "" => monitor::random_topic(),
                topic => topic.to_owned(),
            };
            let server = server.trim().to_owned();
            ChannelConfig::Ntfy(monitor::NtfyConfig { server, topic, with_street, has_token })
        }
        ChannelSetup::Telegram { chat } => ChannelConfig::Telegram(monitor::TelegramConfig {
            server: "https://api.telegram.org".to_owned(),
            chat: chat.trim().to_owned(),
        }),
        ChannelSetup::Webhook { url, signed } => {
            ChannelConfig::Webhook(monitor::WebhookConfig { url: url.trim().to_owned(), signed })
        }
    }
}
