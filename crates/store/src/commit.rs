//! What a check found, kept in one transaction: listings, sightings, outbox rows, the host's
//! record, the search's state, and the check's own row.
//!
//! **Promises**: all or nothing; a report about a search that was edited or deleted meanwhile
//! writes no listings and no messages, but what it says about the host is kept; what is no news
//! (any more) when it is written is not told. **Leaves out**: deciding what is worth telling.

use std::time::Duration;

use firstknock_listing::{Diff, HostKey, Listing, ListingId, Revision, SearchId};
use firstknock_schedule::Change;
use jiff::Timestamp;
use rusqlite::{Connection, params};
use serde_json::Value;

use crate::checks::{self, CheckMark, RunId};
use crate::columns::{json, ms};
use crate::database::Store;
use crate::error::{Result, StoreError};
use crate::listings::NewsKind;
use crate::outbox::{OutboxId, PostKind};
use crate::outbox_queue::{self, NewRow};
use crate::page;
use crate::{schedule_state, search_state, searches};

/// Everything about one check that ended.
#[derive(Debug, Clone)]
pub struct CheckCommit {
    /// The row from [`Store::reserve`].
    pub run: RunId,
    /// Whose check it was; `None` for previews and the like.
    pub search: Option<SearchId>,
    /// The revision that it was planned with.
    pub revision: Revision,
    /// Who was asked; listings are filed under it.
    pub host: HostKey,
    /// What it came to.
    pub result: CheckResult,
    /// What was on the page; `None` for walls, trouble, previews and an unchanged page.
    pub page: Option<PageCommit>,
    /// Messages that are not about listings: blind, recovered.
    pub notices: Vec<Notice>,
    /// What the schedule made of it.
    pub change: Change,
}

/// What a check came to, for its row and the search's facts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CheckResult {
    /// How it looks on the bar. `Answered` and `News` are told apart by what was written.
    pub mark: CheckMark,
    /// `answer`, a wall's kind, or `error`.
    pub verdict: String,
    /// The reason's code.
    pub reason: String,
    /// What the extractor made of the page.
    pub finding: Option<String>,
    /// The HTTP status.
    pub status: Option<u16>,
    /// Listings recognised, if it was an answer as it should be.
    pub listings: Option<u32>,
    /// Decoded size.
    pub bytes: Option<u64>,
    /// How long it took.
    pub took: Duration,
    /// What the site asked for.
    pub retry_after: Option<Duration>,
    /// What was seen.
    pub evidence: Vec<String>,
    /// For the next conditional request.
    pub etag: Option<String>,
    /// For the next conditional request.
    pub last_modified: Option<String>,
    /// Of the body.
    pub body_hash: Option<String>,
}

/// A page that was read and may be believed.
#[derive(Debug, Clone)]
pub struct PageCommit {
    /// All listings as extracted, in page order.
    pub listings: Vec<Listing>,
    /// What `diff` made of them. Leave `gone` empty where the page may not be believed.
    pub diff: Diff,
    /// The search's first page: all of it is known from now on, none of it is news.
    pub baseline: bool,
    /// It shows all results: what is missing is gone, not pushed off its end, and nothing can
    /// move up from a further page.
    pub complete: bool,
    /// Listings that were re-keyed: our id, and the index of the same listing on the page. Their
    /// new keys are added and nobody is told.
    pub rekeyed: Vec<(ListingId, usize)>,
    /// What passed the search's filters and choices. For every listing that this search never had
    /// on its page, also where another search found it: then both are named.
    pub news: Vec<News>,
    /// One message each for all that is told; none where the search is muted.
    pub posts: Vec<Post>,
    /// What the extractor learned.
    pub memory: Option<Value>,
}

/// One thing worth telling.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct News {
    /// Index into the page's listings.
    pub at: usize,
    /// What for.
    pub kind: NewsKind,
    /// Into the messages; otherwise shown in the app only.
    pub tell: bool,
}

/// A message to one channel about the page's news.
#[derive(Debug, Clone, PartialEq)]
pub struct Post {
    /// Where to.
    pub channel: String,
    /// [`PostKind::Alert`] or [`PostKind::Digest`].
    pub kind: PostKind,
    /// Quiet hours or a digest: not before then.
    pub not_before: Option<Timestamp>,
    /// Add to a message of this search, kind and channel that still waits unrendered.
    pub join: bool,
    /// What the listings do not say.
    pub payload: Option<Value>,
}

/// A message without listings.
#[derive(Debug, Clone, PartialEq)]
pub struct Notice {
    /// Where to.
    pub channel: String,
    /// [`PostKind::Blind`] marks the search as told, [`PostKind::Recovered`] as well again.
    pub kind: PostKind,
    /// Quiet hours: not before then.
    pub not_before: Option<Timestamp>,
    /// The reason, the times.
    pub payload: Value,
}

/// What was written.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Committed {
    /// The search was edited or deleted meanwhile: nothing of the page was kept.
    pub stale: bool,
    /// Who is who: one entry per listing of the page; `None` for recommendations.
    pub ids: Vec<Option<ListingId>>,
    /// What turned out to be news.
    pub news: Vec<(ListingId, NewsKind)>,
    /// What is gone from every page.
    pub gone: Vec<ListingId>,
    /// Listings that turned out to be another: the one that ceased, and what it is now.
    pub merged: Vec<(ListingId, ListingId)>,
    /// Messages written or added to.
    pub outbox: Vec<OutboxId>,
}

impl Store {
    /// Keeps all of it, or nothing.
    ///
    /// # Errors
    /// [`StoreError::Stopped`] if nothing can be kept: then nothing counts as seen.
    /// [`StoreError::NotFound`] if this check is not open.
    pub fn commit_check(&mut self, it: &CheckCommit, now: Timestamp) -> Result<Committed> {
        let tx = self.begin()?;
        if !checks::is_open(&tx, it.run)? {
            return Err(StoreError::NotFound);
        }
        schedule_state::write(&tx, &it.change, now)?;
        let mut done = Committed::default();
        if let Some(id) = it.search {
            match searches::find(&tx, id)?.filter(|search| search.revision == it.revision) {
                Some(_) => commit_search(&tx, id, it, &mut done, now)?,
                None => done.stale = true,
            }
        }
        close(&tx, it, &done, now)?;
        tx.commit()?;
        Ok(done)
    }

    /// Writes messages about a search that no check led to: one whose host waits is blind as well.
    ///
    /// # Errors
    /// Only if we or the disk broke.
    pub fn post_notices(
        &mut self,
        search: SearchId,
        notices: &[Notice],
        now: Timestamp,
    ) -> Result<Vec<OutboxId>> {
        let tx = self.begin()?;
        let mut done = Committed::default();
        write_notices(&tx, search, notices, &mut done, now)?;
        tx.commit()?;
        Ok(done.outbox)
    }

    /// A search sees again and nobody is to hear of it (it is muted): a later blindness is a new
    /// one.
    ///
    /// # Errors
    /// Only if we or the disk broke.
    pub fn forget_blind(&mut self, search: SearchId) -> Result<()> {
        search_state::set_blind_told(&self.db, search, None)
    }
}

fn commit_search(
    db: &Connection,
    search: SearchId,
    it: &CheckCommit,
    done: &mut Committed,
    now: Timestamp,
) -> Result<()> {
    let before = search_state::facts(db, search)?;
    let result = &it.result;
    let looked = search_state::Looked {
        verdict: &result.verdict,
        reason: &result.reason,
        listings: result.listings,
        sees: result.verdict == "answer" && result.listings.is_some(),
        etag: result.etag.as_deref(),
        last_modified: result.last_modified.as_deref(),
        body_hash: result.body_hash.as_deref(),
    };
    search_state::looked(db, search, &looked, now)?;
    if let Some(page) = &it.page {
        page::write(db, search, &it.host, page, before.last_answer_at, done, now)?;
    }
    write_notices(db, search, &it.notices, done, now)
}

fn write_notices(
    db: &Connection,
    search: SearchId,
    notices: &[Notice],
    done: &mut Committed,
    now: Timestamp,
) -> Result<()> {
    for notice in notices {
        let row = NewRow {
            channel: &notice.channel,
            kind: notice.kind,
            search: Some(search),
            payload: Some(&notice.payload),
            not_before: notice.not_before,
            joins: false,
        };
        done.outbox.push(outbox_queue::insert(db, &row, now)?);
        match notice.kind {
            PostKind::Blind => search_state::set_blind_told(db, search, Some(now))?,
            PostKind::Recovered => search_state::set_blind_told(db, search, None)?,
            _ => {}
        }
    }
    Ok(())
}

fn close(db: &Connection, it: &CheckCommit, done: &Committed, now: Timestamp) -> Result<()> {
    let result = &it.result;
    let mark = match result.mark {
        CheckMark::Answered | CheckMark::News if done.news.is_empty() => CheckMark::Answered,
        CheckMark::Answered => CheckMark::News,
        other => other,
    };
    let new = done.news.iter().filter(|(_, kind)| *kind == NewsKind::New).count();
    let millis = |duration: Duration| i64::try_from(duration.as_millis()).unwrap_or(i64::MAX);
    db.prepare_cached(
        "UPDATE checks SET finished_at = ?2, mark = ?3, verdict = ?4, reason = ?5, finding = ?6,
            status = ?7, listings = ?8, new_listings = ?9, bytes = ?10, took_ms = ?11,
            retry_after_ms = ?12, evidence = ?13 WHERE id = ?1",
    )?
    .execute(params![
        it.run.0,
        ms(now),
        mark.code(),
        result.verdict,
        result.reason,
        result.finding,
        result.status,
        result.listings,
        i64::try_from(new).unwrap_or(i64::MAX),
        result.bytes.map(|bytes| i64::try_from(bytes).unwrap_or(i64::MAX)),
        millis(result.took),
        result.retry_after.map(millis),
        json(&result.evidence)?
    ])?;
    Ok(())
}
