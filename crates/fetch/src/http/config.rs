//! How the plain client is set up.

use std::net::SocketAddr;
use std::time::Duration;

/// Our own name, in every plain request.
pub const USER_AGENT: &str =
    concat!("Firstknock/", env!("CARGO_PKG_VERSION"), " (personal rental alert)");

/// Settings of the client; the defaults are what the app uses.
#[derive(Debug, Clone)]
pub struct Config {
    /// TCP and TLS together, per connection.
    pub connect_deadline: Duration,
    /// Decoded bytes read of one body.
    pub largest_body: usize,
    /// The longest pause before the one quick retry; the pause is drawn from 0 to it.
    pub longest_pause: Duration,
    /// Which proxy to use.
    pub proxy: ProxyChoice,
    /// `Accept-Language`, the same for every site.
    pub accept_language: String,
    /// Roots to trust besides the system's, as DER. There is no way to switch checks off.
    pub extra_roots: Vec<Vec<u8>>,
    /// Names with fixed addresses, before DNS is asked (the rehearsal street, tests).
    pub fixed_names: Vec<(String, Vec<SocketAddr>)>,
}

/// Which proxy to use.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ProxyChoice {
    /// The system's settings and the usual environment variables.
    System,
    /// None at all.
    Direct,
    /// This one for everything.
    At(url::Url),
}

/// The client could not be built: the system's certificates or proxy settings are broken.
#[derive(Debug, thiserror::Error)]
#[error("the HTTP client could not be set up")]
pub struct SetUpError(#[from] reqwest::Error);

impl Default for Config {
    fn default() -> Self {
        Self {
            connect_deadline: Duration::from_secs(10),
            largest_body: 16 * 1024 * 1024,
            longest_pause: Duration::from_millis(400),
            proxy: ProxyChoice::System,
            accept_language: "nl, de;q=0.9, en;q=0.8".to_owned(),
            extra_roots: Vec::new(),
            fixed_names: Vec::new(),
        }
    }
}

/// Chooses ring as the process's crypto, once; without it building a client panics.
pub fn install_crypto() {
    // A second call, or an embedder that chose before us, is fine.
    drop(rustls::crypto::ring::default_provider().install_default());
}
