//! A webhook: JSON to an address of the user's, with a key that makes repeats harmless and, if
//! wanted, a signature.
//!
//! `Idempotency-Key` is the message's key. `X-Firstknock-Signature: sha256=…` is the hexadecimal
//! HMAC-SHA256 of the body under the shared key.

use std::sync::Arc;

use firstknock_listing::Listing;
use firstknock_policy::delivery::{Attempt, Pace, Repeat};
use hmac::{Hmac, Mac};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use sha2::Sha256;

use super::{ChannelError, Kind, Tools, post, secret, web};
use crate::config::host_of;
use crate::render::{self, Context};
use crate::{Alert, BoxFuture, Deliver, Finding, News, Outgoing, SecretName, Secrets};

/// The key makes a repeat harmless.
const REPEAT: Repeat = Repeat::Freely;

/// An address that takes JSON.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct WebhookConfig {
    /// Where to POST.
    pub url: String,
    /// Whether requests are signed with the key kept under [`WebhookConfig::key`].
    #[serde(default)]
    pub signed: bool,
}

struct WebhookSender {
    config: WebhookConfig,
    url: url::Url,
    secrets: Arc<dyn Secrets>,
}

impl WebhookConfig {
    /// Where the signing key is kept.
    pub fn key(&self) -> SecretName {
        SecretName::new("webhook", &self.url)
    }
}

impl Kind for WebhookConfig {
    fn code(&self) -> &'static str {
        "webhook"
    }

    fn far_end(&self) -> &str {
        host_of(&self.url)
    }

    fn secrets(&self) -> Vec<SecretName> {
        self.signed.then(|| self.key()).into_iter().collect()
    }

    fn repeat(&self) -> Repeat {
        REPEAT
    }

    /// Everything that is known, with amounts as numbers.
    fn message(&self, alert: &Alert, context: &Context) -> Outgoing {
        let body = json!({
            "version": 1,
            "id": context.key,
            "kind": alert.kind.code(),
            "about": alert.kind,
            "language": alert.language,
            "subject": render::in_a_line(alert),
            "text": render::in_words(alert, context),
            "searches": alert.searches,
            "seen_at": alert.seen_at,
            "listings": alert.findings.iter().map(finding).collect::<Vec<_>>(),
        });
        let subject = render::short(alert, context).title;
        Outgoing { key: context.key.clone(), subject, body: render::json(&body) }
    }

    fn sender(&self, tools: Tools<'_>) -> Result<Box<dyn Deliver>, ChannelError> {
        let (config, url) = (self.clone(), web(&self.url)?);
        Ok(Box::new(WebhookSender { config, url, secrets: tools.secrets }))
    }
}

fn finding(finding: &Finding) -> Value {
    let listing: &Listing = &finding.listing;
    let was = match &finding.news {
        News::New => None,
        News::PriceDrop { was } | News::PriceRise { was } => Some(was.amount()),
        News::Relisted { was, .. } => was.as_ref().map(|was| was.amount()),
    };
    json!({
        "news": finding.news.code(),
        "was": was,
        "key": listing.key().as_str(),
        "url": render::web_address(&listing.url).map(String::from),
        "title": listing.title,
        "address": listing.address.as_ref().map(|address| &address.raw),
        "price": listing.price.as_ref().map(|price| json!({
            "amount": price.amount(),
            "upper": price.upper(),
            "currency": price.currency,
            "period": price.period,
            "kind": price.kind,
        })),
        "size_m2": listing.size.map(|size| size.m2()),
        "rooms": listing.rooms.map(|rooms| rooms.count()),
        "bedrooms": listing.bedrooms.map(|rooms| rooms.count()),
        "image": listing.image,
        "first_seen": finding.first_seen,
        "also_in": finding.also_in,
    })
}

impl WebhookSender {
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
        Ok(post::post(request, REPEAT).await)
    }
}

/// The value of the signature header.
fn signature(key: &[u8], body: &[u8]) -> String {
    let mut mac = Hmac::<Sha256>::new_from_slice(key).expect("BUG: HMAC takes keys of any length");
    mac.update(body);
    format!("sha256={}", hex::encode(mac.finalize().into_bytes()))
}

impl Deliver for WebhookSender {
    fn deliver<'a>(&'a self, message: &'a Outgoing) -> BoxFuture<'a, Attempt> {
        Box::pin(async move { self.send(message).await.unwrap_or_else(|attempt| attempt) })
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
