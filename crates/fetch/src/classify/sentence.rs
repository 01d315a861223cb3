//! The sentence of a row. The words are the catalogue's.

use firstknock_listing::catalogue::{Language, say};
use firstknock_policy::{Outcome, Reason};

use super::Verdict;

impl Verdict {
    /// "Cloudflare shows a check (header cf-mitigated: challenge)".
    pub fn sentence(&self, language: Language) -> String {
        let vendor = match &self.outcome {
            Outcome::Wall(wall) => wall.vendor.as_deref(),
            Outcome::Answer | Outcome::Trouble(_) => None,
        };
        explain(language, self.outcome.reason(), vendor, &self.evidence)
    }
}

/// The sentence for a reason, from what the ledger keeps of a verdict.
///
/// ```
/// use firstknock_fetch::explain;
/// use firstknock_listing::catalogue::Language;
/// use firstknock_policy::Reason;
///
/// let seen = ["header cf-mitigated: challenge".to_owned()];
/// assert_eq!(
///     explain(Language::En, Reason::BrowserCheck, Some("Cloudflare"), &seen),
///     "Cloudflare shows a check (header cf-mitigated: challenge)"
/// );
/// ```
pub fn explain(
    language: Language,
    reason: Reason,
    vendor: Option<&str>,
    evidence: &[String],
) -> String {
    let the_site = say(language, "reason_the_site", &[]);
    let vendor = vendor.unwrap_or(&the_site);
    let seen = evidence.first().map_or("", String::as_str);
    let code = format!("reason_{}", reason.code());
    let sentence = say(language, &code, &[("vendor", vendor), ("evidence", seen)]);
    // Nothing was noted down: no empty brackets.
    if seen.is_empty() { sentence.replace(" ()", "") } else { sentence }
}
