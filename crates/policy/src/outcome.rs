//! What one look at a page came to: the words that `fetch`, `schedule`, `store` and the rows share.

use std::time::Duration;

use serde::{Deserialize, Serialize};

/// The four kinds of trouble, each with a ladder of its own.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Kind {
    /// An interstitial that could neither be read past nor waited out.
    Challenge,
    /// The site asked us to slow down.
    RateLimited,
    /// A flat refusal: a person must pass a check by hand.
    Denied,
    /// Network or browser trouble, most likely at our end.
    Error,
}

/// What one look at one search's page came to.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", tag = "verdict")]
pub enum Outcome {
    /// The site answered, even if nothing on the page was recognised.
    Answer,
    /// The site put something up instead of its page.
    Wall(Wall),
    /// Something went wrong on the way, or the page itself is gone.
    Trouble(Trouble),
}

/// A deliberate refusal.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Wall {
    /// Which ladder. Never [`Kind::Error`].
    pub kind: Kind,
    /// Why we think so.
    pub reason: Reason,
    /// Whose guard it is ("Cloudflare"), for the row's sentence; `None` for the site's own.
    #[serde(default)]
    pub vendor: Option<String>,
    /// What the site asked for, from receipt of the answer, before any cap.
    pub retry_after: Option<Duration>,
    /// What was seen, in the words of the wire: `header cf-mitigated: challenge`.
    pub evidence: Vec<String>,
}

/// Trouble that nobody chose to make.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Trouble {
    /// What kind of trouble.
    pub reason: Reason,
    /// A Retry-After that came with it (a 5xx may carry one).
    pub retry_after: Option<Duration>,
    /// What was seen.
    pub evidence: Vec<String>,
}

/// Why an outcome is what it is, as a code that rows, `--json` and the database carry.
/// The sentence for it is `reason_<code>` in the catalogue.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Reason {
    /// An ordinary answer.
    Answered,
    // --- walls
    /// A "checking your browser" page of a named vendor or of the site's own.
    BrowserCheck,
    /// A waiting room or queue.
    Queue,
    /// The site or its guard said: slower.
    TooManyRequests,
    /// A captcha or another check that only a person can pass.
    HumanCheck,
    /// A flat "no" (403, 451, a firewall's block page).
    Refused,
    /// Blocked by country, address or network.
    AddressBlocked,
    /// A cookie or privacy wall on a consent host.
    Consent,
    /// The page wants a login.
    Login,
    // --- trouble on the way
    /// The name could not be resolved.
    Dns,
    /// No connection.
    Connect,
    /// The certificate could not be trusted (also antivirus and company proxies).
    Certificate,
    /// Time ran out.
    Timeout,
    /// The answer broke off or could not be decoded.
    Truncated,
    /// The answer is larger than we read.
    TooLarge,
    /// Redirects in a circle.
    RedirectLoop,
    /// Redirected to a host that has nothing to do with the one asked.
    ForeignHost,
    /// A proxy wants a login (407).
    Proxy,
    /// A captive portal (511, or a hotel's page).
    CaptivePortal,
    /// The internet provider answered instead of the site: its search page for unknown names, or
    /// its block page.
    ProviderPage,
    /// A server error (5xx), or another status that is no page.
    ServerError,
    /// The site says that it is being worked on.
    Maintenance,
    /// 404, 410 or a soft 404: this search's page no longer exists; the host did answer.
    PageGone,
    /// Not a page that can be read (a picture, a PDF, a download).
    NotAPage,
    /// The app's own browser crashed, hung or gave an error page.
    Browser,
    /// Any other trouble of the network.
    Network,
    /// A code of a newer version that this one does not know.
    #[serde(other)]
    Unknown,
}

impl Kind {
    /// All kinds, in the order in which they are printed.
    pub const ALL: [Self; 4] = [Self::Challenge, Self::RateLimited, Self::Denied, Self::Error];

    /// The word used in JSON, on rows and in the database.
    pub const fn code(self) -> &'static str {
        match self {
            Self::Challenge => "challenge",
            Self::RateLimited => "rate_limited",
            Self::Denied => "denied",
            Self::Error => "error",
        }
    }

    /// Reads [`Kind::code`] back; `None` for a kind of a newer version.
    pub fn from_code(code: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.code() == code)
    }
}

impl Reason {
    /// The code, as on the wire.
    pub fn code(self) -> String {
        // The variants' names are the one list; a second one would drift.
        let name = format!("{self:?}");
        let mut code = String::new();
        for c in name.chars() {
            if c.is_ascii_uppercase() && !code.is_empty() {
                code.push('_');
            }
            code.push(c.to_ascii_lowercase());
        }
        code
    }
}

impl Outcome {
    /// The verdict's word in JSON: `answer`, a kind's code, or `error`.
    pub const fn verdict(&self) -> &'static str {
        match self {
            Self::Answer => "answer",
            Self::Wall(wall) => wall.kind.code(),
            Self::Trouble(_) => "error",
        }
    }

    /// The reason behind it.
    pub const fn reason(&self) -> Reason {
        match self {
            Self::Answer => Reason::Answered,
            Self::Wall(wall) => wall.reason,
            Self::Trouble(trouble) => trouble.reason,
        }
    }
}
