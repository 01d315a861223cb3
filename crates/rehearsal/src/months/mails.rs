//! Watches that what was on a page we read is stored, and that what a search wants is mailed
//! exactly once.

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use firstknock_listing::{HostKey, Listing, SearchId, SearchUrl};
use firstknock_policy::delivery::DeliveryState;
use firstknock_store::{Committed, FindChange, OutboxId, Search, Store, StoreError};

use super::post::MailServer;
use super::rule::{Broken, Rule};
use super::site::number_of;
use super::time::Time;

type Home = (HostKey, u64);
/// Deliveries are kept 90 days.
const KEPT: Duration = Duration::from_secs(89 * 24 * 3600);

#[derive(Default)]
pub(super) struct Mails {
    pages: BTreeMap<SearchId, Page>,
    /// Homes that the user was told of, or that were there before.
    told: BTreeSet<Home>,
    /// The message that told of each home as new.
    mailed: BTreeMap<Home, (OutboxId, Duration)>,
    /// Messages that may have been taken without our knowing.
    pub(super) unsure: BTreeSet<OutboxId>,
}

struct Page {
    url: SearchUrl,
    /// The highest number that stood on it.
    newest: u64,
}

impl Mails {
    /// Another address: what was known of the old page is forgotten.
    pub(super) fn moved(&mut self, search: SearchId, url: &SearchUrl) {
        if self.pages.get(&search).is_some_and(|page| page.url != *url) {
            self.pages.remove(&search);
        }
    }

    /// A page was read and what it came to was kept.
    ///
    /// # Errors
    /// [`Rule::Stored`], [`Rule::MailedOnce`].
    pub(super) fn committed(
        &mut self,
        search: &Search,
        listings: &[Listing],
        done: &Committed,
        store: &Store,
        time: &Time,
    ) -> Result<(), Broken> {
        let broken = |rule, words: String| Broken { rule, after: time.lived, words };
        let host = &search.host;
        let fresh = Page { url: search.wish.url.clone(), newest: 0 };
        let known = self.pages.get(&search.id).filter(|page| page.url == fresh.url);
        let baseline = known.is_none();
        let newest = known.map_or(0, |page| page.newest);
        for (place, listing) in listings.iter().enumerate() {
            let id = done.ids.get(place).copied().flatten();
            let row = id.and_then(|id| store.listing(id).ok().flatten());
            let kept = row.is_some_and(|row| row.listing.url == listing.url);
            if !kept {
                return Err(broken(Rule::Stored, format!("{} is not stored", listing.url)));
            }
        }
        let mut just_told = BTreeSet::new();
        for id in &done.outbox {
            let row = read(store.delivery(*id), time)?;
            for find in row.map(|row| row.finds).unwrap_or_default() {
                let stored = read(store.listing(find.listing), time)?;
                let Some(stored) = stored else { continue };
                let home = (stored.host.clone(), number_of(&stored.listing));
                if find.change == FindChange::New {
                    let old = self.mailed.insert(home.clone(), (*id, time.seen));
                    let twice = old.is_some_and(|(old, _)| old != *id);
                    if twice || baseline {
                        let words = format!("{home:?} is told as new again, or at a baseline");
                        return Err(broken(Rule::MailedOnce, words));
                    }
                }
                just_told.insert(home);
            }
        }
        self.told.extend(just_told.iter().cloned());
        let tells = search.wish.tell.new && !search.wish.muted;
        for listing in listings {
            let home = (host.clone(), number_of(listing));
            let wanted = search.wish.criteria.hides(listing).is_none();
            if !baseline && tells && wanted && home.1 > newest && !self.told.contains(&home) {
                let words = format!("{} is new and wanted, and nobody is told", listing.url);
                return Err(broken(Rule::MailedOnce, words));
            }
            if baseline {
                self.told.insert(home);
            }
        }
        let highest = listings.iter().map(number_of).max().unwrap_or_default();
        self.pages.insert(search.id, Page { newest: newest.max(highest), ..fresh });
        Ok(())
    }

    /// The server has taken one more copy of a message, or nobody knows.
    ///
    /// # Errors
    /// [`Rule::MailedOnce`]: it had been taken for certain before.
    pub(super) fn handed_over(
        &mut self,
        id: OutboxId,
        message_id: &str,
        server: &MailServer,
        time: &Time,
    ) -> Result<(), Broken> {
        let copies = server.taken.get(message_id).copied().unwrap_or_default();
        // The first, and at most two repeats of one whose outcome nobody knew.
        let most = if self.unsure.contains(&id) { 3 } else { 1 };
        if copies <= most {
            return Ok(());
        }
        let words = format!("{copies} copies of {message_id}");
        Err(Broken { rule: Rule::MailedOnce, after: time.lived, words })
    }

    /// What the outbox says of a message is what the server knows.
    ///
    /// # Errors
    /// [`Rule::MailedOnce`].
    pub(super) fn settled(
        &self,
        store: &Store,
        server: &MailServer,
        time: &Time,
    ) -> Result<(), Broken> {
        for (home, (id, written)) in &self.mailed {
            let broken = |words: String| {
                let words = format!("{home:?} in {id:?}: {words}");
                Err(Broken { rule: Rule::MailedOnce, after: time.lived, words })
            };
            let Some(row) = read(store.delivery(*id), time)? else {
                if time.seen - *written > KEPT {
                    continue;
                }
                return broken("its message vanished".to_owned());
            };
            let message_id = row.rendered.as_ref().map(|it| it.message_id.as_str());
            let copies = message_id.and_then(|id| server.taken.get(id)).copied().unwrap_or(0);
            match row.state {
                DeliveryState::Sent if copies == 0 => return broken("sent, not taken".to_owned()),
                DeliveryState::GivenUp if copies > 0 => {
                    return broken(format!("called not sent, but {copies} were taken: {row:?}"));
                }
                DeliveryState::Sent | DeliveryState::GivenUp | DeliveryState::MaybeDelivered => {}
                DeliveryState::Pending
                | DeliveryState::Sending
                | DeliveryState::RetryAt
                | DeliveryState::Held => return broken(format!("still waits: {row:?}")),
            }
        }
        Ok(())
    }
}

fn read<T>(result: Result<T, StoreError>, time: &Time) -> Result<T, Broken> {
    result.map_err(|error| Broken {
        rule: Rule::Stored,
        after: time.lived,
        words: format!("the store cannot be read: {error:?}"),
    })
}
