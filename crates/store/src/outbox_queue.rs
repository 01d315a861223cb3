//! How messages get into the outbox and wait there.
//!
//! **Promises**: a row is written in the transaction of what it tells; a held account's messages
//! wait with it; nothing is due before its time. **Leaves out**: sending (`outbox_steps`).

use std::collections::BTreeSet;

use firstknock_listing::{ListingId, Money, SearchId};
use firstknock_policy::delivery::DeliveryState;
use jiff::Timestamp;
use rusqlite::{Connection, OptionalExtension, params};
use serde_json::Value;

use crate::columns::{ms, opt_json, opt_ms, time};
use crate::database::Store;
use crate::error::Result;
use crate::outbox::{FindChange, OutboxId, OutboxRow, PostKind, find};
use crate::{listings, outbox_steps, sightings};

/// A row that was written so long after now was put off by a clock that was set back since.
const SET_BACK_MS: i64 = 60_000;
/// The same for what waits for a time of day: an hour more or less changes nothing there.
const SET_BACK_A_DAY_MS: i64 = 24 * 3_600_000;

/// A row to write.
pub(crate) struct NewRow<'a> {
    pub(crate) channel: &'a str,
    pub(crate) kind: PostKind,
    pub(crate) search: Option<SearchId>,
    pub(crate) payload: Option<&'a Value>,
    pub(crate) not_before: Option<Timestamp>,
    pub(crate) joins: bool,
}

/// A line of a row to write.
pub(crate) struct NewFind<'a> {
    pub(crate) listing: ListingId,
    pub(crate) search: SearchId,
    pub(crate) change: FindChange,
    pub(crate) was: Option<&'a Money>,
    pub(crate) was_at: Option<Timestamp>,
    pub(crate) unseen_at: Option<Timestamp>,
}

impl Store {
    /// What a channel may send now, oldest first. Nothing while its account is held. What was put
    /// off by a clock that was set back since waits no longer.
    ///
    /// # Errors
    /// Only if we or the disk broke.
    pub fn due(&self, channel: &str, now: Timestamp, most: u32) -> Result<Vec<OutboxRow>> {
        let mut statement = self.db.prepare_cached(
            "SELECT id FROM outbox
             WHERE channel = ?1 AND state IN ('pending', 'retry_at', 'held')
               AND (state <> 'held' OR next_at NOT NULL)
               AND (coalesce(next_at, 0) <= ?2
                    OR updated_at > ?2 + CASE state WHEN 'pending' THEN ?5 ELSE ?4 END)
               AND NOT EXISTS (SELECT 1 FROM channels c WHERE c.channel = ?1
                    AND c.held_reason NOT NULL AND (c.held_until IS NULL
                        OR (c.held_until > ?2 AND c.updated_at <= ?2 + ?4)))
             ORDER BY id LIMIT ?3",
        )?;
        let ids = statement
            .query_map(params![channel, ms(now), most, SET_BACK_MS, SET_BACK_A_DAY_MS], |row| {
                Ok(OutboxId(row.get(0)?))
            })?
            .collect::<rusqlite::Result<Vec<_>>>()?;
        ids.into_iter().filter_map(|id| find(&self.db, id).transpose()).collect()
    }

    /// When a channel has something to send next; `None` if nothing is waiting for a time.
    ///
    /// # Errors
    /// Only if we or the disk broke.
    pub fn next_delivery(&self, channel: &str) -> Result<Option<Timestamp>> {
        let next: Option<i64> = self
            .db
            .prepare_cached(
                "SELECT min(max(coalesce(o.next_at, 0), coalesce(c.held_until, 0)))
             FROM outbox o LEFT JOIN channels c ON c.channel = o.channel
             WHERE o.channel = ?1 AND o.state IN ('pending', 'retry_at', 'held')
               AND (o.state <> 'held' OR o.next_at NOT NULL)
               AND (c.held_reason IS NULL OR c.held_until NOT NULL)",
            )?
            .query_row([channel], |row| row.get(0))?;
        Ok(next.map(time))
    }

    /// Writes a message without listings: a test, a notice.
    ///
    /// # Errors
    /// Only if we or the disk broke.
    pub fn post(
        &mut self,
        channel: &str,
        kind: PostKind,
        search: Option<SearchId>,
        payload: Option<&Value>,
        now: Timestamp,
    ) -> Result<OutboxId> {
        let tx = self.begin()?;
        let row = NewRow { channel, kind, search, payload, not_before: None, joins: false };
        let id = insert(&tx, &row, now)?;
        tx.commit()?;
        Ok(id)
    }

    /// "Send me what is there now": all that the search has on its page and its user did not hide,
    /// one row per channel. `None` if there is nothing.
    ///
    /// # Errors
    /// Only if we or the disk broke.
    pub fn send_current(
        &mut self,
        search: SearchId,
        channels: &[String],
        wanted: impl Fn(&crate::StoredListing) -> bool,
        now: Timestamp,
    ) -> Result<Vec<OutboxId>> {
        let tx = self.begin()?;
        let mut listings = Vec::new();
        for id in sightings::live(&tx, search)?.into_keys() {
            listings.extend(listings::find(&tx, id)?.filter(|l| !l.hidden && wanted(l)));
        }
        let mut posted = Vec::new();
        for channel in channels.iter().filter(|_| !listings.is_empty()) {
            let row = NewRow {
                channel,
                kind: PostKind::ThereNow,
                search: Some(search),
                payload: None,
                not_before: None,
                joins: false,
            };
            let id = insert(&tx, &row, now)?;
            for listing in &listings {
                let line = NewFind {
                    listing: listing.id,
                    search,
                    change: FindChange::ThereNow,
                    was: None,
                    was_at: None,
                    unseen_at: None,
                };
                add_find(&tx, id, &line)?;
            }
            posted.push(id);
        }
        tx.commit()?;
        Ok(posted)
    }

    /// When a channel sent its messages since then, for its daily cap; oldest first.
    ///
    /// # Errors
    /// Only if we or the disk broke.
    pub fn sent_since(&self, channel: &str, since: Timestamp) -> Result<Vec<Timestamp>> {
        let mut statement = self.db.prepare_cached(
            "SELECT done_at FROM outbox
             WHERE done_at >= ?2 AND channel = ?1 AND state = 'sent' ORDER BY done_at",
        )?;
        let rows = statement.query_map(params![channel, ms(since)], |row| Ok(time(row.get(0)?)))?;
        Ok(rows.collect::<rusqlite::Result<_>>()?)
    }

    /// A channel's messages that could still become part of a digest, oldest first: they tell of
    /// listings and were never rendered.
    ///
    /// # Errors
    /// Only if we or the disk broke.
    pub fn unrendered(&self, channel: &str) -> Result<Vec<OutboxRow>> {
        let mut statement = self.db.prepare_cached(
            "SELECT id FROM outbox WHERE channel = ?1 AND state IN ('pending', 'held')
               AND kind IN ('alert', 'digest') AND message IS NULL ORDER BY id",
        )?;
        let ids = statement
            .query_map([channel], |row| Ok(OutboxId(row.get(0)?)))?
            .collect::<rusqlite::Result<Vec<_>>>()?;
        ids.into_iter().filter_map(|id| find(&self.db, id).transpose()).collect()
    }

    /// Nothing of a message that is due goes out before `until`.
    ///
    /// # Errors
    /// Only if we or the disk broke.
    pub fn put_off(&mut self, id: OutboxId, until: Timestamp, now: Timestamp) -> Result<()> {
        self.db.execute(
            "UPDATE outbox SET next_at = ?2, updated_at = ?3
             WHERE id = ?1 AND state IN ('pending', 'retry_at', 'held')",
            params![id.0, ms(until), ms(now)],
        )?;
        Ok(())
    }

    /// Makes one digest of messages that wait unrendered: after a long pause, or beyond the day's
    /// cap (hestia's "massive update"). `None` if none of them still can be; one alone becomes a
    /// digest only if it has to wait.
    ///
    /// # Errors
    /// Only if we or the disk broke.
    pub fn fold_into_digest(
        &mut self,
        channel: &str,
        ids: &[OutboxId],
        payload: Option<&Value>,
        not_before: Option<Timestamp>,
        now: Timestamp,
    ) -> Result<Option<OutboxId>> {
        let tx = self.begin()?;
        let mut waiting = Vec::new();
        let ids: BTreeSet<_> = ids.iter().collect();
        for id in ids {
            waiting.extend(
                find(&tx, *id)?.filter(|row| row.channel == channel && row.may_be_folded()),
            );
        }
        if waiting.len() < 2 && (waiting.is_empty() || not_before.is_none()) {
            return Ok(None);
        }
        let first = &waiting[0];
        let one_search = waiting.iter().all(|row| row.search == first.search);
        let digest = NewRow {
            channel,
            kind: PostKind::Digest,
            search: first.search.filter(|_| one_search),
            payload,
            not_before,
            joins: false,
        };
        let id = insert(&tx, &digest, now)?;
        // The 48 hours count from the first finding, not from the folding.
        let oldest = waiting.iter().map(|row| row.created_at).min().unwrap_or(now);
        tx.execute("UPDATE outbox SET created_at = ?2 WHERE id = ?1", params![id.0, ms(oldest)])?;
        for row in &waiting {
            tx.prepare_cached("UPDATE OR IGNORE outbox_finds SET outbox = ?2 WHERE outbox = ?1")?
                .execute(params![row.id.0, id.0])?;
            tx.prepare_cached("DELETE FROM outbox WHERE id = ?1")?.execute([row.id.0])?;
        }
        tx.commit()?;
        Ok(Some(id))
    }
}

impl OutboxRow {
    /// It tells of listings and nothing of it was rendered or tried yet.
    fn may_be_folded(&self) -> bool {
        matches!(self.state, DeliveryState::Pending | DeliveryState::Held)
            && matches!(self.kind, PostKind::Alert | PostKind::Digest)
            && self.rendered.is_none()
    }
}

/// Writes a row; behind a held account it is held from the start.
pub(crate) fn insert(db: &Connection, row: &NewRow<'_>, now: Timestamp) -> Result<OutboxId> {
    let held: Option<(String, Option<i64>)> = db
        .prepare_cached(
            "SELECT held_reason, held_until FROM channels
             WHERE channel = ?1 AND held_reason NOT NULL",
        )?
        .query_row([row.channel], |r| Ok((r.get(0)?, r.get(1)?)))
        .optional()?;
    let until = held.as_ref().and_then(|(_, until)| *until);
    let next_at = opt_ms(row.not_before).or(until);
    let held = held.map(|(reason, _)| reason);
    let state = if held.is_some() { DeliveryState::Held } else { DeliveryState::Pending };
    db.prepare_cached(
        "INSERT INTO outbox (channel, kind, state, search, payload, next_at, joins, reason,
            created_at, updated_at)
         VALUES (?1, ?2, ?3, (SELECT id FROM searches WHERE id = ?4), ?5, ?6, ?7, ?8, ?9, ?9)",
    )?
    .execute(params![
        row.channel,
        row.kind.code(),
        state.code(),
        row.search.map(|id| id.0),
        opt_json(row.payload)?,
        next_at,
        row.joins,
        held,
        ms(now)
    ])?;
    let id = OutboxId(db.last_insert_rowid());
    outbox_steps::note(db, id, state, held.as_deref(), None, now)?;
    Ok(id)
}

pub(crate) fn add_find(db: &Connection, id: OutboxId, line: &NewFind<'_>) -> Result<()> {
    db.prepare_cached(
        "INSERT INTO outbox_finds (outbox, listing, search, change, was, was_at, unseen_at)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7) ON CONFLICT DO NOTHING",
    )?
    .execute(params![
        id.0,
        line.listing.0,
        line.search.0,
        line.change.code(),
        opt_json(line.was)?,
        opt_ms(line.was_at),
        opt_ms(line.unseen_at)
    ])?;
    Ok(())
}

/// The row that later finds of this search may still be added to.
pub(crate) fn joinable(
    db: &Connection,
    channel: &str,
    kind: PostKind,
    search: SearchId,
) -> Result<Option<OutboxId>> {
    Ok(db
        .prepare_cached(
            "SELECT id FROM outbox WHERE channel = ?1 AND state IN ('pending', 'held')
               AND kind = ?2 AND search = ?3 AND joins = 1 AND message IS NULL",
        )?
        .query_row(params![channel, kind.code(), search.0], |row| Ok(OutboxId(row.get(0)?)))
        .optional()?)
}

/// A message that more is added to waits no longer than what is added: quiet hours may have been
/// shortened meanwhile, or the clock set back.
pub(crate) fn no_later_than(db: &Connection, id: OutboxId, time: Option<Timestamp>) -> Result<()> {
    db.prepare_cached(
        "UPDATE outbox SET next_at = min(next_at, ?2) WHERE id = ?1 AND ?2 NOT NULL",
    )?
    .execute(params![id.0, time.map(ms)])?;
    Ok(())
}

/// Names another search in every alert of this listing that was not rendered yet.
pub(crate) fn also_found_by(db: &Connection, listing: ListingId, search: SearchId) -> Result<()> {
    db.prepare_cached(
        "INSERT INTO outbox_finds (outbox, listing, search, change, was, was_at)
         SELECT f.outbox, f.listing, ?2, f.change, f.was, f.was_at
         FROM outbox_finds f JOIN outbox o ON o.id = f.outbox
         WHERE f.listing = ?1 AND o.state IN ('pending', 'held') AND o.message IS NULL
           AND f.change <> 'there_now'
         GROUP BY f.outbox
         ON CONFLICT DO NOTHING",
    )?
    .execute(params![listing.0, search.0])?;
    Ok(())
}

/// The rows of a channel that tell of a listing and wait for a time that somebody chose.
const WAITING_FOR_ITS_TIME: &str =
    "SELECT o.id FROM outbox o JOIN outbox_finds f ON f.outbox = o.id
     WHERE f.listing = ?1 AND o.channel = ?2 AND o.state = 'pending' AND o.joins = 1
       AND o.message IS NULL AND o.next_at > ?3";

/// Whether a listing's alert waits for the end of quiet hours or for a digest.
pub(crate) fn waits_for_its_time(
    db: &Connection,
    listing: ListingId,
    channel: &str,
    now: Timestamp,
) -> Result<bool> {
    Ok(db.prepare_cached(WAITING_FOR_ITS_TIME)?.exists(params![listing.0, channel, ms(now)])?)
}

/// Moves a listing out of the messages that wait for their time into one that does not.
pub(crate) fn bring_forward(
    db: &Connection,
    listing: ListingId,
    channel: &str,
    into: OutboxId,
    now: Timestamp,
) -> Result<()> {
    let mut statement = db.prepare_cached(WAITING_FOR_ITS_TIME)?;
    let waiting = statement
        .query_map(params![listing.0, channel, ms(now)], |row| Ok(OutboxId(row.get(0)?)))?
        .collect::<rusqlite::Result<Vec<_>>>()?;
    for id in waiting {
        db.prepare_cached(
            "UPDATE OR REPLACE outbox_finds SET outbox = ?3 WHERE outbox = ?1 AND listing = ?2",
        )?
        .execute(params![id.0, listing.0, into.0])?;
        db.prepare_cached(
            "DELETE FROM outbox WHERE id = ?1
               AND NOT EXISTS (SELECT 1 FROM outbox_finds WHERE outbox = ?1)",
        )?
        .execute([id.0])?;
    }
    Ok(())
}
