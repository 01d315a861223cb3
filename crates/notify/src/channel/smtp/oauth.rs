//! Access tokens from a refresh token that the user brought, with the user's own client id
//! (RFC 6749, section 6).

use std::time::Duration;

use firstknock_policy::delivery::{Attempt, Hold};
use serde::Deserialize;
use tokio::sync::Mutex;
use tokio::time::Instant;

use crate::Secret;
use crate::channel::post;

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

#[derive(Deserialize)]
struct Granted {
    access_token: String,
    #[serde(default)]
    expires_in: Option<u64>,
}

#[derive(Deserialize)]
struct Refused {
    error: String,
}

/// Tokens are renewed this long before they run out.
const EARLY: Duration = Duration::from_secs(60);

impl Tokens {
    /// A token that should work; a new one if `fresh`, or if the last is about to run out.
    pub(super) async fn get(&self, request: &Request<'_>, fresh: bool) -> Result<Secret, Attempt> {
        let mut kept = self.0.lock().await;
        if let Some((token, until)) = &*kept
            && !fresh
            && Instant::now() < *until
        {
            return Ok(token.clone());
        }
        *kept = None;
        let granted = ask(request).await?;
        let seconds = granted.expires_in.unwrap_or(300).min(86_400);
        let until = Instant::now() + Duration::from_secs(seconds).saturating_sub(EARLY);
        let token = Secret::new(granted.access_token);
        *kept = Some((token.clone(), until));
        Ok(token)
    }
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
        .body(form(request))
        .send()
        .await
        // The mail itself was not touched, so nothing is unknown here.
        .map_err(|error| post::certainly_not_sent(&error))?;
    let status = answer.status();
    let retry_after = post::retry_after(answer.headers());
    let body = post::body(answer).await;
    if status.is_success() {
        let words = || "the token endpoint's answer holds no access token".to_owned();
        return serde_json::from_slice(&body)
            .map_err(|_| Attempt::AccountHeld { hold: Hold::Auth, reply: words() });
    }
    let code = serde_json::from_slice::<Refused>(&body).map_or(String::new(), |r| r.error);
    let words = format!("{} {}", status.as_u16(), crate::render::line(&code, 100));
    Err(match status.as_u16() {
        400 | 401 | 403 => Attempt::AccountHeld { hold: Hold::Auth, reply: words },
        _ => post::try_later(status, retry_after, words),
    })
}
