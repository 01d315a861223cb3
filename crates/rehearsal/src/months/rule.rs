//! What must hold at every step, by name, so that a test can say which rule it broke on purpose.

use std::fmt;
use std::time::Duration;

/// One promise.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Rule {
    /// Three seconds between two requests to one registrable domain.
    Gap,
    /// At most ten requests to one registrable domain in a minute.
    Rate,
    /// No request to a host before its deadline, save by hand.
    Deadline,
    /// What the site asked for is not shortened, not even by hand.
    SiteAsked,
    /// Never more than one request in flight per host.
    OneInFlight,
    /// One refusal recorded per wait, on the right rung of the right ladder.
    OneRefusal,
    /// A refusal never delays another host.
    OthersAlone,
    /// No ladder moves while offline.
    StillOffline,
    /// No host waits above one hour.
    OneHour,
    /// Rows show the next try, and it is the true one.
    TrueRows,
    /// A restart changes nothing that is due.
    Restart,
    /// Every listing that was on a page we read is stored.
    Stored,
    /// Every wanted one is mailed exactly once, or parked as "maybe delivered".
    MailedOnce,
    /// Quiet hours are quiet, also for what comes late.
    QuietHours,
    /// Blindness is said once, and once when it is over.
    BlindOnce,
    /// Nothing starves.
    Starving,
    /// Stopped, paused, or nothing can be kept: nobody is asked.
    Stopped,
}

/// A promise that did not hold.
#[derive(Debug, Clone)]
pub struct Broken {
    /// Which.
    pub rule: Rule,
    /// How long the world had lived.
    pub after: Duration,
    /// What happened.
    pub words: String,
}

impl fmt::Display for Broken {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?} after {:?}: {}", self.rule, self.after, self.words)
    }
}

impl std::error::Error for Broken {}

/// Why a step did not come to its end.
#[derive(Debug)]
pub(super) enum Stop {
    /// The process died here.
    Crash,
    /// A rule is broken.
    Broken(Broken),
}

impl From<Broken> for Stop {
    fn from(broken: Broken) -> Self {
        Self::Broken(broken)
    }
}
