//! Cookies without an end date, kept over the process's end.
//!
//! A browser forgets them when it closes; this one closes after each page. They are kept beside
//! the session's other cookies, readable by the user alone, and go back only into that session.

use std::io::Write;
use std::path::Path;

use serde::{Deserialize, Serialize};
use soup::SameSitePolicy;
use webkit2gtk::{CookieManager, CookieManagerExt};

/// The file in the session's folder.
const FILE: &str = "session-cookies.json";
/// More is no session any more.
const MOST: usize = 200;

#[derive(Serialize, Deserialize)]
struct Kept {
    name: String,
    value: String,
    domain: String,
    path: String,
    secure: bool,
    http_only: bool,
    same_site: Option<Strictness>,
}

#[derive(Clone, Copy, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Strictness {
    Lax,
    Strict,
}

/// Writes the cookies that have no end date.
pub(super) async fn keep(jar: &CookieManager, folder: &Path) {
    #[expect(deprecated, reason = "its successor asks all data of each domain")]
    let Ok(domains) = jar.domains_with_cookies_future().await else { return };
    let mut kept: Vec<Kept> = Vec::new();
    for domain in domains {
        let host = domain.trim_start_matches('.');
        for address in [format!("https://{host}/"), format!("http://{host}/")] {
            let Ok(cookies) = jar.cookies_future(&address).await else { continue };
            for cookie in cookies.into_iter().filter_map(Kept::of) {
                let same = |old: &&Kept| {
                    old.name == cookie.name
                        && old.domain == cookie.domain
                        && old.path == cookie.path
                };
                if kept.len() < MOST && !kept.iter().any(|old| same(&old)) {
                    kept.push(cookie);
                }
            }
        }
    }
    if kept.is_empty() && !folder.join(FILE).exists() {
        return;
    }
    if let Err(error) = write(folder, &kept) {
        tracing::warn!(%error, "a site's session will not outlive the app");
    }
}

/// Puts back what was kept.
pub(super) async fn put_back(jar: &CookieManager, folder: &Path) {
    let Ok(text) = std::fs::read_to_string(folder.join(FILE)) else { return };
    let kept: Vec<Kept> = match serde_json::from_str(&text) {
        Ok(kept) => kept,
        Err(error) => return tracing::warn!(%error, "a site's session could not be read back"),
    };
    for cookie in kept {
        if let Err(error) = jar.add_cookie_future(&mut cookie.into_cookie()).await {
            tracing::debug!(%error, "a cookie was not taken back");
        }
    }
}

impl Kept {
    /// `None` for one with an end date: the engine keeps that itself.
    fn of(mut cookie: soup::Cookie) -> Option<Self> {
        if cookie.expires().is_some() {
            return None;
        }
        Some(Self {
            name: cookie.name()?.into(),
            value: cookie.value()?.into(),
            domain: cookie.domain()?.into(),
            path: cookie.path().map_or_else(|| String::from("/"), Into::into),
            secure: cookie.is_secure(),
            http_only: cookie.is_http_only(),
            same_site: match cookie.same_site_policy() {
                SameSitePolicy::Lax => Some(Strictness::Lax),
                SameSitePolicy::Strict => Some(Strictness::Strict),
                _ => None,
            },
        })
    }

    fn into_cookie(self) -> soup::Cookie {
        let mut cookie = soup::Cookie::new(&self.name, &self.value, &self.domain, &self.path, -1);
        cookie.set_secure(self.secure);
        cookie.set_http_only(self.http_only);
        cookie.set_same_site_policy(match self.same_site {
            Some(Strictness::Lax) => SameSitePolicy::Lax,
            Some(Strictness::Strict) => SameSitePolicy::Strict,
            None => SameSitePolicy::None,
        });
        cookie
    }
}

fn write(folder: &Path, kept: &[Kept]) -> std::io::Result<()> {
    let part = folder.join("session-cookies.part");
    let mut options = std::fs::OpenOptions::new();
    options.write(true).create(true).truncate(true);
    #[cfg(unix)]
    {
        use std::os::unix::fs::OpenOptionsExt;
        options.mode(0o600);
    }
    let mut file = options.open(&part)?;
    file.write_all(&serde_json::to_vec(kept)?)?;
    file.sync_all()?;
    std::fs::rename(part, folder.join(FILE))
}
