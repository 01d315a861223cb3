//! What a report means: for the host, for the page, for us.

pub(super) mod answered;
mod failed;

use std::time::Duration;

use firstknock_listing::SearchId;
use firstknock_policy::{Outcome, Reason, Trouble};
use jiff::Timestamp;

use super::{Dice, Schedule};
use crate::state::Flight;
use crate::time::later;
use crate::{Change, Check, Seen, Why};
use failed::failure_of_wall;

/// After photos of a host failed, none are asked for this long.
const PHOTOS_REST: Duration = Duration::from_secs(3600);

/// One report on its way through the rules.
struct Report<'a> {
    check: &'a Check,
    flight: Flight,
    /// The search, if it is still the one that was asked.
    search: Option<SearchId>,
    now: Timestamp,
}

impl Schedule {
    /// What a check came to. Returns everything that has to be kept with its listings, in one
    /// transaction; see [`Change::keep_listings`]. A report for an edited or deleted search still
    /// counts for its host; one for a check that was given up as lost counts nowhere.
    pub fn report(
        &mut self,
        check: &Check,
        outcome: &Outcome,
        seen: Seen,
        now: Timestamp,
        dice: Dice<'_>,
    ) -> Change {
        let now = self.observe(now);
        let host = self.hosts.entry(check.host.clone()).or_default();
        let Some(flight) = host.flight.filter(|flight| flight.id == check.id) else {
            return self.take_change();
        };
        host.flight = None;
        self.dirty.host(&check.host);
        let asked = check.search.and_then(|id| self.searches.get(&id));
        let current = asked
            .filter(|s| s.spec.revision == check.revision && s.spec.url == check.url)
            .map(|search| search.spec.id);
        let report = Report { check, flight, search: current, now };
        let answered = if check.why == Why::Photo {
            self.photo_came_to(&report, outcome);
            false
        } else {
            self.came_to(&report, outcome, seen, dice)
        };
        if let (Some(id), None) = (check.search, current)
            && let Some(edited) = self.searches.get_mut(&id)
        {
            // It was edited meanwhile, so nothing of this look is kept: it looks again soon.
            edited.due = now;
            self.dirty.search(id);
        }
        self.forget_blank_hosts(now);
        let mut change = self.take_change();
        change.keep_listings = answered && current.is_some();
        change
    }

    fn came_to(
        &mut self,
        report: &Report<'_>,
        outcome: &Outcome,
        seen: Seen,
        dice: Dice<'_>,
    ) -> bool {
        match outcome {
            Outcome::Answer => {
                self.answered(report, dice);
                self.looked(report, seen);
                true
            }
            Outcome::Trouble(Trouble { reason: Reason::PageGone, .. }) => {
                self.answered(report, dice);
                self.page_gone(report, seen, dice);
                false
            }
            Outcome::Wall(wall) if wall.reason == Reason::Login => {
                let page = report.search.and_then(|id| self.pages.get(&id).cloned());
                self.answered(report, dice);
                if let Some(id) = report.search {
                    page.map(|record| self.pages.put(id, record)).unwrap_or_default();
                    self.page_refused(report, id, failure_of_wall(wall), dice);
                }
                false
            }
            Outcome::Wall(wall) => {
                self.sign_of_life(&report.check.host, report.now, dice);
                self.refused(report, failure_of_wall(wall), dice);
                false
            }
            Outcome::Trouble(trouble) => {
                self.trouble(report, trouble, dice);
                false
            }
        }
    }

    /// Photos say nothing about the host's pages; theirs simply stop for a while (fredy#450).
    fn photo_came_to(&mut self, report: &Report<'_>, outcome: &Outcome) {
        let failed = match outcome {
            Outcome::Answer => false,
            Outcome::Trouble(trouble) => trouble.reason != Reason::PageGone,
            Outcome::Wall(_) => true,
        };
        if failed {
            let host = self.hosts.entry(report.check.host.clone()).or_default();
            host.photos_rest = Some(later(report.now, PHOTOS_REST));
        }
    }
}
