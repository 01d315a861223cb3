//! Pictures of listings: small, honest reads beside the pages.
//!
//! Promises: no cookies and no Referer; http(s) at every hop; from a page of the public internet
//! no picture of a private address (a page must not make us knock at the user's own router); at
//! most [`LARGEST`] bytes; one try. Leaves out the plan, and whether the bytes are a picture.

use std::net::IpAddr;
use std::time::Duration;

use firstknock_listing::{HostKey, PageSigns};
use firstknock_policy::{Outcome, Reason};
use jiff::Timestamp;
use reqwest::header::{ACCEPT, LOCATION};
use reqwest::{Client, Response as Answer};
use tokio::time::{Instant, timeout_at};
use url::{Host, Url};

use super::failure::Fault;
use super::{HttpFetch, body, follow, public};
use crate::classify;
use crate::exchange::{Fetched, Response, essence};

/// A picture to read.
#[derive(Debug, Clone)]
pub struct PictureRequest {
    /// Where it is.
    pub url: Url,
    /// Whose page showed it.
    pub page: HostKey,
    /// Everything together may take this long.
    pub deadline: Duration,
}

/// What came of it.
#[derive(Debug)]
pub enum Picture {
    /// Bytes that were sent as a picture; they may be anything.
    Bytes(Vec<u8>),
    /// The host does its work, and there is no picture for us.
    None(NoPicture),
    /// The host refused, or could not be read.
    Failed(Outcome),
}

/// Why there is no picture.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NoPicture {
    /// 404, 410 and other answers without one.
    Gone,
    /// A page, a vector drawing, a film.
    NotAPicture,
    /// Larger than [`LARGEST`].
    TooLarge,
    /// Not http(s), or a private address in a public page.
    NotOurs,
}

/// The most bytes of one picture, decoded.
pub const LARGEST: usize = 3 * 1024 * 1024;
/// Redirects followed: a picture's way is short.
const MOST_HOPS: usize = 3;
/// What we can draw; sites that negotiate then send one of these.
const PICTURES: &str = "image/jpeg, image/webp, image/png;q=0.9";

impl HttpFetch {
    /// Reads one picture. `now` tells the century of a date in the answer.
    pub async fn picture(&self, request: &PictureRequest, now: Timestamp) -> Picture {
        let deadline = Instant::now() + request.deadline;
        let at_home = is_home(&request.page);
        let mut url = request.url.clone();
        for _ in 0..=MOST_HOPS {
            if !matches!(url.scheme(), "http" | "https") || !(at_home || may_be_public(&url)) {
                return Picture::None(NoPicture::NotOurs);
            }
            let client =
                if at_home { Some(&self.inner.client) } else { self.inner.public_client() };
            let Some(client) = client else { return failed(Fault::new(Reason::Unknown, "")) };
            match ask(client, &url, deadline).await {
                Ok(answer) if follow::is_redirect(answer.status().as_u16()) => {
                    match target(&url, &answer) {
                        Some(next) => url = next,
                        None => return Picture::None(NoPicture::Gone),
                    }
                }
                Ok(answer) => return read(&request.url, &url, answer, deadline, now).await,
                Err(Trouble::Private) => return Picture::None(NoPicture::NotOurs),
                Err(Trouble::Fault(fault)) => return failed(fault),
            }
        }
        Picture::None(NoPicture::Gone)
    }
}

enum Trouble {
    /// The name stands for an address that a public page may not name.
    Private,
    Fault(Fault),
}

async fn ask(client: &Client, url: &Url, deadline: Instant) -> Result<Answer, Trouble> {
    let sent = client.get(url.clone()).header(ACCEPT, PICTURES).send();
    match timeout_at(deadline, sent).await {
        Ok(Ok(answer)) => Ok(answer),
        Ok(Err(error)) if Fault::is_private(&error) => Err(Trouble::Private),
        Ok(Err(error)) => Err(Trouble::Fault(Fault::of(error))),
        Err(_) => Err(Trouble::Fault(Fault::new(Reason::Timeout, "timeout: no answer"))),
    }
}

fn target(from: &Url, answer: &Answer) -> Option<Url> {
    let location = answer.headers().get(LOCATION)?.to_str().ok()?;
    let mut to = from.join(location).ok()?;
    if matches!(to.scheme(), "http" | "https") {
        // A name and password in a Location are not ours to use.
        to.set_username("").ok()?;
        to.set_password(None).ok()?;
    }
    Some(to)
}

async fn read(
    asked: &Url,
    url: &Url,
    mut answer: Answer,
    deadline: Instant,
    now: Timestamp,
) -> Picture {
    let status = answer.status().as_u16();
    let headers = follow::lower_headers(answer.headers());
    let kind = headers.iter().find(|(name, _)| name == "content-type").map(|(_, v)| essence(v));
    let kind = kind.unwrap_or_default();
    let is_page =
        kind.starts_with("text/") || kind.ends_with("json") || kind.ends_with("xhtml+xml");
    if (200..300).contains(&status) && !is_page {
        // A type that nobody names may still be a picture: its first bytes tell.
        let picture = kind.starts_with("image/") && kind != "image/svg+xml";
        if !(picture || matches!(kind.as_str(), "" | "application/octet-stream")) {
            return Picture::None(NoPicture::NotAPicture);
        }
        if answer.content_length().is_some_and(|bytes| bytes > LARGEST as u64) {
            return Picture::None(NoPicture::TooLarge);
        }
        return match body::read(&mut answer, LARGEST, deadline).await {
            Ok(bytes) => Picture::Bytes(bytes),
            Err(fault) if fault.reason == Reason::TooLarge => Picture::None(NoPicture::TooLarge),
            Err(fault) => failed(fault),
        };
    }
    // A wall in a picture's place looks like any other wall.
    let words = body::read(&mut answer, LARGEST, deadline).await.unwrap_or_default();
    let text = String::from_utf8_lossy(&words);
    let page = Response::of_text(url.clone(), Some(status), text).with_headers(headers);
    match classify(asked, &Fetched::Page(page), &PageSigns::default(), now).outcome {
        Outcome::Answer if status < 300 => Picture::None(NoPicture::NotAPicture),
        Outcome::Answer => Picture::None(NoPicture::Gone),
        Outcome::Trouble(trouble)
            if matches!(trouble.reason, Reason::PageGone | Reason::NotAPage) =>
        {
            Picture::None(NoPicture::Gone)
        }
        outcome => Picture::Failed(outcome),
    }
}

fn failed(fault: Fault) -> Picture {
    Picture::Failed(Outcome::Trouble(firstknock_policy::Trouble {
        reason: fault.reason,
        retry_after: None,
        evidence: vec![fault.detail],
    }))
}

/// A page that the user has at home or on this very machine, by its name: its pictures may be
/// there, too.
fn is_home(page: &HostKey) -> bool {
    let Ok(url) = Url::parse(&format!("http://{page}/")) else { return false };
    match url.host() {
        Some(Host::Ipv4(address)) => !public::is_public(IpAddr::V4(address)),
        Some(Host::Ipv6(address)) => !public::is_public(IpAddr::V6(address)),
        Some(Host::Domain(name)) => {
            let ends = [".localhost", ".local", ".lan", ".home.arpa", ".internal"];
            !name.contains('.') || ends.iter().any(|end| name.ends_with(end))
        }
        None => false,
    }
}

/// Names are looked at when they are resolved; addresses here.
fn may_be_public(url: &Url) -> bool {
    match url.host() {
        Some(Host::Ipv4(address)) => public::is_public(IpAddr::V4(address)),
        Some(Host::Ipv6(address)) => public::is_public(IpAddr::V6(address)),
        Some(Host::Domain(_)) => true,
        None => false,
    }
}
