//! What a pasted address turned out to be.

use serde::{Deserialize, Serialize};
use ts_rs::TS;

use crate::{Filters, ListingCard, Remark};

/// The answer to a pasted address.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case", tag = "kind")]
pub enum Preview {
    Found(Box<Found>),
    /// "These 24, or these 6?"
    Unsure {
        name: String,
        lists: Vec<CandidateList>,
        took_ms: i64,
    },
    Refused {
        why: PreviewRefusal,
    },
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
pub struct Found {
    /// Suggested.
    pub name: String,
    pub count: u32,
    /// The first three.
    pub sample: Vec<ListingCard>,
    /// All, small, for "would have shown 9 of the 24".
    pub all: Vec<PreviewListing>,
    pub took_ms: i64,
    /// The page lives at another address now (permanent redirect).
    pub moved_to: Option<String>,
    pub remark: Option<Remark>,
}

/// As much of a listing as filters need.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
pub struct PreviewListing {
    pub text: String,
    pub price_monthly: Option<f64>,
    pub size_m2: Option<f64>,
    pub rooms: Option<f64>,
    pub let_already: bool,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
pub struct CandidateList {
    pub index: u32,
    pub count: u32,
    pub sample: Vec<ListingCard>,
}

/// Why a pasted address cannot be a search as it is.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case", tag = "kind")]
pub enum PreviewRefusal {
    NotAnAddress,
    NotHttp,
    HasPassword,
    TooLong,
    Duplicate {
        id: i64,
        name: String,
    },
    Sixteenth {
        max: u32,
    },
    /// This is one listing's page: paste the list.
    OneHome,
    /// Read, but no list of listings on it. It may be added all the same when `empty`.
    NoList {
        empty: bool,
    },
    /// A wall answered; the search may be added and waits like any other.
    Wall {
        wall: crate::WallKind,
        reason: String,
        evidence: Vec<String>,
    },
    /// The host did not answer.
    Dead {
        reason: String,
    },
    /// 404, 410.
    PageGone {
        status: Option<u16>,
    },
    /// The host waits already, or the gap is full: not before then.
    NotBefore {
        at: i64,
    },
}

/// "Would have shown 9 of the 24": asked with the listings of a preview.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
pub struct WouldShowQuery {
    pub filters: Filters,
    pub listings: Vec<PreviewListing>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
pub struct WouldShow {
    pub of: u32,
    /// One per listing, in the order asked.
    pub shown: Vec<bool>,
    /// `too_dear`, `too_cheap`, `too_small`, `too_few_rooms`, `no_wanted_word`, `excluded_word`,
    /// `already_let`: most first.
    pub hidden: Vec<HiddenCount>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct HiddenCount {
    pub why: String,
    pub word: Option<String>,
    pub count: u32,
}
