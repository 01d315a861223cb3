//! One check's requests: hop by hop, each with its cookies, and at most one quick retry.

use std::hash::{BuildHasher, RandomState};
use std::time::Duration;

use firstknock_listing::HostKey;
use firstknock_policy::Reason;
use jiff::Timestamp;
use reqwest::header::{COOKIE, HeaderMap, IF_MODIFIED_SINCE, IF_NONE_MATCH, LOCATION, SET_COOKIE};
use tokio::time::{Instant, sleep, timeout_at};
use url::Url;

use super::failure::Fault;
use super::{Inner, body, charset};
use crate::exchange::{Failure, Fetched, Hop, Request, Response, essence, hash, is_page_type};
use crate::retry_after::{parse_date, plain_retry_after};

/// Redirects followed.
const MOST_HOPS: usize = 10;
/// A redirect may ask for a pause; a longer one than this is the ledger's business.
const LONGEST_PAUSE_OF_A_HOP: Duration = Duration::from_secs(2);

/// What one request came to.
struct Raw {
    status: u16,
    headers: HeaderMap,
    body: Vec<u8>,
}

/// A walk along redirects.
struct Walk<'a> {
    inner: &'a Inner,
    request: &'a Request,
    asked: HostKey,
    deadline: Instant,
    hops: Vec<Hop>,
    retried: bool,
}

pub(super) async fn follow(inner: &Inner, request: &Request, deadline: Instant) -> Fetched {
    let Some(asked) = HostKey::of(&request.url) else {
        let fault = Fault::new(Reason::NotAPage, "this address has no host");
        return Fetched::Failed(failure(fault, None, None, None, false));
    };
    let mut walk = Walk { inner, request, asked, deadline, hops: Vec::new(), retried: false };
    walk.go().await
}

impl Walk<'_> {
    async fn go(&mut self) -> Fetched {
        let mut url = self.request.url.clone();
        let mut seen = Vec::new();
        loop {
            let cookies = self.inner.sessions.header_for(&self.asked, &url);
            let here = (url.clone(), cookies.clone());
            if self.hops.len() > MOST_HOPS || seen.contains(&here) {
                return self.circle(&url);
            }
            seen.push(here);
            let raw = match self.ask(&url, cookies.as_deref()).await {
                Ok(raw) => raw,
                Err((fault, status, date)) => {
                    let end = status.is_some().then(|| url.clone());
                    return Fetched::Failed(failure(fault, end, status, date, self.retried));
                }
            };
            let lines = raw.headers.get_all(SET_COOKIE).iter();
            self.inner.sessions.keep(&self.asked, &url, lines.filter_map(|v| v.to_str().ok()));
            match self.next_hop(&url, &raw) {
                Some(to) => {
                    let headers = lower_headers(&raw.headers);
                    let pause = plain_retry_after(&headers, Timestamp::now());
                    match pause.map(|asked| asked.wait) {
                        Some(wait) if wait > LONGEST_PAUSE_OF_A_HOP => return self.page(url, raw),
                        Some(wait) => sleep(wait).await,
                        None => {}
                    }
                    self.hops.push(Hop {
                        status: raw.status,
                        from: url,
                        to: to.clone(),
                        set_cookie: raw.headers.contains_key(SET_COOKIE),
                    });
                    url = to;
                }
                None => return self.page(url, raw),
            }
        }
    }

    /// One request and, after a network error, one more.
    async fn ask(
        &mut self,
        url: &Url,
        cookies: Option<&str>,
    ) -> Result<Raw, (Fault, Option<u16>, Option<Timestamp>)> {
        let inner = self.inner;
        let first = self.ask_once(url, cookies, &inner.client).await;
        let Err((fault, ..)) = &first else { return first };
        if self.retried || !fault.passing {
            return first;
        }
        let pause = self.inner.config.longest_pause.mul_f64(dice());
        if Instant::now() + pause >= self.deadline {
            return first;
        }
        // Where connecting failed the other family may work; an address of IPv6 has no other.
        let both = matches!(url.host(), Some(url::Host::Domain(_)));
        let ipv4 = (fault.connecting && both).then(|| inner.ipv4_client()).flatten();
        self.retried = true;
        sleep(pause).await;
        let second = self.ask_once(url, cookies, ipv4.unwrap_or(&inner.client)).await;
        // "No route for IPv4" says less than why the first try failed (reqwest#1318).
        match second {
            Err((again, ..)) if ipv4.is_some() && again.connecting => first,
            second => second,
        }
    }

    async fn ask_once(
        &self,
        url: &Url,
        cookies: Option<&str>,
        client: &reqwest::Client,
    ) -> Result<Raw, (Fault, Option<u16>, Option<Timestamp>)> {
        let mut builder = client.get(url.clone());
        if let Some(cookies) = cookies {
            builder = builder.header(COOKIE, cookies);
        }
        // Marks belong to the asked host's page; a stranger would not know them.
        if HostKey::of(url).as_ref() == Some(&self.asked) {
            let validators = &self.request.validators;
            if let Some(etag) = &validators.etag {
                builder = builder.header(IF_NONE_MATCH, etag);
            }
            if let Some(since) = &validators.last_modified {
                builder = builder.header(IF_MODIFIED_SINCE, since);
            }
        }
        let timeout = || Fault::new(Reason::Timeout, "timeout: no answer");
        let mut response = match timeout_at(self.deadline, builder.send()).await {
            Ok(Ok(response)) => response,
            Ok(Err(error)) => return Err((Fault::of(error), None, None)),
            Err(_) => return Err((timeout(), None, None)),
        };
        let status = response.status().as_u16();
        let headers = response.headers().clone();
        let text = |name| headers.get(name).and_then(|value| value.to_str().ok());
        let date = text("date").and_then(|date| parse_date(date, Timestamp::now()));
        let body = if is_redirect(status) {
            body::drain(&mut response, self.deadline).await;
            Vec::new()
        } else if text("content-type").is_some_and(|kind| !is_page_type(&essence(kind))) {
            Vec::new()
        } else {
            let largest = self.inner.config.largest_body;
            match body::read(&mut response, largest, self.deadline).await {
                Ok(body) => body,
                Err(fault) => return Err((fault, Some(status), date)),
            }
        };
        Ok(Raw { status, headers, body })
    }

    fn next_hop(&self, url: &Url, raw: &Raw) -> Option<Url> {
        if !is_redirect(raw.status) {
            return None;
        }
        let location = raw.headers.get(LOCATION)?;
        let location = std::str::from_utf8(location.as_bytes()).ok()?;
        let mut to = url.join(location).ok()?;
        if !matches!(to.scheme(), "http" | "https") {
            return None;
        }
        // A name and password in a Location are not ours to use.
        to.set_username("").ok()?;
        to.set_password(None).ok()?;
        Some(to)
    }

    fn circle(&self, url: &Url) -> Fetched {
        let domain = self.asked.domain();
        let guard = self.hops.iter().all(|hop| {
            let same_site = HostKey::of(&hop.to).is_some_and(|host| host.domain() == domain);
            hop.set_cookie && same_site
        });
        let detail = if guard {
            format!("{} redirects in a circle, a cookie set at each", self.hops.len())
        } else {
            format!("{} redirects in a circle", self.hops.len())
        };
        let status = self.hops.last().map(|hop| hop.status);
        let fault = Fault::new(Reason::RedirectLoop, detail);
        let mut failure = failure(fault, Some(url.clone()), status, None, self.retried);
        failure.cookie_guard = guard;
        Fetched::Failed(failure)
    }

    fn page(&mut self, url: Url, raw: Raw) -> Fetched {
        let content_type = raw.headers.get("content-type").and_then(|v| v.to_str().ok());
        let text = charset::decode(&raw.body, content_type);
        let hops = std::mem::take(&mut self.hops);
        let settled = (200..300).contains(&raw.status) && !hops.is_empty();
        let permanent = hops.iter().all(|hop| matches!(hop.status, 301 | 308));
        let mut page = Response::of_text(url, Some(raw.status), text)
            .with_headers(lower_headers(&raw.headers));
        page.moved_to = (settled && permanent).then(|| page.final_url.clone());
        page.readable &= !is_binary(&raw.body);
        page.body_hash = hash(&raw.body);
        page.bytes = raw.body.len();
        page.hops = hops;
        page.retried = self.retried;
        let asked_whether_changed = !self.request.validators.is_empty();
        if raw.status == 304 && asked_whether_changed {
            let known = &self.request.validators;
            if page.validators.etag.is_none() {
                page.validators.etag.clone_from(&known.etag);
            }
            if page.validators.last_modified.is_none() {
                page.validators.last_modified.clone_from(&known.last_modified);
            }
            return Fetched::NotModified(page);
        }
        Fetched::Page(page)
    }
}

pub(super) const fn is_redirect(status: u16) -> bool {
    matches!(status, 301 | 302 | 303 | 307 | 308)
}

/// A download without a content type.
fn is_binary(body: &[u8]) -> bool {
    let marked = encoding_rs::Encoding::for_bom(body).is_some();
    let head = &body[..body.len().min(512)];
    head.starts_with(b"%PDF-") || !marked && head.contains(&0)
}

/// Header lines without cookies: those live in the sessions and nowhere else.
pub(super) fn lower_headers(headers: &HeaderMap) -> Vec<(String, String)> {
    headers
        .iter()
        .filter(|(name, _)| **name != SET_COOKIE)
        .map(|(name, value)| {
            (name.as_str().to_owned(), String::from_utf8_lossy(value.as_bytes()).into_owned())
        })
        .collect()
}

fn failure(
    fault: Fault,
    final_url: Option<Url>,
    status: Option<u16>,
    server_date: Option<Timestamp>,
    retried: bool,
) -> Failure {
    Failure {
        reason: fault.reason,
        detail: fault.detail,
        cookie_guard: false,
        final_url,
        status,
        server_date,
        retried,
    }
}

/// A number in [0, 1) for the quick retry's pause; nothing is decided by it, so it is no argument.
fn dice() -> f64 {
    let bits = RandomState::new().hash_one(0_u8) >> 11;
    bits as f64 / (1_u64 << 53) as f64
}
