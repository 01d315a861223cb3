//! What stands beside a listing's row: price steps, searches, "seen before", evidence.

use firstknock_listing::{Evidence, ListingId, Money, SearchId};
use jiff::Timestamp;
use rusqlite::{Connection, OptionalExtension, params};
use serde::{Deserialize, Serialize};

use crate::columns::Columns;
use crate::database::Store;
use crate::error::Result;
use crate::listings::{StoredListing, read_price};

/// A price and since when.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct PriceStep {
    /// Since when.
    pub at: Timestamp,
    /// The price.
    pub price: Money,
}

/// What looks like the same home, seen under another listing before.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct SeenBefore {
    /// The other listing.
    pub listing: ListingId,
    /// When it was last seen.
    pub at: Timestamp,
    /// Its last price.
    pub price: Option<Money>,
}

/// What stands beside a listing.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct ListingExtras {
    /// Oldest first; one if the price never moved.
    pub prices: Vec<PriceStep>,
    /// The searches that have or had it.
    pub searches: Vec<SearchId>,
    /// The same home, earlier.
    pub seen_before: Option<SeenBefore>,
    /// What looks like the same home and is on a page now too.
    pub also_on: Vec<ListingId>,
}

impl Store {
    /// What stands beside one listing.
    ///
    /// # Errors
    /// Only if we or the disk broke.
    pub fn listing_extras(&self, listing: &StoredListing) -> Result<ListingExtras> {
        Ok(ListingExtras {
            prices: prices(&self.db, listing.id)?,
            searches: searches(&self.db, listing.id)?,
            seen_before: self.seen_before(listing)?,
            also_on: self.also_on(listing)?,
        })
    }

    /// What looks like the same home and was seen before this listing appeared: same address with
    /// house number, size and rooms; where the address has no house number, also a price within
    /// 3 %. Weak: good for a remark, never for leaving anything out.
    ///
    /// # Errors
    /// Only if we or the disk broke.
    pub fn seen_before(&self, listing: &StoredListing) -> Result<Option<SeenBefore>> {
        let mut statement = self.db.prepare_cached(&format!(
            "SELECT o.* {SAME_HOME} AND o.first_seen < l.first_seen ORDER BY o.last_seen DESC LIMIT 1"
        ))?;
        let before = statement.query_row([listing.id.0], |row| {
            Ok(SeenBefore {
                listing: ListingId(row.get("id")?),
                at: row.time("last_seen")?,
                price: read_price(row)?,
            })
        });
        Ok(before.optional()?)
    }

    fn also_on(&self, listing: &StoredListing) -> Result<Vec<ListingId>> {
        let mut statement = self.db.prepare_cached(&format!(
            "SELECT o.id {SAME_HOME} AND o.gone_at IS NULL ORDER BY o.id"
        ))?;
        let ids = statement.query_map([listing.id.0], |row| Ok(ListingId(row.get(0)?)))?;
        Ok(ids.collect::<rusqlite::Result<_>>()?)
    }

    /// Where each field was read, for "why".
    ///
    /// # Errors
    /// Only if we or the disk broke.
    pub fn listing_evidence(&self, id: ListingId) -> Result<Vec<Evidence>> {
        let evidence = self
            .db
            .prepare_cached("SELECT evidence FROM listing_evidence WHERE listing = ?1")?
            .query_row([id.0], |row| row.json("evidence"))
            .optional()?;
        Ok(evidence.unwrap_or_default())
    }

    /// All that a search has on its page now.
    ///
    /// # Errors
    /// Only if we or the disk broke.
    pub fn listings_here(&self, search: SearchId) -> Result<Vec<StoredListing>> {
        let ids = crate::sightings::live(&self.db, search)?;
        let mut ids: Vec<_> = ids.into_iter().collect();
        ids.sort_by_key(|(id, place)| (*place, *id));
        ids.into_iter()
            .filter_map(|(id, _)| crate::listings::find(&self.db, id).transpose())
            .collect()
    }
}

/// Other listings `o` with the fingerprint of listing `l`.
const SAME_HOME: &str = "FROM listings l JOIN listings o ON o.fingerprint = l.fingerprint
     WHERE l.id = ?1 AND o.id <> l.id AND (l.fingerprint LIKE 'house:%'
        OR abs(o.monthly_cents - l.monthly_cents) * 100 <= 3 * l.monthly_cents)";

pub(crate) fn prices(db: &Connection, id: ListingId) -> Result<Vec<PriceStep>> {
    let mut statement = db.prepare_cached("SELECT * FROM prices WHERE listing = ?1 ORDER BY at")?;
    let rows = statement.query_map(params![id.0], |row| {
        let price = read_price(row)?.expect("BUG: a price step has a price");
        Ok(PriceStep { at: row.time("at")?, price })
    })?;
    Ok(rows.collect::<rusqlite::Result<_>>()?)
}

fn searches(db: &Connection, id: ListingId) -> Result<Vec<SearchId>> {
    let mut statement = db.prepare_cached(
        "SELECT s.search FROM sightings s JOIN searches ON searches.id = s.search
         WHERE s.listing = ?1 AND searches.deleted_at IS NULL ORDER BY s.first_seen, s.search",
    )?;
    let rows = statement.query_map([id.0], |row| Ok(SearchId(row.get(0)?)))?;
    Ok(rows.collect::<rusqlite::Result<_>>()?)
}
