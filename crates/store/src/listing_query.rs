//! The SQL of a list: each filter a condition, each order an index, each page a key.

use std::fmt::Write as _;

use firstknock_listing::{SearchId, fold};
use rusqlite::types::Value;

use crate::listing_list::{ListingCursor, ListingFilter, ListingOnly, ListingSort};
use crate::listings::{SELECT, StoredListing};

/// Nobody types more; what comes behind them is not looked for.
const MOST_WORDS: usize = 20;

/// Which part of an order: those with a value, those without, or by id alone.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Part {
    ById,
    Valued,
    Valueless,
}

pub(crate) fn query(
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
    let words = Words::of(&filter.text);
    if let Some(indexed) = words.indexed.clone().filter(|_| part == Part::ById) {
        // What has the words comes in the order of the ids already.
        from.push_str(" JOIN listing_words w ON w.rowid = l.id");
        conditions.add("listing_words MATCH ?", [Value::from(indexed)]);
        id = "w.rowid";
        conditions.words(&Words { indexed: None, ..words });
    } else {
        conditions.words(&words);
    }
    if let Some(search) = filter.search {
        if part == Part::ById && id == "l.id" {
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

/// The words of a text: all of them are looked for, wherever they stand in another.
pub(crate) struct Words {
    /// What FTS5 looks for: those that its index of three letters can hold.
    pub(crate) indexed: Option<String>,
    /// Shorter ones, for which every text is read.
    pub(crate) short: Vec<String>,
}

impl Words {
    /// Signs around a word are not looked for, nor are signs alone.
    pub(crate) fn of(text: &str) -> Self {
        let text = fold(text);
        let words = text.split_whitespace().map(|w| w.trim_matches(|c: char| !c.is_alphanumeric()));
        let words = words.filter(|word| !word.is_empty()).take(MOST_WORDS);
        let (long, short): (Vec<_>, Vec<_>) = words.partition(|word| word.chars().nth(2).is_some());
        let quoted: Vec<_> =
            long.iter().map(|word| format!("\"{}\"", word.replace('"', "\"\""))).collect();
        Self {
            indexed: (!quoted.is_empty()).then(|| quoted.join(" ")),
            short: short.into_iter().map(str::to_owned).collect(),
        }
    }
}

#[derive(Default)]
pub(crate) struct Conditions {
    text: String,
    pub(crate) values: Vec<Value>,
}

impl Conditions {
    fn add<const N: usize>(&mut self, sql: &str, values: [Value; N]) {
        let joint = if self.text.is_empty() { "" } else { " AND " };
        write!(self.text, "{joint}{sql}").expect("BUG: writing into a String");
        self.values.extend(values);
    }

    pub(crate) fn search(&mut self, search: SearchId) {
        self.add(
            "EXISTS (SELECT 1 FROM sightings s WHERE s.search = ? AND s.listing = l.id)",
            [Value::from(search.0)],
        );
    }

    pub(crate) fn words(&mut self, words: &Words) {
        if let Some(indexed) = &words.indexed {
            self.add(
                "l.id IN (SELECT rowid FROM listing_words WHERE listing_words MATCH ?)",
                [Value::from(indexed.clone())],
            );
        }
        for word in &words.short {
            self.add(
                "l.id IN (SELECT listing FROM listing_text WHERE instr(folded, ?) > 0)",
                [Value::from(word.clone())],
            );
        }
    }

    /// All but words and search, which an order may be read from.
    pub(crate) fn filter(&mut self, filter: &ListingFilter) {
        self.add(filter.only.condition(), []);
        if let Some(host) = &filter.host {
            self.add("l.host = ?", [Value::from(host.as_str().to_owned())]);
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

    pub(crate) fn sql(&self) -> &str {
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
    pub(crate) const fn column(self) -> Option<&'static str> {
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

    pub(crate) fn cursor(self, last: &StoredListing) -> ListingCursor {
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
