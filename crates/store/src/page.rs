//! A page's listings, inside the transaction of its check.

use std::collections::{HashMap, HashSet};

use firstknock_listing::{HostKey, Listing, ListingId, Money, Role, SearchId};
use jiff::Timestamp;
use rusqlite::{Connection, params};

use crate::columns::ms;
use crate::commit::{Committed, News, PageCommit, Post};
use crate::error::Result;
use crate::listings::{self, NewsKind, StoredListing};
use crate::outbox::{FindChange, OutboxId};
use crate::outbox_queue::{self, NewFind, NewRow};
use crate::sightings::{self, Turn};
use crate::{identity, search_state, source_memory};

/// How a listing was before this page, as far as news can depend on it.
struct Before {
    told: bool,
    gone_at: Option<Timestamp>,
    last_seen: Option<Timestamp>,
    price: Option<Money>,
}

pub(crate) fn write(
    db: &Connection,
    search: SearchId,
    host: &HostKey,
    page: &PageCommit,
    last_answer_at: Option<Timestamp>,
    done: &mut Committed,
    now: Timestamp,
) -> Result<()> {
    let on_page = sightings::live(db, search)?;
    for (id, at) in &page.rekeyed {
        if let Some(listing) = page.listings.get(*at) {
            identity::add_keys(db, host, &listing.keys, *id)?;
        }
    }
    let mut before: HashMap<ListingId, Before> = HashMap::new();
    let mut seen = HashSet::new();
    done.ids = vec![None; page.listings.len()];
    // From the bottom up, so that the top of a page that shows the newest first gets the highest
    // id and every list of ours keeps that order.
    for (place, listing) in page.listings.iter().enumerate().rev() {
        if listing.role == Role::Recommendation {
            continue;
        }
        let id = settle(db, host, listing, &mut before, done, now)?;
        done.ids[place] = Some(id);
        seen.insert(id);
        sightings::see(db, search, id, place, page.baseline, now)?;
    }
    // A merge further on may have taken an id that was given before.
    for (twin, into) in done.merged.clone() {
        for id in done.ids.iter_mut().flatten().filter(|id| **id == twin) {
            *id = into;
        }
        if seen.remove(&twin) {
            seen.insert(into);
        }
    }
    let turn = Turn { before: &on_page, seen: &seen, complete: page.complete };
    done.gone = sightings::end(db, search, &page.diff.gone, &turn, now)?;
    tell(db, search, page, &before, last_answer_at, done, now)?;
    if page.baseline {
        for id in &seen {
            db.prepare_cached("UPDATE listings SET told_at = coalesce(told_at, ?2) WHERE id = ?1")?
                .execute(params![id.0, ms(now)])?;
        }
    }
    search_state::set_baseline(db, search, now)?;
    if let Some(memory) = &page.memory {
        source_memory::remember(db, search, memory, now)?;
    }
    Ok(())
}

/// Finds or makes the listing's row and brings it up to date.
fn settle(
    db: &Connection,
    host: &HostKey,
    listing: &Listing,
    before: &mut HashMap<ListingId, Before>,
    done: &mut Committed,
    now: Timestamp,
) -> Result<ListingId> {
    let id = match identity::resolve(db, host, &listing.keys)? {
        Some(found) => {
            let mut was = before.remove(&found.id);
            for twin in found.twins {
                identity::merge(db, twin, found.id)?;
                done.merged.push((twin, found.id));
                was = was.or(before.remove(&twin));
            }
            let stored = listings::find(db, found.id)?.expect("BUG: a key refers to a listing");
            let mut was = was.unwrap_or_else(|| Before::of(&stored));
            was.told |= stored.told_at.is_some();
            before.insert(found.id, was);
            listings::update(db, stored, listing, now)?;
            db.prepare_cached(
                "UPDATE listings SET gone_at = NULL WHERE id = ?1 AND gone_at NOT NULL",
            )?
            .execute([found.id.0])?;
            found.id
        }
        None => {
            let id = listings::insert(db, host, listing, now)?;
            before.insert(id, Before { told: false, gone_at: None, last_seen: None, price: None });
            id
        }
    };
    identity::add_keys(db, host, &listing.keys, id)?;
    Ok(id)
}

/// Marks what is news and writes the messages. What the row says now decides, not what the caller
/// believed before the transaction: two searches, two looks, one alert.
fn tell(
    db: &Connection,
    search: SearchId,
    page: &PageCommit,
    before: &HashMap<ListingId, Before>,
    unseen_at: Option<Timestamp>,
    done: &mut Committed,
    now: Timestamp,
) -> Result<()> {
    if page.baseline {
        return Ok(());
    }
    let mut told = Vec::new();
    for news in &page.news {
        let Some(id) = done.ids.get(news.at).copied().flatten() else { continue };
        let Some(before) = before.get(&id) else { continue };
        if done.news.iter().any(|(other, _)| *other == id) {
            continue;
        }
        if !before.makes_news(news, &page.listings[news.at]) {
            if news.kind == NewsKind::New && news.tell {
                outbox_queue::also_found_by(db, id, search)?;
            }
            continue;
        }
        db.prepare_cached(
            "UPDATE listings SET news = ?2, news_at = ?3, unread = 1,
                told_at = CASE WHEN ?4 THEN coalesce(told_at, ?3) ELSE told_at END WHERE id = ?1",
        )?
        .execute(params![id.0, news.kind.code(), ms(now), news.tell])?;
        done.news.push((id, news.kind));
        if news.tell {
            told.push(NewFind {
                listing: id,
                search,
                change: news.kind.into(),
                was: before.price.as_ref().filter(|_| news.kind != NewsKind::New),
                was_at: before.last_seen.filter(|_| news.kind == NewsKind::Relisted),
                unseen_at,
            });
        }
    }
    if told.is_empty() {
        return Ok(());
    }
    for post in &page.posts {
        let id = match outbox_for(db, search, post)? {
            Some(id) => id,
            None => outbox_queue::insert(db, &new_row(search, post), now)?,
        };
        for line in &told {
            outbox_queue::add_find(db, id, line)?;
        }
        done.outbox.push(id);
    }
    Ok(())
}

fn outbox_for(db: &Connection, search: SearchId, post: &Post) -> Result<Option<OutboxId>> {
    if post.join { outbox_queue::joinable(db, &post.channel, post.kind, search) } else { Ok(None) }
}

fn new_row<'a>(search: SearchId, post: &'a Post) -> NewRow<'a> {
    NewRow {
        channel: &post.channel,
        kind: post.kind,
        search: Some(search),
        payload: post.payload.as_ref(),
        not_before: post.not_before,
        joins: post.join,
    }
}

impl Before {
    fn of(stored: &StoredListing) -> Self {
        Self {
            told: stored.told_at.is_some(),
            gone_at: stored.gone_at,
            last_seen: Some(stored.last_seen),
            price: stored.listing.price.clone(),
        }
    }

    fn makes_news(&self, news: &News, shown: &Listing) -> bool {
        let cents = |price: &Option<Money>| price.as_ref().map(|price| price.cents);
        match news.kind {
            NewsKind::New => !self.told,
            NewsKind::Relisted => self.gone_at.is_some(),
            NewsKind::PriceDrop => {
                cents(&shown.price) < cents(&self.price) && shown.price.is_some()
            }
            NewsKind::PriceRise => cents(&shown.price) > cents(&self.price) && self.price.is_some(),
        }
    }
}

impl From<NewsKind> for FindChange {
    fn from(kind: NewsKind) -> Self {
        match kind {
            NewsKind::New => Self::New,
            NewsKind::PriceDrop => Self::PriceDrop,
            NewsKind::PriceRise => Self::PriceRise,
            NewsKind::Relisted => Self::Relisted,
        }
    }
}
