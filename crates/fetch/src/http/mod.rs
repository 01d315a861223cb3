//! The plain client.

mod config;

pub use config::{Config, ProxyChoice, SetUpError, USER_AGENT, install_crypto};

use std::sync::Arc;

use firstknock_policy::Reason;

use crate::exchange::{BoxFuture, Failure, Fetch, Fetched, Request};
use crate::session::Sessions;

/// The plain, honest HTTP client.
#[derive(Debug, Clone)]
pub struct HttpFetch {
    sessions: Arc<Sessions>,
}

impl HttpFetch {
    /// Builds the client; reads the system's proxy settings and certificates.
    pub fn new(config: Config) -> Result<Self, SetUpError> {
        install_crypto();
        let _ = config;
        Ok(Self { sessions: Arc::default() })
    }

    /// The cookies by host: to store, to restore, to clear.
    pub fn sessions(&self) -> &Sessions {
        &self.sessions
    }
}

impl Fetch for HttpFetch {
    fn fetch<'a>(&'a self, request: &'a Request) -> BoxFuture<'a, Fetched> {
        let _ = request;
        Box::pin(std::future::ready(Fetched::Failed(Failure {
            reason: Reason::Network,
            detail: "not built yet".into(),
            cookie_guard: false,
            final_url: None,
            status: None,
            server_date: None,
            retried: false,
        })))
    }
}
