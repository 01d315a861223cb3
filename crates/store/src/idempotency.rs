//! Answers to writes, so that a repeated one is not done twice; kept for a day.

use jiff::Timestamp;
use rusqlite::{OptionalExtension, params};

use crate::columns::ms;
use crate::database::Store;
use crate::error::Result;

/// What a write with a key is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Begun {
    /// Never seen: do it, then [`Store::finish_write`] or [`Store::abandon_write`].
    New,
    /// The first one is still being done (409).
    InFlight,
    /// The same key came with another body (422).
    OtherBody,
    /// Done already: this was the answer.
    Done {
        /// The status.
        status: u16,
        /// The body.
        answer: Vec<u8>,
        /// Where what it made is found.
        location: Option<String>,
    },
}

/// Fingerprint, status, answer, location.
type Kept = (Vec<u8>, Option<u16>, Option<Vec<u8>>, Option<String>);

impl Store {
    /// Takes a key of a client for a write with this fingerprint.
    ///
    /// # Errors
    /// Only if we or the disk broke.
    pub fn begin_write(
        &mut self,
        client: i64,
        key: &str,
        fingerprint: &[u8],
        now: Timestamp,
    ) -> Result<Begun> {
        let tx = self.begin()?;
        let before: Option<Kept> = tx
            .prepare_cached(
                "SELECT fingerprint, status, answer, location FROM idempotency
                 WHERE client = ?1 AND key = ?2",
            )?
            .query_row(params![client, key], |row| {
                Ok((row.get(0)?, row.get(1)?, row.get(2)?, row.get(3)?))
            })
            .optional()?;
        let begun = match before {
            None => {
                tx.prepare_cached(
                    "INSERT INTO idempotency (client, key, fingerprint, created_at)
                     VALUES (?1, ?2, ?3, ?4)",
                )?
                .execute(params![client, key, fingerprint, ms(now)])?;
                Begun::New
            }
            Some((other, ..)) if other != fingerprint => Begun::OtherBody,
            Some((_, None, ..)) => Begun::InFlight,
            Some((_, Some(status), answer, location)) => {
                Begun::Done { status, answer: answer.unwrap_or_default(), location }
            }
        };
        tx.commit()?;
        Ok(begun)
    }

    /// Keeps the answer of a write.
    ///
    /// # Errors
    /// Only if we or the disk broke.
    pub fn finish_write(
        &mut self,
        client: i64,
        key: &str,
        status: u16,
        answer: &[u8],
        location: Option<&str>,
    ) -> Result<()> {
        self.db.execute(
            "UPDATE idempotency SET status = ?3, answer = ?4, location = ?5
             WHERE client = ?1 AND key = ?2",
            params![client, key, status, answer, location],
        )?;
        Ok(())
    }

    /// Forgets a write that was not done, so that it can be tried again.
    ///
    /// # Errors
    /// Only if we or the disk broke.
    pub fn abandon_write(&mut self, client: i64, key: &str) -> Result<()> {
        self.db.execute(
            "DELETE FROM idempotency WHERE client = ?1 AND key = ?2 AND status IS NULL",
            params![client, key],
        )?;
        Ok(())
    }

    /// At a start: no write of the last run is in flight any more. Each is one transaction, so it
    /// was done whole or not at all; the client may ask again.
    ///
    /// # Errors
    /// Only if we or the disk broke.
    pub fn abandon_all_writes(&mut self) -> Result<usize> {
        Ok(self.db.execute("DELETE FROM idempotency WHERE status IS NULL", [])?)
    }
}
