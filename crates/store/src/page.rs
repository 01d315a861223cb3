//! A page's listings, inside the transaction of its check.

use std::collections::{HashMap, HashSet};

use firstknock_listing::{HostKey, Listing, ListingId, Money, Role, SearchId};
use jiff::Timestamp;
use rusqlite::{Connection, params};

use crate::columns::ms;
use crate::commit::{Committed, News, PageCommit};
use crate::error::Result;
use crate::listings::{self, NewsKind, StoredListing};
use crate::moved_up::{Entry, moved_up, number_of};
use crate::sequels::{self, Sequel};
use crate::sightings::{self, Turn};
use crate::{identity, search_state, source_memory, tell};

/// How a listing was before this page, as far as news can depend on it.
#[derive(Default)]
pub(crate) struct Before {
    pub(crate) told: bool,
    pub(crate) last_seen: Option<Timestamp>,
    pub(crate) price: Option<Money>,
    /// With what this page made of it.
    pub(crate) sequels: Vec<Sequel>,
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
    let quiet = moved_up_on(page, &on_page, &before, done);
    let seen_by = tell::By { search, unseen_at: last_answer_at, quiet: &quiet };
    tell::write(db, &seen_by, page, &before, done, now)?;
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

/// The places of old listings that only moved up from a further page.
fn moved_up_on(
    page: &PageCommit,
    on_page: &HashMap<ListingId, i64>,
    before: &HashMap<ListingId, Before>,
    done: &Committed,
) -> Vec<usize> {
    if page.complete {
        return Vec::new();
    }
    let entries: Vec<_> = done
        .ids
        .iter()
        .zip(&page.listings)
        .map(|(id, listing)| Entry {
            number: number_of(listing),
            stayed: id.is_some_and(|id| on_page.contains_key(&id)),
            fresh: id.and_then(|id| before.get(&id)).is_some_and(|it| it.last_seen.is_none()),
        })
        .collect();
    let left = on_page.keys().filter(|id| !done.ids.contains(&Some(**id))).count();
    moved_up(&entries, left)
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
            sequels::note(db, &stored, listing, now)?;
            was.sequels = sequels::of(db, found.id)?;
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
            before.insert(id, Before::default());
            id
        }
    };
    identity::add_keys(db, host, &listing.keys, id)?;
    Ok(id)
}

impl Before {
    fn of(stored: &StoredListing) -> Self {
        Self {
            told: stored.told_at.is_some(),
            last_seen: Some(stored.last_seen),
            price: stored.listing.price.clone(),
            sequels: Vec::new(),
        }
    }

    /// What happened to it of this kind.
    pub(crate) fn sequel(&self, kind: NewsKind) -> Option<&Sequel> {
        self.sequels.iter().find(|it| it.kind == kind)
    }

    /// Whether it is news that nobody was told of yet.
    pub(crate) fn makes_news(&self, news: &News, shown: &Listing) -> bool {
        let cents = |price: &Option<Money>| price.as_ref().map(|price| price.cents);
        match news.kind {
            NewsKind::New => !self.told,
            NewsKind::Relisted | NewsKind::PriceDrop => {
                self.sequel(news.kind).is_some_and(|it| !it.told)
            }
            NewsKind::PriceRise => cents(&shown.price) > cents(&self.price) && self.price.is_some(),
        }
    }
}
