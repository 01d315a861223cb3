//! A look ended: what is new, what it means for the host, and all of it kept at once.

use firstknock_listing::HostKey;
use firstknock_policy::{Kind, Outcome};
use firstknock_schedule::{HostState, Seen};
use firstknock_store::{ReaderChoice, SearchFacts};
use jiff::Timestamp;
use jiff::tz::TimeZone;

use super::Core;
use super::event::Looked;
use crate::current;
use crate::pause::Pause;
use crate::steps::{Ended, outline, seen};

impl Core {
    pub(super) async fn finish(&mut self, looked: Looked) {
        let now = self.clock.now();
        let Looked { check, run, look } = looked;
        let search = check.search.and_then(|id| self.shelf.searches.iter().find(|s| s.id == id));
        let search = search.cloned();
        let facts = match check.search {
            Some(id) => self.store.run(move |store| store.search_facts(id)).await,
            None => Ok(SearchFacts::default()),
        };
        let facts = match facts {
            Ok(facts) => facts,
            Err(error) => {
                // Nothing was seen; the host's side of it is recorded all the same.
                let mut roll = || self.dice.roll();
                let outcome = look.verdict.outcome.clone();
                let change =
                    self.schedule.report(&check, &outcome, Seen::nothing(), now, &mut roll);
                self.schedule.not_kept(&change);
                self.storage_trouble(&error);
                return;
            }
        };
        let refused_since = self.refused_since(&check.host, now);
        let seen = seen(&look, &facts);
        let mut roll = || self.dice.roll();
        let change = self.schedule.report(&check, &look.verdict.outcome, seen, now, &mut roll);
        let kept_change = change.clone();
        let pause = self.pause;
        let watched_since = check.search.map_or(now, |id| self.watch.since(id));
        let by_browser = look.by_browser;
        let answered = matches!(look.verdict.outcome, Outcome::Answer);
        if let Some(since) = refused_since.filter(|_| answered)
            && let Some(pause) = Pause::blocked(since, now)
        {
            self.blocked = Some((pause, Some(check.host.clone())));
        }
        let cookies =
            self.http.as_ref().and_then(|http| http.sessions().export_changed(&check.host));
        let host = check.host.clone();
        let kept = self
            .store
            .run(move |store| {
                let (look, facts) = (&look, &facts);
                let zone = &TimeZone::system();
                let ended = Ended { check: &check, run, look, facts, pause, watched_since, zone };
                let change = &kept_change;
                let commit = outline(store, &ended, search.as_ref(), seen, change, now)?;
                let mut done = store.commit_check(&commit, now)?;
                if commit.page.as_ref().is_some_and(|page| page.baseline) {
                    done.outbox.extend(current::owed(store, check.search, now)?);
                }
                if by_browser && answered {
                    store.set_host_reader(&check.host, Some(ReaderChoice::Browser), now)?;
                }
                if let Some(cookies) = cookies {
                    store.set_session(&check.host, Some(&cookies), now)?;
                }
                Ok(done)
            })
            .await;
        match kept {
            Ok(done) => {
                if !done.news.is_empty() {
                    tracing::info!(%host, new = done.news.len(), "news");
                }
                if let Some((first, _)) = done.news.first()
                    && !done.outbox.is_empty()
                {
                    let (photos, first) = (self.photos.clone(), *first);
                    tokio::spawn(async move { photos.prefetch(first).await });
                }
                if !done.outbox.is_empty() {
                    self.bell.ring();
                }
                self.log_outcome(&host, seen, &change);
            }
            Err(error) => {
                self.schedule.not_kept(&change);
                self.storage_trouble(&error);
            }
        }
        self.shelf.stale = true;
    }

    /// Since when a site refuses us, if it does.
    fn refused_since(&self, host: &HostKey, now: Timestamp) -> Option<Timestamp> {
        let card = self.schedule.host_cards(now).into_iter().find(|card| card.host == *host)?;
        match card.state {
            HostState::Waits(wait) | HostState::Probing { wait, .. } => {
                (wait.wall != Kind::Error).then_some(wait.since)
            }
            _ => None,
        }
    }

    fn log_outcome(&self, host: &HostKey, seen: Seen, change: &firstknock_schedule::Change) {
        tracing::debug!(%host, listings = seen.listings, finding = ?seen.finding, "a check ended");
        for note in &change.notes {
            tracing::info!(?note, "the schedule says");
        }
    }
}
