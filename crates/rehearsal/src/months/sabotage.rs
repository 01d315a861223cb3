//! Rules broken on purpose, to prove that breaking them is noticed.

use std::time::Duration;

use firstknock_listing::Diff;
use firstknock_monitor::Task;
use firstknock_policy::Outcome;
use firstknock_schedule::{AppStatus, Change, Check, HostRecord, HostUpdate, SavedWait, Why};
use firstknock_store::{CheckCommit, NewsKind};

use super::requests::Waits;
use super::rule::Broken;
use super::world::World;

/// One thing that a careless app would do.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Sabotage {
    /// Asks once more right after a request that ended.
    NoGap,
    /// Gives the rate away: asks every three seconds.
    NoRate,
    /// Sends two requests to one host at a time.
    TwoAtOnce,
    /// Asks a waiting host before its time.
    TooEarly,
    /// Counts a refusal once per search of the host.
    CountsEach,
    /// Puts all hosts on the ladder of the one that refused.
    BlamesOthers,
    /// Climbs while offline.
    ClimbsOffline,
    /// Obeys a Retry-After of a day.
    SleepsADay,
    /// The rows say a minute more than is true.
    LyingRows,
    /// Starts afresh after a crash.
    Forgets,
    /// Never asks one of the hosts.
    Starves,
    /// Asks although nothing can be kept.
    AsksUnkept,
    /// Takes what is new for known.
    TellsNobody,
    /// Drops what it read.
    StoresNothing,
    /// Takes "nobody knows" for "not sent" and sends on and on.
    RepeatsFreely,
    /// Calls "not sent" what may have arrived.
    CallsItNotSent,
    /// Sends what comes late in the middle of the night.
    LoudAtNight,
    /// Tells of new homes only.
    TellsNoDrops,
}

impl World {
    /// What only a careless app would do.
    pub(super) fn careless(&mut self) -> Result<(), Broken> {
        let Some(sabotage) = self.sabotage else { return Ok(()) };
        let Some(flight) = self.app.flights.first() else { return Ok(()) };
        let again = flight.check.clone();
        let waits = self.requests.waits.clone();
        match sabotage {
            Sabotage::TwoAtOnce => self.requests.goes_out(&again, &waits, &self.time),
            Sabotage::NoRate => {
                for _ in 0..11 {
                    self.time.pass(Duration::from_secs(4));
                    self.requests.in_flight.clear();
                    self.requests.goes_out(&again, &Waits::default(), &self.time)?;
                }
                Ok(())
            }
            Sabotage::TooEarly => {
                let Some(host) = waits.hosts.keys().find(|host| **host != again.host) else {
                    return Ok(());
                };
                self.time.pass(Duration::from_secs(4));
                let domain = host.domain();
                let check =
                    Check { host: host.clone(), domain, why: Why::Due, search: None, ..again };
                self.requests.goes_out(&check, &waits, &self.time)
            }
            Sabotage::AsksUnkept
                if matches!(
                    self.app.schedule.status(self.time.now()),
                    AppStatus::Stopped { .. }
                ) =>
            {
                let task = Task::first(again.url.url().clone(), Duration::ZERO);
                self.send(again, None, task)
            }
            _ => Ok(()),
        }
    }

    /// What a careless app would write.
    pub(super) fn break_change(&self, change: &mut Change, outcome: &Outcome, offline: bool) {
        let waits = change.hosts.iter_mut().filter_map(|update| match update {
            HostUpdate::Put(record) => record.wait.is_some().then_some(record),
            HostUpdate::Clear(_) => None,
        });
        let refused = matches!(outcome, Outcome::Wall(_));
        match self.sabotage {
            Some(Sabotage::CountsEach) if refused => {
                waits.filter_map(|record| record.wait.as_mut()).for_each(|wait| wait.failures += 1)
            }
            Some(Sabotage::SleepsADay) => waits
                .filter_map(|record| record.wait.as_mut())
                .for_each(|wait| wait.next_retry_ms += 86_400_000),
            Some(Sabotage::BlamesOthers) if refused => {
                let other = waits.last().map(|record| HostRecord {
                    host: "elsewhere.example".to_owned(),
                    ..record.clone()
                });
                change.hosts.extend(other.map(HostUpdate::Put));
            }
            Some(Sabotage::ClimbsOffline) if offline => {
                let wait = SavedWait {
                    kind: "error".to_owned(),
                    failures: 1 + i64::try_from(self.lived.requests).unwrap_or(0),
                    next_retry_ms: self.time.now().as_millisecond() + 30_000,
                    at_ms: self.time.now().as_millisecond(),
                    ..Default::default()
                };
                change.hosts.push(HostUpdate::Put(HostRecord {
                    host: "elsewhere.example".to_owned(),
                    wait: Some(wait),
                    ..Default::default()
                }));
            }
            _ => {}
        }
    }

    pub(super) fn break_page(&self, commit: &mut CheckCommit) {
        let Some(page) = &mut commit.page else { return };
        match self.sabotage {
            Some(Sabotage::TellsNobody) => page.news.clear(),
            Some(Sabotage::TellsNoDrops) => page.news.retain(|it| it.kind != NewsKind::PriceDrop),
            Some(Sabotage::StoresNothing) => {
                page.listings.clear();
                page.diff = Diff::default();
                page.news.clear();
            }
            _ => {}
        }
    }
}
