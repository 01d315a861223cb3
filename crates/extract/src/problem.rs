//! What was wrong with a page, as codes with arguments.

use serde::{Deserialize, Serialize};

/// A problem that a person or a log may want to know. None of them is an error of ours: the
/// answer beside it is as good as the page allows.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "code", rename_all = "snake_case")]
pub enum Problem {
    /// This is one listing's page; paste the list.
    OneListing,
    /// No list of listings was recognised.
    NoList,
    /// Only a browser can read this page: almost no text, but scripts that would render it.
    NeedsBrowser,
    /// A list without a link per listing: nothing to know a listing by.
    NoLinks {
        /// Cards that were seen.
        n: usize,
    },
    /// The page says another number than was read.
    CountDiffers {
        /// What the page says.
        shown: u32,
        /// What was read.
        found: usize,
    },
    /// The best two sets of cards are too close, or the cards too poor, to be sure.
    LowConfidence,
    /// The set that a person chose is not on the page; the miner's best is used.
    ChoiceLost,
    /// A recipe failed its own check; the miner was used.
    RecipeFailed {
        /// The recipe's id.
        recipe: String,
    },
    /// The page is longer than is read; the rest was left out.
    TooLong {
        /// Bytes that were read.
        read_bytes: usize,
    },
    /// Tags are nested deeper than is read; deeper ones were flattened.
    TooDeep {
        /// The limit.
        depth: usize,
    },
    /// More nodes than are read; the rest was left out.
    TooManyNodes {
        /// The limit.
        nodes: usize,
    },
    /// More cards than are kept; the rest was left out.
    TooManyCards {
        /// The limit.
        cards: usize,
    },
    /// Embedded data that could not be read.
    BrokenData {
        /// How many blobs.
        n: usize,
    },
    /// Bytes that are no text in the page's encoding.
    BrokenText,
}

impl Problem {
    /// The code; its sentence is the catalogue's `page_problem_<code>`.
    pub const fn code(&self) -> &'static str {
        match self {
            Self::OneListing => "one_listing",
            Self::NoList => "no_list",
            Self::NeedsBrowser => "needs_browser",
            Self::NoLinks { .. } => "no_links",
            Self::CountDiffers { .. } => "count_differs",
            Self::LowConfidence => "low_confidence",
            Self::ChoiceLost => "choice_lost",
            Self::RecipeFailed { .. } => "recipe_failed",
            Self::TooLong { .. } => "too_long",
            Self::TooDeep { .. } => "too_deep",
            Self::TooManyNodes { .. } => "too_many_nodes",
            Self::TooManyCards { .. } => "too_many_cards",
            Self::BrokenData { .. } => "broken_data",
            Self::BrokenText => "broken_text",
        }
    }

    /// The arguments for the catalogue.
    pub fn args(&self) -> Vec<(&'static str, String)> {
        match self {
            Self::NoLinks { n } | Self::BrokenData { n } => vec![("n", n.to_string())],
            Self::CountDiffers { shown, found } => {
                vec![("shown", shown.to_string()), ("found", found.to_string())]
            }
            Self::RecipeFailed { recipe } => vec![("recipe", recipe.clone())],
            Self::TooLong { read_bytes } => vec![("read_bytes", read_bytes.to_string())],
            Self::TooDeep { depth } => vec![("depth", depth.to_string())],
            Self::TooManyNodes { nodes } => vec![("nodes", nodes.to_string())],
            Self::TooManyCards { cards } => vec![("cards", cards.to_string())],
            Self::OneListing
            | Self::NoList
            | Self::NeedsBrowser
            | Self::LowConfidence
            | Self::ChoiceLost
            | Self::BrokenText => Vec::new(),
        }
    }
}
