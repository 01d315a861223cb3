//! Lists of listings for people and the API: filtered, in an order, page by page.
//!
//! **Promises**: every order follows an index and every page begins at a key, so that the thousandth
//! page of 50,000 costs what the first does; text is looked for without case and accents.
//! **Leaves out**: what stands beside a row (`listing_extras`).

use std::fmt::Write as _;

use firstknock_listing::{Area, HostKey, ListingId, Rooms, SearchId, fold};
use rusqlite::types::Value;
use serde::{Deserialize, Serialize};

use crate::database::Store;
use crate::error::Result;
use crate::listings::{SELECT, StoredListing, read};

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
    /// All of these words stand in title or address.
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
    key: Option<i64>,
    id: i64,
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
        let mut conditions = Conditions::default();
        conditions.filter(filter);
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

/// Which part of an order: those with a value, those without, or by id alone.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Part {
    ById,
    Valued,
    Valueless,
}

fn query(
    filter: &ListingFilter,
    sort: ListingSort,
    part: Part,
    after: Option<ListingCursor>,
    limit: usize,
) -> (String, Vec<Value>) {
    let mut conditions = Conditions::default();
    conditions.filter(filter);
    let (column, direction) = (sort.column().unwrap_or("l.id"), sort.direction());
    let beyond = if direction == "ASC" { ">" } else { "<" };
    let mut from = SELECT.to_owned();
    let mut id = "l.id";
    if let Some(search) = filter.search {
        if part == Part::ById {
            // The search's own sightings are in the order of the ids already.
            from.push_str(" JOIN sightings s ON s.listing = l.id");
            conditions.add("s.search = ?", [Value::from(search.0)]);
            id = "s.listing";
        } else {
            conditions.search(search);
        }
    }
    let order = match part {
        Part::ById => {
            if let Some(after) = after {
                conditions.add(&format!("{id} {beyond} ?"), [Value::from(after.id)]);
            }
            format!("{id} {direction}")
        }
        Part::Valued => {
            conditions.add(&format!("{column} NOT NULL"), []);
            if let Some(ListingCursor { key: Some(key), id }) = after {
                let values = [Value::from(key), Value::from(id)];
                conditions.add(&format!("({column}, l.id) {beyond} (?, ?)"), values);
            }
            format!("{column} {direction}, l.id {direction}")
        }
        Part::Valueless => {
            conditions.add(&format!("{column} IS NULL"), []);
            if let Some(ListingCursor { key: None, id }) = after {
                conditions.add(&format!("l.id {beyond} ?"), [Value::from(id)]);
            }
            format!("l.id {direction}")
        }
    };
    let sql = format!("{from} WHERE {} ORDER BY {order} LIMIT {limit}", conditions.sql());
    (sql, conditions.values)
}

#[derive(Default)]
struct Conditions {
    text: String,
    values: Vec<Value>,
}

impl Conditions {
    fn add<const N: usize>(&mut self, sql: &str, values: [Value; N]) {
        let joint = if self.text.is_empty() { "" } else { " AND " };
        write!(self.text, "{joint}{sql}").expect("BUG: writing into a String");
        self.values.extend(values);
    }

    fn search(&mut self, search: SearchId) {
        self.add(
            "EXISTS (SELECT 1 FROM sightings s WHERE s.search = ? AND s.listing = l.id)",
            [Value::from(search.0)],
        );
    }

    fn filter(&mut self, filter: &ListingFilter) {
        self.add(filter.only.condition(), []);
        if let Some(host) = &filter.host {
            self.add("l.host = ?", [Value::from(host.as_str().to_owned())]);
        }
        for word in fold(&filter.text).split_whitespace() {
            self.add("instr(l.folded, ?) > 0", [Value::from(word.to_owned())]);
        }
        if let Some(cents) = filter.min_cents {
            self.add("l.monthly_cents >= ?", [Value::from(cents)]);
        }
        if let Some(cents) = filter.max_cents {
            self.add("l.monthly_cents <= ?", [Value::from(cents)]);
        }
        if let Some(size) = filter.min_size {
            self.add("l.size >= ?", [Value::from(size.hundredths())]);
        }
        if let Some(size) = filter.max_size {
            self.add("l.size <= ?", [Value::from(size.hundredths())]);
        }
        if let Some(rooms) = filter.min_rooms {
            self.add("coalesce(l.rooms, l.bedrooms) >= ?", [Value::from(rooms.tenths())]);
        }
    }

    fn sql(&self) -> &str {
        &self.text
    }
}

impl ListingOnly {
    /// Written so that SQLite sees the partial index that belongs to it.
    const fn condition(self) -> &'static str {
        match self {
            Self::All => "l.hidden = 0",
            Self::Here => "l.hidden = 0 AND l.gone_at IS NULL",
            Self::Unread => "l.unread = 1 AND l.hidden = 0",
            Self::Starred => "l.starred = 1 AND l.hidden = 0",
            Self::Gone => "l.gone_at IS NOT NULL AND l.hidden = 0",
            Self::Hidden => "l.hidden = 1",
        }
    }
}

impl ListingSort {
    const fn column(self) -> Option<&'static str> {
        match self {
            Self::Newest | Self::Oldest => None,
            Self::Cheapest | Self::Dearest => Some("l.monthly_cents"),
            Self::Largest => Some("l.size"),
            Self::LatestNews => Some("l.news_at"),
        }
    }

    const fn direction(self) -> &'static str {
        match self {
            Self::Oldest | Self::Cheapest => "ASC",
            Self::Newest | Self::Dearest | Self::Largest | Self::LatestNews => "DESC",
        }
    }

    fn cursor(self, last: &StoredListing) -> ListingCursor {
        let key = match self {
            Self::Newest | Self::Oldest => None,
            Self::Cheapest | Self::Dearest => {
                last.listing.price.as_ref().map(firstknock_listing::Money::monthly_cents)
            }
            Self::Largest => last.listing.size.map(|size| i64::from(size.hundredths())),
            Self::LatestNews => last.news_at.map(jiff::Timestamp::as_millisecond),
        };
        ListingCursor { key, id: last.id.0 }
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
