//! What comes back: reported, compared, kept.

use std::time::Duration;

use firstknock_policy::{Outcome, Reason};
use firstknock_schedule::Seen;
use firstknock_store::{CheckCommit, StoreError};
use jiff::Timestamp;

use super::page;
use super::requests::{LOST, Reported};
use super::rule::{Broken, Stop};
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
        let Flight { check, run, began, .. } = flight;
        let sent = self.requests.in_flight.remove(&check.host);
        let lost = sent.is_none_or(|sent| self.time.seen.saturating_sub(sent) >= LOST);
        let seen = if check.search.is_some() { page::seen(&reply) } else { Seen::nothing() };
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
            return self.keep(change);
        };
        let commit = CheckCommit {
            run,
            search: check.search,
            revision: check.revision,
            host: check.host.clone(),
            result: page::result(&reply, seen, self.time.lived - began),
            page: None,
            notices: Vec::new(),
            change: change.clone(),
        };
        if let Err(error) = self.commit(commit, &reply, now)? {
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
        mut commit: CheckCommit,
        reply: &Reply,
        now: Timestamp,
    ) -> Result<Result<(), StoreError>, Broken> {
        let keeps = commit.change.keep_listings;
        let mut read = None;
        if let (true, Some(id), Some(shown)) = (keeps, commit.search, &reply.shown) {
            let prepared = (|| {
                let Some(search) = self.store.search(id)? else { return Ok(None) };
                let facts = self.store.search_facts(id)?;
                let page = page::page(&self.store, &search, &facts, shown, now)?;
                Ok::<_, StoreError>(Some((search, page)))
            })();
            match prepared {
                Err(error) => return Ok(Err(error)),
                Ok(None) => {}
                Ok(Some((search, page))) => {
                    read = page.is_some().then_some((search, shown));
                    commit.page = page;
                }
            }
        }
        self.break_page(&mut commit);
        let done = match self.store.commit_check(&commit, now) {
            Ok(done) => done,
            Err(error) => return Ok(Err(error)),
        };
        if !done.outbox.is_empty() {
            self.app.sender_rests = Duration::ZERO;
        }
        self.lived.told += done.outbox.len();
        if let (Some((search, shown)), false) = (read, done.stale || reply_unreadable(reply)) {
            let store = &self.store;
            self.mails.committed(&search, &shown.listings, &done, store, &self.time)?;
        }
        Ok(Ok(()))
    }
}

fn reply_unreadable(reply: &Reply) -> bool {
    reply.shown.as_ref().is_some_and(|shown| shown.unreadable)
}
