//! The plain client: honest headers, own redirects, one quick retry, bounded everything.
//!
//! Promises that a request ends by its deadline, that no more than the cap is ever decoded, that
//! certificates are always checked, and that a status is never retried. Leaves out the plan, the
//! gap between requests and what an answer means.

mod body;
mod charset;
mod client;
mod config;
mod desktop_proxy;
mod failure;
mod follow;
mod picture;
mod public;
mod resolver;

use std::sync::{Arc, OnceLock};

use reqwest::Client;
use tokio::time::Instant;

pub use config::{Config, ProxyChoice, SetUpError, USER_AGENT, install_crypto};
pub use picture::{LARGEST, NoPicture, Picture, PictureRequest};

use crate::exchange::{BoxFuture, Fetch, Fetched, Request};
use crate::session::Sessions;

/// The plain, honest HTTP client. Clones share connections and sessions.
#[derive(Debug, Clone)]
pub struct HttpFetch {
    inner: Arc<Inner>,
}

#[derive(Debug)]
struct Inner {
    config: Config,
    client: Client,
    /// Built when an address of the other family hung (hyper#1316, ureq#1150).
    ipv4_client: OnceLock<Client>,
    /// Built for the first picture: it asks no private address.
    public_client: OnceLock<Client>,
    sessions: Sessions,
}

impl HttpFetch {
    /// Builds the client; reads the system's proxy settings and certificates.
    pub fn new(config: Config) -> Result<Self, SetUpError> {
        install_crypto();
        let client = client::build(&config, client::Families::Both)?;
        let inner = Inner {
            config,
            client,
            ipv4_client: OnceLock::new(),
            public_client: OnceLock::new(),
            sessions: Sessions::default(),
        };
        Ok(Self { inner: Arc::new(inner) })
    }

    /// The cookies by host: to store, to restore, to clear.
    pub fn sessions(&self) -> &Sessions {
        &self.inner.sessions
    }
}

impl Inner {
    /// The client that asks IPv4 addresses only; `None` if it can't be built.
    fn ipv4_client(&self) -> Option<&Client> {
        self.built(&self.ipv4_client, client::Families::Ipv4)
    }

    /// The client that asks public addresses only; `None` if it can't be built.
    fn public_client(&self) -> Option<&Client> {
        self.built(&self.public_client, client::Families::Public)
    }

    fn built<'a>(
        &self,
        place: &'a OnceLock<Client>,
        families: client::Families,
    ) -> Option<&'a Client> {
        if place.get().is_none() {
            let built = client::build(&self.config, families).ok()?;
            return Some(place.get_or_init(|| built));
        }
        place.get()
    }
}

impl Fetch for HttpFetch {
    fn fetch<'a>(&'a self, request: &'a Request) -> BoxFuture<'a, Fetched> {
        let begin = Instant::now();
        let deadline = begin + request.deadline;
        Box::pin(async move {
            let fetched = follow::follow(&self.inner, request, deadline).await;
            let took_ms = u64::try_from(begin.elapsed().as_millis()).unwrap_or(u64::MAX);
            let host = request.url.host_str().unwrap_or_default();
            match &fetched {
                Fetched::Page(page) | Fetched::NotModified(page) => {
                    tracing::debug!(
                        host,
                        status = page.status,
                        bytes = page.bytes,
                        took_ms,
                        "read"
                    );
                }
                Fetched::Failed(failure) => {
                    tracing::debug!(host, reason = ?failure.reason, took_ms, "not read");
                }
            }
            fetched
        })
    }
}
