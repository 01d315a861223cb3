//! Who may call the local API: token, scope, budget, offences.
//!
//! **Promises**: budgets and lockouts survive a restart; tokens are stored hashed only. **Leaves
//! out**: the arithmetic of budgets (`policy`), comparing tokens.

use jiff::Timestamp;
use rusqlite::{OptionalExtension, Row, params};
use serde_json::Value;

use crate::columns::{Columns, ms, opt_json};
use crate::database::Store;
use crate::error::{Result, StoreError};

/// A client of the local API.
#[derive(Clone, PartialEq)]
pub struct Client {
    /// Ours; never used again.
    pub id: i64,
    /// What the owner calls it.
    pub name: String,
    /// SHA-256 of its token.
    pub token_hash: [u8; 32],
    /// May change things, not only look.
    pub can_write: bool,
    /// Cost units per minute.
    pub per_minute: u32,
    /// Cost units per day.
    pub per_day: u32,
    /// What is spent: the policy's JSON.
    pub budget: Option<Value>,
    /// Its offences: the policy's JSON.
    pub lockout: Option<Value>,
    /// When it was made.
    pub created_at: Timestamp,
    /// When it last called.
    pub used_at: Option<Timestamp>,
    /// Its token is no longer good since then.
    pub revoked_at: Option<Timestamp>,
    /// When the owner last let it in again: a lock and what was spent up to then do not count.
    pub let_in_at: Option<Timestamp>,
}

impl Store {
    /// All clients, revoked ones too.
    ///
    /// # Errors
    /// Only if we or the disk broke.
    pub fn clients(&self) -> Result<Vec<Client>> {
        let mut statement = self.db.prepare_cached("SELECT * FROM clients ORDER BY id")?;
        let rows = statement.query_map([], read)?;
        Ok(rows.collect::<rusqlite::Result<_>>()?)
    }

    /// One client.
    ///
    /// # Errors
    /// Only if we or the disk broke.
    pub fn client(&self, id: i64) -> Result<Option<Client>> {
        let mut statement = self.db.prepare_cached("SELECT * FROM clients WHERE id = ?1")?;
        Ok(statement.query_row([id], read).optional()?)
    }

    /// Adds a client and gives its id.
    ///
    /// # Errors
    /// Only if we or the disk broke.
    pub fn add_client(
        &mut self,
        name: &str,
        token_hash: &[u8; 32],
        can_write: bool,
        budget: (u32, u32),
        now: Timestamp,
    ) -> Result<i64> {
        let (per_minute, per_day) = budget;
        self.db.execute(
            "INSERT INTO clients (name, token_hash, can_write, per_minute, per_day, created_at)
             VALUES (?1, ?2, ?3, ?4, ?5, ?6)",
            params![name, token_hash, can_write, per_minute, per_day, ms(now)],
        )?;
        Ok(self.db.last_insert_rowid())
    }

    /// Changes name, scope and budget; what is spent and its offences stay.
    ///
    /// # Errors
    /// [`StoreError::NotFound`].
    pub fn edit_client(
        &mut self,
        id: i64,
        name: &str,
        can_write: bool,
        budget: (u32, u32),
    ) -> Result<()> {
        let changed = self.db.execute(
            "UPDATE clients SET name = ?2, can_write = ?3, per_minute = ?4, per_day = ?5
             WHERE id = ?1",
            params![id, name, can_write, budget.0, budget.1],
        )?;
        found(changed)
    }

    /// Keeps what a client has spent and its offences.
    ///
    /// # Errors
    /// [`StoreError::NotFound`].
    pub fn keep_client(
        &mut self,
        id: i64,
        budget: Option<&Value>,
        lockout: Option<&Value>,
        used_at: Timestamp,
    ) -> Result<()> {
        let changed = self
            .db
            .prepare_cached(
                "UPDATE clients SET budget = ?2, lockout = ?3, used_at = ?4 WHERE id = ?1",
            )?
            .execute(params![id, opt_json(budget)?, opt_json(lockout)?, ms(used_at)])?;
        found(changed)
    }

    /// Remembers that the owner lets a client in again. Beside what is spent, so that whoever counts
    /// and keeps that meanwhile does not undo it.
    ///
    /// # Errors
    /// [`StoreError::NotFound`].
    pub fn let_client_in(&mut self, id: i64, now: Timestamp) -> Result<()> {
        let changed = self
            .db
            .execute("UPDATE clients SET let_in_at = ?2 WHERE id = ?1", params![id, ms(now)])?;
        found(changed)
    }

    /// Makes a client's token worthless.
    ///
    /// # Errors
    /// [`StoreError::NotFound`].
    pub fn revoke_client(&mut self, id: i64, now: Timestamp) -> Result<()> {
        let changed = self.db.execute(
            "UPDATE clients SET revoked_at = coalesce(revoked_at, ?2) WHERE id = ?1",
            params![id, ms(now)],
        )?;
        found(changed)
    }
}

fn found(changed: usize) -> Result<()> {
    if changed == 0 { Err(StoreError::NotFound) } else { Ok(()) }
}

fn read(row: &Row<'_>) -> rusqlite::Result<Client> {
    Ok(Client {
        id: row.get("id")?,
        name: row.get("name")?,
        token_hash: row.get("token_hash")?,
        can_write: row.get("can_write")?,
        per_minute: row.get("per_minute")?,
        per_day: row.get("per_day")?,
        budget: row.opt_json("budget")?,
        lockout: row.opt_json("lockout")?,
        created_at: row.time("created_at")?,
        used_at: row.opt_time("used_at")?,
        revoked_at: row.opt_time("revoked_at")?,
        let_in_at: row.opt_time("let_in_at")?,
    })
}

impl std::fmt::Debug for Client {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Client")
            .field("id", &self.id)
            .field("name", &self.name)
            .field("can_write", &self.can_write)
            .finish_non_exhaustive()
    }
}
