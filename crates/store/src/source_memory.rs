//! What was learned about a search's page, and what the user chose there.

use firstknock_listing::SearchId;
use jiff::Timestamp;
use rusqlite::{Connection, OptionalExtension, params};
use serde_json::Value;

use crate::columns::{Columns, json, ms, opt_json};
use crate::database::Store;
use crate::error::Result;

/// Both as the extractor's JSON; the store never looks inside.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct SourceNotes {
    /// What the extractor learned.
    pub memory: Option<Value>,
    /// Which set of cards the user chose.
    pub choice: Option<Value>,
}

impl Store {
    /// What is known of a search's page.
    ///
    /// # Errors
    /// Only if we or the disk broke.
    pub fn source_notes(&self, search: SearchId) -> Result<SourceNotes> {
        let notes = self
            .db
            .prepare_cached("SELECT memory, choice FROM source_memory WHERE search = ?1")?
            .query_row([search.0], |row| {
                Ok(SourceNotes { memory: row.opt_json("memory")?, choice: row.opt_json("choice")? })
            })
            .optional()?;
        Ok(notes.unwrap_or_default())
    }

    /// Keeps or forgets the user's choice. What was learned with another choice is forgotten.
    ///
    /// # Errors
    /// Only if we or the disk broke, or the search is not there.
    pub fn set_choice(
        &mut self,
        search: SearchId,
        choice: Option<&Value>,
        now: Timestamp,
    ) -> Result<()> {
        self.db.execute(
            "INSERT INTO source_memory (search, choice, updated_at) VALUES (?1, ?2, ?3)
             ON CONFLICT (search) DO UPDATE SET choice = ?2, memory = NULL, updated_at = ?3",
            params![search.0, opt_json(choice)?, ms(now)],
        )?;
        Ok(())
    }
}

pub(crate) fn remember(
    db: &Connection,
    search: SearchId,
    memory: &Value,
    now: Timestamp,
) -> Result<()> {
    db.prepare_cached(
        "INSERT INTO source_memory (search, memory, updated_at) VALUES (?1, ?2, ?3)
         ON CONFLICT (search) DO UPDATE SET memory = ?2, updated_at = ?3",
    )?
    .execute(params![search.0, json(memory)?, ms(now)])?;
    Ok(())
}
