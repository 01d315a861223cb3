//! Which search has which listing on its page, and when a listing is gone.
//!
//! **Promises**: what was merely pushed off the page's end by newer ones is not called gone; a
//! listing is gone only when no search has it. **Leaves out**: whether a page may be believed at
//! all; pages that may not come without `gone`.

use std::collections::{HashMap, HashSet};

use firstknock_listing::{ListingId, SearchId};
use jiff::Timestamp;
use rusqlite::{Connection, OptionalExtension, params};

use crate::columns::ms;
use crate::error::Result;

/// What a sighting did.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Came {
    /// Never on this search's page before.
    First,
    /// It was there, was not, and is again.
    Back,
    /// It is still there.
    Stays,
}

/// Writes that the search has the listing at this place of its page.
pub(crate) fn see(
    db: &Connection,
    search: SearchId,
    listing: ListingId,
    place: usize,
    baseline: bool,
    now: Timestamp,
) -> Result<Came> {
    let before: Option<Option<i64>> = db
        .prepare_cached("SELECT ended_at FROM sightings WHERE search = ?1 AND listing = ?2")?
        .query_row(params![search.0, listing.0], |row| row.get(0))
        .optional()?;
    let place = i64::try_from(place).unwrap_or(i64::MAX);
    db.prepare_cached(
        "INSERT INTO sightings (search, listing, first_seen, last_seen, place, baseline)
         VALUES (?1, ?2, ?3, ?3, ?4, ?5)
         ON CONFLICT (search, listing) DO UPDATE SET
            last_seen = max(last_seen, excluded.last_seen), place = ?4, ended_at = NULL",
    )?
    .execute(params![search.0, listing.0, ms(now), place, baseline])?;
    Ok(match before {
        None => Came::First,
        Some(Some(_)) => Came::Back,
        Some(None) => Came::Stays,
    })
}

/// What a search has on its page, with the places of its last look.
pub(crate) fn live(db: &Connection, search: SearchId) -> Result<HashMap<ListingId, i64>> {
    let mut statement = db.prepare_cached(
        "SELECT listing, place FROM sightings WHERE search = ?1 AND ended_at IS NULL",
    )?;
    let rows = statement.query_map([search.0], |row| Ok((ListingId(row.get(0)?), row.get(1)?)))?;
    Ok(rows.collect::<rusqlite::Result<_>>()?)
}

/// A page that was read again.
pub(crate) struct Turn<'a> {
    /// Where everything stood the last time.
    pub(crate) before: &'a HashMap<ListingId, i64>,
    /// What is on it now.
    pub(crate) seen: &'a HashSet<ListingId>,
    /// It shows all results, so nothing can have been pushed off its end.
    pub(crate) complete: bool,
}

/// Ends sightings of listings that are no longer on the search's page. Gives those that are gone
/// from everywhere now.
pub(crate) fn end(
    db: &Connection,
    search: SearchId,
    left: &[ListingId],
    turn: &Turn<'_>,
    now: Timestamp,
) -> Result<Vec<ListingId>> {
    let mut ended = Vec::new();
    for listing in left.iter().filter(|listing| !turn.seen.contains(listing)) {
        let changed = db
            .prepare_cached(
                "UPDATE sightings SET ended_at = ?3
                 WHERE search = ?1 AND listing = ?2 AND ended_at IS NULL",
            )?
            .execute(params![search.0, listing.0, ms(now)])?;
        if changed > 0 {
            ended.push((turn.before.get(listing).copied().unwrap_or(0), *listing));
        }
    }
    let stays =
        turn.before.iter().filter(|(id, _)| turn.seen.contains(id)).map(|(_, place)| *place);
    let entered = turn.seen.iter().filter(|id| !turn.before.contains_key(id)).count();
    let pushed_off = if turn.complete { 0 } else { entered };
    let mut gone = Vec::new();
    for listing in believed_gone(ended, stays.max(), pushed_off) {
        let changed = db
            .prepare_cached(
                "UPDATE listings SET gone_at = ?2 WHERE id = ?1 AND gone_at IS NULL AND NOT EXISTS
                    (SELECT 1 FROM sightings WHERE listing = ?1 AND ended_at IS NULL)",
            )?
            .execute(params![listing.0, ms(now)])?;
        if changed > 0 {
            gone.push(listing);
        }
    }
    Ok(gone)
}

/// Of those that left, the ones that were not pushed off: whatever stood above one that stays, and
/// of the page's end only what exceeds the number that came in.
fn believed_gone(
    mut ended: Vec<(i64, ListingId)>,
    last_that_stays: Option<i64>,
    pushed_off: usize,
) -> Vec<ListingId> {
    ended.sort_by_key(|(place, _)| std::cmp::Reverse(*place));
    let mut may_be_pushed = pushed_off;
    ended
        .into_iter()
        .filter(|(place, _)| {
            let at_the_end = last_that_stays.is_none_or(|last| *place > last);
            let pushed = at_the_end && may_be_pushed > 0;
            may_be_pushed -= usize::from(pushed);
            !pushed
        })
        .map(|(_, listing)| listing)
        .collect()
}
