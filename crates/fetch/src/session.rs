//! The cookies that plain requests were given, one jar per asked host.
//!
//! Promises that a jar is used for its host's checks only and never shows up in a log. Leaves
//! out where it is stored: [`Sessions::export`] gives JSON text, `store` keeps it.

use std::collections::BTreeMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

use cookie_store::{CookieStore, RawCookie};
use firstknock_listing::HostKey;
use url::Url;

/// Cookies by asked host.
#[derive(Default)]
pub struct Sessions {
    jars: Mutex<BTreeMap<HostKey, Jar>>,
}

#[derive(Default)]
struct Jar {
    cookies: CookieStore,
    changed: bool,
}

/// A stored session that can't be read; the host starts without cookies.
#[derive(Debug, thiserror::Error)]
#[error("the stored session is not readable")]
pub struct SessionError;

/// Cookies kept per host; a site that sets more is fooling about.
const MOST_COOKIES: usize = 100;
/// Longest cookie kept, in bytes, as browsers do.
const LONGEST_COOKIE: usize = 4096;

impl Sessions {
    /// The JSON text of a host's cookies if they changed since the last export.
    pub fn export_changed(&self, host: &HostKey) -> Option<String> {
        let mut jars = self.lock();
        let jar = jars.get_mut(host)?;
        if !std::mem::take(&mut jar.changed) {
            return None;
        }
        to_json(&jar.cookies)
    }

    /// The JSON text of a host's cookies; `None` where there are none.
    pub fn export(&self, host: &HostKey) -> Option<String> {
        let jars = self.lock();
        let jar = jars.get(host)?;
        jar.cookies.iter_unexpired().next()?;
        to_json(&jar.cookies)
    }

    /// Takes a host's cookies from what [`Sessions::export`] gave, instead of any it has.
    pub fn import(&self, host: &HostKey, json: &str) -> Result<(), SessionError> {
        let cookies =
            cookie_store::serde::json::load_all(json.as_bytes()).map_err(|_| SessionError)?;
        self.lock().insert(host.clone(), Jar { cookies, changed: false });
        Ok(())
    }

    /// Forgets a host's cookies. It neither clears nor shortens a wait.
    pub fn clear(&self, host: &HostKey) {
        let mut jars = self.lock();
        jars.insert(host.clone(), Jar { cookies: CookieStore::default(), changed: true });
    }

    /// The hosts that have a session.
    pub fn hosts(&self) -> Vec<HostKey> {
        let jars = self.lock();
        jars.iter()
            .filter(|(_, jar)| jar.cookies.iter_unexpired().next().is_some())
            .map(|(host, _)| host.clone())
            .collect()
    }

    /// The `Cookie` header for one hop of a check of `asked`.
    pub(crate) fn header_for(&self, asked: &HostKey, hop: &Url) -> Option<String> {
        let jars = self.lock();
        let jar = jars.get(asked)?;
        let pairs: Vec<String> = jar
            .cookies
            .get_request_values(hop)
            .map(|(name, value)| format!("{name}={value}"))
            .collect();
        (!pairs.is_empty()).then(|| pairs.join("; "))
    }

    /// Keeps what one hop set. Says whether any cookie was accepted.
    pub(crate) fn keep<'a>(
        &self,
        asked: &HostKey,
        hop: &Url,
        set_cookie: impl Iterator<Item = &'a str>,
    ) -> bool {
        let mut jars = self.lock();
        let jar = jars.entry(asked.clone()).or_default();
        let mut any = false;
        for line in set_cookie.filter(|line| line.len() <= LONGEST_COOKIE) {
            let Ok(cookie) = RawCookie::parse(line) else { continue };
            // A cookie for a whole public suffix would reach other people's sites.
            let too_wide = cookie.domain().is_some_and(|domain| {
                let domain = domain.trim_start_matches('.').to_ascii_lowercase();
                hop.host_str() != Some(domain.as_str())
                    && psl::suffix_str(&domain) == Some(domain.as_str())
            });
            let full = jar.cookies.iter_any().count() >= MOST_COOKIES;
            if too_wide || full && !cookie.max_age().is_some_and(|age| age.is_zero()) {
                continue;
            }
            if jar.cookies.insert_raw(&cookie, hop).is_ok() {
                jar.changed = true;
                any = true;
            }
        }
        any
    }

    fn lock(&self) -> MutexGuard<'_, BTreeMap<HostKey, Jar>> {
        // A panic elsewhere leaves a jar whole: every change is one insert.
        self.jars.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Session cookies are kept too: the app plays one long visit, and a restart must not look like
/// a new visitor.
fn to_json(cookies: &CookieStore) -> Option<String> {
    let mut out = Vec::new();
    cookie_store::serde::json::save_incl_expired_and_nonpersistent(cookies, &mut out).ok()?;
    String::from_utf8(out).ok()
}

impl std::fmt::Debug for Sessions {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Sessions").field("hosts", &self.lock().len()).finish()
    }
}
