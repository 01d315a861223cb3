//! What the user does with listings: read, star, hide, note.

use firstknock_listing::{HostKey, ListingId, SearchId};
use jiff::Timestamp;
use rusqlite::params;
use serde::{Deserialize, Serialize};

use crate::columns::ms;
use crate::database::Store;
use crate::error::{Result, StoreError};

/// What to change of a listing; `None` leaves it as it is.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct ListingMarks {
    /// Looked at, or not.
    pub read: Option<bool>,
    /// With a star.
    pub starred: Option<bool>,
    /// Not to be shown.
    pub hidden: Option<bool>,
    /// The user's words; empty removes them.
    pub note: Option<String>,
}

impl Store {
    /// Changes what the user thinks of a listing.
    ///
    /// # Errors
    /// [`StoreError::NotFound`].
    pub fn mark_listing(&mut self, id: ListingId, marks: &ListingMarks) -> Result<()> {
        let note = marks.note.as_deref().map(str::trim);
        let changed = self
            .db
            .prepare_cached(
                "UPDATE listings SET unread = coalesce(?2, unread), starred = coalesce(?3, starred),
                    hidden = coalesce(?4, hidden),
                    note = CASE WHEN ?5 IS NULL THEN note ELSE nullif(?5, '') END WHERE id = ?1",
            )?
            .execute(params![
                id.0,
                marks.read.map(|read| !read),
                marks.starred,
                marks.hidden,
                note
            ])?;
        if changed == 0 { Err(StoreError::NotFound) } else { Ok(()) }
    }

    /// Marks all listings (of a search, or of all) as read. Gives how many were not.
    ///
    /// # Errors
    /// Only if we or the disk broke.
    pub fn mark_all_read(&mut self, search: Option<SearchId>) -> Result<usize> {
        let sql = match search {
            Some(_) => {
                "UPDATE listings SET unread = 0 WHERE unread = 1 AND id IN
                    (SELECT listing FROM sightings WHERE search = ?1)"
            }
            None => "UPDATE listings SET unread = 0 WHERE unread = 1 AND ?1 IS NULL",
        };
        Ok(self.db.prepare_cached(sql)?.execute([search.map(|id| id.0)])?)
    }

    /// "While you were away": how many listings (of a host, or of all) appeared between two times,
    /// and how many went.
    ///
    /// # Errors
    /// Only if we or the disk broke.
    pub fn appeared_and_gone(
        &self,
        host: Option<&HostKey>,
        from: Timestamp,
        to: Timestamp,
    ) -> Result<(u32, u32)> {
        let span = params![ms(from), ms(to), host.map(HostKey::as_str)];
        let appeared = self
            .db
            .prepare_cached(
                "SELECT count(*) FROM listings WHERE first_seen BETWEEN ?1 AND ?2 AND news NOT NULL
                    AND (?3 IS NULL OR host = ?3)",
            )?
            .query_row(span, |row| row.get(0))?;
        let gone = self
            .db
            .prepare_cached(
                "SELECT count(*) FROM listings WHERE gone_at BETWEEN ?1 AND ?2
                    AND (?3 IS NULL OR host = ?3)",
            )?
            .query_row(span, |row| row.get(0))?;
        Ok((appeared, gone))
    }
}
