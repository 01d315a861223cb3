//! How searches are added, changed and removed.
//!
//! **Promises**: at most [`MAX_ENABLED`] are enabled; an address is a search once; an edit counts
//! the revision up; a deleted search can be had back until the purge.

use std::time::Duration;

use firstknock_listing::SearchId;
use jiff::Timestamp;
use rusqlite::{Connection, OptionalExtension, named_params, params};

use crate::columns::{json, ms, opt_json};
use crate::database::Store;
use crate::error::{Result, StoreError};
use crate::searches::{
    MAX_ENABLED, MAX_INTERVAL, MIN_INTERVAL, Search, SearchWish, find, read, same_page,
};

impl Store {
    /// Adds a search at the end of the list.
    ///
    /// # Errors
    /// [`StoreError::Duplicate`], [`StoreError::TooManyEnabled`], [`StoreError::OutOfRange`].
    pub fn add_search(
        &mut self,
        wish: &SearchWish,
        enabled: bool,
        now: Timestamp,
    ) -> Result<Search> {
        check_interval(wish.interval)?;
        if let Some(twin) = self.search_with_url(&wish.url)? {
            return Err(StoreError::Duplicate { id: twin.id, name: twin.wish.name });
        }
        let tx = self.begin()?;
        if enabled {
            room_for_one_more(&tx)?;
        }
        let id = insert(&tx, wish, enabled, now)?;
        let search = find(&tx, id)?.expect("BUG: the search was just written");
        tx.commit()?;
        Ok(search)
    }

    /// Changes a search. Another address starts a new baseline and forgets what was learned about
    /// the page; everything else changes without forgetting what is known.
    ///
    /// # Errors
    /// [`StoreError::NotFound`], [`StoreError::Duplicate`], [`StoreError::OutOfRange`].
    pub fn edit_search(
        &mut self,
        id: SearchId,
        wish: &SearchWish,
        now: Timestamp,
    ) -> Result<Search> {
        check_interval(wish.interval)?;
        if let Some(twin) = self.search_with_url(&wish.url)?.filter(|twin| twin.id != id) {
            return Err(StoreError::Duplicate { id: twin.id, name: twin.wish.name });
        }
        let tx = self.begin()?;
        let before = find(&tx, id)?.ok_or(StoreError::NotFound)?;
        tx.prepare_cached(
            "UPDATE searches SET name = :name, url = :url, host = :host, interval_ms = :interval,
                muted = :muted, reader = :reader, criteria = :criteria, tell_new = :tell_new,
                tell_drops = :tell_drops, tell_relisted = :tell_relisted, quiet = :quiet,
                rhythm = :rhythm, revision = :revision, edited_at = :now
             WHERE id = :id",
        )?
        .execute(named_params! {
            ":name": wish.name,
            ":url": wish.url.as_str(),
            ":host": wish.url.host().as_str(),
            ":interval": interval_ms(wish.interval),
            ":muted": wish.muted,
            ":reader": wish.reader.code(),
            ":criteria": json(&wish.criteria)?,
            ":tell_new": wish.tell.new,
            ":tell_drops": wish.tell.price_drops,
            ":tell_relisted": wish.tell.relisted,
            ":quiet": opt_json(wish.quiet.as_ref())?,
            ":rhythm": wish.rhythm.code(),
            ":revision": before.revision.next().0,
            ":now": ms(now),
            ":id": id.0,
        })?;
        if same_page(&before.wish.url) != same_page(&wish.url) {
            forget_page(&tx, id)?;
        }
        let search = find(&tx, id)?.expect("BUG: the search was just written");
        tx.commit()?;
        Ok(search)
    }

    /// Pauses a search or lets it go on.
    ///
    /// # Errors
    /// [`StoreError::NotFound`], [`StoreError::TooManyEnabled`].
    pub fn set_enabled(&mut self, id: SearchId, enabled: bool) -> Result<()> {
        let tx = self.begin()?;
        let before = find(&tx, id)?.ok_or(StoreError::NotFound)?;
        if enabled && !before.enabled {
            room_for_one_more(&tx)?;
        }
        tx.execute("UPDATE searches SET enabled = ?2 WHERE id = ?1", params![id.0, enabled])?;
        tx.commit()?;
        Ok(())
    }

    /// Mutes a search: its finds are shown in the app only.
    ///
    /// # Errors
    /// [`StoreError::NotFound`].
    pub fn set_muted(&mut self, id: SearchId, muted: bool) -> Result<()> {
        let changed = self.db.execute(
            "UPDATE searches SET muted = ?2 WHERE id = ?1 AND deleted_at IS NULL",
            params![id.0, muted],
        )?;
        if changed == 0 { Err(StoreError::NotFound) } else { Ok(()) }
    }

    /// Puts the searches into this order; those that are not named follow as they were.
    ///
    /// # Errors
    /// Only if we or the disk broke.
    pub fn reorder_searches(&mut self, order: &[SearchId]) -> Result<()> {
        let rank = |search: &Search| order.iter().position(|id| *id == search.id);
        let mut searches = self.searches()?;
        searches.sort_by_key(|search| (rank(search).unwrap_or(usize::MAX), search.position));
        let tx = self.begin()?;
        for (position, search) in (0_i64..).zip(&searches) {
            tx.prepare_cached("UPDATE searches SET position = ?2 WHERE id = ?1")?
                .execute(params![search.id.0, position])?;
        }
        tx.commit()?;
        Ok(())
    }

    /// Deletes a search. Its host's record stays, its listings too, and until the purge
    /// [`Store::undelete_search`] has it back as it was.
    ///
    /// # Errors
    /// [`StoreError::NotFound`].
    pub fn delete_search(&mut self, id: SearchId, now: Timestamp) -> Result<()> {
        let changed = self.db.execute(
            "UPDATE searches SET deleted_at = ?2, revision = revision + 1
             WHERE id = ?1 AND deleted_at IS NULL",
            params![id.0, ms(now)],
        )?;
        if changed == 0 { Err(StoreError::NotFound) } else { Ok(()) }
    }

    /// Takes a deletion back. Where fifteen are enabled meanwhile, it comes back paused.
    ///
    /// # Errors
    /// [`StoreError::NotFound`] after the purge, [`StoreError::Duplicate`].
    pub fn undelete_search(&mut self, id: SearchId) -> Result<Search> {
        let deleted = self
            .db
            .query_row("SELECT * FROM searches WHERE id = ?1 AND deleted_at NOT NULL", [id.0], read)
            .optional()?
            .ok_or(StoreError::NotFound)?;
        if let Some(twin) = self.search_with_url(&deleted.wish.url)? {
            return Err(StoreError::Duplicate { id: twin.id, name: twin.wish.name });
        }
        let tx = self.begin()?;
        let enabled = deleted.enabled && room_for_one_more(&tx).is_ok();
        tx.execute(
            "UPDATE searches SET deleted_at = NULL, enabled = ?2 WHERE id = ?1",
            params![id.0, enabled],
        )?;
        let search = find(&tx, id)?.expect("BUG: the search was just written");
        tx.commit()?;
        Ok(search)
    }
}

pub(crate) fn insert(
    db: &Connection,
    wish: &SearchWish,
    enabled: bool,
    now: Timestamp,
) -> Result<SearchId> {
    db.prepare_cached(
        "INSERT INTO searches (name, url, host, position, interval_ms, enabled, muted, reader,
            criteria, tell_new, tell_drops, tell_relisted, quiet, rhythm, created_at, edited_at)
         VALUES (:name, :url, :host, (SELECT coalesce(max(position), -1) + 1 FROM searches),
            :interval, :enabled, :muted, :reader, :criteria, :tell_new, :tell_drops,
            :tell_relisted, :quiet, :rhythm, :now, :now)",
    )?
    .execute(named_params! {
        ":name": wish.name,
        ":url": wish.url.as_str(),
        ":host": wish.url.host().as_str(),
        ":interval": interval_ms(wish.interval),
        ":enabled": enabled,
        ":muted": wish.muted,
        ":reader": wish.reader.code(),
        ":criteria": json(&wish.criteria)?,
        ":tell_new": wish.tell.new,
        ":tell_drops": wish.tell.price_drops,
        ":tell_relisted": wish.tell.relisted,
        ":quiet": opt_json(wish.quiet.as_ref())?,
        ":rhythm": wish.rhythm.code(),
        ":now": ms(now),
    })?;
    let id = SearchId(db.last_insert_rowid());
    db.execute("INSERT INTO search_state (search) VALUES (?1)", [id.0])?;
    Ok(id)
}

/// What a new address of a search makes untrue.
fn forget_page(db: &Connection, id: SearchId) -> Result<()> {
    db.execute("DELETE FROM sightings WHERE search = ?1", [id.0])?;
    db.execute("DELETE FROM source_memory WHERE search = ?1", [id.0])?;
    db.execute("DELETE FROM search_state WHERE search = ?1", [id.0])?;
    db.execute("INSERT INTO search_state (search) VALUES (?1)", [id.0])?;
    Ok(())
}

fn room_for_one_more(db: &Connection) -> Result<()> {
    let enabled: i64 = db.query_row(
        "SELECT count(*) FROM searches WHERE enabled = 1 AND deleted_at IS NULL",
        [],
        |row| row.get(0),
    )?;
    if usize::try_from(enabled).is_ok_and(|n| n < MAX_ENABLED) {
        Ok(())
    } else {
        Err(StoreError::TooManyEnabled { max: MAX_ENABLED })
    }
}

fn check_interval(interval: Duration) -> Result<()> {
    if (MIN_INTERVAL..=MAX_INTERVAL).contains(&interval) {
        Ok(())
    } else {
        Err(StoreError::OutOfRange {
            field: "interval_ms",
            min: interval_ms(MIN_INTERVAL),
            max: interval_ms(MAX_INTERVAL),
        })
    }
}

fn interval_ms(interval: Duration) -> i64 {
    i64::try_from(interval.as_millis()).unwrap_or(i64::MAX)
}
