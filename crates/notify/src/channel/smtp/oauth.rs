//! Access tokens from a refresh token that the user brought, with the user's own client id
//! (RFC 6749, section 6).
//!
//! **Promises**: the tokens go to the address that the user gave, encrypted, and to no other;
//! what comes of asking begins with that server's name, so that its trouble is not taken for the
//! mail server's. **Leaves out**: signing in in a browser; the refresh token is brought.

use std::time::Duration;

use firstknock_policy::delivery::{Attempt, Hold};
use serde::Deserialize;
use tokio::sync::Mutex;
use tokio::time::Instant;

use crate::channel::{ChannelError, post, web};
use crate::{Secret, config};

/// What a token is asked with.
pub(super) struct Request<'a> {
    pub(super) token_url: &'a str,
    pub(super) client_id: &'a str,
    pub(super) secret: Option<Secret>,
    pub(super) refresh: Secret,
}

/// The access token in use; it lives in memory only.
#[derive(Default)]
pub(super) struct Tokens(Mutex<Option<(Secret, Instant)>>);

/// What was granted.
pub(super) struct Access {
    pub(super) token: Secret,
    /// The refresh token that replaces the one it was asked with.
    pub(super) renewed: Option<Secret>,
}

#[derive(Deserialize)]
struct Granted {
    access_token: String,
    #[serde(default)]
    expires_in: Option<u64>,
    #[serde(default)]
    refresh_token: Option<String>,
}

#[derive(Deserialize)]
struct Refused {
    error: String,
}

/// What an answer without a token is called.
const NO_TOKEN: &str = "the answer holds no access token";

/// Tokens are renewed this long before they run out.
const EARLY: Duration = Duration::from_secs(60);

impl Tokens {
    /// A token that should work; a new one if `fresh`, or if the last is about to run out.
    pub(super) async fn get(&self, request: &Request<'_>, fresh: bool) -> Result<Access, Attempt> {
        let mut kept = self.0.lock().await;
        if let Some((token, until)) = &*kept
            && !fresh
            && Instant::now() < *until
        {
            return Ok(Access { token: token.clone(), renewed: None });
        }
        *kept = None;
        let granted = ask(request).await.map_err(|attempt| named(request.token_url, attempt))?;
        let seconds = granted.expires_in.unwrap_or(300).min(86_400);
        let until = Instant::now() + Duration::from_secs(seconds).saturating_sub(EARLY);
        let token = Secret::new(granted.access_token);
        *kept = Some((token.clone(), until));
        let renewed = granted.refresh_token.map(Secret::new);
        Ok(Access { token, renewed: renewed.filter(|renewed| *renewed != request.refresh) })
    }
}

/// An address that tokens may be sent to: encrypted, or on this computer.
///
/// # Errors
/// If it is another.
pub(super) fn check_address(token_url: &str) -> Result<(), ChannelError> {
    let url = web(token_url)?;
    let here = match url.host() {
        Some(url::Host::Domain(name)) => name == "localhost",
        Some(url::Host::Ipv4(address)) => address.is_loopback(),
        Some(url::Host::Ipv6(address)) => address.is_loopback(),
        None => false,
    };
    if url.scheme() == "https" || here { Ok(()) } else { Err(ChannelError::Url(url.into())) }
}

fn form(request: &Request<'_>) -> String {
    let mut form = url::form_urlencoded::Serializer::new(String::new());
    form.append_pair("grant_type", "refresh_token")
        .append_pair("client_id", request.client_id)
        .append_pair("refresh_token", request.refresh.reveal());
    if let Some(secret) = &request.secret {
        form.append_pair("client_secret", secret.reveal());
    }
    form.finish()
}

async fn ask(request: &Request<'_>) -> Result<Granted, Attempt> {
    let answer = post::client()?
        .post(request.token_url)
        .header("content-type", "application/x-www-form-urlencoded")
        .header("accept", "application/json")
        .body(form(request))
        .send()
        .await
        // The mail itself was not touched, so nothing is unknown here.
        .map_err(|error| post::certainly_not_sent(&error))?;
    let status = answer.status();
    let retry_after = post::retry_after(answer.headers());
    let body = post::body(answer).await;
    let held = |reply| Attempt::AccountHeld { hold: Hold::Auth, reply };
    if status.is_success() {
        return serde_json::from_slice(&body).map_err(|_| held(NO_TOKEN.to_owned()));
    }
    let code = serde_json::from_slice::<Refused>(&body).map_or(String::new(), |r| r.error);
    let words = format!("{} {}", status.as_u16(), crate::render::line(&code, 100));
    let words = words.trim_end().to_owned();
    Err(match status.as_u16() {
        // RFC 6749, section 5.2: the code says it, whatever the status.
        _ if code == "temporarily_unavailable" => post::try_later(status, retry_after, words),
        408 | 425 | 429 | 500..=599 => post::try_later(status, retry_after, words),
        // Also a page that is elsewhere or nowhere: that address gives out no tokens.
        _ => held(words),
    })
}

/// The attempt with the token server's name before its words.
fn named(token_url: &str, attempt: Attempt) -> Attempt {
    let at = |words: String| format!("{}: {words}", config::host_of(token_url));
    match attempt {
        Attempt::NotSent { reason, retry_after, words } => {
            Attempt::NotSent { reason, retry_after, words: at(words) }
        }
        Attempt::AccountHeld { hold, reply } => Attempt::AccountHeld { hold, reply: at(reply) },
        other => other,
    }
}

#[cfg(test)]
mod tests {
    use super::check_address;

    #[test]
    fn tokens_go_out_encrypted_or_not_at_all() {
        for good in ["https://tokens.example/v2?a=b", "http://127.0.0.1:4000/", "http://[::1]/t"] {
            assert!(check_address(good).is_ok(), "{good}");
        }
        for bad in ["http://tokens.example/", "ftp://127.0.0.1/", "tokens.example", ""] {
            assert!(check_address(bad).is_err(), "{bad}");
        }
    }
}
