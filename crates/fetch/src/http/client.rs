//! How the HTTP library is set up: nothing in it follows, retries or remembers on its own.

use std::net::{IpAddr, Ipv4Addr};
use std::time::Duration;

use reqwest::header::{ACCEPT, ACCEPT_LANGUAGE, HeaderMap, HeaderValue, USER_AGENT};
use reqwest::{Certificate, Client, Proxy};

use super::config::{Config, ProxyChoice, SetUpError};
use super::desktop_proxy;
use super::resolver::Resolver;

/// The types that a page may have, as browsers and feed readers say it. Some sites answer 403 to
/// a request without it (DIYgod/RSSHub#4244).
const ACCEPTED: &str =
    "text/html,application/xhtml+xml,application/xml;q=0.9,application/json;q=0.9,*/*;q=0.8";
/// Longer than the default interval, so that the next check finds the connection open.
const IDLE_CONNECTION: Duration = Duration::from_secs(150);

/// Which addresses to try.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Families {
    /// IPv6 and IPv4, the second 300 ms after the first.
    Both,
    /// IPv4 only.
    Ipv4,
    /// Both, and none that is private.
    Public,
}

pub(super) fn build(config: &Config, families: Families) -> Result<Client, SetUpError> {
    let mut builder = Client::builder()
        .default_headers(headers(config))
        .redirect(reqwest::redirect::Policy::none())
        .retry(reqwest::retry::never())
        .connect_timeout(config.connect_deadline)
        .pool_max_idle_per_host(1)
        .pool_idle_timeout(IDLE_CONNECTION)
        .dns_resolver(Resolver::new(&config.fixed_names, families == Families::Public));
    if families == Families::Ipv4 {
        builder = builder.local_address(IpAddr::V4(Ipv4Addr::UNSPECIFIED));
    }
    if !config.extra_roots.is_empty() {
        let roots: Result<Vec<_>, _> =
            config.extra_roots.iter().map(|der| Certificate::from_der(der)).collect();
        builder = builder.tls_certs_merge(roots?);
    }
    builder = match &config.proxy {
        ProxyChoice::System => {
            desktop_proxy::proxies()?.into_iter().fold(builder, reqwest::ClientBuilder::proxy)
        }
        ProxyChoice::Direct => builder.no_proxy(),
        ProxyChoice::At(url) => builder.proxy(Proxy::all(url.as_str())?),
    };
    Ok(builder.build()?)
}

/// The same for every site and every request.
fn headers(config: &Config) -> HeaderMap {
    let mut headers = HeaderMap::new();
    headers.insert(USER_AGENT, HeaderValue::from_static(super::USER_AGENT));
    headers.insert(ACCEPT, HeaderValue::from_static(ACCEPTED));
    if let Ok(languages) = HeaderValue::from_str(&config.accept_language) {
        headers.insert(ACCEPT_LANGUAGE, languages);
    }
    headers
}
