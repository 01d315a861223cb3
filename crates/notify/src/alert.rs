//! What there is to say, before it is put into words.

use firstknock_listing::catalogue::Language;
use firstknock_listing::{Listing, Money, SearchId};
use jiff::Timestamp;
use serde::{Deserialize, Serialize};

/// One message's content: what was found, for which searches, in which language. It is kept with
/// the outbox row until the message is rendered.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Alert {
    /// What the message is about.
    pub kind: Found,
    /// The searches it speaks for, the first one first; never empty but for a test message.
    pub searches: Vec<SearchName>,
    /// The listings, in the page's order; empty where the kind needs none.
    #[serde(default)]
    pub findings: Vec<Finding>,
    /// When the check saw them.
    pub seen_at: Timestamp,
    /// The last check before that, which did not show them yet.
    #[serde(default)]
    pub not_there_at: Option<Timestamp>,
    /// The language of the message.
    pub language: Language,
}

/// A search as the reader knows it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct SearchName {
    /// Whose `List-Id` the mail carries.
    pub id: SearchId,
    /// The name that the user sees in the app.
    pub name: String,
}

/// What a message is about.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", tag = "kind")]
pub enum Found {
    /// Listings, as soon as a check found them.
    Listings,
    /// Listings that were held back.
    Digest {
        /// Why they come together.
        reason: DigestReason,
        /// Since when they were collected.
        since: Timestamp,
    },
    /// A search's first check: what is there already, if the user asked for it.
    Baseline {
        /// How many there are; `findings` may hold fewer.
        count: u32,
    },
    /// A search has seen nothing for hours.
    Blind {
        /// Since when.
        since: Timestamp,
        /// Why, as the key of a sentence in the catalogue (`reason_…`, `page_…`).
        reason: String,
        /// What the sentence's places stand for; `host` is filled in by itself.
        #[serde(default)]
        args: Vec<(String, String)>,
        /// The host that refuses or fails.
        host: String,
        /// The search's own page, for the reader to look at meanwhile.
        #[serde(default)]
        page: Option<String>,
    },
    /// It sees again.
    Recovered {
        /// Since when it was blind.
        since: Timestamp,
        /// Until when.
        until: Timestamp,
        /// The host.
        host: String,
    },
    /// A client of the local API is at its limit for the fifth time within a day.
    ClientLimited {
        /// What the owner calls it.
        client: String,
        /// Offences within the last day.
        offences: u32,
        /// It is locked out until then.
        until: Timestamp,
    },
    /// The test message of a channel's set-up.
    Test,
}

/// Why listings come together in one message.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum DigestReason {
    /// The user wants one message a day for this search.
    Chosen,
    /// Quiet hours ended.
    QuietHours,
    /// Our own daily cap, or the provider's daily limit.
    DailyLimit,
    /// The app or the computer was off for long.
    LongPause,
    /// They could not be sent for hours.
    Held,
}

/// One listing and why it is told.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Finding {
    /// As the page shows it now.
    pub listing: Listing,
    /// What is new about it.
    pub news: News,
    /// When we saw it first.
    pub first_seen: Timestamp,
    /// Other searches of the alert that found it too, by name.
    #[serde(default)]
    pub also_in: Vec<String>,
    /// What it cost before, oldest first; without today's price.
    #[serde(default)]
    pub seen_before: Vec<SeenPrice>,
}

/// A price with the time at which we first saw it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct SeenPrice {
    /// The price.
    pub price: Money,
    /// Since when.
    pub at: Timestamp,
}

/// What is new about a listing.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", tag = "news")]
pub enum News {
    /// Never seen before.
    New,
    /// Cheaper than before.
    PriceDrop {
        /// The price before.
        was: Money,
    },
    /// Dearer than before.
    PriceRise {
        /// The price before.
        was: Money,
    },
    /// It was gone and is back.
    Relisted {
        /// When it was last seen before.
        seen_at: Timestamp,
        /// What it cost then.
        was: Option<Money>,
    },
}

impl News {
    /// The word used in JSON; its text is `mail_news_<code>`.
    pub const fn code(&self) -> &'static str {
        match self {
            Self::New => "new",
            Self::PriceDrop { .. } => "price_drop",
            Self::PriceRise { .. } => "price_rise",
            Self::Relisted { .. } => "relisted",
        }
    }
}

impl Found {
    /// The word used in JSON and in logs.
    pub const fn code(&self) -> &'static str {
        match self {
            Self::Listings => "listings",
            Self::Digest { .. } => "digest",
            Self::Baseline { .. } => "baseline",
            Self::Blind { .. } => "blind",
            Self::Recovered { .. } => "recovered",
            Self::ClientLimited { .. } => "client_limited",
            Self::Test => "test",
        }
    }
}

impl Alert {
    /// The message that ends a channel's set-up.
    pub const fn test(language: Language, now: Timestamp) -> Self {
        Self {
            kind: Found::Test,
            searches: Vec::new(),
            findings: Vec::new(),
            seen_at: now,
            not_there_at: None,
            language,
        }
    }
}
