//! What the extractor tells the classifier about a page.

use serde::{Deserialize, Serialize};

/// What a page is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum PageKind {
    /// A list of listings.
    Results,
    /// One listing's own page.
    Detail,
    /// A result list that honestly says it has nothing.
    Empty,
    /// Anything else: a home page, an article, a wall.
    #[default]
    Other,
}

/// Facts about a page that a classifier may weigh; no opinion in them.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct PageSigns {
    /// What the page looks like.
    pub kind: PageKind,
    /// Listings recognised (role result or promoted).
    pub listings: usize,
    /// The page's own count ("24 results"), where it shows one.
    pub result_count: Option<u32>,
    /// The page visibly says that nothing was found.
    pub nothing_found: bool,
    /// Characters of visible text.
    pub text_chars: usize,
    /// Text of `<title>`, cleaned.
    pub title: String,
    /// There is a password field.
    pub password_field: bool,
    /// Almost no text but scripts that would render it: only a browser can read this page.
    pub script_shell: bool,
}

impl PageKind {
    /// The word used in JSON.
    pub const fn code(self) -> &'static str {
        match self {
            Self::Results => "results",
            Self::Detail => "detail",
            Self::Empty => "empty",
            Self::Other => "other",
        }
    }
}
