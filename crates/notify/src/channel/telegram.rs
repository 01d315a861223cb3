//! Telegram: `sendMessage` of the user's own bot. The token is in the address, so the address is
//! never logged.

use std::sync::Arc;

use firstknock_listing::truncate_chars;
use firstknock_policy::delivery::{Attempt, Hold, Pace, Repeat};
use serde::{Deserialize, Serialize};
use serde_json::json;

use super::{ChannelError, Kind, Tools, post, secret, web};
use crate::render::{self, Context};
use crate::{Alert, BoxFuture, Deliver, Hint, Outgoing, SecretName, Secrets};

/// It would be shown twice.
const REPEAT: Repeat = Repeat::Never;

/// Telegram takes 4,096 characters in one message.
const CHARS: usize = 4_000;

/// A chat with the user's own bot; its token is kept under [`TelegramConfig::token`].
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct TelegramConfig {
    /// The Bot API server; `https://api.telegram.org` unless the user runs one.
    #[serde(default = "usual_server")]
    pub server: String,
    /// The chat's number, or `@channel`.
    pub chat: String,
}

fn usual_server() -> String {
    "https://api.telegram.org".to_owned()
}

struct TelegramSender {
    config: TelegramConfig,
    server: url::Url,
    secrets: Arc<dyn Secrets>,
}

impl TelegramConfig {
    /// Where the bot's token is kept.
    pub fn token(&self) -> SecretName {
        SecretName::new("telegram", &self.chat)
    }
}

impl Kind for TelegramConfig {
    fn code(&self) -> &'static str {
        "telegram"
    }

    fn far_end(&self) -> &str {
        "Telegram"
    }

    fn secrets(&self) -> Vec<SecretName> {
        vec![self.token()]
    }

    fn repeat(&self) -> Repeat {
        REPEAT
    }

    /// Plain text, so that nothing in a title can be markup.
    fn message(&self, alert: &Alert, context: &Context) -> Outgoing {
        let text = render::in_words(alert, context);
        let text = text.split("\n-- \n").next().unwrap_or_default();
        let body = json!({ "chat_id": self.chat, "text": truncate_chars(text.trim(), CHARS) });
        let subject = render::in_a_line(alert);
        Outgoing { key: context.key.clone(), subject, body: render::json(&body) }
    }

    fn sender(&self, tools: Tools<'_>) -> Result<Box<dyn Deliver>, ChannelError> {
        let (config, server) = (self.clone(), web(&self.server)?);
        Ok(Box::new(TelegramSender { config, server, secrets: tools.secrets }))
    }

    fn hint(&self, attempt: &Attempt) -> Option<Hint> {
        match attempt {
            Attempt::AccountHeld { hold: Hold::Auth, .. } => Some(Hint::new("hint_bot_token", &[])),
            Attempt::RecipientRefused { .. } => Some(Hint::new("hint_bot_chat", &[])),
            _ => None,
        }
    }
}

impl TelegramSender {
    async fn send(&self, message: &Outgoing) -> Result<Attempt, Attempt> {
        let token = secret(&*self.secrets, &self.config.token()).await?;
        let mut url = self.server.clone();
        // `set_path` escapes what is no path, so a pasted token cannot change the host.
        url.set_path(&format!("bot{}/sendMessage", token.reveal().trim()));
        let request = post::client()?
            .post(url)
            .header("content-type", "application/json")
            .body(message.body.clone());
        Ok(match post::post(request, REPEAT).await {
            // An unknown token is 401 or 404 here; a chat that is closed to the bot 400 or 403.
            Attempt::Rejected { reply } if reply.starts_with("404") => {
                Attempt::AccountHeld { hold: Hold::Auth, reply }
            }
            Attempt::Rejected { reply } | Attempt::AccountHeld { reply, .. }
                if reply.starts_with("403") || reply.contains("chat not found") =>
            {
                Attempt::RecipientRefused { reply }
            }
            attempt => attempt,
        })
    }
}

impl Deliver for TelegramSender {
    fn deliver<'a>(&'a self, message: &'a Outgoing) -> BoxFuture<'a, Attempt> {
        Box::pin(async move { self.send(message).await.unwrap_or_else(|attempt| attempt) })
    }

    fn pace(&self) -> Pace {
        Pace::POST
    }
}
