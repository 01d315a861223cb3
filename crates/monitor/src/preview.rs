//! What a pasted address turns out to be, before it becomes a search. It passes the plan, the gap
//! and the ledger like everything that asks a site.

use std::sync::{Arc, PoisonError};
use std::time::Duration;

use firstknock_extract::{Candidate, Choice, Extraction, Problem};
use firstknock_listing::{PageKind, Role, SearchUrl, SearchUrlError};
use firstknock_policy::{Outcome, Reason};
use firstknock_schedule::{Finding, Permit, Purpose, Seen};
use firstknock_store::{MAX_ENABLED, Search, StoreError};
use jiff::Timestamp;
use tokio::task::JoinError;

use crate::{Engine, Look, Reading, Task};

/// What a pasted address is.
#[derive(Debug)]
pub enum Preview {
    /// A list of listings.
    Found(Box<Read>),
    /// Lists, and we are not sure which.
    Unsure(Box<Read>),
    /// Not as it is.
    Refused(Refusal),
}

/// A page that was read.
#[derive(Debug)]
pub struct Read {
    /// What is on it.
    pub extraction: Extraction,
    /// The page lives there now.
    pub moved_to: Option<String>,
    /// From asking to knowing, without the wait for the gap.
    pub took: Duration,
}

/// Why not.
#[derive(Debug)]
pub enum Refusal {
    /// It cannot be a search's address.
    Address(SearchUrlError),
    /// It is a search already.
    Duplicate(Box<Search>),
    /// Fifteen are enabled; it may be saved paused.
    Sixteenth,
    /// This is one listing's page.
    OneHome,
    /// No list of listings on it; an honest empty page may be added.
    NoList {
        /// The page says that nothing matches.
        empty: bool,
    },
    /// A wall.
    Wall(firstknock_policy::Wall),
    /// Trouble on the way.
    Dead(Reason),
    /// 404, 410.
    PageGone(Option<u16>),
    /// The host waits, or its gap is full.
    NotBefore(Timestamp),
    /// We broke, or the app is stopping.
    Store(StoreError),
}

/// Photos of a preview that can be asked for: more than it shows.
const PHOTOS_SHOWN: usize = 12;
/// A person waits no longer than this for a turn.
const PATIENCE: Duration = Duration::from_secs(12);

impl Engine {
    /// Looks at a pasted address once.
    pub async fn preview(&self, pasted: &str, choice: Option<u32>) -> Preview {
        match self.try_preview(pasted, choice, Purpose::Preview).await {
            Ok(preview) => preview,
            Err(refusal) => Preview::Refused(refusal),
        }
    }

    async fn try_preview(
        &self,
        pasted: &str,
        choice: Option<u32>,
        purpose: Purpose,
    ) -> Result<Preview, Refusal> {
        let url = SearchUrl::parse(pasted).map_err(Refusal::Address)?;
        let asked = url.clone();
        let (same, enabled) = self
            .store
            .run(move |store| {
                let enabled = store.searches()?.iter().filter(|s| s.enabled).count();
                Ok((store.search_with_url(&asked)?, enabled))
            })
            .await
            .map_err(Refusal::Store)?;
        if let Some(search) = same {
            return Err(Refusal::Duplicate(Box::new(search)));
        }
        if enabled >= MAX_ENABLED {
            return Err(Refusal::Sixteenth);
        }
        let mut look = self.look_once(url.clone(), purpose, None).await?;
        if let Some(at) = choice
            && let Some(candidate) = look.extraction.candidates.get(at as usize)
        {
            let chosen = candidate.choice.clone();
            if let Some(page) = look.fetched.response() {
                let content_type = page.content_type.as_deref();
                let page = firstknock_extract::Page {
                    html: &page.body,
                    url: &page.final_url,
                    content_type,
                };
                look.extraction = firstknock_extract::extract_with(
                    &page,
                    None,
                    Some(&chosen),
                    self.recipes.good(),
                );
            }
        }
        self.remember_offer(&url, &look.extraction.candidates);
        let samples = look.extraction.candidates.iter().flat_map(|set| &set.sample);
        let first = look.extraction.listings.iter().take(PHOTOS_SHOWN);
        self.photos.show(samples.chain(first), &url.host());
        judge(look)
    }

    /// The choice behind the Nth set that the last preview of an address offered.
    pub fn choice(&self, url: &SearchUrl, at: u32) -> Option<serde_json::Value> {
        let offered = self.offered.lock().unwrap_or_else(PoisonError::into_inner);
        let choice = offered.get(url.as_str())?.get(at as usize)?;
        serde_json::to_value(choice).ok()
    }

    fn remember_offer(&self, url: &SearchUrl, candidates: &[Candidate]) {
        const MOST: usize = 32;
        let mut offered = self.offered.lock().unwrap_or_else(PoisonError::into_inner);
        // A preview with a choice offers none; what was offered before still counts.
        if candidates.is_empty() {
            return;
        }
        if offered.len() >= MOST {
            offered.clear();
        }
        let choices = candidates.iter().map(|candidate| candidate.choice.clone()).collect();
        offered.insert(url.as_str().to_owned(), choices);
    }

    /// One look by hand through plan, gap and ledger. Whoever asked may be gone before the answer
    /// comes (a tab that is closed): it is reported all the same, so that its host is free again
    /// and a refusal is remembered.
    ///
    /// # Errors
    /// [`Refusal::NotBefore`] if its turn does not come within a few seconds.
    pub async fn look_once(
        &self,
        url: SearchUrl,
        purpose: Purpose,
        choice: Option<Choice>,
    ) -> Result<Look, Refusal> {
        let engine = self.clone();
        let look = tokio::spawn(async move { engine.look_to_the_end(url, purpose, choice).await });
        look.await.unwrap_or_else(ended)
    }

    async fn look_to_the_end(
        &self,
        url: SearchUrl,
        purpose: Purpose,
        choice: Option<Choice>,
    ) -> Result<Look, Refusal> {
        let patient_until = self.clock.now().checked_add(PATIENCE).unwrap_or(Timestamp::MAX);
        let check = loop {
            match self.permit(url.clone(), purpose).await {
                Some(Permit::Go(check)) => break check,
                Some(Permit::NotBefore { at, .. }) if at <= patient_until => {
                    let wait = at.duration_since(self.clock.now());
                    let wait = Duration::try_from(wait).unwrap_or_default();
                    self.clock.sleep(wait.max(Duration::from_millis(20))).await;
                }
                Some(Permit::NotBefore { at, .. }) => return Err(Refusal::NotBefore(at)),
                None => return Err(Refusal::Store(StoreError::Closed)),
            }
        };
        let host = check.host.clone();
        let reader = self.store.run(move |store| Ok(store.host_notes(&host)?.reader)).await;
        let reading = match reader {
            Ok(Some(firstknock_store::ReaderChoice::Browser)) => Reading::Browser,
            Ok(_) => Reading::PlainFirst,
            Err(error) => {
                self.abandon(check).await;
                return Err(Refusal::Store(error));
            }
        };
        let first = Task::first(url.url().clone(), Duration::from_secs(3));
        let task = Task { reading, choice, recipes: self.recipes.clone(), ..first };
        let (readers, clock) = (self.readers.clone(), Arc::clone(&self.clock));
        let look = tokio::spawn(async move { readers.look(task, || clock.now()).await }).await;
        let look = match look {
            Ok(look) => look,
            Err(broke) => {
                self.abandon(check).await;
                return ended(broke);
            }
        };
        let listings = look.extraction.listings.iter().filter(|l| l.role != Role::Recommendation);
        let seen = Seen {
            listings: u32::try_from(listings.count()).unwrap_or(u32::MAX),
            new: 0,
            finding: Finding::Fine,
            status: look.status(),
        };
        self.report(check, look.verdict.outcome.clone(), seen).await;
        Ok(look)
    }
}

/// What broke in a task of its own breaks whoever waits for it; otherwise the app is stopping.
fn ended<T>(broke: JoinError) -> Result<T, Refusal> {
    match broke.try_into_panic() {
        Ok(panic) => std::panic::resume_unwind(panic),
        Err(_) => Err(Refusal::Store(StoreError::Closed)),
    }
}

fn judge(look: Look) -> Result<Preview, Refusal> {
    match &look.verdict.outcome {
        Outcome::Wall(wall) => return Err(Refusal::Wall(wall.clone())),
        Outcome::Trouble(trouble) if trouble.reason == Reason::PageGone => {
            return Err(Refusal::PageGone(look.status()));
        }
        Outcome::Trouble(trouble) => return Err(Refusal::Dead(trouble.reason)),
        Outcome::Answer => {}
    }
    let extraction = &look.extraction;
    if extraction.kind == PageKind::Detail || extraction.problems.contains(&Problem::OneListing) {
        return Err(Refusal::OneHome);
    }
    let sure = extraction.confidence >= Extraction::SURE;
    if extraction.kind != PageKind::Results && !offers(&extraction.candidates) {
        return Err(Refusal::NoList { empty: extraction.kind == PageKind::Empty });
    }
    let moved_to =
        look.fetched.response().and_then(|page| page.moved_to.as_ref()).map(ToString::to_string);
    let unsure = (!sure || extraction.listings.is_empty()) && offers(&extraction.candidates);
    let read = Box::new(Read { moved_to, took: look.took, extraction: look.extraction });
    Ok(if unsure { Preview::Unsure(read) } else { Preview::Found(read) })
}

/// There is something to choose from.
fn offers(candidates: &[Candidate]) -> bool {
    candidates.len() > 1
}
