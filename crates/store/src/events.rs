//! What happened, for people and for clients that were not listening; kept 30 days.

use firstknock_listing::{HostKey, SearchId};
use jiff::Timestamp;
use rusqlite::params;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::columns::{Columns, json, ms};
use crate::database::Store;
use crate::error::Result;

/// Something that happened: a code with arguments.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Happened {
    /// Rising; a client says after which it wants more.
    pub id: i64,
    /// When.
    pub at: Timestamp,
    /// What: a code of the catalogue.
    pub code: String,
    /// Which search.
    pub search: Option<SearchId>,
    /// Which host.
    pub host: Option<HostKey>,
    /// Arguments of the sentence.
    pub args: Value,
    /// The user has seen it.
    pub seen: bool,
}

impl Store {
    /// Notes something.
    ///
    /// # Errors
    /// Only if we or the disk broke.
    pub fn note_event(
        &mut self,
        code: &str,
        search: Option<SearchId>,
        host: Option<&HostKey>,
        args: &Value,
        now: Timestamp,
    ) -> Result<i64> {
        self.db
            .prepare_cached(
                "INSERT INTO events (at, code, search, host, args) VALUES (?1, ?2, ?3, ?4, ?5)",
            )?
            .execute(params![
                ms(now),
                code,
                search.map(|id| id.0),
                host.map(HostKey::as_str),
                json(args)?
            ])?;
        Ok(self.db.last_insert_rowid())
    }

    /// What happened after an event, oldest first, at most `most`.
    ///
    /// # Errors
    /// Only if we or the disk broke.
    pub fn events_after(&self, id: i64, most: u32) -> Result<Vec<Happened>> {
        let mut statement =
            self.db.prepare_cached("SELECT * FROM events WHERE id > ?1 ORDER BY id LIMIT ?2")?;
        let rows = statement.query_map(params![id, most], |row| {
            Ok(Happened {
                id: row.get("id")?,
                at: row.time("at")?,
                code: row.get("code")?,
                search: row.get::<_, Option<i64>>("search")?.map(SearchId),
                host: row.get::<_, Option<String>>("host")?.map(|h| HostKey::from_stored(&h)),
                args: row.json("args")?,
                seen: row.get("seen")?,
            })
        })?;
        Ok(rows.collect::<rusqlite::Result<_>>()?)
    }

    /// The user has seen everything up to an event.
    ///
    /// # Errors
    /// Only if we or the disk broke.
    pub fn events_seen(&mut self, up_to: i64) -> Result<()> {
        self.db.execute("UPDATE events SET seen = 1 WHERE id <= ?1 AND seen = 0", [up_to])?;
        Ok(())
    }
}
