//! Which of a page's news are told, and into which messages they go.
//!
//! **Promises**: what the rows say inside the transaction decides, not what the caller believed
//! before it: two searches, two looks, one alert, of what is new as of what became cheaper or came
//! back. A find that waits for a quiet search's morning
//! goes out at once when a search that may speak finds it too.

use std::collections::HashMap;

use firstknock_listing::{ListingId, SearchId};
use jiff::Timestamp;
use rusqlite::{Connection, params};

use crate::columns::ms;
use crate::commit::{Committed, PageCommit, Post};
use crate::error::Result;
use crate::listings::NewsKind;
use crate::outbox::{FindChange, OutboxId};
use crate::outbox_queue::{self, NewFind, NewRow};
use crate::page::Before;
use crate::sequels;

/// What of a page's news goes into messages.
#[derive(Default)]
struct Told<'a> {
    /// For the first time.
    fresh: Vec<NewFind<'a>>,
    /// Told before, or about to be; this search found it as well.
    also: Vec<ListingId>,
}

/// Whose look it was.
pub(crate) struct By<'a> {
    pub(crate) search: SearchId,
    /// The last answer before: what is new was not there then.
    pub(crate) unseen_at: Option<Timestamp>,
    /// Places of the page that are shown in the app only.
    pub(crate) quiet: &'a [usize],
}

pub(crate) fn write(
    db: &Connection,
    by: &By<'_>,
    page: &PageCommit,
    before: &HashMap<ListingId, Before>,
    done: &mut Committed,
    now: Timestamp,
) -> Result<()> {
    if page.baseline {
        return Ok(());
    }
    let search = by.search;
    let mut told = Told::default();
    for news in &page.news {
        let Some(id) = done.ids.get(news.at).copied().flatten() else { continue };
        let Some(before) = before.get(&id) else { continue };
        if done.news.iter().any(|(other, _)| *other == id) {
            continue;
        }
        // A muted search tells nobody, so another one still may.
        let tell = news.tell && !page.posts.is_empty() && !by.quiet.contains(&news.at);
        if !before.makes_news(news, &page.listings[news.at]) {
            if news.kind != NewsKind::PriceRise && tell {
                told.also.push(id);
            }
            continue;
        }
        let sequel = before.sequel(news.kind);
        // Another search has seen it, so the app shows it already; here it would only be told.
        if sequel.is_some_and(|sequel| sequel.at < now) && !tell {
            continue;
        }
        mark(db, id, news.kind, tell, now)?;
        done.news.push((id, news.kind));
        if tell {
            sequels::tell(db, id, news.kind, now)?;
            told.fresh.push(NewFind {
                listing: id,
                search,
                change: news.kind.into(),
                was: match (sequel, news.kind) {
                    (Some(sequel), _) => sequel.was.as_ref(),
                    (None, NewsKind::New) => None,
                    (None, _) => before.price.as_ref(),
                },
                was_at: sequel
                    .filter(|_| news.kind == NewsKind::Relisted)
                    .map(|sequel| sequel.was_at),
                unseen_at: by.unseen_at,
            });
        }
    }
    for post in &page.posts {
        done.outbox.extend(write_post(db, search, post, &told, now)?);
    }
    for id in &told.also {
        outbox_queue::also_found_by(db, *id, search)?;
    }
    Ok(())
}

/// What is news is unread; the same news a second time is not.
fn mark(db: &Connection, id: ListingId, kind: NewsKind, tell: bool, now: Timestamp) -> Result<()> {
    db.prepare_cached(
        "UPDATE listings SET news = ?2, news_at = ?3,
            unread = CASE WHEN news = ?2 AND news = 'new' THEN unread ELSE 1 END,
            told_at = CASE WHEN ?4 THEN coalesce(told_at, ?3) ELSE told_at END WHERE id = ?1",
    )?
    .execute(params![id.0, kind.code(), ms(now), tell])?;
    Ok(())
}

fn write_post(
    db: &Connection,
    search: SearchId,
    post: &Post,
    told: &Told<'_>,
    now: Timestamp,
) -> Result<Option<OutboxId>> {
    let mut early = Vec::new();
    if post.not_before.is_none_or(|time| time <= now) {
        for id in &told.also {
            if outbox_queue::waits_for_its_time(db, *id, &post.channel, now)? {
                early.push(*id);
            }
        }
    }
    if told.fresh.is_empty() && early.is_empty() {
        return Ok(None);
    }
    let row = NewRow {
        channel: &post.channel,
        kind: post.kind,
        search: Some(search),
        payload: post.payload.as_ref(),
        not_before: post.not_before,
        joins: post.join,
    };
    let waiting = if post.join {
        outbox_queue::joinable(db, &post.channel, post.kind, search)?
    } else {
        None
    };
    let id = match waiting {
        Some(id) => {
            outbox_queue::no_later_than(db, id, post.not_before)?;
            id
        }
        None => outbox_queue::insert(db, &row, now)?,
    };
    for line in &told.fresh {
        outbox_queue::add_find(db, id, line)?;
    }
    for listing in early {
        outbox_queue::bring_forward(db, listing, &post.channel, id, now)?;
    }
    Ok(Some(id))
}

impl From<NewsKind> for FindChange {
    fn from(kind: NewsKind) -> Self {
        match kind {
            NewsKind::New => Self::New,
            NewsKind::PriceDrop => Self::PriceDrop,
            NewsKind::PriceRise => Self::PriceRise,
            NewsKind::Relisted => Self::Relisted,
        }
    }
}
