//! From facts to a verdict.
//!
//! Promises the decision order of `walls.md` section 0, with what was seen beside each verdict.
//! Leaves out how long to wait and whether an answer without listings is honest.

mod arrived;
mod condition;
mod look;
mod marker;
mod sentence;
mod table;

use firstknock_listing::PageSigns;
use firstknock_policy::{Kind, Outcome, Reason, Trouble, Wall};
use jiff::Timestamp;
use url::Url;

pub use sentence::explain;

use crate::exchange::{Failure, Fetched, Response};
use crate::retry_after::{asked_wait, plain_retry_after};
use arrived::Arrival;
use condition::Scene;
use look::Look;
use marker::Sight;
use table::{Class, TABLE};

/// What a page is taken for, and why.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Verdict {
    /// The one verdict.
    pub outcome: Outcome,
    /// What was seen, in the words of the wire; also for an answer (what made it one).
    pub evidence: Vec<String>,
}

/// One look at one page: what was it? Pure; `now` only turns dates into waits.
///
/// ```
/// use firstknock_fetch::{Fetched, Response, classify};
/// use firstknock_listing::PageSigns;
///
/// let asked: url::Url = "https://rooms.example/search".parse().expect("an address");
/// let page = Response::of_text(asked.clone(), Some(429), "")
///     .with_headers([("CF-Mitigated".into(), "challenge".into())]);
/// let now = "2026-11-01T12:00:00Z".parse().expect("a time");
/// let verdict = classify(&asked, &Fetched::Page(page), &PageSigns::default(), now);
/// assert_eq!(verdict.outcome.verdict(), "challenge");
/// assert_eq!(verdict.evidence[0], "header cf-mitigated: challenge");
/// ```
pub fn classify(asked: &Url, fetched: &Fetched, signs: &PageSigns, now: Timestamp) -> Verdict {
    match fetched {
        Fetched::Page(response) => page(asked, response, signs, now),
        Fetched::NotModified(_) => answer("status 304"),
        Fetched::Failed(failure) => failed(failure),
    }
}

/// Section 0, point 1: no whole answer came.
fn failed(failure: &Failure) -> Verdict {
    let mut evidence = vec![failure.detail.clone()];
    evidence.extend(failure.status.map(|status| format!("status {status}")));
    if failure.cookie_guard {
        let sight =
            Sight { class: Class::Challenge, reason: Reason::BrowserCheck, who: None, evidence };
        return wall(Kind::Challenge, sight, None);
    }
    trouble(failure.reason, evidence, None)
}

fn page(asked: &Url, response: &Response, signs: &PageSigns, now: Timestamp) -> Verdict {
    let decide = |sight| decide(sight, response, now);
    // 2 and 3: headers that state a mitigation; hosts and paths that are a wall's.
    if let Some(sight) = marker::outside(response) {
        return decide(sight);
    }
    let fine = response.status.is_none_or(|status| (200..300).contains(&status));
    let arrival = Arrival::of(asked, response);
    let arrived = arrival.wall(signs.listings, fine);
    if arrived.is_none() && fine && !response.readable {
        let kind = response.content_type.as_deref().unwrap_or("binary data");
        return trouble(Reason::NotAPage, vec![format!("header content-type: {kind}")], None);
    }
    // 4: the site's own data. No body marker may overrule it.
    if arrived.is_none() && fine && !arrival.is_foreign() && signs.listings > 0 {
        return answer(format!("{} listings", signs.listings));
    }
    // 5: markers that decide alone.
    let look = Look::at(&response.body);
    let scene = Scene { response, look: &look };
    if let Some(sight) = marker::decisive(&scene) {
        return decide(sight);
    }
    if let Some(sight) = arrived.or_else(|| arrival.foreign()) {
        return decide(sight);
    }
    // 7 before 6: what a page says is more exact than its status (flathunter#44, #91).
    if let Some(sight) = marker::supported(&scene, signs) {
        return decide(sight);
    }
    if let Some(sight) = by_status(response, now) {
        return decide(sight);
    }
    // 8 and 9: an answer; whether it is an honest one is the extractor's finding.
    let status = response.status.map_or_else(|| "no status".into(), |s| format!("status {s}"));
    answer(if signs.nothing_found { format!("{status}, nothing found") } else { status })
}

/// Section 0, point 6.
fn by_status(response: &Response, now: Timestamp) -> Option<Sight> {
    let status = response.status?;
    let row = TABLE.status(status)?;
    let mut sight = Sight {
        class: row.verdict,
        reason: row.reason,
        who: None,
        evidence: vec![format!("status {status}")],
    };
    match status {
        401 => {
            if let Some(scheme) = response.header("www-authenticate") {
                let scheme = scheme.split_whitespace().next().unwrap_or_default();
                sight.reason = Reason::Login;
                sight.evidence.insert(0, format!("header www-authenticate: {scheme}"));
            }
        }
        503 => {
            if let Some(asked) = plain_retry_after(&response.headers, now) {
                sight.class = Class::RateLimited;
                sight.reason = Reason::TooManyRequests;
                sight.evidence.push(asked.evidence);
            }
        }
        _ => {}
    }
    Some(sight)
}

fn decide(mut sight: Sight, response: &Response, now: Timestamp) -> Verdict {
    if let Some(status) = response.status {
        let seen = format!("status {status}");
        if !sight.evidence.contains(&seen) {
            sight.evidence.push(seen);
        }
    }
    let asked = match (sight.class, response.status) {
        (Class::RateLimited, _) => asked_wait(&response.headers, now),
        // Some CDNs send it with every page; only a refusal means it.
        (_, Some(200..=201 | 203..=206)) => None,
        _ => plain_retry_after(&response.headers, now),
    };
    let retry_after = asked.as_ref().map(|asked| asked.wait);
    if let Some(asked) = asked
        && !sight.evidence.contains(&asked.evidence)
    {
        sight.evidence.push(asked.evidence);
    }
    match sight.class {
        Class::Challenge => wall(Kind::Challenge, sight, retry_after),
        Class::RateLimited => wall(Kind::RateLimited, sight, retry_after),
        Class::Denied => wall(Kind::Denied, sight, retry_after),
        Class::Error => trouble(sight.reason, sight.evidence, retry_after),
    }
}

fn answer(seen: impl Into<String>) -> Verdict {
    Verdict { outcome: Outcome::Answer, evidence: vec![seen.into()] }
}

fn wall(kind: Kind, sight: Sight, retry_after: Option<std::time::Duration>) -> Verdict {
    let evidence = sight.evidence;
    let outcome = Outcome::Wall(Wall {
        kind,
        reason: sight.reason,
        vendor: sight.who,
        retry_after,
        evidence: evidence.clone(),
    });
    Verdict { outcome, evidence }
}

fn trouble(
    reason: Reason,
    evidence: Vec<String>,
    retry_after: Option<std::time::Duration>,
) -> Verdict {
    let outcome = Outcome::Trouble(Trouble { reason, retry_after, evidence: evidence.clone() });
    Verdict { outcome, evidence }
}

#[cfg(test)]
mod tests;
