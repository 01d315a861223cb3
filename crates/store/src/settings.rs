//! Settings: one JSON value per key.

use jiff::Timestamp;
use rusqlite::{Connection, OptionalExtension, params};
use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::columns::{json, ms};
use crate::database::Store;
use crate::error::Result;

impl Store {
    /// The value of a key; `None` if it was never set, or is of a shape that this version does not
    /// know (said in the log; the default then holds).
    ///
    /// # Errors
    /// Only if we or the disk broke.
    pub fn setting<T: DeserializeOwned>(&self, key: &str) -> Result<Option<T>> {
        get(&self.db, key)
    }

    /// Sets a key.
    ///
    /// # Errors
    /// Only if we or the disk broke.
    pub fn set_setting<T: Serialize>(
        &mut self,
        key: &str,
        value: &T,
        now: Timestamp,
    ) -> Result<()> {
        put(&self.db, key, value, now)
    }

    /// Forgets a key.
    ///
    /// # Errors
    /// Only if we or the disk broke.
    pub fn clear_setting(&mut self, key: &str) -> Result<()> {
        self.db.execute("DELETE FROM settings WHERE key = ?1", [key])?;
        Ok(())
    }
}

pub(crate) fn get<T: DeserializeOwned>(db: &Connection, key: &str) -> Result<Option<T>> {
    let text: Option<String> = db
        .prepare_cached("SELECT value FROM settings WHERE key = ?1")?
        .query_row([key], |row| row.get(0))
        .optional()?;
    Ok(text.and_then(|text| match serde_json::from_str(&text) {
        Ok(value) => Some(value),
        Err(error) => {
            tracing::warn!(key, %error, "a setting cannot be read; its default holds");
            None
        }
    }))
}

pub(crate) fn put<T: Serialize>(
    db: &Connection,
    key: &str,
    value: &T,
    now: Timestamp,
) -> Result<()> {
    db.prepare_cached(
        "INSERT INTO settings (key, value, updated_at) VALUES (?1, ?2, ?3)
         ON CONFLICT (key) DO UPDATE SET value = ?2, updated_at = ?3",
    )?
    .execute(params![key, json(value)?, ms(now)])?;
    Ok(())
}
