//! Who is asked: the host that refuses, and the domain whose gap is kept.

use std::net::IpAddr;

use serde::{Deserialize, Serialize};
use url::{Host, Url};

/// The host of the address that the user gave: lower case, punycode, no `www.`, no trailing dot,
/// the port only where it is unusual for the scheme. Walls and ladders are filed under it.
///
/// ```
/// use firstknock_listing::HostKey;
/// let key = |s: &str| HostKey::of(&s.parse().expect("a url")).map(|k| k.to_string());
/// assert_eq!(key("https://WWW.Kamernet.nl./huren"), Some("kamernet.nl".into()));
/// assert_eq!(key("http://kamernet.nl:80/"), Some("kamernet.nl".into()));
/// assert_eq!(key("http://127.0.0.1:8080/a"), Some("127.0.0.1:8080".into()));
/// assert_eq!(key("https://münchen.example/"), Some("xn--mnchen-3ya.example".into()));
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(transparent)]
pub struct HostKey(String);

/// The registrable domain that shares one gap and one rate: `kantoor.realworks.nl` is
/// `realworks.nl`. IP addresses and single-label hosts stand for themselves, with their port.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Domain(String);

impl HostKey {
    /// The key of an address, or `None` for one without a host (`data:`, `file:`).
    pub fn of(url: &Url) -> Option<Self> {
        let host = bare_host(url)?;
        let named = match url.host()? {
            Host::Domain(_) => host.strip_prefix("www.").filter(|h| h.contains('.')),
            Host::Ipv4(_) | Host::Ipv6(_) => None,
        };
        let host = named.map_or(host.clone(), str::to_owned);
        Some(Self(with_port(host, url.port())))
    }

    /// Reads a key back that [`HostKey::of`] once made (from the database, from the wire).
    pub fn from_stored(text: &str) -> Self {
        Self(text.to_owned())
    }

    /// The key as text.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The domain whose gap this host shares.
    ///
    /// ```
    /// use firstknock_listing::HostKey;
    /// let domain = |s: &str| {
    ///     HostKey::of(&s.parse().expect("a url")).expect("a host").domain().to_string()
    /// };
    /// assert_eq!(domain("https://kantoor.realworks.nl/x"), "realworks.nl");
    /// assert_eq!(domain("https://d123.cloudfront.net/"), "d123.cloudfront.net");
    /// assert_eq!(domain("http://192.168.1.1/"), "192.168.1.1");
    /// assert_eq!(domain("http://127.0.0.1:8080/"), "127.0.0.1:8080");
    /// assert_eq!(domain("http://[::1]:9000/"), "[::1]:9000");
    /// assert_eq!(domain("http://localhost:3000/"), "localhost:3000");
    /// ```
    pub fn domain(&self) -> Domain {
        let (name, has_port) = split_port(&self.0);
        // psl calls `1.1` the domain of `192.168.1.1`, so addresses are told apart first.
        let is_ip = name.parse::<IpAddr>().is_ok() || name.starts_with('[');
        if is_ip || !name.contains('.') {
            return Domain(self.0.clone());
        }
        match psl::domain_str(name) {
            Some(domain) => Domain(domain.to_owned()),
            None if has_port => Domain(name.to_owned()),
            None => Domain(self.0.clone()),
        }
    }
}

impl Domain {
    /// The domain as text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

fn bare_host(url: &Url) -> Option<String> {
    let host = url.host_str()?.trim_end_matches('.').to_ascii_lowercase();
    (!host.is_empty()).then_some(host)
}

fn with_port(host: String, port: Option<u16>) -> String {
    match port {
        Some(port) => format!("{host}:{port}"),
        None => host,
    }
}

fn split_port(key: &str) -> (&str, bool) {
    match key.rsplit_once(':') {
        Some((name, port)) if port.bytes().all(|b| b.is_ascii_digit()) && !name.is_empty() => {
            (name, true)
        }
        _ => (key, false),
    }
}

impl std::fmt::Display for HostKey {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::fmt::Display for Domain {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.0)
    }
}
