//! Listings and searches as files for other programs, and searches back in.
//!
//! **Promises**: a cell of a table never runs as a formula; an import is taken whole or not at
//! all, and what is there already is left alone. **Leaves out**: where files go.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::io::Write;
use std::time::Duration;

use firstknock_listing::{Area, Criteria, Currency, Period, RentKind, Rooms, SearchId, SearchUrl};
use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use crate::database::Store;
use crate::error::{Result, StoreError};
use crate::listings::{SELECT, StoredListing, read};
use crate::searches::{
    MAX_ENABLED, MAX_INTERVAL, MIN_INTERVAL, QuietHours, ReaderChoice, Rhythm, Search, SearchWish,
    Tell,
};

/// A search as it stands in a file. All but the address may be missing.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ExportedSearch {
    /// The page.
    pub url: SearchUrl,
    /// What the user calls it; the host if missing.
    #[serde(default)]
    pub name: String,
    /// Seconds; 90 if missing.
    #[serde(default = "ninety")]
    pub interval_s: u64,
    /// Not paused.
    #[serde(default = "yes")]
    pub enabled: bool,
    /// Told in the app only.
    #[serde(default)]
    pub muted: bool,
    /// How the page is read.
    #[serde(default)]
    pub reader: ReaderChoice,
    /// The user's filters.
    #[serde(default)]
    pub filters: Criteria,
    /// What is told.
    #[serde(default)]
    pub tell: Tell,
    /// When nothing is.
    #[serde(default)]
    pub quiet: Option<QuietHours>,
    /// At once or collected.
    #[serde(default)]
    pub rhythm: Rhythm,
}

/// What became of one entry of an import.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ImportedLine {
    /// Which: the entry of the array, or the line of the text; from 1.
    pub entry: usize,
    /// What the search is called.
    pub name: String,
    /// What became of it.
    pub fate: Fate,
}

/// Whether an entry became a search.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Fate {
    /// It is one now.
    Added(SearchId),
    /// It is one now, paused because fifteen are enabled.
    Paused(SearchId),
    /// Its address was one already, of this name.
    Duplicate(String),
}

impl Fate {
    /// The search that was made of it.
    pub fn added(&self) -> Option<SearchId> {
        match self {
            Self::Added(id) | Self::Paused(id) => Some(*id),
            Self::Duplicate(_) => None,
        }
    }
}

const HEAD: &str = "id,host,url,title,address,postcode,city,price,price_upper,currency,period,\
rent_kind,size_m2,rooms,bedrooms,available_from,first_seen,last_seen,gone_at,news,starred,hidden,note";

impl Store {
    /// All listings as a table (RFC 4180, UTF-8), oldest first. Gives how many.
    ///
    /// # Errors
    /// If the file cannot be written, or we broke.
    pub fn export_csv(&self, out: &mut impl Write) -> Result<usize> {
        write!(out, "{HEAD}\r\n")?;
        self.each_listing(|listing| {
            write!(out, "{}\r\n", cells(listing).map(|cell| csv_cell(&cell)).join(","))?;
            Ok(())
        })
    }

    /// All listings as a JSON array, oldest first. Gives how many.
    ///
    /// # Errors
    /// If the file cannot be written, or we broke.
    pub fn export_json(&self, out: &mut impl Write) -> Result<usize> {
        let mut first = true;
        write!(out, "[")?;
        let written = self.each_listing(|listing| {
            write!(out, "{}\n{}", if first { "" } else { "," }, serde_json::to_string(listing)?)?;
            first = false;
            Ok(())
        })?;
        write!(out, "\n]\n")?;
        Ok(written)
    }

    fn each_listing(&self, mut visit: impl FnMut(&StoredListing) -> Result<()>) -> Result<usize> {
        let mut statement = self.db.prepare(&format!("{SELECT} ORDER BY l.id"))?;
        let mut written = 0;
        for listing in statement.query_map([], read)? {
            visit(&listing?)?;
            written += 1;
        }
        Ok(written)
    }

    /// All searches, for a file.
    ///
    /// # Errors
    /// Only if we or the disk broke.
    pub fn export_searches(&self) -> Result<Vec<ExportedSearch>> {
        Ok(self.searches()?.into_iter().map(exported).collect())
    }

    /// Adds searches from a file: a JSON array as [`Store::export_searches`] gives it, or plain
    /// lines with an address each. What is beyond fifteen enabled comes in paused.
    ///
    /// # Errors
    /// [`StoreError::BadImport`] names the first entry that cannot be read; nothing was added then.
    pub fn import_searches(&mut self, text: &str, now: Timestamp) -> Result<Vec<ImportedLine>> {
        let entries = parse(text)?;
        let existing = self.searches()?;
        let mut enabled = existing.iter().filter(|search| search.enabled).count();
        let mut seen: HashMap<String, String> = existing
            .into_iter()
            .map(|search| (page_of(&search.wish.url), search.wish.name))
            .collect();
        let mut lines = Vec::with_capacity(entries.len());
        let tx = self.begin()?;
        for (number, entry) in entries {
            let wish = wish_of(&entry);
            let name = wish.name.clone();
            let fate = match seen.entry(page_of(&entry.url)) {
                Entry::Occupied(same) => Fate::Duplicate(same.get().clone()),
                Entry::Vacant(place) => {
                    place.insert(name.clone());
                    let room = enabled < MAX_ENABLED;
                    let on = entry.enabled && room;
                    enabled += usize::from(on);
                    let id = crate::search_edit::insert(&tx, &wish, on, now)?;
                    if entry.enabled && !room { Fate::Paused(id) } else { Fate::Added(id) }
                }
            };
            lines.push(ImportedLine { entry: number, name, fate });
        }
        tx.commit()?;
        Ok(lines)
    }
}

/// The entries with their numbers.
fn parse(text: &str) -> Result<Vec<(usize, ExportedSearch)>> {
    let text = text.trim_start_matches('\u{feff}').trim();
    if text.starts_with('[') {
        let values: Vec<serde_json::Value> =
            serde_json::from_str(text).map_err(|_| StoreError::BadImport { entry: 1 })?;
        return values
            .into_iter()
            .zip(1..)
            .map(|(value, entry)| match serde_json::from_value(value) {
                Ok(search) => Ok((entry, search)),
                Err(_) => Err(StoreError::BadImport { entry }),
            })
            .collect();
    }
    let lines = text.lines().zip(1..).filter(|(line, _)| !line.trim().is_empty());
    lines
        .map(|(line, entry)| {
            let url = SearchUrl::parse(line).map_err(|_| StoreError::BadImport { entry })?;
            let search = ExportedSearch {
                url,
                name: String::new(),
                interval_s: ninety(),
                enabled: true,
                muted: false,
                reader: ReaderChoice::default(),
                filters: Criteria::default(),
                tell: Tell::default(),
                quiet: None,
                rhythm: Rhythm::default(),
            };
            Ok((entry, search))
        })
        .collect()
}

fn exported(search: Search) -> ExportedSearch {
    ExportedSearch {
        interval_s: search.wish.interval.as_secs(),
        enabled: search.enabled,
        url: search.wish.url,
        name: search.wish.name,
        muted: search.wish.muted,
        reader: search.wish.reader,
        filters: search.wish.criteria,
        tell: search.wish.tell,
        quiet: search.wish.quiet,
        rhythm: search.wish.rhythm,
    }
}

fn wish_of(entry: &ExportedSearch) -> SearchWish {
    let name = firstknock_listing::clean_line(&entry.name);
    SearchWish {
        name: if name.is_empty() { entry.url.host().to_string() } else { name },
        url: entry.url.clone(),
        interval: Duration::from_secs(entry.interval_s).clamp(MIN_INTERVAL, MAX_INTERVAL),
        muted: entry.muted,
        reader: entry.reader,
        criteria: entry.filters.clone(),
        tell: entry.tell,
        quiet: entry.quiet.clone(),
        rhythm: entry.rhythm,
    }
}

fn cells(it: &StoredListing) -> [String; 23] {
    let listing = &it.listing;
    let text = |text: Option<&str>| text.unwrap_or_default().to_owned();
    let euros = |cents: i64| format!("{}.{:02}", cents / 100, (cents % 100).abs());
    let number = |number: Option<f64>| number.map(|n| n.to_string()).unwrap_or_default();
    let time = |time: Option<Timestamp>| time.map(|t| t.to_string()).unwrap_or_default();
    let address = listing.address.as_ref();
    let price = listing.price.as_ref();
    [
        it.id.to_string(),
        it.host.to_string(),
        listing.url.clone(),
        text(listing.title.as_deref()),
        text(address.map(|a| a.raw.as_str())),
        text(address.and_then(|a| a.postcode.as_deref())),
        text(address.and_then(|a| a.city.as_deref())),
        price.map(|p| euros(p.cents)).unwrap_or_default(),
        price.and_then(|p| p.upper_cents).map(euros).unwrap_or_default(),
        text(price.and_then(|p| p.currency.as_ref().map(Currency::code))),
        text(price.and_then(|p| p.period.map(Period::code))),
        text(price.and_then(|p| p.kind.map(RentKind::code))),
        number(listing.size.map(Area::m2)),
        number(listing.rooms.map(Rooms::count)),
        number(listing.bedrooms.map(Rooms::count)),
        text(listing.available_from.as_deref()),
        time(Some(it.first_seen)),
        time(Some(it.last_seen)),
        time(it.gone_at),
        text(it.news.map(crate::NewsKind::code)),
        it.starred.to_string(),
        it.hidden.to_string(),
        text(it.note.as_deref()),
    ]
}

/// Quotes a cell; one that a spreadsheet would run is preceded by an apostrophe.
fn csv_cell(cell: &str) -> String {
    let runs = cell.starts_with(['=', '+', '-', '@', '\t', '\r']);
    let safe = if runs { format!("'{cell}") } else { cell.to_owned() };
    if safe.contains([',', '"', '\n', '\r', '\t', '\'']) {
        format!("\"{}\"", safe.replace('"', "\"\""))
    } else {
        safe
    }
}

fn page_of(url: &SearchUrl) -> String {
    crate::searches::same_page(url)
}

const fn ninety() -> u64 {
    90
}

const fn yes() -> bool {
    true
}
