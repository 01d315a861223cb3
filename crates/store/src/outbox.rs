//! The outbox: one row per finding and channel, written in the finding's transaction.
//!
//! **Promises**: what was found is delivered, or the row says why not; bytes are rendered once and
//! kept. **Leaves out**: what an attempt means for the row (`policy::delivery`), sending.

use std::time::Duration;

use firstknock_listing::{ListingId, Money, SearchId};
use firstknock_policy::delivery::{DeliveryState, Tried};
use jiff::Timestamp;
use rusqlite::{Connection, OptionalExtension, Row, params};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::columns::{Columns, ms, opt_json, opt_ms, words};
use crate::database::Store;
use crate::error::Result;

/// One message to one channel.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(transparent)]
pub struct OutboxId(pub i64);

/// What a message is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum PostKind {
    /// What one check found.
    Alert,
    /// What several checks found.
    Digest,
    /// "Send me what is there now".
    ThereNow,
    /// A search has seen nothing for hours.
    Blind,
    /// It sees again.
    Recovered,
    /// The test at the end of the set-up.
    Test,
    /// Anything else for the owner: a client at its limit, a restored backup.
    Notice,
}

/// What a listing is told for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum FindChange {
    /// Never seen before.
    New,
    /// Cheaper.
    PriceDrop,
    /// Dearer.
    PriceRise,
    /// Back.
    Relisted,
    /// It was on the page when the user asked what is there.
    ThereNow,
}

/// One listing of a message.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Find {
    /// Which.
    pub listing: ListingId,
    /// All searches that found it, the first one first.
    pub searches: Vec<SearchId>,
    /// What for.
    pub change: FindChange,
    /// The price before.
    pub was: Option<Money>,
    /// Relisted: when it had last been seen.
    pub was_at: Option<Timestamp>,
}

/// A row of the outbox.
#[derive(Debug, Clone, PartialEq)]
pub struct OutboxRow {
    /// Which.
    pub id: OutboxId,
    /// Where to.
    pub channel: String,
    /// What about.
    pub kind: PostKind,
    /// Where it stands.
    pub state: DeliveryState,
    /// The search that led to it, if one did.
    pub search: Option<SearchId>,
    /// What the listings do not say (the reason of a blind search …).
    pub payload: Option<Value>,
    /// Its listings, in the order of their ids.
    pub finds: Vec<Find>,
    /// Rendered, with the stable Message-ID; `None` until the first attempt.
    pub rendered: Option<Rendered>,
    /// Attempts so far; `None` before the first.
    pub tried: Option<Tried>,
    /// Not before then.
    pub next_at: Option<Timestamp>,
    /// The network's return may bring it forward.
    pub network_first: bool,
    /// Why it stands where it stands: a code.
    pub reason: Option<String>,
    /// The far end's own words.
    pub reply: Option<String>,
    /// When it was found.
    pub created_at: Timestamp,
    /// When it was sent, given up or called maybe delivered.
    pub done_at: Option<Timestamp>,
}

/// A message as it goes out, every time the same.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Rendered {
    /// Ours, stable.
    pub message_id: String,
    /// For the list of deliveries.
    pub subject: String,
    /// The bytes.
    pub message: Vec<u8>,
}

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
    /// One row.
    ///
    /// # Errors
    /// Only if we or the disk broke.
    pub fn delivery(&self, id: OutboxId) -> Result<Option<OutboxRow>> {
        find(&self.db, id)
    }

    /// The newest rows, newest first.
    ///
    /// # Errors
    /// Only if we or the disk broke.
    pub fn deliveries(&self, most: u32) -> Result<Vec<OutboxRow>> {
        rows(
            &self.db,
            "SELECT * FROM outbox WHERE ?1 IS NOT NULL ORDER BY id DESC LIMIT ?2",
            "",
            most,
        )
    }

    /// What a channel may send now, oldest first. Nothing while its account is held.
    ///
    /// # Errors
    /// Only if we or the disk broke.
    pub fn due(&self, channel: &str, now: Timestamp, most: u32) -> Result<Vec<OutboxRow>> {
        let mut statement = self.db.prepare_cached(
            "SELECT id FROM outbox
             WHERE channel = ?1 AND state IN ('pending', 'retry_at', 'held')
               AND (state <> 'held' OR next_at NOT NULL) AND coalesce(next_at, 0) <= ?2
               AND NOT EXISTS (SELECT 1 FROM channels c WHERE c.channel = ?1
                    AND c.held_reason NOT NULL AND (c.held_until IS NULL OR c.held_until > ?2))
             ORDER BY id LIMIT ?3",
        )?;
        let ids = statement
            .query_map(params![channel, ms(now), most], |row| Ok(OutboxId(row.get(0)?)))?
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
        Ok(next.map(crate::columns::time))
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
        for id in crate::sightings::live(&tx, search)?.into_keys() {
            listings.extend(crate::listings::find(&tx, id)?.filter(|l| !l.hidden && wanted(l)));
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

    /// How many messages a channel sent since then, for its daily cap.
    ///
    /// # Errors
    /// Only if we or the disk broke.
    pub fn sent_since(&self, channel: &str, since: Timestamp) -> Result<u32> {
        Ok(self
            .db
            .prepare_cached(
                "SELECT count(*) FROM outbox
                 WHERE done_at >= ?2 AND channel = ?1 AND state = 'sent'",
            )?
            .query_row(params![channel, ms(since)], |row| row.get(0))?)
    }
}

/// Writes a row; behind a held account it is held from the start.
pub(crate) fn insert(db: &Connection, row: &NewRow<'_>, now: Timestamp) -> Result<OutboxId> {
    let held: Option<String> = db
        .prepare_cached("SELECT held_reason FROM channels WHERE channel = ?1")?
        .query_row([row.channel], |r| r.get(0))
        .optional()?
        .flatten();
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
        opt_ms(row.not_before),
        row.joins,
        held,
        ms(now)
    ])?;
    let id = OutboxId(db.last_insert_rowid());
    crate::outbox_steps::note(db, id, state, held.as_deref(), None, now)?;
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

pub(crate) fn find(db: &Connection, id: OutboxId) -> Result<Option<OutboxRow>> {
    let row = db
        .prepare_cached("SELECT * FROM outbox WHERE id = ?1")?
        .query_row([id.0], read)
        .optional()?;
    row.map(|row| with_finds(db, row)).transpose()
}

fn rows(db: &Connection, sql: &str, first: &str, most: u32) -> Result<Vec<OutboxRow>> {
    let mut statement = db.prepare_cached(sql)?;
    let rows = statement.query_map(params![first, most], read)?;
    let rows = rows.collect::<rusqlite::Result<Vec<_>>>()?;
    rows.into_iter().map(|row| with_finds(db, row)).collect()
}

fn with_finds(db: &Connection, mut row: OutboxRow) -> Result<OutboxRow> {
    let mut statement =
        db.prepare_cached("SELECT * FROM outbox_finds WHERE outbox = ?1 ORDER BY listing, search")?;
    let lines = statement.query_map([row.id.0], |line| {
        Ok(Find {
            listing: ListingId(line.get("listing")?),
            searches: vec![SearchId(line.get("search")?)],
            change: line.word("change", FindChange::from_code)?,
            was: line.opt_json("was")?,
            was_at: line.opt_time("was_at")?,
        })
    })?;
    for line in lines {
        let line = line?;
        match row.finds.last_mut().filter(|last| last.listing == line.listing) {
            Some(last) => last.searches.extend(line.searches),
            None => row.finds.push(line),
        }
    }
    for find in &mut row.finds {
        // The one whose check it was comes first.
        find.searches.sort_by_key(|search| (Some(*search) != row.search, *search));
    }
    Ok(row)
}

fn read(row: &Row<'_>) -> rusqlite::Result<OutboxRow> {
    let message: Option<Vec<u8>> = row.get("message")?;
    let rendered = match message {
        Some(message) => Some(Rendered {
            message_id: row.get::<_, Option<String>>("message_id")?.unwrap_or_default(),
            subject: row.get::<_, Option<String>>("subject")?.unwrap_or_default(),
            message,
        }),
        None => None,
    };
    let last_wait: Option<i64> = row.get("last_wait_ms")?;
    let attempts = row.get("attempts")?;
    let unknowns = row.get("unknown_tries")?;
    let tried = row.opt_time("first_try_at")?.map(|first_tried| Tried {
        attempts,
        unknowns,
        first_tried,
        last_wait: last_wait.map(|ms| Duration::from_millis(ms.unsigned_abs())),
    });
    Ok(OutboxRow {
        id: OutboxId(row.get("id")?),
        channel: row.get("channel")?,
        kind: row.word("kind", PostKind::from_code)?,
        state: row.word("state", DeliveryState::from_code)?,
        search: row.get::<_, Option<i64>>("search")?.map(SearchId),
        payload: row.opt_json("payload")?,
        finds: Vec::new(),
        rendered,
        tried,
        next_at: row.opt_time("next_at")?,
        network_first: row.get("network_first")?,
        reason: row.get("reason")?,
        reply: row.get("reply")?,
        created_at: row.time("created_at")?,
        done_at: row.opt_time("done_at")?,
    })
}

words!(PostKind {
    Alert = "alert",
    Digest = "digest",
    ThereNow = "there_now",
    Blind = "blind",
    Recovered = "recovered",
    Test = "test",
    Notice = "notice",
});

words!(FindChange {
    New = "new",
    PriceDrop = "price_drop",
    PriceRise = "price_rise",
    Relisted = "relisted",
    ThereNow = "there_now",
});
