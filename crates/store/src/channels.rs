//! Where messages go, and whether the account behind a channel can send. Secrets are elsewhere.

use firstknock_policy::delivery::Hold;
use jiff::Timestamp;
use rusqlite::{Connection, OptionalExtension, Row, params};
use serde_json::Value;

use crate::columns::{Columns, json, ms, opt_ms};
use crate::database::Store;
use crate::error::Result;

/// One channel. Two recipients of the same kind are two channels, so that one cannot hold the
/// other (changedetection.io#2104).
#[derive(Debug, Clone, PartialEq)]
pub struct Channel {
    /// Its name: `mail`, `desktop`, `ntfy`, `mail-2` …
    pub channel: String,
    /// What delivers it: `smtp`, `file`, `desktop`, `ntfy`, `telegram`, `webhook`.
    pub kind: String,
    /// Switched off channels get no new rows.
    pub enabled: bool,
    /// Its configuration, without secrets.
    pub config: Value,
    /// The account cannot send, and why.
    pub held: Option<Hold>,
    /// When it is tried again by itself.
    pub held_until: Option<Timestamp>,
    /// The server's own words about it.
    pub held_reply: Option<String>,
    /// When it last took something.
    pub last_sent_at: Option<Timestamp>,
}

impl Store {
    /// All channels.
    ///
    /// # Errors
    /// Only if we or the disk broke.
    pub fn channels(&self) -> Result<Vec<Channel>> {
        let mut statement = self.db.prepare_cached("SELECT * FROM channels ORDER BY channel")?;
        let rows = statement.query_map([], read)?;
        Ok(rows.collect::<rusqlite::Result<_>>()?)
    }

    /// One channel.
    ///
    /// # Errors
    /// Only if we or the disk broke.
    pub fn channel(&self, channel: &str) -> Result<Option<Channel>> {
        Ok(self
            .db
            .prepare_cached("SELECT * FROM channels WHERE channel = ?1")?
            .query_row([channel], read)
            .optional()?)
    }

    /// Adds a channel or changes its set-up; whether it is held stays as it is.
    ///
    /// # Errors
    /// Only if we or the disk broke.
    pub fn put_channel(
        &mut self,
        channel: &str,
        kind: &str,
        enabled: bool,
        config: &Value,
        now: Timestamp,
    ) -> Result<()> {
        self.db.execute(
            "INSERT INTO channels (channel, kind, enabled, config, updated_at)
             VALUES (?1, ?2, ?3, ?4, ?5)
             ON CONFLICT (channel) DO UPDATE SET kind = ?2, enabled = ?3, config = ?4, updated_at = ?5",
            params![channel, kind, enabled, json(config)?, ms(now)],
        )?;
        Ok(())
    }

    /// Removes a channel. What it has not delivered is given up, and says so.
    ///
    /// # Errors
    /// Only if we or the disk broke.
    pub fn remove_channel(&mut self, channel: &str, now: Timestamp) -> Result<()> {
        let tx = self.begin()?;
        crate::outbox_steps::give_up_channel(&tx, channel, now)?;
        tx.execute("DELETE FROM channels WHERE channel = ?1", [channel])?;
        tx.commit()?;
        Ok(())
    }
}

pub(crate) fn hold(
    db: &Connection,
    channel: &str,
    why: Hold,
    until: Option<Timestamp>,
    reply: &str,
    now: Timestamp,
) -> Result<()> {
    db.prepare_cached(
        "INSERT INTO channels (channel, kind, held_reason, held_until, held_reply, updated_at)
         VALUES (?1, ?1, ?2, ?3, ?4, ?5)
         ON CONFLICT (channel) DO UPDATE SET held_reason = ?2, held_until = ?3, held_reply = ?4,
            updated_at = ?5",
    )?
    .execute(params![channel, why.code(), opt_ms(until), reply, ms(now)])?;
    Ok(())
}

pub(crate) fn release(db: &Connection, channel: &str, now: Timestamp) -> Result<()> {
    db.prepare_cached(
        "UPDATE channels SET held_reason = NULL, held_until = NULL, held_reply = NULL,
            updated_at = ?2 WHERE channel = ?1",
    )?
    .execute(params![channel, ms(now)])?;
    Ok(())
}

pub(crate) fn sent(db: &Connection, channel: &str, now: Timestamp) -> Result<()> {
    db.prepare_cached(
        "UPDATE channels SET held_reason = NULL, held_until = NULL, held_reply = NULL,
            last_sent_at = ?2 WHERE channel = ?1",
    )?
    .execute(params![channel, ms(now)])?;
    Ok(())
}

fn read(row: &Row<'_>) -> rusqlite::Result<Channel> {
    Ok(Channel {
        channel: row.get("channel")?,
        kind: row.get("kind")?,
        enabled: row.get("enabled")?,
        config: row.json("config")?,
        held: row.opt_word("held_reason", Hold::from_code)?,
        held_until: row.opt_time("held_until")?,
        held_reply: row.get("held_reply")?,
        last_sent_at: row.opt_time("last_sent_at")?,
    })
}
