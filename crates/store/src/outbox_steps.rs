//! From one state of a delivery to the next, each with a line of history.
//!
//! **Promises**: `sending` is on the disk before anything is sent; a held account holds all its
//! messages, and the first that passes lets all pass.
//! **Leaves out**: what an attempt means (`policy::delivery::next`), what
//! frees or ends a row from outside (`outbox_recovery`).

use firstknock_policy::delivery::{Attempt, DeliveryState, Hold, Next, NotSent};
use jiff::Timestamp;
use rusqlite::{Connection, params};

use crate::channels;
use crate::columns::{Columns, ms, opt_ms};
use crate::database::Store;
use crate::error::{Result, StoreError};
use crate::outbox::{OutboxId, OutboxRow, Rendered, find};

/// One step of a delivery.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OutboxStep {
    /// When.
    pub at: Timestamp,
    /// The state from then on.
    pub state: DeliveryState,
    /// Why: a code.
    pub reason: Option<String>,
    /// The far end's own words.
    pub reply: Option<String>,
}

impl Store {
    /// Marks a row as being sent, keeping its bytes if they were rendered just now. Gives the
    /// bytes that are to be sent: those that were kept first, whatever was rendered since.
    ///
    /// # Errors
    /// [`StoreError::NotFound`] if the row is not waiting (any more): then it must not be sent.
    pub fn begin_sending(
        &mut self,
        id: OutboxId,
        rendered: Option<&Rendered>,
        now: Timestamp,
    ) -> Result<Rendered> {
        let tx = self.begin()?;
        let row = find(&tx, id)?.ok_or(StoreError::NotFound)?;
        let waits = matches!(
            row.state,
            DeliveryState::Pending | DeliveryState::RetryAt | DeliveryState::Held
        );
        if !waits {
            return Err(StoreError::NotFound);
        }
        let kept = row.rendered.as_ref().or(rendered).cloned().ok_or(StoreError::NotFound)?;
        tx.prepare_cached(
            "UPDATE outbox SET state = 'sending', message_id = ?2, subject = ?3, message = ?4,
                first_try_at = coalesce(first_try_at, ?5), updated_at = ?5 WHERE id = ?1",
        )?
        .execute(params![id.0, kept.message_id, kept.subject, kept.message, ms(now)])?;
        note(&tx, id, DeliveryState::Sending, None, None, now)?;
        tx.commit()?;
        Ok(kept)
    }

    /// Writes what an attempt came to and what happens next.
    ///
    /// # Errors
    /// [`StoreError::NotFound`] if the row is not there.
    pub fn end_sending(
        &mut self,
        id: OutboxId,
        attempt: &Attempt,
        next: &Next,
        now: Timestamp,
    ) -> Result<()> {
        let tx = self.begin()?;
        let row = find(&tx, id)?.ok_or(StoreError::NotFound)?;
        let reached_out = !matches!(
            attempt,
            Attempt::CircuitOpen { .. }
                | Attempt::AccountHeld { hold: Hold::SecretsLocked | Hold::SecretMissing, .. }
                | Attempt::NotSent { reason: NotSent::Offline, .. }
        );
        let unknown = matches!(attempt, Attempt::Unknown { .. });
        tx.prepare_cached(
            "UPDATE outbox SET attempts = attempts + ?2, unknown_tries = unknown_tries + ?3
             WHERE id = ?1",
        )?
        .execute(params![id.0, reached_out, unknown])?;
        let reason = reason_of(attempt, next);
        set(&tx, &row, next, &reason, attempt.words(), now)?;
        match next {
            Next::Sent => {
                channels::sent(&tx, &row.channel, now)?;
                let held = ids(
                    &tx,
                    "SELECT id FROM outbox WHERE channel = ?1 AND state = 'held'",
                    &row.channel,
                )?;
                free(&tx, &held, now)?;
            }
            Next::Held { hold, until } => {
                channels::hold(&tx, &row.channel, *hold, *until, attempt.words(), now)?;
                hold_all(&tx, &row.channel, *hold, *until, now)?;
            }
            Next::RetryAt { .. } | Next::MaybeDelivered | Next::GivenUp { .. } => {}
        }
        tx.commit()?;
        Ok(())
    }

    /// All steps of a row, oldest first.
    ///
    /// # Errors
    /// Only if we or the disk broke.
    pub fn delivery_steps(&self, id: OutboxId) -> Result<Vec<OutboxStep>> {
        let mut statement =
            self.db.prepare_cached("SELECT * FROM outbox_history WHERE outbox = ?1 ORDER BY id")?;
        let rows = statement.query_map([id.0], |row| {
            Ok(OutboxStep {
                at: row.time("at")?,
                state: row.word("state", DeliveryState::from_code)?,
                reason: row.get("reason")?,
                reply: row.get("reply")?,
            })
        })?;
        Ok(rows.collect::<rusqlite::Result<_>>()?)
    }
}

/// Writes the state that follows, and its line of history.
pub(crate) fn set(
    db: &Connection,
    row: &OutboxRow,
    next: &Next,
    reason: &str,
    reply: &str,
    now: Timestamp,
) -> Result<()> {
    let state = next.state();
    let (wait, network_first) = match next {
        Next::RetryAt { wait, network_first, .. } => {
            (i64::try_from(wait.as_millis()).ok(), *network_first)
        }
        _ => (None, false),
    };
    let done_at = state.is_final().then_some(now);
    let reply = Some(reply).filter(|reply| !reply.is_empty());
    db.prepare_cached(
        "UPDATE outbox SET state = ?2, next_at = ?3, last_wait_ms = coalesce(?4, last_wait_ms),
            network_first = ?5, reason = ?6, reply = coalesce(?7, reply), done_at = ?8,
            updated_at = ?9 WHERE id = ?1",
    )?
    .execute(params![
        row.id.0,
        state.code(),
        opt_ms(next.at()),
        wait,
        network_first,
        reason,
        reply,
        opt_ms(done_at),
        ms(now)
    ])?;
    note(db, row.id, state, Some(reason), reply, now)
}

pub(crate) fn note(
    db: &Connection,
    id: OutboxId,
    state: DeliveryState,
    reason: Option<&str>,
    reply: Option<&str>,
    now: Timestamp,
) -> Result<()> {
    db.prepare_cached(
        "INSERT INTO outbox_history (outbox, at, state, reason, reply) VALUES (?1, ?2, ?3, ?4, ?5)",
    )?
    .execute(params![id.0, ms(now), state.code(), reason, reply])?;
    Ok(())
}

/// The other messages of a held account wait with the one that found out. Those with a time of
/// their own keep it: nothing of a held account is due anyway.
fn hold_all(
    db: &Connection,
    channel: &str,
    hold: Hold,
    until: Option<Timestamp>,
    now: Timestamp,
) -> Result<()> {
    db.prepare_cached(
        "UPDATE outbox SET state = 'held', reason = ?2, updated_at = ?4,
            next_at = CASE WHEN joins = 1 THEN next_at WHEN ?3 IS NULL THEN NULL
                ELSE max(coalesce(next_at, 0), ?3) END
         WHERE channel = ?1 AND (state = 'retry_at' OR (state = 'pending' AND coalesce(next_at, 0) <= ?4))",
    )?
    .execute(params![channel, hold.code(), opt_ms(until), ms(now)])?;
    Ok(())
}

/// What was held may be sent; what has a time of its own (quiet hours, a digest) at that time.
pub(crate) fn free(db: &Connection, held: &[OutboxId], now: Timestamp) -> Result<()> {
    for id in held {
        db.prepare_cached(
            "UPDATE outbox SET reason = NULL, updated_at = ?2,
                next_at = CASE WHEN first_try_at IS NULL AND joins = 1 THEN next_at END,
                state = CASE WHEN first_try_at IS NULL THEN 'pending' ELSE 'retry_at' END
             WHERE id = ?1",
        )?
        .execute(params![id.0, ms(now)])?;
        note(db, *id, DeliveryState::Pending, Some("released"), None, now)?;
    }
    Ok(())
}

pub(crate) fn give_up_channel(db: &Connection, channel: &str, now: Timestamp) -> Result<()> {
    let open = ids(
        db,
        "SELECT id FROM outbox WHERE channel = ?1 AND state IN ('pending', 'retry_at', 'held')",
        channel,
    )?;
    for id in open {
        db.execute(
            "UPDATE outbox SET state = 'given_up', reason = 'channel_removed', done_at = ?2,
                updated_at = ?2 WHERE id = ?1",
            params![id.0, ms(now)],
        )?;
        note(db, id, DeliveryState::GivenUp, Some("channel_removed"), None, now)?;
    }
    Ok(())
}

/// The most telling code: why it is held or given up, else why it was not sent.
fn reason_of(attempt: &Attempt, next: &Next) -> String {
    let code = match (next, attempt) {
        (Next::Held { hold, .. }, _) => hold.code(),
        (Next::GivenUp { why }, _) => why.code(),
        (_, Attempt::NotSent { reason, .. }) => reason.code(),
        _ => attempt.code(),
    };
    code.to_owned()
}

pub(crate) fn ids(db: &Connection, sql: &str, channel: &str) -> Result<Vec<OutboxId>> {
    let mut statement = db.prepare_cached(sql)?;
    let rows = statement.query_map([channel], |row| Ok(OutboxId(row.get(0)?)))?;
    Ok(rows.collect::<rusqlite::Result<_>>()?)
}
