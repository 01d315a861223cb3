//! What frees or ends a waiting delivery from outside: a start, the user, the network, age.
//!
//! **Promises**: found in `sending` at a start, a row is *unknown* and not failed; what may have
//! arrived is never called "not sent".

use firstknock_policy::delivery::{DeliveryState, GIVE_UP_AFTER, GaveUp, Next};
use jiff::Timestamp;
use rusqlite::params;

use crate::channels;
use crate::columns::ms;
use crate::database::Store;
use crate::error::{Result, StoreError};
use crate::outbox::{OutboxId, OutboxRow, find};
use crate::outbox_steps::{free, ids, note, set};

impl Store {
    /// At a start: what was being sent when the program ended is *unknown*. `decide` says what
    /// happens to each (`policy::delivery::after_crash`). Gives how many there were.
    ///
    /// # Errors
    /// Only if we or the disk broke.
    pub fn recover_sending(
        &mut self,
        decide: impl Fn(&OutboxRow) -> Next,
        now: Timestamp,
    ) -> Result<usize> {
        let tx = self.begin()?;
        let ids = ids(&tx, "SELECT id FROM outbox WHERE state = 'sending' AND ?1 NOT NULL", "")?;
        for id in &ids {
            let row = find(&tx, *id)?.expect("BUG: the row was just listed");
            tx.execute(
                "UPDATE outbox SET attempts = attempts + 1, unknown_tries = unknown_tries + 1
                 WHERE id = ?1",
                [id.0],
            )?;
            set(&tx, &row, &decide(&row), "cut_off", "", now)?;
        }
        tx.commit()?;
        Ok(ids.len())
    }

    /// The account works again, or the user says go: everything that was held may be sent.
    /// Gives how many there were.
    ///
    /// # Errors
    /// Only if we or the disk broke.
    pub fn release_held(&mut self, channel: &str, now: Timestamp) -> Result<usize> {
        let tx = self.begin()?;
        channels::release(&tx, channel, now)?;
        let held =
            ids(&tx, "SELECT id FROM outbox WHERE channel = ?1 AND state = 'held'", channel)?;
        free(&tx, &held, now)?;
        tx.commit()?;
        Ok(held.len())
    }

    /// The network is back: what waits for it may go at once.
    ///
    /// # Errors
    /// Only if we or the disk broke.
    pub fn network_is_back(&mut self, now: Timestamp) -> Result<usize> {
        Ok(self.db.execute(
            "UPDATE outbox SET next_at = ?1, updated_at = ?1
             WHERE state = 'retry_at' AND network_first = 1 AND next_at > ?1",
            [ms(now)],
        )?)
    }

    /// Gives up what could not be sent within 48 hours. What waits for its time (quiet hours, a
    /// digest) is not late. Gives the rows, for saying so.
    ///
    /// # Errors
    /// Only if we or the disk broke.
    pub fn give_up_old(&mut self, now: Timestamp) -> Result<Vec<OutboxId>> {
        let tx = self.begin()?;
        let long = i64::try_from(GIVE_UP_AFTER.as_millis()).unwrap_or(i64::MAX);
        let old = {
            let mut statement = tx.prepare_cached(
                "SELECT id FROM outbox WHERE state IN ('pending', 'retry_at', 'held')
                   AND coalesce(first_try_at, created_at) < ?1
                   AND NOT (state = 'pending' AND first_try_at IS NULL AND coalesce(next_at, 0) > ?1)",
            )?;
            let rows = statement.query_map([ms(now) - long], |row| Ok(OutboxId(row.get(0)?)))?;
            rows.collect::<rusqlite::Result<Vec<_>>>()?
        };
        for id in &old {
            let row = find(&tx, *id)?.expect("BUG: the row was just listed");
            let why = row.reason.clone().unwrap_or_default();
            // What may have arrived is never called "not sent".
            let next = if row.tried.is_some_and(|tried| tried.unknowns > 0) {
                Next::MaybeDelivered
            } else {
                Next::GivenUp { why: GaveUp::TooOld }
            };
            set(&tx, &row, &next, GaveUp::TooOld.code(), &why, now)?;
        }
        tx.commit()?;
        Ok(old)
    }

    /// "Send again": the same bytes with the same Message-ID, counted from anew.
    ///
    /// # Errors
    /// [`StoreError::NotFound`] if the row is not there or is being sent.
    pub fn send_again(&mut self, id: OutboxId, now: Timestamp) -> Result<()> {
        let tx = self.begin()?;
        let changed = tx.execute(
            "UPDATE outbox SET state = 'pending', attempts = 0, unknown_tries = 0, first_try_at = NULL, last_wait_ms = NULL, next_at = NULL,
                reason = NULL, done_at = NULL, created_at = ?2, updated_at = ?2
             WHERE id = ?1 AND state <> 'sending'",
            params![id.0, ms(now)],
        )?;
        if changed == 0 {
            return Err(StoreError::NotFound);
        }
        note(&tx, id, DeliveryState::Pending, Some("send_again"), None, now)?;
        tx.commit()?;
        Ok(())
    }

    /// Somebody asked for this message to be sent again.
    ///
    /// # Errors
    /// Only if we or the disk broke.
    pub fn is_sent_again(&self, id: OutboxId) -> Result<bool> {
        let mut statement = self.db.prepare_cached(
            "SELECT 1 FROM outbox_history WHERE outbox = ?1 AND reason = 'send_again'",
        )?;
        Ok(statement.exists([id.0])?)
    }
}
