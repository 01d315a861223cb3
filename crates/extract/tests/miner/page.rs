//! How the tests read a page.

use firstknock_extract::{Choice, Extraction, Page, SourceMemory, extract};
use url::Url;

/// The address that the fixtures stand at.
pub(crate) const SEARCH: &str = "https://www.voorbeeldwonen.example/huren/nieuwerve";

/// Reads a page for the first time.
pub(crate) fn read(html: &str) -> Extraction {
    read_at(html, SEARCH)
}

/// Reads a page that stands somewhere else.
pub(crate) fn read_at(html: &str, url: &str) -> Extraction {
    read_with(html, url, None, None)
}

/// Reads a page with what is remembered and chosen.
pub(crate) fn read_with(
    html: &str,
    url: &str,
    memory: Option<&SourceMemory>,
    choice: Option<&Choice>,
) -> Extraction {
    let url: Url = url.parse().expect("a test's address is one");
    extract(&Page { html, url: &url, content_type: None }, memory, choice)
}
