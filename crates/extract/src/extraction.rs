//! The one function, and what goes in and comes out.

use firstknock_listing::{Listing, PageKind, PageSigns};
use serde::{Deserialize, Serialize};
use url::Url;

use crate::{Candidate, Choice, Finding, Problem, Recipe, SourceMemory};

/// A page as it was fetched.
#[derive(Debug, Clone, Copy)]
pub struct Page<'a> {
    /// The decoded body.
    pub html: &'a str,
    /// Where it came from, after redirects: relative links are resolved against it.
    pub url: &'a Url,
    /// The Content-Type header, if there was one: JSON answers are read as such.
    pub content_type: Option<&'a str>,
}

/// All that one page tells.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct Extraction {
    /// Listings in page order, all roles; empty unless `kind` is [`PageKind::Results`].
    pub listings: Vec<Listing>,
    /// What the page is.
    pub kind: PageKind,
    /// 0 to 1: how sure we are that these are the listings. Below [`Extraction::SURE`] a person
    /// should look at `candidates`.
    pub confidence: f32,
    /// Facts for the classifier.
    pub signs: PageSigns,
    /// The page's own count of hits.
    pub result_count: Option<u32>,
    /// The next page of the same list.
    pub next_page: Option<Url>,
    /// What was wrong.
    pub problems: Vec<Problem>,
    /// What the page means against the memory.
    pub finding: Finding,
    /// Up to three sets of cards that may be the list, best first. A person is asked only where
    /// the confidence is below [`Extraction::SURE`].
    pub candidates: Vec<Candidate>,
    /// To be stored with the search for the next check.
    pub memory: SourceMemory,
    /// A name for the search, from the page's title.
    pub name: Option<String>,
}

impl Extraction {
    /// At least this confidence needs no person.
    pub const SURE: f32 = 0.5;
}

/// Reads a page. Pure; see the crate's promises.
pub fn extract(
    page: &Page<'_>,
    memory: Option<&SourceMemory>,
    choice: Option<&Choice>,
) -> Extraction {
    extract_with(page, memory, choice, &[])
}

/// [`extract`] with recipes: the first that is for the page's address pins what it knows. If it
/// fails its own check, the miner reads the page and a problem says so.
pub fn extract_with(
    page: &Page<'_>,
    memory: Option<&SourceMemory>,
    choice: Option<&Choice>,
    recipes: &[Recipe],
) -> Extraction {
    crate::reading::run(page, memory, choice, recipes)
}
