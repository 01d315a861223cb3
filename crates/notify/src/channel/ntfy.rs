//! ntfy: one POST of JSON to the server's root; the topic is in the body.

use std::sync::Arc;

use firstknock_listing::catalogue::say;
use firstknock_listing::truncate_chars;
use firstknock_policy::delivery::{Attempt, Pace, Repeat};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::{ChannelError, Kind, Tools, post, secret, web};
use crate::config::host_of;
use crate::render::{self, Context};
use crate::{Alert, BoxFuture, Deliver, Outgoing, SecretName, Secrets};

/// It would be shown twice.
const REPEAT: Repeat = Repeat::Never;

/// ntfy turns longer messages into attachments at 4,096 bytes.
const CHARS: usize = 1_200;

/// A topic on an ntfy server.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct NtfyConfig {
    /// The server's address, `https://ntfy.sh` by default.
    pub server: String,
    /// The topic; whoever knows it can read along, so it is long and random.
    pub topic: String,
    /// Whether street and house number may be in the message.
    #[serde(default)]
    pub with_street: bool,
    /// Whether an access token is kept under [`NtfyConfig::token`].
    #[serde(default)]
    pub has_token: bool,
}

struct NtfySender {
    config: NtfyConfig,
    url: url::Url,
    secrets: Arc<dyn Secrets>,
}

impl NtfyConfig {
    /// Where the access token is kept.
    pub fn token(&self) -> SecretName {
        SecretName::new("ntfy", &self.server)
    }
}

impl Kind for NtfyConfig {
    fn code(&self) -> &'static str {
        "ntfy"
    }

    fn far_end(&self) -> &str {
        host_of(&self.server)
    }

    fn secrets(&self) -> Vec<SecretName> {
        self.has_token.then(|| self.token()).into_iter().collect()
    }

    fn repeat(&self) -> Repeat {
        REPEAT
    }

    /// A topic is readable by whoever guesses it, so streets are left out unless wanted.
    fn message(&self, alert: &Alert, context: &Context) -> Outgoing {
        let short = render::shortened(alert, context, self.with_street);
        let mut body = json!({
            "topic": self.topic,
            "title": short.title,
            "message": truncate_chars(&short.body, CHARS),
            "tags": ["house"],
        });
        if let Some(url) = short.url {
            let label = say(alert.language, "mail_open", &[]);
            body["actions"] = json!([{ "action": "view", "label": label, "url": url }]);
            body["click"] = Value::String(url);
        }
        Outgoing { key: context.key.clone(), subject: short.title, body: render::json(&body) }
    }

    fn sender(&self, tools: Tools<'_>) -> Result<Box<dyn Deliver>, ChannelError> {
        let (config, url) = (self.clone(), web(&self.server)?);
        Ok(Box::new(NtfySender { config, url, secrets: tools.secrets }))
    }
}

impl NtfySender {
    async fn send(&self, message: &Outgoing) -> Result<Attempt, Attempt> {
        let mut request = post::client()?.post(self.url.clone()).body(message.body.clone());
        if self.config.has_token {
            let token = secret(&*self.secrets, &self.config.token()).await?;
            request = request.bearer_auth(token.reveal());
        }
        Ok(post::post(request, REPEAT).await)
    }
}

impl Deliver for NtfySender {
    fn deliver<'a>(&'a self, message: &'a Outgoing) -> BoxFuture<'a, Attempt> {
        Box::pin(async move { self.send(message).await.unwrap_or_else(|attempt| attempt) })
    }

    fn pace(&self) -> Pace {
        Pace::POST
    }
}

/// A topic that nobody guesses: 125 bits from a source of randomness of the caller's.
pub fn random_topic(dice: &mut impl FnMut() -> u64) -> String {
    format!("firstknock-{}", crate::render::new_key(dice))
}
