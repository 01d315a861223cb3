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
            let known = jar.cookies.iter_any().any(|kept| kept.name() == cookie.name());
            let full = jar.cookies.iter_any().count() >= MOST_COOKIES;
            if too_wide || full && !known {
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_jar_has_an_end_but_goes_on_renewing_what_it_holds() {
        let (sessions, url) = (Sessions::default(), Url::parse("https://rooms.example/a").unwrap());
        let host = HostKey::of(&url).unwrap();
        let lines: Vec<String> = (0..300).map(|n| format!("c{n}=old; Path=/")).collect();
        assert!(sessions.keep(&host, &url, lines.iter().map(String::as_str)));
        assert!(!sessions.keep(&host, &url, ["late=1; Path=/"].into_iter()));
        assert!(sessions.keep(&host, &url, ["c7=new; Path=/"].into_iter()));
        let long = format!("big={}", "x".repeat(LONGEST_COOKIE));
        assert!(!sessions.keep(&host, &url, [long.as_str()].into_iter()));
        let sent = sessions.header_for(&host, &url).unwrap();
        assert_eq!(sent.split("; ").count(), MOST_COOKIES);
        assert!(sent.contains("c7=new") && !sent.contains("late"));
    }

    #[test]
    fn a_session_is_exported_when_it_changed_and_a_cleared_one_as_empty() {
        let (sessions, url) = (Sessions::default(), Url::parse("https://rooms.example/a").unwrap());
        let host = HostKey::of(&url).unwrap();
        assert_eq!(sessions.export_changed(&host), None);
        sessions.keep(&host, &url, ["id=1; Path=/"].into_iter());
        assert!(sessions.export_changed(&host).unwrap().contains("id=1"));
        assert_eq!(sessions.export_changed(&host), None, "nothing new");
        sessions.clear(&host);
        let empty = sessions.export_changed(&host).unwrap();
        assert!(!empty.contains("id=1"));
        sessions.import(&host, &empty).unwrap();
        assert_eq!((sessions.header_for(&host, &url), sessions.hosts().len()), (None, 0));
    }
}
