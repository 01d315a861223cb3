//! One look at one page: fetch, extract, classify. No store, no schedule.

use std::sync::Arc;
use std::time::{Duration, Instant};

use firstknock_extract::{Choice, Extraction, Page, Problem, SourceMemory, extract_with};
use firstknock_fetch::{Fetch, Fetched, Request, Validators, Verdict, classify};
use firstknock_policy::{Kind, Outcome};
use jiff::Timestamp;
use url::Url;

use crate::Recipes;

/// Who can read pages.
#[derive(Clone)]
pub struct Readers {
    /// The plain client.
    pub plain: Arc<dyn Fetch>,
    /// The app's own browser, where there is one.
    pub browser: Option<Arc<dyn Fetch>>,
}

/// Which of them reads.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reading {
    /// Plainly; in the browser only if plain meets a check page or an empty shell.
    PlainFirst,
    /// Plainly, whatever comes.
    Plain,
    /// In the browser (plainly where there is none).
    Browser,
}

/// What to look at.
#[derive(Debug, Clone)]
pub struct Task {
    /// The address.
    pub url: Url,
    /// Who reads.
    pub reading: Reading,
    /// What the site gave last time.
    pub validators: Validators,
    /// The body's hash of last time: the same again is not extracted again.
    pub body_hash: Option<u64>,
    /// What is remembered of the page.
    pub memory: Option<SourceMemory>,
    /// What the user chose there.
    pub choice: Option<Choice>,
    /// What the user wrote down of this site and others.
    pub recipes: Recipes,
    /// Between a plain reading and one in the browser: the host's gap.
    pub gap: Duration,
}

impl Task {
    /// A first look: nothing is remembered.
    #[must_use]
    pub fn first(url: Url, gap: Duration) -> Self {
        Self {
            url,
            reading: Reading::PlainFirst,
            validators: Validators::default(),
            body_hash: None,
            memory: None,
            choice: None,
            recipes: Recipes::default(),
            gap,
        }
    }
}

/// What came of it.
#[derive(Debug)]
pub struct Look {
    /// What came over the wire.
    pub fetched: Fetched,
    /// What it is.
    pub verdict: Verdict,
    /// What is on it; empty for an unchanged page.
    pub extraction: Extraction,
    /// The page is as it was last time: nothing new can be on it.
    pub unchanged: Option<Unchanged>,
    /// The browser read it.
    pub by_browser: bool,
    /// From asking to knowing.
    pub took: Duration,
}

/// How we know that a page is as it was.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Unchanged {
    /// The site said so (304).
    NotModified,
    /// The body is the same, byte for byte.
    SameBody,
}

/// Everything together may take this long, plain.
const DEADLINE: Duration = Duration::from_secs(30);
/// The same in the browser, which waits interstitials out.
const BROWSER_DEADLINE: Duration = Duration::from_secs(60);

impl Readers {
    /// Looks at a page. `now` tells the wall clock when the answer is there.
    pub async fn look(&self, task: Task, now: impl Fn() -> Timestamp + Send) -> Look {
        let began = Instant::now();
        let browser = self.browser.clone();
        if let (Reading::Browser, Some(browser)) = (task.reading, &browser) {
            let mut look = read(browser.as_ref(), &task, BROWSER_DEADLINE, &now).await;
            look.by_browser = true;
            look.took = began.elapsed();
            return look;
        }
        let mut look = read(self.plain.as_ref(), &task, DEADLINE, &now).await;
        if let (Reading::PlainFirst, Some(browser)) = (task.reading, browser)
            && wants_browser(&look)
        {
            tokio::time::sleep(task.gap).await;
            look = read(browser.as_ref(), &task, BROWSER_DEADLINE, &now).await;
            look.by_browser = true;
        }
        look.took = began.elapsed();
        look
    }
}

/// A check page, or a shell that only scripts fill.
fn wants_browser(look: &Look) -> bool {
    match &look.verdict.outcome {
        Outcome::Wall(wall) => wall.kind == Kind::Challenge,
        Outcome::Answer => {
            look.unchanged.is_none()
                && look.extraction.listings.is_empty()
                && look.extraction.signs.script_shell
        }
        Outcome::Trouble(_) => false,
    }
}

async fn read(
    reader: &dyn Fetch,
    task: &Task,
    deadline: Duration,
    now: &(impl Fn() -> Timestamp + Send),
) -> Look {
    let request = Request { url: task.url.clone(), validators: task.validators.clone(), deadline };
    let fetched = reader.fetch(&request).await;
    let received = now();
    let unchanged = match &fetched {
        Fetched::NotModified(_) => Some(Unchanged::NotModified),
        Fetched::Page(page)
            if task.body_hash == Some(page.body_hash) && page.status == Some(200) =>
        {
            Some(Unchanged::SameBody)
        }
        Fetched::Page(_) | Fetched::Failed(_) => None,
    };
    if unchanged.is_some() {
        let verdict = Verdict { outcome: Outcome::Answer, evidence: Vec::new() };
        return Look::of(fetched, verdict, Extraction::default(), unchanged);
    }
    let asked = task.url.clone();
    let memory = task.memory.clone();
    let choice = task.choice.clone();
    let recipes = task.recipes.clone();
    let work = move || {
        let extraction = match &fetched {
            Fetched::Page(page) if page.readable => {
                let content_type = page.content_type.as_deref();
                let page = Page { html: &page.body, url: &page.final_url, content_type };
                extract_with(&page, memory.as_ref(), choice.as_ref(), recipes.good())
            }
            Fetched::Page(_) | Fetched::NotModified(_) | Fetched::Failed(_) => {
                Extraction { memory: memory.unwrap_or_default(), ..Extraction::default() }
            }
        };
        for problem in &extraction.problems {
            if let Problem::RecipeFailed { recipe } = problem {
                tracing::warn!(%recipe, "a recipe no longer fits; the page was read without it");
            }
        }
        let verdict = classify(&asked, &fetched, &extraction.signs, received);
        Look::of(fetched, verdict, extraction, None)
    };
    // A panic on one page must not take the other fourteen searches along (flathunter#414).
    match tokio::task::spawn_blocking(work).await {
        Ok(look) => look,
        Err(error) => {
            tracing::error!(%error, "reading a page panicked");
            Look::broken()
        }
    }
}

impl Look {
    fn of(
        fetched: Fetched,
        verdict: Verdict,
        extraction: Extraction,
        unchanged: Option<Unchanged>,
    ) -> Self {
        Self { fetched, verdict, extraction, unchanged, by_browser: false, took: Duration::ZERO }
    }

    /// We broke: to be taken as trouble at our end, never as an empty page.
    fn broken() -> Self {
        use firstknock_fetch::Failure;
        use firstknock_policy::{Reason, Trouble};
        let failure = Failure {
            reason: Reason::Unknown,
            detail: "this page could not be read".into(),
            cookie_guard: false,
            final_url: None,
            status: None,
            server_date: None,
            retried: false,
        };
        let trouble = Trouble {
            reason: Reason::Unknown,
            retry_after: None,
            evidence: vec![failure.detail.clone()],
        };
        let verdict =
            Verdict { outcome: Outcome::Trouble(trouble), evidence: vec![failure.detail.clone()] };
        Self::of(Fetched::Failed(failure), verdict, Extraction::default(), None)
    }

    /// The status on the wire, where there was one.
    pub fn status(&self) -> Option<u16> {
        match &self.fetched {
            Fetched::Page(page) | Fetched::NotModified(page) => page.status,
            Fetched::Failed(failure) => failure.status,
        }
    }
}
