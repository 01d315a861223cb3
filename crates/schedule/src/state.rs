//! What the schedule holds per search, host and domain.

use std::collections::{BTreeSet, VecDeque};
use std::time::Duration;

use firstknock_listing::{Domain, HostKey, SearchId};
use firstknock_policy::Reason;
use firstknock_policy::jitter::longer;
use firstknock_policy::ledger::Record;
use firstknock_policy::lockout::Lockout;
use jiff::Timestamp;

use crate::time::{earlier, later};
use crate::{CheckId, Finding, Purpose, SearchSpec, Why};

/// Between two requests to one registrable domain; drawn up to 30 % longer, never shorter.
pub const GAP: Duration = Duration::from_secs(3);
/// How much longer a gap may be drawn.
pub(crate) const GAP_SPREAD: f64 = 0.30;
/// At most so many requests to one registrable domain within [`RATE_WINDOW`].
pub const RATE: usize = 10;
/// The window of [`RATE`].
pub const RATE_WINDOW: Duration = Duration::from_secs(60);
/// How long a free place is kept for a person who was told to come back then.
const PROMISE: Duration = Duration::from_secs(2);

/// One saved search.
#[derive(Debug, Clone)]
pub(crate) struct Search {
    pub(crate) spec: SearchSpec,
    pub(crate) host: HostKey,
    pub(crate) domain: Domain,
    /// Its own interval is over then.
    pub(crate) due: Timestamp,
    pub(crate) asked_at: Option<Timestamp>,
    /// The last answer.
    pub(crate) look: Option<Look>,
    pub(crate) gone: Option<Gone>,
    /// The last check met trouble that did not count.
    pub(crate) error: Option<Reason>,
    /// The user pressed the button then, and it has not gone out yet.
    pub(crate) by_hand: Option<Timestamp>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Look {
    pub(crate) at: Timestamp,
    pub(crate) listings: u32,
    /// Listings when it last looked as it should.
    pub(crate) before: Option<u32>,
    pub(crate) finding: Finding,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Gone {
    pub(crate) since: Timestamp,
    pub(crate) status: Option<u16>,
}

/// One host, beside its record in the ledger.
#[derive(Debug, Clone, Default)]
pub(crate) struct Host {
    /// Searches that it refused since it was last welcome.
    pub(crate) refused: BTreeSet<SearchId>,
    /// Probes sent on the top rung with one search refused.
    pub(crate) top_probes: u32,
    /// The one search that it refused while others were answered, and how often in a row.
    pub(crate) lone: Option<(SearchId, u32)>,
    pub(crate) free_used: bool,
    pub(crate) strikes: Strikes,
    /// Its errors say nothing about our network: others answered meanwhile.
    pub(crate) odd: bool,
    pub(crate) lockout: Lockout,
    // --- not kept over a restart
    pub(crate) flight: Option<Flight>,
    /// The window of "Open site" is open since then.
    pub(crate) held: Option<Timestamp>,
    /// One probe, free of charge, wanted since then.
    pub(crate) free_probe: Option<(SearchId, Timestamp)>,
    /// Photos failed; none before then.
    pub(crate) photos_rest: Option<Timestamp>,
    /// When it last served as the test of our being online.
    pub(crate) tested_at: Option<Timestamp>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Strikes {
    pub(crate) count: u32,
    pub(crate) at: Option<Timestamp>,
    pub(crate) reason: Option<Reason>,
}

/// A request under way.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Flight {
    pub(crate) id: CheckId,
    pub(crate) search: Option<SearchId>,
    pub(crate) why: Why,
    pub(crate) since: Timestamp,
    /// The wait's end before this request went in: set if the host had a record.
    pub(crate) deadline: Option<Timestamp>,
    /// The same for the page's own wait.
    pub(crate) page_deadline: Option<Timestamp>,
}

/// What a failure changed at a host, so that it can be undone when it was our own network.
#[derive(Debug, Clone)]
pub(crate) struct Before {
    pub(crate) record: Option<Record>,
    pub(crate) refused: BTreeSet<SearchId>,
    pub(crate) strikes: Strikes,
}

/// The gap and rate of one registrable domain.
#[derive(Debug, Clone, Default)]
pub(crate) struct Gap {
    pub(crate) free_at: Timestamp,
    /// The last [`RATE`] requests, oldest first.
    pub(crate) recent: VecDeque<Timestamp>,
    /// A person was told to come back when it is free; until then nothing else takes the place.
    pub(crate) promised: Option<Timestamp>,
}

impl Gap {
    /// When the next request may go out, for anybody.
    pub(crate) fn ready(&self) -> Timestamp {
        match self.recent.front() {
            Some(first) if self.recent.len() >= RATE => {
                self.free_at.max(later(*first, RATE_WINDOW))
            }
            Some(_) | None => self.free_at,
        }
    }

    /// When the next search may go out: not into a place that is kept for a person.
    pub(crate) fn ready_for_searches(&self) -> Timestamp {
        self.promised.map_or(self.ready(), |until| until.max(self.ready()))
    }

    pub(crate) fn promise(&mut self) {
        self.promised = Some(later(self.ready(), PROMISE));
    }

    pub(crate) fn take(&mut self, now: Timestamp, random: f64) {
        self.free_at = later(now, longer(GAP, GAP_SPREAD, random));
        self.recent.push_back(now);
        while self.recent.len() > RATE {
            self.recent.pop_front();
        }
        self.promised = None;
    }

    pub(crate) fn set_back(&mut self, by: Duration) {
        let times = self.recent.iter_mut().chain(self.promised.as_mut());
        for at in times.chain(std::iter::once(&mut self.free_at)) {
            *at = earlier(*at, by);
        }
    }

    /// Nothing that still matters.
    pub(crate) fn is_idle(&self, now: Timestamp) -> bool {
        self.ready_for_searches() <= now
            && self.recent.back().is_none_or(|last| later(*last, RATE_WINDOW) <= now)
    }
}

impl Host {
    /// Nothing about it is worth keeping on disk.
    pub(crate) fn is_plain(&self, now: Timestamp) -> bool {
        self.refused.is_empty()
            && self.strikes == Strikes::default()
            && !self.odd
            && self.lone.is_none()
            && self.lockout.is_clean(now)
    }

    /// Nothing about it is worth keeping in memory either.
    pub(crate) fn is_blank(&self, now: Timestamp) -> bool {
        self.is_plain(now)
            && self.flight.is_none()
            && self.held.is_none()
            && self.free_probe.is_none()
            && self.photos_rest.is_none_or(|until| until <= now)
    }

    /// The request under way, unless it was out for so long that it is given up.
    pub(crate) fn flight(&self, now: Timestamp) -> Option<Flight> {
        self.flight.filter(|flight| later(flight.since, crate::LOST_AFTER) > now)
    }

    /// A new wait begins: what was wanted or counted in the old one is over.
    pub(crate) fn new_wait(&mut self) {
        self.free_used = false;
        self.free_probe = None;
    }

    /// It answered.
    pub(crate) fn welcome(&mut self) {
        self.refused.clear();
        self.top_probes = 0;
        self.strikes = Strikes::default();
        self.odd = false;
        self.new_wait();
    }
}

impl Search {
    pub(crate) fn new(spec: SearchSpec, due: Timestamp) -> Self {
        let host = spec.host();
        let domain = host.domain();
        Self {
            spec,
            host,
            domain,
            due,
            asked_at: None,
            look: None,
            gone: None,
            error: None,
            by_hand: None,
        }
    }
}

impl From<Purpose> for Why {
    fn from(purpose: Purpose) -> Self {
        match purpose {
            Purpose::Preview => Self::Preview,
            Purpose::ByHand => Self::ByHand,
            Purpose::Page => Self::Page,
            Purpose::Photo => Self::Photo,
        }
    }
}
