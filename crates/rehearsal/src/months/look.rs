//! What comes back: reported, compared, kept.

use std::time::Duration;

use firstknock_monitor::steps::{self, Ended, outline};
use firstknock_policy::{Outcome, Reason};
use firstknock_schedule::{Change, Seen};
use firstknock_store::{SearchFacts, Store, StoreError};
use jiff::Timestamp;
use jiff::tz::TimeZone;

use super::mails::Read;
use super::page;
use super::requests::{LOST, Reported};
use super::rule::{Broken, Rule, Stop};
use super::sabotage::Sabotage;
use super::site::{Reply, trouble};
use super::world::{Flight, World};

impl World {
    /// Whatever was to come back by now does.
    pub(super) fn finish_looks(&mut self) -> Result<(), Stop> {
        while let Some(at) =
            self.app.flights.iter().position(|flight| flight.ends <= self.time.lived)
        {
            let flight = self.app.flights.remove(at);
            self.finish(flight)?;
        }
        Ok(())
    }

    fn reply(&self, flight: &Flight) -> Reply {
        if flight.cut || !self.wifi {
            return trouble(Reason::Connect, None);
        }
        for site in &self.sites {
            if let Some(page) = site.urls.iter().position(|url| *url == flight.check.url) {
                return site.reply(page, self.time.lived);
            }
        }
        trouble(Reason::Dns, None)
    }

    fn finish(&mut self, flight: Flight) -> Result<(), Stop> {
        let now = self.time.now();
        let reply = self.reply(&flight);
        let Flight { check, run, task, began, .. } = flight;
        let sent = self.requests.in_flight.remove(&check.host);
        let lost = sent.is_none_or(|sent| self.time.seen.saturating_sub(sent) >= LOST);
        let look = page::look(&reply, &task, self.time.lived - began);
        let facts =
            match check.search.map_or(Ok(SearchFacts::default()), |id| self.store.search_facts(id))
            {
                Ok(facts) => facts,
                Err(error) => return Err(self.broken(Rule::Stored, format!("{error:?}")).into()),
            };
        let seen =
            if check.search.is_some() { steps::seen(&look, &facts) } else { Seen::nothing() };
        let offline = self.is_offline();
        let before = self.requests.waits.clone();
        let dice = &mut self.app.dice;
        let mut change =
            self.app.schedule.report(&check, &reply.outcome, seen, now, &mut || dice.roll());
        self.break_change(&mut change, &reply.outcome, offline);
        self.requests.note(&change, &self.time)?;
        let offline = (offline, self.is_offline());
        let reported =
            Reported { check: &check, outcome: &reply.outcome, before: &before, offline, lost };
        self.requests.reported(&reported, &self.time)?;
        self.lived.count(&reply.outcome);
        self.may_crash()?;
        let Some(run) = run else {
            self.keep(change)?;
            return Ok(());
        };
        let ended = Ended {
            check: &check,
            run,
            look: &look,
            facts: &facts,
            pause: self.app.pause,
            watched_since: self.app.watched_since(check.search, now),
            zone: &TimeZone::UTC,
        };
        if let Err(error) = self.commit(&ended, seen, &change, &reply, now)? {
            self.app.schedule.not_kept(&change);
            self.storage_trouble(&error)?;
        }
        self.may_crash()?;
        if self.sabotage == Some(Sabotage::NoGap) && reply.outcome == Outcome::Answer {
            let waits = self.requests.waits.clone();
            self.requests.goes_out(&check, &waits, &self.time)?;
        }
        Ok(())
    }

    fn commit(
        &mut self,
        ended: &Ended<'_>,
        seen: Seen,
        change: &Change,
        reply: &Reply,
        now: Timestamp,
    ) -> Result<Result<(), StoreError>, Broken> {
        let outlined = (|store: &mut Store| {
            let search = ended.check.search.map_or(Ok(None), |id| store.search(id))?;
            let commit = outline(store, ended, search.as_ref(), seen, change, now)?;
            Ok::<_, StoreError>((search, commit))
        })(&mut self.store);
        let (search, mut commit) = match outlined {
            Ok(outlined) => outlined,
            Err(error) => return Ok(Err(error)),
        };
        self.break_page(&mut commit);
        let done = match self.store.commit_check(&commit, now) {
            Ok(done) => done,
            Err(error) => return Ok(Err(error)),
        };
        if !done.outbox.is_empty() {
            self.app.sender_rests = Duration::ZERO;
        }
        self.lived.told += done.outbox.len();
        if let (Some(id), false) = (commit.search, done.stale) {
            self.mails.noticed(id, &commit.notices, &self.time)?;
        }
        let shown = reply.shown.as_ref().filter(|shown| !shown.unreadable);
        if let (Some(search), Some(shown), true, false) =
            (search, shown, change.keep_listings, done.stale)
        {
            let (page, store) = (&shown.listings, &self.store);
            let read = Read { search: &search, page, unchanged: ended.look.unchanged.is_some() };
            self.mails.committed(&read, &done, store, &self.time)?;
        }
        Ok(Ok(()))
    }
}
