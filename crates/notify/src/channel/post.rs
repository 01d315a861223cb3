//! One POST, and what its answer means: shared by the channels that are no more than that.

use std::error::Error as _;
use std::time::{Duration, SystemTime};

use firstknock_listing::{clean_line, truncate_chars};
use firstknock_policy::delivery::{Attempt, Hold, NotSent, Repeat};
use reqwest::header::{HeaderMap, RETRY_AFTER};
use reqwest::{Client, RequestBuilder, Response, StatusCode, redirect};

/// From name to answer.
const CONNECT: Duration = Duration::from_secs(15);
const TOTAL: Duration = Duration::from_secs(30);

/// More of an answer than this is not read.
const ANSWER_BYTES: usize = 64 * 1024;

/// A client that follows no redirect (a body of ours goes where the user said, nowhere else) and
/// retries nothing by itself.
pub(crate) fn client() -> Result<Client, Attempt> {
    // reqwest panics without a provider; whoever came first is fine.
    rustls::crypto::ring::default_provider().install_default().ok();
    Client::builder()
        .user_agent(concat!("Firstknock/", env!("CARGO_PKG_VERSION")))
        .redirect(redirect::Policy::none())
        .retry(reqwest::retry::never())
        .connect_timeout(CONNECT)
        .timeout(TOTAL)
        .pool_max_idle_per_host(0)
        .build()
        .map_err(|error| not_sent(NotSent::Local, None, &chain(&error)))
}

/// Sends a request and reads what its answer means.
pub(crate) async fn post(request: RequestBuilder, repeat: Repeat) -> Attempt {
    match request.send().await {
        Ok(answer) => {
            let status = answer.status();
            let wait = retry_after(answer.headers());
            let body = body(answer).await;
            let wait = wait.max(asked_in_body(&body));
            judge(status, wait, &words(status, &body))
        }
        Err(error) if error.is_connect() || error.is_builder() => certainly_not_sent(&error),
        // It may have arrived: only the answer is missing.
        Err(error) => Attempt::Unknown { repeat, words: chain(&error) },
    }
}

/// The table of policy section 6, by status.
pub(crate) fn judge(status: StatusCode, wait: Option<Duration>, words: &str) -> Attempt {
    let words = words.to_owned();
    match status.as_u16() {
        200..=299 => Attempt::Sent { reply: words },
        401 | 403 | 407 => Attempt::AccountHeld { hold: Hold::Auth, reply: words },
        408 | 425 | 429 | 500..=599 => try_later(status, wait, words),
        _ => Attempt::Rejected { reply: words },
    }
}

/// A passing "no", with the wait that was asked for.
pub(crate) fn try_later(status: StatusCode, wait: Option<Duration>, words: String) -> Attempt {
    let reason = if status.as_u16() == 429 { NotSent::TooMany } else { NotSent::Server };
    Attempt::NotSent { reason, retry_after: wait, words }
}

/// Trouble before anything of ours was sent.
pub(crate) fn certainly_not_sent(error: &reqwest::Error) -> Attempt {
    let words = chain(error);
    let reason = if words.contains("dns error") {
        NotSent::Dns
    } else if words.contains("certificate") || words.contains("tls") {
        NotSent::Tls
    } else if error.is_connect() && !error.is_timeout() {
        NotSent::Connect
    } else if error.is_timeout() {
        NotSent::Timeout
    } else {
        NotSent::Dropped
    };
    not_sent(reason, None, &words)
}

fn not_sent(reason: NotSent, retry_after: Option<Duration>, words: &str) -> Attempt {
    Attempt::NotSent { reason, retry_after, words: words.to_owned() }
}

/// Retry-After as seconds or as a date.
pub(crate) fn retry_after(headers: &HeaderMap) -> Option<Duration> {
    let text = headers.get(RETRY_AFTER)?.to_str().ok()?.trim();
    if let Ok(seconds) = text.parse::<u64>() {
        return Some(Duration::from_secs(seconds));
    }
    let date = httpdate::parse_http_date(text).ok()?;
    Some(date.duration_since(SystemTime::now()).unwrap_or_default())
}

/// Telegram says the seconds in its JSON.
fn asked_in_body(body: &[u8]) -> Option<Duration> {
    let answer: serde_json::Value = serde_json::from_slice(body).ok()?;
    answer["parameters"]["retry_after"].as_u64().map(Duration::from_secs)
}

/// The answer's body as far as it is worth reading; one that breaks off is as good as none, since
/// the status has said everything.
pub(crate) async fn body(mut answer: Response) -> Vec<u8> {
    let mut body = Vec::new();
    while let Ok(Some(chunk)) = answer.chunk().await {
        let room = ANSWER_BYTES - body.len();
        body.extend_from_slice(&chunk[..chunk.len().min(room)]);
        if body.len() == ANSWER_BYTES {
            break;
        }
    }
    body
}

/// `429 Too Many Requests`, and what the server says about it if it is short text or JSON.
fn words(status: StatusCode, body: &[u8]) -> String {
    let said = match serde_json::from_slice::<serde_json::Value>(body) {
        Ok(json) => ["description", "error", "detail", "title", "id"]
            .into_iter()
            .find_map(|name| json[name].as_str().map(str::to_owned)),
        Err(_) => std::str::from_utf8(body)
            .ok()
            .filter(|text| text.len() < 300 && !text.contains('<'))
            .map(str::to_owned),
    };
    let said = truncate_chars(&clean_line(&said.unwrap_or_default()), 200);
    let mut words = status.to_string();
    if !said.is_empty() {
        words.push_str(": ");
        words.push_str(&said);
    }
    words
}

/// An error with its causes, without the address: a bot's token is in its path.
fn chain(error: &reqwest::Error) -> String {
    let mut parts: Vec<String> = Vec::new();
    let mut next = error.source();
    while let Some(cause) = next {
        parts.push(cause.to_string());
        next = cause.source();
    }
    if parts.is_empty() {
        parts.push(if error.is_timeout() { "no answer in time" } else { "no answer" }.to_owned());
    }
    truncate_chars(&clean_line(&parts.join(": ")), 300)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_status_code_has_a_meaning() {
        let mut table = String::new();
        let mut last = "";
        for code in 200..=599 {
            let status = StatusCode::from_u16(code).expect("a status");
            let attempt = judge(status, None, "");
            let word = match &attempt {
                Attempt::NotSent { reason, .. } => reason.code(),
                other => other.code(),
            };
            if word != last {
                table.push_str(&format!("{code} {word}\n"));
                last = word;
            }
        }
        let expect = "200 sent\n300 rejected\n401 account_held\n402 rejected\n403 account_held\n\
                      404 rejected\n407 account_held\n408 server\n409 rejected\n425 server\n\
                      426 rejected\n429 too_many\n430 rejected\n500 server\n";
        assert_eq!(table, expect);
    }
}
