//! One question to a site and what came back: raw facts, no opinion.
//!
//! Promises that a body is decoded text of a bounded size. Leaves out what it means.

use std::future::Future;
use std::pin::Pin;
use std::time::Duration;

use firstknock_policy::Reason;
use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use url::Url;

use crate::retry_after::parse_date;

/// A future that can be kept behind `dyn Fetch`.
pub type BoxFuture<'a, T> = Pin<Box<dyn Future<Output = T> + Send + 'a>>;

/// Whatever can read a page: the plain client, the app's webview, a test's script.
/// Dropping the future cancels the request.
pub trait Fetch: Send + Sync {
    /// Reads one page. Trouble is a value, never a panic.
    fn fetch<'a>(&'a self, request: &'a Request) -> BoxFuture<'a, Fetched>;
}

/// One page to read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Request {
    /// The address that the user gave, or a next page of it.
    pub url: Url,
    /// What the site gave with the last answer, to ask "has it changed?".
    pub validators: Validators,
    /// Everything together may take this long: redirects, body and the one quick retry.
    pub deadline: Duration,
}

/// A site's own marks of a version of a page.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Validators {
    /// `ETag`, sent back as `If-None-Match`.
    pub etag: Option<String>,
    /// `Last-Modified`, sent back as `If-Modified-Since`.
    pub last_modified: Option<String>,
}

/// What came back.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Fetched {
    /// An HTTP answer of any status, with its body.
    Page(Response),
    /// 304: the page is as it was.
    NotModified(Response),
    /// No whole answer.
    Failed(Failure),
}

/// An HTTP answer.
#[derive(Clone, PartialEq, Eq)]
pub struct Response {
    /// The status; `None` where the engine (a webview) does not tell.
    pub status: Option<u16>,
    /// The address that answered, after all redirects.
    pub final_url: Url,
    /// All header lines in order, names in lower case, without `Set-Cookie` values.
    pub headers: Vec<(String, String)>,
    /// The decoded body; empty where the content type is no page.
    pub body: String,
    /// The content type without parameters, lower case.
    pub content_type: Option<String>,
    /// The body is something that can be read as a page (HTML, XML, JSON, text).
    pub readable: bool,
    /// FNV-1a of the decoded bytes, to skip extraction when nothing changed. No security in it.
    pub body_hash: u64,
    /// Decoded bytes of the body.
    pub bytes: usize,
    /// Marks of this version, for the next request.
    pub validators: Validators,
    /// The redirects on the way, in order; empty for none.
    pub hops: Vec<Hop>,
    /// Where the page says it lives now: all hops were permanent (301, 308).
    /// Offered when a search is added, never followed silently into the saved address.
    pub moved_to: Option<Url>,
    /// The one quick retry was needed.
    pub retried: bool,
}

/// One redirect.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Hop {
    /// Its status (301, 302, 303, 307, 308).
    pub status: u16,
    /// The address that sent us on.
    pub from: Url,
    /// Where to.
    pub to: Url,
    /// It set a cookie.
    pub set_cookie: bool,
}

/// Why there is no whole answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Failure {
    /// What kind of trouble.
    pub reason: Reason,
    /// The technical words, for a log and a details pane; no query strings or secrets in it.
    pub detail: String,
    /// A redirect loop of same-site hops that each set a cookie: a guard, not a fault
    /// (a public report about Pararius taught this).
    pub cookie_guard: bool,
    /// The address at which it ended, if a server was reached.
    pub final_url: Option<Url>,
    /// The status, if one was seen before it broke off.
    pub status: Option<u16>,
    /// The server's own `Date`, to tell a wrong clock of ours from a bad certificate.
    pub server_date: Option<Timestamp>,
    /// The quick retry was already used.
    pub retried: bool,
}

impl Request {
    /// A first look at a page, with 30 s for everything.
    pub fn new(url: Url) -> Self {
        Self { url, validators: Validators::default(), deadline: Duration::from_secs(30) }
    }
}

impl Validators {
    /// The site gave nothing to ask with.
    pub const fn is_empty(&self) -> bool {
        self.etag.is_none() && self.last_modified.is_none()
    }
}

impl Fetched {
    /// The answer, if there was one.
    pub const fn response(&self) -> Option<&Response> {
        match self {
            Self::Page(response) | Self::NotModified(response) => Some(response),
            Self::Failed(_) => None,
        }
    }
}

impl Response {
    /// A page as a file holds it: for `knock classify`, for tests, for a webview's answer.
    pub fn of_text(final_url: Url, status: Option<u16>, body: impl Into<String>) -> Self {
        let body = body.into();
        Self {
            status,
            final_url,
            headers: Vec::new(),
            content_type: None,
            readable: true,
            body_hash: hash(body.as_bytes()),
            bytes: body.len(),
            body,
            validators: Validators::default(),
            hops: Vec::new(),
            moved_to: None,
            retried: false,
        }
    }

    /// The same with header lines; reads the content type and validators out of them.
    #[must_use]
    pub fn with_headers(mut self, headers: impl IntoIterator<Item = (String, String)>) -> Self {
        self.headers = headers
            .into_iter()
            .map(|(name, value)| (name.trim().to_ascii_lowercase(), value.trim().to_owned()))
            .collect();
        self.content_type = self.header("content-type").map(essence);
        self.readable = self.content_type.as_deref().is_none_or(is_page_type);
        self.validators = Validators {
            etag: self.header("etag").map(str::to_owned),
            last_modified: self.header("last-modified").map(str::to_owned),
        };
        self
    }

    /// The first value of a header; the name in lower case.
    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers.iter().find(|(n, _)| n == name).map(|(_, value)| value.as_str())
    }

    /// The server's own clock, to tell a wrong clock of ours from trouble of the site's.
    /// `now` only tells the century of a two-digit year.
    pub fn server_date(&self, now: Timestamp) -> Option<Timestamp> {
        parse_date(self.header("date")?, now)
    }

    /// All values of a header, in order.
    pub fn header_all<'a>(&'a self, name: &'a str) -> impl Iterator<Item = &'a str> {
        self.headers.iter().filter(move |(n, _)| n == name).map(|(_, value)| value.as_str())
    }
}

/// Headers and body may hold tokens, so only their size is shown.
impl std::fmt::Debug for Response {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Response")
            .field("status", &self.status)
            .field("host", &self.final_url.host_str())
            .field("content_type", &self.content_type)
            .field("bytes", &self.bytes)
            .field("hops", &self.hops.len())
            .finish_non_exhaustive()
    }
}

/// The content type without its parameters, lower case.
pub(crate) fn essence(content_type: &str) -> String {
    content_type.split(';').next().unwrap_or_default().trim().to_ascii_lowercase()
}

/// Types that can be read as a page. An unknown `application/…` is a download.
pub(crate) fn is_page_type(essence: &str) -> bool {
    essence.is_empty()
        || essence.starts_with("text/")
        || essence.ends_with("+json")
        || essence.ends_with("+xml") && essence != "image/svg+xml"
        || matches!(
            essence,
            "application/json"
                | "application/xml"
                | "application/xhtml+xml"
                | "application/ld+json"
                | "application/javascript"
                | "application/x-javascript"
        )
}

/// FNV-1a, 64 bit.
pub(crate) fn hash(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
        (hash ^ u64::from(*byte)).wrapping_mul(0x0000_0100_0000_01b3)
    })
}
