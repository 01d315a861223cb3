//! From facts to a verdict.

use firstknock_listing::PageSigns;
use firstknock_listing::catalogue::Language;
use firstknock_policy::{Outcome, Trouble};
use jiff::Timestamp;
use url::Url;

use crate::exchange::Fetched;

/// What a page is taken for, and why.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Verdict {
    /// The one verdict.
    pub outcome: Outcome,
    /// What was seen, in the words of the wire; also for an answer (what made it one).
    pub evidence: Vec<String>,
}

/// One look at one page: what was it? Pure; `now` only turns dates into waits.
pub fn classify(asked: &Url, fetched: &Fetched, signs: &PageSigns, now: Timestamp) -> Verdict {
    let _ = (asked, signs, now);
    match fetched {
        Fetched::Page(_) | Fetched::NotModified(_) => {
            Verdict { outcome: Outcome::Answer, evidence: Vec::new() }
        }
        Fetched::Failed(failure) => Verdict {
            outcome: Outcome::Trouble(Trouble {
                reason: failure.reason,
                retry_after: None,
                evidence: vec![failure.detail.clone()],
            }),
            evidence: vec![failure.detail.clone()],
        },
    }
}

impl Verdict {
    /// The sentence for a row: "Cloudflare shows a check (header cf-mitigated: challenge)".
    pub fn sentence(&self, language: Language) -> String {
        let _ = language;
        String::new()
    }
}
