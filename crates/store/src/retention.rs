//! What is forgotten, and when: checks after 30 days, deliveries after 90, listings never.

use jiff::Timestamp;
use rusqlite::params;

use crate::columns::ms;
use crate::database::Store;
use crate::error::Result;

const HOUR_MS: i64 = 60 * 60 * 1000;
const DAY_MS: i64 = 24 * HOUR_MS;

/// How many rows a purge removed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Purged {
    /// Checks over 30 days old.
    pub checks: usize,
    /// Deliveries that ended over 90 days ago.
    pub deliveries: usize,
    /// Events over 30 days old.
    pub events: usize,
    /// Answers to writes over a day old.
    pub answers: usize,
    /// Searches deleted over an hour ago, for good now.
    pub searches: usize,
}

impl Store {
    /// Forgets what is old enough.
    ///
    /// # Errors
    /// Only if we or the disk broke.
    pub fn purge(&mut self, now: Timestamp) -> Result<Purged> {
        let now = ms(now);
        let tx = self.begin()?;
        let delete = |sql: &str, age_ms: i64| tx.execute(sql, params![now - age_ms]);
        let purged = Purged {
            // One that is still open is under way, however far the clock jumped since.
            checks: delete(
                "DELETE FROM checks WHERE started_at < ?1 AND finished_at NOT NULL",
                30 * DAY_MS,
            )?,
            deliveries: delete("DELETE FROM outbox WHERE done_at < ?1", 90 * DAY_MS)?,
            events: delete("DELETE FROM events WHERE at < ?1", 30 * DAY_MS)?,
            answers: delete("DELETE FROM idempotency WHERE created_at < ?1", DAY_MS)?,
            searches: delete("DELETE FROM searches WHERE deleted_at < ?1", HOUR_MS)?,
        };
        tx.commit()?;
        Ok(purged)
    }
}
