//! What it means that another address answered than the one that was asked.
//!
//! A guard, queue or consent host is filed under the host that was asked. Any other foreign host
//! that answers out of the blue is a captive portal, a hijack or a moved site (DESIGN.md).

use std::net::IpAddr;

use firstknock_listing::HostKey;
use firstknock_policy::Reason;
use url::{Host, Url};

use super::condition::lower_path;
use super::marker::Sight;
use super::table::{Class, TABLE};
use crate::exchange::Response;

/// Where we asked, and where the answer came from.
pub(super) struct Arrival<'a> {
    asked: &'a Url,
    end: &'a Url,
    /// Another host answered.
    other_host: bool,
    /// A host of another registrable domain answered.
    foreign: bool,
}

impl<'a> Arrival<'a> {
    pub(super) fn of(asked: &'a Url, response: &'a Response) -> Self {
        let end = &response.final_url;
        let (from, to) = (HostKey::of(asked), HostKey::of(end));
        let (other_host, foreign) = match (from, to) {
            (Some(from), Some(to)) => (from != to, from.domain() != to.domain()),
            // A browser's own error page has no host.
            _ => (false, false),
        };
        Self { asked, end, other_host, foreign }
    }

    pub(super) const fn is_foreign(&self) -> bool {
        self.foreign
    }

    /// Consent and login by where the redirect ended; a redirect home is a page that is gone.
    /// Both need a page that came with a good status (`fine`): a refusal at the end is a refusal.
    pub(super) fn wall(&self, listings: usize, fine: bool) -> Option<Sight> {
        let rules = &TABLE.arrived;
        let has = |labels: &[String]| self.label().is_some_and(|label| labels.contains(&label));
        let (asked, end) = (lower_path(self.asked), lower_path(self.end));
        if self.other_host && has(&rules.consent_labels) {
            return Some(self.sight(Class::Denied, Reason::Consent));
        }
        let login_host = self.other_host && has(&rules.login_labels);
        let login_path = rules.login_path.is_match(&end) && !rules.login_path.is_match(&asked);
        let login = login_host || login_path;
        // Only an unencrypted request can be led to a hotel's page; those like to be called login.
        let portal = has(&rules.captive_labels)
            || self.is_private()
            || login && self.asked.scheme() == "http";
        if self.foreign && portal {
            return Some(self.sight(Class::Error, Reason::CaptivePortal));
        }
        if fine && listings == 0 && login {
            return Some(self.sight(Class::Denied, Reason::Login));
        }
        let sent_home = rules.home_path.is_match(&end)
            && !rules.home_path.is_match(&asked)
            && self.end.query().is_none();
        if fine && sent_home && !self.foreign {
            return Some(self.sight(Class::Error, Reason::PageGone));
        }
        None
    }

    /// A stranger answered.
    pub(super) fn foreign(&self) -> Option<Sight> {
        self.foreign.then(|| self.sight(Class::Error, Reason::ForeignHost))
    }

    fn sight(&self, class: Class, reason: Reason) -> Sight {
        let host = self.end.host_str().unwrap_or_default();
        let seen = format!("redirect to {host}{}", self.end.path());
        Sight { class, reason, who: None, evidence: vec![seen] }
    }

    fn label(&self) -> Option<String> {
        let host = self.end.host_str()?.to_ascii_lowercase();
        let host = host.strip_prefix("www.").unwrap_or(&host);
        host.split('.').next().map(str::to_owned)
    }

    /// A router of the local network answered for a name of the internet.
    fn is_private(&self) -> bool {
        let private = |url: &Url| match url.host() {
            Some(Host::Ipv4(ip)) => ip.is_private() || ip.is_link_local(),
            Some(Host::Ipv6(ip)) => IpAddr::V6(ip).is_loopback() || ip.is_unique_local(),
            Some(Host::Domain(name)) => name.ends_with(".lan") || name.ends_with(".home.arpa"),
            None => false,
        };
        private(self.end) && !private(self.asked)
    }
}
