//! One row per look at a page: begun before it goes out, closed with its result; kept 30 days.

use std::time::Duration;

use firstknock_listing::{HostKey, SearchId};
use firstknock_schedule::{Change, Check};
use jiff::Timestamp;
use rusqlite::{Connection, Row, params};
use serde::{Deserialize, Serialize};

use crate::columns::{Columns, ms, words};
use crate::database::Store;
use crate::error::Result;
use crate::schedule_state;

/// The row of one look.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(transparent)]
pub struct RunId(pub i64);

/// One past check as the bar shows it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum CheckMark {
    /// Answered, with something to tell.
    News,
    /// Answered.
    Answered,
    /// Answered: nothing matches.
    Empty,
    /// A wall.
    Refused,
    /// Trouble.
    Failed,
    /// It was due and its host waits.
    NotAsked,
    /// The program ended in between.
    CutOff,
}

/// One past check.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct CheckRow {
    /// Its row.
    pub id: RunId,
    /// Whose; `None` for previews and the like.
    pub search: Option<SearchId>,
    /// Who was asked.
    pub host: HostKey,
    /// `due`, `probe`, `manual` …
    pub why: String,
    /// When it went out.
    pub started_at: Timestamp,
    /// When it ended.
    pub finished_at: Option<Timestamp>,
    /// How it looks on the bar; `None` while it runs.
    pub mark: Option<CheckMark>,
    /// The verdict's word.
    pub verdict: Option<String>,
    /// The reason's code.
    pub reason: Option<String>,
    /// What the extractor made of the page.
    pub finding: Option<String>,
    /// The HTTP status.
    pub status: Option<u16>,
    /// Listings recognised.
    pub listings: Option<u32>,
    /// How many of them were new.
    pub new_listings: Option<u32>,
    /// Decoded size.
    pub bytes: Option<i64>,
    /// How long it took.
    pub took: Option<Duration>,
    /// What the site asked for.
    pub retry_after: Option<Duration>,
    /// What was seen.
    pub evidence: Vec<String>,
}

impl Store {
    /// Writes that a check goes out, with what its plan reserved, *before* it does: a crash loop
    /// stays polite.
    ///
    /// # Errors
    /// [`crate::StoreError::Stopped`] if nothing can be kept: then it must not go out.
    pub fn reserve(&mut self, check: &Check, change: &Change, now: Timestamp) -> Result<RunId> {
        let tx = self.begin()?;
        schedule_state::write(&tx, change, now)?;
        tx.prepare_cached(
            "INSERT INTO checks (search, revision, host, why, started_at)
             VALUES ((SELECT id FROM searches WHERE id = ?1), ?2, ?3, ?4, ?5)",
        )?
        .execute(params![
            check.search.map(|id| id.0),
            check.revision.0,
            check.host.as_str(),
            word_of(&check.why)?,
            ms(now)
        ])?;
        let run = RunId(tx.last_insert_rowid());
        tx.commit()?;
        Ok(run)
    }

    /// Closes what the last run of the program left open. Gives how many there were.
    ///
    /// # Errors
    /// Only if we or the disk broke.
    pub fn close_cut_off_checks(&mut self, now: Timestamp) -> Result<usize> {
        Ok(self.db.execute(
            "UPDATE checks SET finished_at = ?1, mark = 'cut_off' WHERE finished_at IS NULL",
            [ms(now)],
        )?)
    }

    /// Notes on the bars of these searches that they were due and their host was not asked.
    ///
    /// # Errors
    /// Only if we or the disk broke.
    pub fn note_not_asked(
        &mut self,
        searches: &[(SearchId, HostKey)],
        now: Timestamp,
    ) -> Result<()> {
        let tx = self.begin()?;
        for (search, host) in searches {
            tx.prepare_cached(
                "INSERT INTO checks (search, host, why, started_at, finished_at, mark)
                 SELECT id, ?2, 'due', ?3, ?3, 'not_asked' FROM searches WHERE id = ?1",
            )?
            .execute(params![search.0, host.as_str(), ms(now)])?;
        }
        tx.commit()?;
        Ok(())
    }

    /// The last checks of a search that ended, newest last, at most `most`.
    ///
    /// # Errors
    /// Only if we or the disk broke.
    pub fn check_marks(&self, search: SearchId, most: u32) -> Result<Vec<CheckMark>> {
        let mut statement = self.db.prepare_cached(
            "SELECT mark FROM checks WHERE search = ?1 AND mark NOT NULL AND mark <> 'cut_off'
             ORDER BY id DESC LIMIT ?2",
        )?;
        let rows = statement
            .query_map(params![search.0, most], |row| row.word("mark", CheckMark::from_code))?;
        let mut marks: Vec<CheckMark> = rows.collect::<rusqlite::Result<_>>()?;
        marks.reverse();
        Ok(marks)
    }

    /// The last checks of a search (or of all), newest first, at most `most`.
    ///
    /// # Errors
    /// Only if we or the disk broke.
    pub fn checks(&self, search: Option<SearchId>, most: u32) -> Result<Vec<CheckRow>> {
        let sql = match search {
            Some(_) => "SELECT * FROM checks WHERE search = ?1 ORDER BY id DESC LIMIT ?2",
            None => "SELECT * FROM checks WHERE ?1 IS NULL ORDER BY id DESC LIMIT ?2",
        };
        let mut statement = self.db.prepare_cached(sql)?;
        let rows = statement.query_map(params![search.map(|id| id.0), most], read)?;
        Ok(rows.collect::<rusqlite::Result<_>>()?)
    }
}

/// The wire's word of a unit variant.
fn word_of(value: &impl Serialize) -> Result<String> {
    Ok(match serde_json::to_value(value)? {
        serde_json::Value::String(word) => word,
        other => other.to_string(),
    })
}

/// Whether this run is one of ours that is still open.
pub(crate) fn is_open(db: &Connection, run: RunId) -> Result<bool> {
    Ok(db
        .prepare_cached("SELECT 1 FROM checks WHERE id = ?1 AND finished_at IS NULL")?
        .exists([run.0])?)
}

fn read(row: &Row<'_>) -> rusqlite::Result<CheckRow> {
    let millis = |name: &str| -> rusqlite::Result<Option<Duration>> {
        Ok(row.get::<_, Option<i64>>(name)?.map(|ms| Duration::from_millis(ms.unsigned_abs())))
    };
    Ok(CheckRow {
        id: RunId(row.get("id")?),
        search: row.get::<_, Option<i64>>("search")?.map(SearchId),
        host: row.host("host")?,
        why: row.get("why")?,
        started_at: row.time("started_at")?,
        finished_at: row.opt_time("finished_at")?,
        mark: row.opt_word("mark", CheckMark::from_code)?,
        verdict: row.get("verdict")?,
        reason: row.get("reason")?,
        finding: row.get("finding")?,
        status: row.get("status")?,
        listings: row.get("listings")?,
        new_listings: row.get("new_listings")?,
        bytes: row.get("bytes")?,
        took: millis("took_ms")?,
        retry_after: millis("retry_after_ms")?,
        evidence: row.opt_json("evidence")?.unwrap_or_default(),
    })
}

words!(CheckMark {
    News = "news",
    Answered = "answered",
    Empty = "empty",
    Refused = "refused",
    Failed = "failed",
    NotAsked = "not_asked",
    CutOff = "cut_off",
});
