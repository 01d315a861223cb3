//! A row of the outbox: one message to one channel, and what it tells of.
//!
//! **Leaves out**: how rows are written and wait (`outbox_queue`), how they are sent
//! (`outbox_steps`), what an attempt means (`policy::delivery`).

use std::time::Duration;

use firstknock_listing::{ListingId, Money, SearchId};
use firstknock_policy::delivery::{DeliveryState, Tried};
use jiff::Timestamp;
use rusqlite::{Connection, OptionalExtension, Row, params};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::columns::{Columns, words};
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
    /// The last answer that did not have it yet.
    pub unseen_at: Option<Timestamp>,
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
    /// Its listings, the newest first.
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
    let mut statement = db.prepare_cached(
        "SELECT * FROM outbox_finds WHERE outbox = ?1 ORDER BY listing DESC, search",
    )?;
    let lines = statement.query_map([row.id.0], |line| {
        Ok(Find {
            listing: ListingId(line.get("listing")?),
            searches: vec![SearchId(line.get("search")?)],
            change: line.word("change", FindChange::from_code)?,
            was: line.opt_json("was")?,
            was_at: line.opt_time("was_at")?,
            unseen_at: line.opt_time("unseen_at")?,
        })
    })?;
    for line in lines {
        let line = line?;
        match row.finds.last_mut().filter(|last| last.listing == line.listing) {
            Some(last) => {
                last.searches.extend(line.searches);
                last.unseen_at = last.unseen_at.max(line.unseen_at);
            }
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
