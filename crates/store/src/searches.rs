//! Searches: what the user watches.
//!
//! **Leaves out**: how they are added, changed and removed (`search_edit`), what checks find out
//! (`search_state`), when a search is due.

use std::time::Duration;

use firstknock_listing::{Criteria, HostKey, Revision, SearchId, SearchUrl};
use jiff::Timestamp;
use rusqlite::{Connection, OptionalExtension, Row};
use serde::{Deserialize, Serialize};

use crate::columns::{Columns, words};
use crate::database::Store;
use crate::error::Result;

/// How many searches may be enabled at once.
pub const MAX_ENABLED: usize = 15;
/// The shortest interval of a search.
pub const MIN_INTERVAL: Duration = Duration::from_secs(30);
/// The longest interval of a search.
pub const MAX_INTERVAL: Duration = Duration::from_secs(24 * 60 * 60);

/// How a search's page is read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ReaderChoice {
    /// Plainly, and in a browser where plain does not work.
    #[default]
    Auto,
    /// Always plainly.
    Plain,
    /// Always in the app's browser.
    Browser,
}

/// What a search tells about.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Tell {
    /// New listings.
    pub new: bool,
    /// Lower prices.
    pub price_drops: bool,
    /// Listings that came back.
    pub relisted: bool,
}

/// When alerts are held back. Minutes since midnight in a named zone: a laptop travels.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct QuietHours {
    /// From this minute …
    pub from_minute: u16,
    /// … to before this one; smaller than `from_minute` where the night is between.
    pub to_minute: u16,
    /// IANA name.
    pub zone: String,
}

/// Whether each find is told at once.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Rhythm {
    /// At once.
    #[default]
    Instant,
    /// Collected.
    Digest,
}

/// Everything of a search that the user chooses.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct SearchWish {
    /// What the user calls it.
    pub name: String,
    /// The page, byte for byte as given.
    pub url: SearchUrl,
    /// How often it is looked at, before jitter and stretching.
    pub interval: Duration,
    /// Told in the app only.
    pub muted: bool,
    /// How the page is read.
    pub reader: ReaderChoice,
    /// The user's own filters.
    pub criteria: Criteria,
    /// What is told.
    pub tell: Tell,
    /// When nothing is told.
    pub quiet: Option<QuietHours>,
    /// At once or collected.
    pub rhythm: Rhythm,
}

/// A saved search.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Search {
    /// Ours; never used again, since mails name it.
    pub id: SearchId,
    /// What the user chose.
    pub wish: SearchWish,
    /// Whom its page belongs to.
    pub host: HostKey,
    /// The user's order; the first on a host is its probe.
    pub position: i64,
    /// Not paused.
    pub enabled: bool,
    /// Counts edits.
    pub revision: Revision,
    /// When it was added.
    pub created_at: Timestamp,
    /// When it was last changed.
    pub edited_at: Timestamp,
}

impl Store {
    /// All searches in the user's order.
    ///
    /// # Errors
    /// Only if we or the disk broke.
    pub fn searches(&self) -> Result<Vec<Search>> {
        let mut statement = self.db.prepare_cached(
            "SELECT * FROM searches WHERE deleted_at IS NULL ORDER BY position, id",
        )?;
        let rows = statement.query_map([], read)?.collect::<rusqlite::Result<_>>()?;
        Ok(rows)
    }

    /// One search; `None` if it is not there or was deleted.
    ///
    /// # Errors
    /// Only if we or the disk broke.
    pub fn search(&self, id: SearchId) -> Result<Option<Search>> {
        find(&self.db, id)
    }

    /// The search that has this address already, whatever its fragment.
    ///
    /// # Errors
    /// Only if we or the disk broke.
    pub fn search_with_url(&self, url: &SearchUrl) -> Result<Option<Search>> {
        let wanted = same_page(url);
        Ok(self.searches()?.into_iter().find(|search| same_page(&search.wish.url) == wanted))
    }
}

pub(crate) fn find(db: &Connection, id: SearchId) -> Result<Option<Search>> {
    let search = db
        .prepare_cached("SELECT * FROM searches WHERE id = ?1 AND deleted_at IS NULL")?
        .query_row([id.0], read)
        .optional()?;
    Ok(search)
}

pub(crate) fn read(row: &Row<'_>) -> rusqlite::Result<Search> {
    Ok(Search {
        id: SearchId(row.get("id")?),
        wish: SearchWish {
            name: row.get("name")?,
            url: row.search_url("url")?,
            interval: Duration::from_millis(row.get::<_, i64>("interval_ms")?.unsigned_abs()),
            muted: row.get("muted")?,
            reader: row.word("reader", ReaderChoice::from_code)?,
            criteria: row.json("criteria")?,
            tell: Tell {
                new: row.get("tell_new")?,
                price_drops: row.get("tell_drops")?,
                relisted: row.get("tell_relisted")?,
            },
            quiet: row.opt_json("quiet")?,
            rhythm: row.word("rhythm", Rhythm::from_code)?,
        },
        host: row.host("host")?,
        position: row.get("position")?,
        enabled: row.get("enabled")?,
        revision: Revision(row.get("revision")?),
        created_at: row.time("created_at")?,
        edited_at: row.time("edited_at")?,
    })
}

/// The parsed address without its fragment, which no server sees.
pub(crate) fn same_page(url: &SearchUrl) -> String {
    let mut parsed = url.url().clone();
    parsed.set_fragment(None);
    parsed.into()
}

words!(ReaderChoice { Auto = "auto", Plain = "plain", Browser = "browser" });
words!(Rhythm { Instant = "instant", Digest = "digest" });

impl Default for Tell {
    fn default() -> Self {
        Self { new: true, price_drops: true, relisted: true }
    }
}
