//! What of an answered page is believed, and what a check says of itself.

use firstknock_extract::Finding as PageFinding;
use firstknock_fetch::Fetched;
use firstknock_listing::{PageKind, Role};
use firstknock_policy::Outcome;
use firstknock_schedule::{Finding, Seen};
use firstknock_store::{
    CheckMark, CheckResult, PageCommit, Search, SearchFacts, Store, StoreError,
};
use jiff::Timestamp;

use super::Ended;
use super::news::gather;
use crate::Look;

/// The page as it may be believed; `None` where nothing of it is.
pub(super) fn page(
    store: &mut Store,
    it: &Ended<'_>,
    search: &Search,
    now: Timestamp,
) -> Result<Option<PageCommit>, StoreError> {
    let extraction = &it.look.extraction;
    let believed = matches!(extraction.kind, PageKind::Results | PageKind::Empty);
    if it.look.unchanged.is_some() || !matches!(it.look.verdict.outcome, Outcome::Answer) {
        return Ok(None);
    }
    let memory = serde_json::to_value(&extraction.memory)?;
    if !believed || matches!(extraction.finding, PageFinding::Broken | PageFinding::Unsure { .. }) {
        // Nothing on it is taken for news or for gone; how often it looked so is remembered.
        return Ok(it.facts.baseline_at.map(|_| PageCommit {
            listings: Vec::new(),
            diff: firstknock_listing::Diff::default(),
            baseline: false,
            complete: false,
            rekeyed: Vec::new(),
            news: Vec::new(),
            posts: Vec::new(),
            memory: Some(memory),
        }));
    }
    gather(store, it, search, memory, now).map(Some)
}

/// A look as far as the plan and the rows need to know.
pub fn seen(look: &Look, facts: &SearchFacts) -> Seen {
    let status = look.status();
    if look.unchanged.is_some() {
        let listings = facts.last_listings.unwrap_or_default();
        let finding = if listings == 0 { Finding::Empty } else { Finding::Fine };
        return Seen { listings, new: 0, finding, status };
    }
    let extraction = &look.extraction;
    let listings = extraction.listings.iter().filter(|l| l.role != Role::Recommendation).count();
    let finding = match (&extraction.finding, extraction.kind) {
        (PageFinding::Fine, PageKind::Empty) | (PageFinding::Empty, _) => Finding::Empty,
        // A page without listings that does not say so is never an honest empty one.
        (PageFinding::Fine, _) if listings == 0 => Finding::Unsure,
        (PageFinding::Fine, _) => Finding::Fine,
        (PageFinding::Degraded { .. }, _) => Finding::Degraded,
        (PageFinding::ReKeyed { .. }, _) => Finding::ReKeyed,
        (PageFinding::Broken, _) => Finding::Broken,
        (PageFinding::Unsure { .. }, _) => Finding::Unsure,
    };
    Seen { listings: u32::try_from(listings).unwrap_or(u32::MAX), new: 0, finding, status }
}

/// The check's own row. What a page that is not kept (`kept` is false: the search was edited, the
/// check given up as lost) said of its version is forgotten: the same page has yet to be read.
pub(super) fn result(it: &Ended<'_>, seen: Seen, kept: bool) -> CheckResult {
    let (look, facts) = (it.look, it.facts);
    let outcome = &look.verdict.outcome;
    let as_it_should = kept
        && !matches!(seen.finding, Finding::Broken | Finding::Unsure)
        && *outcome == Outcome::Answer;
    let page = match &look.fetched {
        Fetched::Page(page) => Some(page),
        Fetched::NotModified(_) | Fetched::Failed(_) => None,
    };
    let retry_after = match outcome {
        Outcome::Answer => None,
        Outcome::Wall(wall) => wall.retry_after,
        Outcome::Trouble(trouble) => trouble.retry_after,
    };
    let (etag, last_modified, body_hash) = match page {
        Some(page) if as_it_should && !look.by_browser => (
            page.validators.etag.clone(),
            page.validators.last_modified.clone(),
            Some(format!("{:016x}", page.body_hash)),
        ),
        _ if kept && look.unchanged.is_some() => {
            (facts.etag.clone(), facts.last_modified.clone(), facts.body_hash.clone())
        }
        _ => (None, None, None),
    };
    CheckResult {
        mark: match outcome {
            Outcome::Answer if seen.finding == Finding::Empty => CheckMark::Empty,
            Outcome::Answer => CheckMark::Answered,
            Outcome::Wall(_) => CheckMark::Refused,
            Outcome::Trouble(_) => CheckMark::Failed,
        },
        verdict: outcome.verdict().to_owned(),
        reason: outcome.reason().code(),
        finding: matches!(outcome, Outcome::Answer)
            .then(|| look.extraction.finding.code().to_owned()),
        status: seen.status,
        listings: as_it_should.then_some(seen.listings),
        bytes: page.map(|page| page.bytes as u64),
        took: look.took,
        retry_after,
        evidence: look.verdict.evidence.clone(),
        etag,
        last_modified,
        body_hash,
    }
}
