//! Lists of listings for people and the API: filtered, in an order, page by page.
//!
//! **Promises**: every order follows an index and every page begins at a key, so that the thousandth
//! page of 50,000 costs what the first does; words are looked for also within others, without case
//! and accents.
//! **Leaves out**: what stands beside a row (`listing_extras`).

use firstknock_listing::{Area, HostKey, ListingId, Rooms, SearchId};
use serde::{Deserialize, Serialize};

use crate::database::Store;
use crate::error::Result;
use crate::listing_query::{Conditions, Part, Words, query};
use crate::listings::{StoredListing, read};

/// The most rows of one page.
pub const MAX_PAGE: u32 = 200;

/// Which listings.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct ListingFilter {
    /// That this search has or had.
    pub search: Option<SearchId>,
    /// Of this host.
    pub host: Option<HostKey>,
    /// All of these words stand in title or address, also within others.
    pub text: String,
    /// In which state.
    pub only: ListingOnly,
    /// Least rent per month in cents; leaves out what has no price.
    pub min_cents: Option<i64>,
    /// Highest rent per month in cents; leaves out what has no price.
    pub max_cents: Option<i64>,
    /// Least size.
    pub min_size: Option<Area>,
    /// Largest size.
    pub max_size: Option<Area>,
    /// Fewest rooms, else bedrooms.
    pub min_rooms: Option<Rooms>,
}

/// In which state. Hidden ones are shown by `Hidden` only.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ListingOnly {
    /// All that are not hidden.
    #[default]
    All,
    /// Still on a page, as far as we know.
    Here,
    /// Not looked at yet.
    Unread,
    /// With a star.
    Starred,
    /// Gone from every page.
    Gone,
    /// Hidden by the user.
    Hidden,
}

/// In which order; ties go by age.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ListingSort {
    /// In the order in which we first saw them, newest first.
    #[default]
    Newest,
    /// Oldest first.
    Oldest,
    /// By rent per month, cheapest first; without a price last.
    Cheapest,
    /// Dearest first; without a price last.
    Dearest,
    /// By size, largest first; without a size last.
    Largest,
    /// By the last thing worth telling, newest first; without any last.
    LatestNews,
}

/// Where the next page begins. Opaque; only good for the same filter and order.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ListingCursor {
    /// The order's value; `None` among those that have none.
    pub(crate) key: Option<i64>,
    pub(crate) id: i64,
}

/// Some listings, and where the next ones begin.
#[derive(Debug, Clone, PartialEq)]
pub struct ListingRows {
    /// In order.
    pub rows: Vec<StoredListing>,
    /// `None` at the end.
    pub next: Option<ListingCursor>,
}

impl Store {
    /// One page of a list.
    ///
    /// # Errors
    /// Only if we or the disk broke.
    pub fn list_listings(
        &self,
        filter: &ListingFilter,
        sort: ListingSort,
        after: Option<ListingCursor>,
        limit: u32,
    ) -> Result<ListingRows> {
        let wanted = limit.clamp(1, MAX_PAGE);
        let mut rows = Vec::new();
        // Those that have no value for the order follow behind those that do.
        let mut parts = vec![Part::Valued, Part::Valueless];
        match (sort.column(), after) {
            (None, _) => parts = vec![Part::ById],
            (Some(_), Some(ListingCursor { key: None, .. })) => parts = vec![Part::Valueless],
            _ => {}
        }
        let mut after = after;
        for part in parts {
            let missing = wanted as usize - rows.len();
            if missing == 0 {
                break;
            }
            let (sql, values) = query(filter, sort, part, after, missing);
            let mut statement = self.db.prepare_cached(&sql)?;
            let found = statement.query_map(rusqlite::params_from_iter(values), read)?;
            rows.extend(found.collect::<rusqlite::Result<Vec<_>>>()?);
            after = None;
        }
        let full = rows.len() == wanted as usize;
        let next = rows.last().filter(|_| full).map(|last| sort.cursor(last));
        Ok(ListingRows { rows, next })
    }

    /// How many listings a filter lets through.
    ///
    /// # Errors
    /// Only if we or the disk broke.
    pub fn count_listings(&self, filter: &ListingFilter) -> Result<u32> {
        if *filter == ListingFilter::default() {
            // The narrowest index counts them all; hidden ones are few and have an index.
            let sql = "SELECT (SELECT count(*) FROM listings)
                - (SELECT count(*) FROM listings WHERE hidden = 1)";
            return Ok(self.db.prepare_cached(sql)?.query_row([], |row| row.get(0))?);
        }
        let words = Words::of(&filter.text);
        if let (Some(words), true) = (&words.indexed, words.short.is_empty())
            && *filter == (ListingFilter { text: filter.text.clone(), ..Default::default() })
        {
            // The index counts what has the words without reading a listing.
            let sql = "SELECT (SELECT count(*) FROM listing_words WHERE listing_words MATCH ?1)
                - (SELECT count(*) FROM listings l WHERE hidden = 1 AND +l.id IN
                    (SELECT rowid FROM listing_words WHERE listing_words MATCH ?1))";
            return Ok(self.db.prepare_cached(sql)?.query_row([words], |row| row.get(0))?);
        }
        let mut conditions = Conditions::default();
        conditions.filter(filter);
        conditions.words(&words);
        if let Some(search) = filter.search {
            conditions.search(search);
        }
        let sql = format!("SELECT count(*) FROM listings l WHERE {}", conditions.sql());
        let mut statement = self.db.prepare_cached(&sql)?;
        Ok(statement.query_row(rusqlite::params_from_iter(conditions.values), |row| row.get(0))?)
    }

    /// How many listings are unread.
    ///
    /// # Errors
    /// Only if we or the disk broke.
    pub fn unread_count(&self) -> Result<u32> {
        self.count_listings(&ListingFilter { only: ListingOnly::Unread, ..Default::default() })
    }

    /// SQLite's plan of a list's query, for the test that holds it to its indexes.
    ///
    /// # Errors
    /// Only if we broke.
    pub fn explain_list(&self, filter: &ListingFilter, sort: ListingSort) -> Result<String> {
        let after = ListingCursor { key: sort.column().map(|_| 1), id: 1 };
        let part = if sort.column().is_some() { Part::Valued } else { Part::ById };
        let (sql, values) = query(filter, sort, part, Some(after), 50);
        let mut statement = self.db.prepare(&format!("EXPLAIN QUERY PLAN {sql}"))?;
        let lines = statement
            .query_map(rusqlite::params_from_iter(values), |row| row.get::<_, String>("detail"))?;
        Ok(lines.collect::<rusqlite::Result<Vec<_>>>()?.join("\n"))
    }
}

impl std::fmt::Display for ListingCursor {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self.key {
            Some(key) => write!(f, "{key}.{}", self.id),
            None => write!(f, "n.{}", self.id),
        }
    }
}

impl std::str::FromStr for ListingCursor {
    type Err = NotACursor;

    fn from_str(text: &str) -> std::result::Result<Self, NotACursor> {
        let (key, id) = text.split_once('.').ok_or(NotACursor)?;
        let key = if key == "n" { None } else { Some(key.parse().map_err(|_| NotACursor)?) };
        Ok(Self { key, id: id.parse().map_err(|_| NotACursor)? })
    }
}

/// Text that is no cursor of ours.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("not a cursor")]
pub struct NotACursor;

impl ListingCursor {
    /// The last listing of the page before.
    pub const fn last(&self) -> ListingId {
        ListingId(self.id)
    }
}
