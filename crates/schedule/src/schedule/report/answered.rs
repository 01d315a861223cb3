//! The host answered: it is welcome, whatever was on the page.

use std::time::Duration;

use firstknock_policy::jitter::plus_minus;
use firstknock_policy::ladder::delay_for;

use super::Report;
use crate::schedule::{Dice, INTERVAL_SPREAD, Schedule};
use crate::state::{Gone, Look};
use crate::time::{later, part, whole_ms};
use crate::{Finding, Note, Seen};

/// A page that is gone is looked at again once a day.
pub(crate) const GONE_EVERY: Duration = Duration::from_secs(24 * 3600);
/// When a host is welcome again, its overdue searches are spread over their interval, but over no
/// more than this: a search that looks in once a day was due, and is late already.
const WELCOME_SPREAD: Duration = Duration::from_secs(300);

impl Schedule {
    /// The host answered, whatever was on the page: it is welcome, and so are all its searches.
    pub(super) fn answered(&mut self, report: &Report<'_>, dice: Dice<'_>) {
        let key = &report.check.host;
        self.sign_of_life(key, report.now, dice);
        let record = self.ledger.clear(key);
        let host = self.hosts.entry(key.clone()).or_default();
        let refused = std::mem::take(&mut host.refused);
        host.welcome();
        host.lone = host.lone.filter(|(id, _)| Some(*id) != report.search);
        if let Some(id) = report.search {
            self.pages.clear(&id);
            let search = self.search_mut(id);
            search.error = None;
            self.dirty.search(id);
        }
        let Some(mut record) = record else {
            return;
        };
        // One page alone was refused on the top rung, and another one answered: that page keeps a
        // wait of its own.
        let lone = refused.first().copied().filter(|id| {
            refused.len() == 1
                && Some(*id) != report.check.search
                && self.searches.get(id).is_some_and(|search| search.host == *key)
        });
        let host = self.hosts.entry(key.clone()).or_default();
        let times = host.lone.filter(|(id, _)| Some(*id) == lone).map_or(1, |(_, times)| times + 1);
        host.lone = lone.map(|id| (id, times)).or(host.lone);
        if let Some(lone) = lone.filter(|_| record.on_top()) {
            host.lone = None;
            let wait = delay_for(record.kind, record.failures, None, dice());
            record.next_retry = later(report.now, wait);
            record.asked = None;
            self.pages.put(lone, record);
            self.dirty.search(lone);
        }
        self.dirty.notes.push(Note::HostWelcome { host: key.clone() });
        self.spread_after_welcome(report, dice);
    }

    /// Overdue searches of a host that is welcome again, over their interval instead of at once.
    pub(super) fn spread_after_welcome(&mut self, report: &Report<'_>, dice: Dice<'_>) {
        let now = report.now;
        let overdue: Vec<_> = self
            .on_host(&report.check.host)
            .into_iter()
            .filter(|search| search.due <= now && Some(search.spec.id) != report.check.search)
            .map(|search| search.spec.id)
            .collect();
        let parts = u32::try_from(overdue.len()).unwrap_or(u32::MAX);
        for (i, id) in overdue.into_iter().enumerate() {
            let window = self.interval_of(id).min(WELCOME_SPREAD);
            let share = window / parts;
            let i = u32::try_from(i).unwrap_or(u32::MAX);
            let due = whole_ms(later(now, share.saturating_mul(i) + part(share, dice())));
            self.search_mut(id).due = due;
            self.dirty.search(id);
        }
    }

    pub(super) fn looked(&mut self, report: &Report<'_>, seen: Seen) {
        let Some(id) = report.search else {
            return;
        };
        let search = self.search_mut(id);
        let before = search.look.and_then(|look| look.before);
        // No listings, no word that there are none, and there were some: not an honest empty page.
        let lost = seen.listings == 0 && before.is_some_and(|before| before > 0);
        let finding = match seen.finding {
            Finding::Fine | Finding::Degraded | Finding::ReKeyed if lost => Finding::Broken,
            Finding::Fine
            | Finding::Degraded
            | Finding::ReKeyed
            | Finding::Empty
            | Finding::Broken
            | Finding::Unsure => seen.finding,
        };
        let before = if finding.is_suspicious() { before } else { Some(seen.listings) };
        search.gone = None;
        search.look = Some(Look { at: report.now, listings: seen.listings, before, finding });
    }

    pub(super) fn page_gone(&mut self, report: &Report<'_>, seen: Seen, dice: Dice<'_>) {
        let Some(id) = report.search else {
            return;
        };
        let now = report.now;
        let wait = plus_minus(GONE_EVERY, INTERVAL_SPREAD, dice());
        let search = self.search_mut(id);
        let since = search.gone.map_or(now, |gone| gone.since);
        search.gone = Some(Gone { since, status: seen.status });
        search.due = later(now, wait);
    }
}
