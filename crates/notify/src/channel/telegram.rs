//! Telegram: `sendMessage` of the user's own bot. The token is in the address, so the address is
//! never logged.

use std::sync::Arc;

use firstknock_policy::delivery::{Attempt, Hold, Pace, Repeat};

use super::{ChannelError, post, secret, web};
use crate::{BoxFuture, Deliver, Outgoing, Secrets, TelegramConfig};

pub(super) struct TelegramSender {
    config: TelegramConfig,
    server: url::Url,
    secrets: Arc<dyn Secrets>,
}

impl TelegramSender {
    pub(super) fn new(
        config: &TelegramConfig,
        secrets: Arc<dyn Secrets>,
    ) -> Result<Self, ChannelError> {
        Ok(Self { config: config.clone(), server: web(&config.server)?, secrets })
    }

    async fn send(&self, message: &Outgoing) -> Result<Attempt, Attempt> {
        let token = secret(&*self.secrets, &self.config.token()).await?;
        let mut url = self.server.clone();
        // `set_path` escapes what is no path, so a pasted token cannot change the host.
        url.set_path(&format!("bot{}/sendMessage", token.reveal().trim()));
        let request = post::client()?
            .post(url)
            .header("content-type", "application/json")
            .body(message.body.clone());
        Ok(match post::post(request, Repeat::Never).await {
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

    fn repeat(&self) -> Repeat {
        Repeat::Never
    }

    fn pace(&self) -> Pace {
        Pace::POST
    }
}
