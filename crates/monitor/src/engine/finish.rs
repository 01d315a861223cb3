//! A look ended: what is new, what it means for the host, and all of it kept at once.

use firstknock_extract::Finding as PageFinding;
use firstknock_fetch::Fetched;
use firstknock_listing::{PageKind, Role};
use firstknock_policy::Outcome;
use firstknock_schedule::{Finding, Seen};
use firstknock_store::{
    CheckCommit, CheckMark, CheckResult, PageCommit, ReaderChoice, SearchFacts, Store, StoreError,
};
use jiff::Timestamp;

use super::Core;
use super::event::Looked;
use super::news::{Gathered, gather};
use crate::{Look, current};

impl Core {
    pub(super) async fn finish(&mut self, looked: Looked) {
        let now = self.clock.now();
        let Looked { check, run, look } = looked;
        let search = check.search.and_then(|id| self.shelf.searches.iter().find(|s| s.id == id));
        let search = search.cloned();
        let facts = match check.search {
            Some(id) => self.store.run(move |store| store.search_facts(id)).await,
            None => Ok(SearchFacts::default()),
        };
        let facts = match facts {
            Ok(facts) => facts,
            Err(error) => {
                // Nothing was seen; the host's side of it is recorded all the same.
                let mut roll = || self.dice.roll();
                let outcome = look.verdict.outcome.clone();
                let change =
                    self.schedule.report(&check, &outcome, Seen::nothing(), now, &mut roll);
                self.schedule.not_kept(&change);
                self.storage_trouble(&error);
                return;
            }
        };
        let seen = seen(&look, &facts);
        let mut roll = || self.dice.roll();
        let change = self.schedule.report(&check, &look.verdict.outcome, seen, now, &mut roll);
        let keep_listings = change.keep_listings;
        let commit = CheckCommit {
            run,
            search: check.search,
            revision: check.revision,
            host: check.host.clone(),
            result: result(&look, seen, &facts),
            page: None,
            notices: Vec::new(),
            change: change.clone(),
        };
        let pause = self.pause;
        let sight_since = check.search.map_or(now, |id| self.watch.since(id));
        let by_browser = look.by_browser;
        let answered = matches!(look.verdict.outcome, Outcome::Answer);
        let cookies =
            self.http.as_ref().and_then(|http| http.sessions().export_changed(&check.host));
        let host = check.host.clone();
        let kept = self
            .store
            .run(move |store| {
                let mut commit = commit;
                if let (true, Some(search)) = (keep_listings, search) {
                    let gathered = Gathered { search: &search, facts: &facts, look: &look, pause };
                    commit.page = page(store, &gathered, now)?;
                    commit.notices = super::blind::after_look(store, &gathered, sight_since, now)?;
                }
                let mut done = store.commit_check(&commit, now)?;
                if commit.page.as_ref().is_some_and(|page| page.baseline) {
                    done.outbox.extend(current::owed(store, commit.search, now)?);
                }
                if by_browser && answered {
                    store.set_host_reader(&host, Some(ReaderChoice::Browser), now)?;
                }
                if let Some(cookies) = cookies {
                    store.set_session(&host, Some(&cookies), now)?;
                }
                Ok(done)
            })
            .await;
        match kept {
            Ok(done) => {
                if !done.news.is_empty() {
                    tracing::info!(host = %check.host, new = done.news.len(), "news");
                }
                if let Some((first, _)) = done.news.first()
                    && !done.outbox.is_empty()
                {
                    let (photos, first) = (self.photos.clone(), *first);
                    tokio::spawn(async move { photos.prefetch(first).await });
                }
                if !done.outbox.is_empty() {
                    self.bell.ring();
                }
                self.log_outcome(&check.host, seen, &change);
            }
            Err(error) => {
                self.schedule.not_kept(&change);
                self.storage_trouble(&error);
            }
        }
        self.shelf.stale = true;
    }

    fn log_outcome(
        &self,
        host: &firstknock_listing::HostKey,
        seen: Seen,
        change: &firstknock_schedule::Change,
    ) {
        tracing::debug!(%host, listings = seen.listings, finding = ?seen.finding, "a check ended");
        for note in &change.notes {
            tracing::info!(?note, "the schedule says");
        }
    }
}

/// The page as it may be believed; `None` where nothing of it is.
fn page(
    store: &mut Store,
    it: &Gathered<'_>,
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
    gather(store, it, memory, now).map(Some)
}

/// As far as the plan and the rows need to know.
fn seen(look: &Look, facts: &SearchFacts) -> Seen {
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

fn result(look: &Look, seen: Seen, facts: &SearchFacts) -> CheckResult {
    let outcome = &look.verdict.outcome;
    let as_it_should =
        !matches!(seen.finding, Finding::Broken | Finding::Unsure) && *outcome == Outcome::Answer;
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
        _ if look.unchanged.is_some() => {
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
