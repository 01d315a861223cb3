//! ntfy: one POST of JSON to the server's root; the topic is in the body.

use std::sync::Arc;

use firstknock_policy::delivery::{Attempt, Pace, Repeat};

use super::{ChannelError, post, secret, web};
use crate::{BoxFuture, Deliver, NtfyConfig, Outgoing, Secrets};

pub(super) struct NtfySender {
    config: NtfyConfig,
    url: url::Url,
    secrets: Arc<dyn Secrets>,
}

impl NtfySender {
    pub(super) fn new(
        config: &NtfyConfig,
        secrets: Arc<dyn Secrets>,
    ) -> Result<Self, ChannelError> {
        Ok(Self { config: config.clone(), url: web(&config.server)?, secrets })
    }

    async fn send(&self, message: &Outgoing) -> Result<Attempt, Attempt> {
        let mut request = post::client()?.post(self.url.clone()).body(message.body.clone());
        if self.config.has_token {
            let token = secret(&*self.secrets, &self.config.token()).await?;
            request = request.bearer_auth(token.reveal());
        }
        Ok(post::post(request, Repeat::Never).await)
    }
}

impl Deliver for NtfySender {
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

/// A topic that nobody guesses: 125 bits from a source of randomness of the caller's.
pub fn random_topic(dice: &mut impl FnMut() -> u64) -> String {
    format!("firstknock-{}", crate::render::new_key(dice))
}
