//! What is kept of a host beside the schedule's record: its session, and how its pages are read.
//! It outlives the searches.

use firstknock_listing::HostKey;
use jiff::Timestamp;
use rusqlite::{OptionalExtension, params};

use crate::columns::{Columns, ms, opt_ms};
use crate::database::Store;
use crate::error::Result;
use crate::searches::ReaderChoice;

/// A host's session and reader.
#[derive(Clone, PartialEq, Eq, Default)]
pub struct HostNotes {
    /// The session as the fetcher exported it; a secret of a kind.
    pub cookies: Option<String>,
    /// When the session was last written.
    pub cookies_at: Option<Timestamp>,
    /// Which reader worked here.
    pub reader: Option<ReaderChoice>,
    /// When a person last passed a check here by hand.
    pub solved_at: Option<Timestamp>,
}

impl Store {
    /// What is kept of a host.
    ///
    /// # Errors
    /// Only if we or the disk broke.
    pub fn host_notes(&self, host: &HostKey) -> Result<HostNotes> {
        let notes = self
            .db
            .prepare_cached(
                "SELECT cookies, cookies_at, reader, solved_at FROM hosts WHERE host = ?1",
            )?
            .query_row([host.as_str()], |row| {
                Ok(HostNotes {
                    cookies: row.get("cookies")?,
                    cookies_at: row.opt_time("cookies_at")?,
                    reader: row.opt_word("reader", ReaderChoice::from_code)?,
                    solved_at: row.opt_time("solved_at")?,
                })
            })
            .optional()?;
        Ok(notes.unwrap_or_default())
    }

    /// All sessions, for the fetcher at start.
    ///
    /// # Errors
    /// Only if we or the disk broke.
    pub fn sessions(&self) -> Result<Vec<(HostKey, String)>> {
        let mut statement =
            self.db.prepare_cached("SELECT host, cookies FROM hosts WHERE cookies NOT NULL")?;
        let rows = statement.query_map([], |row| Ok((row.host("host")?, row.get("cookies")?)))?;
        Ok(rows.collect::<rusqlite::Result<_>>()?)
    }

    /// Keeps a host's session, or forgets it (`None`). Waits are not touched by it.
    ///
    /// # Errors
    /// Only if we or the disk broke.
    pub fn set_session(
        &mut self,
        host: &HostKey,
        cookies: Option<&str>,
        now: Timestamp,
    ) -> Result<()> {
        self.db.execute(
            "INSERT INTO hosts (host, cookies, cookies_at, updated_at) VALUES (?1, ?2, ?3, ?4)
             ON CONFLICT (host) DO UPDATE SET cookies = ?2, cookies_at = ?3, updated_at = ?4",
            params![host.as_str(), cookies, opt_ms(cookies.map(|_| now)), ms(now)],
        )?;
        Ok(())
    }

    /// Remembers which reader works at a host, or forgets it.
    ///
    /// # Errors
    /// Only if we or the disk broke.
    pub fn set_host_reader(
        &mut self,
        host: &HostKey,
        reader: Option<ReaderChoice>,
        now: Timestamp,
    ) -> Result<()> {
        let word = reader.filter(|reader| *reader != ReaderChoice::Auto).map(ReaderChoice::code);
        self.db.execute(
            "INSERT INTO hosts (host, reader, updated_at) VALUES (?1, ?2, ?3)
             ON CONFLICT (host) DO UPDATE SET reader = ?2, updated_at = ?3",
            params![host.as_str(), word, ms(now)],
        )?;
        Ok(())
    }

    /// A person passed a check at this host.
    ///
    /// # Errors
    /// Only if we or the disk broke.
    pub fn set_solved(&mut self, host: &HostKey, now: Timestamp) -> Result<()> {
        self.db.execute(
            "INSERT INTO hosts (host, solved_at, updated_at) VALUES (?1, ?2, ?2)
             ON CONFLICT (host) DO UPDATE SET solved_at = ?2, updated_at = ?2",
            params![host.as_str(), ms(now)],
        )?;
        Ok(())
    }
}

impl std::fmt::Debug for HostNotes {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("HostNotes")
            .field("cookies", &self.cookies.as_ref().map(|_| "…"))
            .field("cookies_at", &self.cookies_at)
            .field("reader", &self.reader)
            .field("solved_at", &self.solved_at)
            .finish()
    }
}
