//! A webhook: JSON to an address of the user's, with a key that makes repeats harmless and, if
//! wanted, a signature.
//!
//! `Idempotency-Key` is the message's key. `X-Firstknock-Signature: sha256=…` is the hexadecimal
//! HMAC-SHA256 of the body under the shared key.

use std::sync::Arc;

use firstknock_policy::delivery::{Attempt, Pace, Repeat};
use hmac::{Hmac, Mac};
use sha2::Sha256;

use super::{ChannelError, post, secret, web};
use crate::{BoxFuture, Deliver, Outgoing, Secrets, WebhookConfig};

pub(super) struct WebhookSender {
    config: WebhookConfig,
    url: url::Url,
    secrets: Arc<dyn Secrets>,
}

impl WebhookSender {
    pub(super) fn new(
        config: &WebhookConfig,
        secrets: Arc<dyn Secrets>,
    ) -> Result<Self, ChannelError> {
        Ok(Self { config: config.clone(), url: web(&config.url)?, secrets })
    }

    async fn send(&self, message: &Outgoing) -> Result<Attempt, Attempt> {
        let mut request = post::client()?
            .post(self.url.clone())
            .header("content-type", "application/json")
            .header("idempotency-key", &message.key)
            .body(message.body.clone());
        if self.config.signed {
            let key = secret(&*self.secrets, &self.config.key()).await?;
            let signature = signature(key.reveal().as_bytes(), &message.body);
            request = request.header("x-firstknock-signature", signature);
        }
        Ok(post::post(request, Repeat::Freely).await)
    }
}

/// The value of the signature header.
pub(super) fn signature(key: &[u8], body: &[u8]) -> String {
    let mut mac = Hmac::<Sha256>::new_from_slice(key).expect("BUG: HMAC takes keys of any length");
    mac.update(body);
    format!("sha256={}", hex::encode(mac.finalize().into_bytes()))
}

impl Deliver for WebhookSender {
    fn deliver<'a>(&'a self, message: &'a Outgoing) -> BoxFuture<'a, Attempt> {
        Box::pin(async move { self.send(message).await.unwrap_or_else(|attempt| attempt) })
    }

    fn repeat(&self) -> Repeat {
        Repeat::Freely
    }

    fn pace(&self) -> Pace {
        Pace::POST
    }
}

#[cfg(test)]
mod tests {
    use super::signature;

    #[test]
    fn the_signature_is_the_one_of_rfc_4231() {
        // Test case 2.
        assert_eq!(
            signature(b"Jefe", b"what do ya want for nothing?"),
            "sha256=5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843"
        );
    }
}
