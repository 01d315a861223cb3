//! What the checks of one search led to.

use firstknock_listing::SearchId;
use jiff::Timestamp;
use rusqlite::{Connection, OptionalExtension, params};
use serde::{Deserialize, Serialize};

use crate::columns::{Columns, ms};
use crate::database::Store;
use crate::error::Result;

/// What the checks of one search led to, beside the schedule's own state.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct SearchFacts {
    /// Its first successful check; `None` before it: all on the page then is no news.
    pub baseline_at: Option<Timestamp>,
    /// The last check that ended, however.
    pub last_check_at: Option<Timestamp>,
    /// The last one that was answered.
    pub last_answer_at: Option<Timestamp>,
    /// Listings recognised then.
    pub last_listings: Option<u32>,
    /// `answer`, a wall's kind, or `error`.
    pub last_verdict: Option<String>,
    /// The reason's code.
    pub last_reason: Option<String>,
    /// For the next conditional request.
    pub etag: Option<String>,
    /// For the next conditional request.
    pub last_modified: Option<String>,
    /// Of the last answer's body: the same again need not be read again.
    pub body_hash: Option<String>,
    /// It has seen nothing since then.
    pub blind_since: Option<Timestamp>,
    /// The one alert about that was written.
    pub blind_told_at: Option<Timestamp>,
}

impl Store {
    /// What the checks of a search led to; empty for one that was never looked at.
    ///
    /// # Errors
    /// Only if we or the disk broke.
    pub fn search_facts(&self, search: SearchId) -> Result<SearchFacts> {
        facts(&self.db, search)
    }

    /// How many unread listings each search has.
    ///
    /// # Errors
    /// Only if we or the disk broke.
    pub fn unread_by_search(&self) -> Result<Vec<(SearchId, u32)>> {
        let mut statement = self.db.prepare_cached(
            "SELECT s.search, count(*) FROM listings l JOIN sightings s ON s.listing = l.id
             WHERE l.unread = 1 AND l.hidden = 0 GROUP BY s.search",
        )?;
        let rows = statement.query_map([], |row| Ok((SearchId(row.get(0)?), row.get(1)?)))?;
        Ok(rows.collect::<rusqlite::Result<_>>()?)
    }
}

pub(crate) fn facts(db: &Connection, search: SearchId) -> Result<SearchFacts> {
    let facts = db
        .prepare_cached("SELECT * FROM search_state WHERE search = ?1")?
        .query_row([search.0], |row| {
            Ok(SearchFacts {
                baseline_at: row.opt_time("baseline_at")?,
                last_check_at: row.opt_time("last_check_at")?,
                last_answer_at: row.opt_time("last_answer_at")?,
                last_listings: row.get("last_listings")?,
                last_verdict: row.get("last_verdict")?,
                last_reason: row.get("last_reason")?,
                etag: row.get("etag")?,
                last_modified: row.get("last_modified")?,
                body_hash: row.get("body_hash")?,
                blind_since: row.opt_time("blind_since")?,
                blind_told_at: row.opt_time("blind_told_at")?,
            })
        })
        .optional()?;
    Ok(facts.unwrap_or_default())
}

/// What one check changes of it.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct Looked<'a> {
    pub(crate) verdict: &'a str,
    pub(crate) reason: &'a str,
    /// `Some` if it was answered by a page that is as it should be.
    pub(crate) listings: Option<u32>,
    /// It saw what is there (not a wall, not trouble, not a page that looks different).
    pub(crate) sees: bool,
    pub(crate) etag: Option<&'a str>,
    pub(crate) last_modified: Option<&'a str>,
    pub(crate) body_hash: Option<&'a str>,
}

pub(crate) fn looked(
    db: &Connection,
    search: SearchId,
    it: &Looked<'_>,
    now: Timestamp,
) -> Result<()> {
    db.prepare_cached(
        "UPDATE search_state SET last_check_at = ?2, last_verdict = ?3, last_reason = ?4,
            blind_since = CASE WHEN ?5 THEN NULL ELSE coalesce(blind_since, ?2) END
         WHERE search = ?1",
    )?
    .execute(params![search.0, ms(now), it.verdict, it.reason, it.sees])?;
    if it.verdict == "answer" {
        db.prepare_cached("UPDATE search_state SET last_answer_at = ?2 WHERE search = ?1")?
            .execute(params![search.0, ms(now)])?;
    }
    if let Some(listings) = it.listings {
        db.prepare_cached(
            "UPDATE search_state SET last_listings = ?2, etag = ?3, last_modified = ?4,
                body_hash = ?5 WHERE search = ?1",
        )?
        .execute(params![search.0, listings, it.etag, it.last_modified, it.body_hash])?;
    }
    Ok(())
}

pub(crate) fn set_baseline(db: &Connection, search: SearchId, now: Timestamp) -> Result<()> {
    db.prepare_cached(
        "UPDATE search_state SET baseline_at = ?2 WHERE search = ?1 AND baseline_at IS NULL",
    )?
    .execute(params![search.0, ms(now)])?;
    Ok(())
}

pub(crate) fn set_blind_told(
    db: &Connection,
    search: SearchId,
    told_at: Option<Timestamp>,
) -> Result<()> {
    db.prepare_cached("UPDATE search_state SET blind_told_at = ?2 WHERE search = ?1")?
        .execute(params![search.0, told_at.map(ms)])?;
    Ok(())
}
