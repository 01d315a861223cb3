//! Watches that what was on a page we read is stored, that what a search wants (new homes, lower
//! prices) is mailed exactly once, and that nobody is told twice in a row of the same blindness.

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use firstknock_listing::{Criteria, HostKey, Listing, Money, SearchId, SearchUrl};
use firstknock_policy::delivery::DeliveryState;
use firstknock_store::{
    Committed, Find, FindChange, Notice, OutboxId, OutboxRow, PostKind, Search, Store, StoreError,
};

use super::post::MailServer;
use super::rule::{Broken, Rule};
use super::site::number_of;
use super::time::Time;

type Home = (HostKey, u64);
/// What is told of a home at most once.
type News = (Home, FindChange);
/// Deliveries are kept 90 days.
const KEPT: Duration = Duration::from_secs(89 * 24 * 3600);

#[derive(Default)]
pub(super) struct Mails {
    pages: BTreeMap<SearchId, Page>,
    /// Homes that the user was told of, or that were there before.
    told: BTreeSet<Home>,
    /// The message that told of each piece of news.
    mailed: BTreeMap<News, (OutboxId, Duration)>,
    /// Homes whose lower price a message told, or will show.
    cheaper: BTreeSet<Home>,
    /// Searches that are said to be blind.
    blind: BTreeSet<SearchId>,
    /// Messages that may have been taken without our knowing.
    pub(super) unsure: BTreeSet<OutboxId>,
}

struct Page {
    url: SearchUrl,
    /// The highest number that stood on it.
    newest: u64,
    /// The price that each home last had on it, in cents.
    prices: BTreeMap<u64, i64>,
}

/// A page that was read and kept.
pub(super) struct Read<'a> {
    pub(super) search: &'a Search,
    pub(super) page: &'a [Listing],
    /// It is as it was, and was not read again.
    pub(super) unchanged: bool,
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
        it: &Read<'_>,
        done: &Committed,
        store: &Store,
        time: &Time,
    ) -> Result<(), Broken> {
        let broken = |rule, words: String| Err(Broken { rule, after: time.lived, words });
        let (search, host) = (it.search, &it.search.host);
        for (place, listing) in it.page.iter().enumerate().filter(|_| !it.unchanged) {
            let id = done.ids.get(place).copied().flatten();
            let row = id.and_then(|id| store.listing(id).ok().flatten());
            if row.is_none_or(|row| row.listing.url != listing.url) {
                return broken(Rule::Stored, format!("{} is not stored", listing.url));
            }
        }
        let page = self.pages.remove(&search.id).filter(|page| page.url == search.wish.url);
        let baseline = page.is_none();
        let url = search.wish.url.clone();
        let mut page = page.unwrap_or(Page { url, newest: 0, prices: BTreeMap::new() });
        self.hear(baseline, done, store, time)?;
        let newest = page.newest;
        for listing in it.page {
            let number = number_of(listing);
            let home = (host.clone(), number);
            let cents = listing.price.as_ref().map(|price| price.cents);
            let before = cents.and_then(|cents| page.prices.insert(number, cents));
            page.newest = page.newest.max(number);
            let wanted = search.wish.criteria.hides(listing).is_none();
            if baseline {
                self.told.insert(home);
            } else if wanted && !search.wish.muted {
                let tell = search.wish.tell;
                if tell.new && number > newest && !self.told.contains(&home) {
                    let words = format!("{} is new and wanted, and nobody is told", listing.url);
                    return broken(Rule::MailedOnce, words);
                }
                let cheaper = before.zip(cents).filter(|(before, now)| now < before);
                let tells = cheaper.is_some_and(|(before, _)| {
                    tell.price_drops || (tell.new && !fits(&search.wish.criteria, listing, before))
                });
                if tells && !self.heard_of_drop(&home, done, store, time)? {
                    let words = format!("{} is cheaper, and nobody is told", listing.url);
                    return broken(Rule::MailedOnce, words);
                }
            }
        }
        self.pages.insert(search.id, page);
        Ok(())
    }

    /// A message told of a lower price, or this commit's message tells of the home for another
    /// reason, and will show the price of today.
    fn heard_of_drop(
        &mut self,
        home: &Home,
        done: &Committed,
        store: &Store,
        time: &Time,
    ) -> Result<bool, Broken> {
        for id in &done.outbox {
            let row = read(store.delivery(*id), time)?;
            for find in row.into_iter().flat_map(|row| row.finds) {
                let stored = read(store.listing(find.listing), time)?;
                if stored.is_some_and(|it| number_of(&it.listing) == home.1) {
                    self.cheaper.insert(home.clone());
                }
            }
        }
        let told = self.mailed.contains_key(&(home.clone(), FindChange::PriceDrop));
        Ok(told || self.cheaper.contains(home))
    }

    /// What the messages of a commit tell.
    fn hear(
        &mut self,
        baseline: bool,
        done: &Committed,
        store: &Store,
        time: &Time,
    ) -> Result<(), Broken> {
        for id in &done.outbox {
            let Some(row) = read(store.delivery(*id), time)? else { continue };
            for find in &row.finds {
                let Some(stored) = read(store.listing(find.listing), time)? else { continue };
                let home = (stored.host.clone(), number_of(&stored.listing));
                let once = matches!(find.change, FindChange::New | FindChange::PriceDrop);
                let news = (home.clone(), find.change);
                let old = self.mailed.insert(news, (*id, time.seen)).filter(|_| once);
                // What waits may have gone into another message meanwhile.
                let still_in = |id| {
                    let row = read(store.delivery(id), time)?;
                    let same = |it: &Find| (it.listing, it.change) == (find.listing, find.change);
                    Ok::<_, Broken>(row.is_some_and(|row| row.finds.iter().any(same)))
                };
                let twice = match old {
                    Some((old, _)) if old != *id => still_in(old)?,
                    Some(_) => false,
                    None => baseline && find.change != FindChange::ThereNow,
                };
                if twice {
                    let change = find.change;
                    let words = format!("{home:?} is told again as {change:?}, or at a baseline");
                    return Err(Broken { rule: Rule::MailedOnce, after: time.lived, words });
                }
                self.told.insert(home);
            }
        }
        Ok(())
    }

    /// A search is said to be blind, or to see again: in turns.
    ///
    /// # Errors
    /// [`Rule::BlindOnce`].
    pub(super) fn noticed(
        &mut self,
        search: SearchId,
        notices: &[Notice],
        time: &Time,
    ) -> Result<(), Broken> {
        for notice in notices {
            let in_turn = match notice.kind {
                PostKind::Blind => self.blind.insert(search),
                PostKind::Recovered => self.blind.remove(&search),
                _ => true,
            };
            if !in_turn {
                let words = format!("{search:?} is told again as {:?}", notice.kind);
                return Err(Broken { rule: Rule::BlindOnce, after: time.lived, words });
            }
        }
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
        let rows = read(store.deliveries(u32::MAX), time)?;
        let mut tellers: BTreeMap<News, Vec<&OutboxRow>> = BTreeMap::new();
        for row in &rows {
            for find in &row.finds {
                let Some(stored) = read(store.listing(find.listing), time)? else { continue };
                let home = (stored.host.clone(), number_of(&stored.listing));
                tellers.entry((home, find.change)).or_default().push(row);
            }
        }
        for (news, (_, written)) in &self.mailed {
            let broken = |words: String| {
                let words = format!("{news:?}: {words}");
                Err(Broken { rule: Rule::MailedOnce, after: time.lived, words })
            };
            let teller = tellers.get(news).map(Vec::as_slice);
            // Put together with the message that tells of the home at all, a drop is part of it.
            let of_new = || tellers.get(&(news.0.clone(), FindChange::New)).map(Vec::as_slice);
            let row = match teller.or_else(of_new) {
                None if time.seen - *written > KEPT => continue,
                None => return broken("its message vanished".to_owned()),
                Some([row]) => row,
                Some([.., row]) if news.1 == FindChange::Relisted => row,
                Some(rows) => return broken(format!("{} messages tell of it", rows.len())),
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

/// Whether a home at another price is one that a search wants.
fn fits(criteria: &Criteria, listing: &Listing, cents: i64) -> bool {
    let before = Listing { price: Some(Money::of_cents(cents)), ..listing.clone() };
    criteria.hides(&before).is_none()
}

fn read<T>(result: Result<T, StoreError>, time: &Time) -> Result<T, Broken> {
    result.map_err(|error| Broken {
        rule: Rule::Stored,
        after: time.lived,
        words: format!("the store cannot be read: {error:?}"),
    })
}
