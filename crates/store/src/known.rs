//! What is known of the listings on a page, before it is compared.

use std::collections::BTreeSet;
use std::time::Duration;

use firstknock_listing::{HostKey, Known, Listing, ListingId, SearchId};
use jiff::Timestamp;
use rusqlite::params;

use crate::columns::ms;
use crate::database::Store;
use crate::error::Result;
use crate::identity::holder;
use crate::listings::find;

/// A listing that was away for less is back without a word: pages flicker (urlwatch#275).
pub const RELISTED_AFTER: Duration = Duration::from_secs(24 * 60 * 60);

/// What is known of one listing, from the point of view of one search.
#[derive(Debug, Clone, PartialEq)]
pub struct KnownHere {
    /// For `firstknock_listing::diff`. `gone` is true only after [`RELISTED_AFTER`].
    pub known: Known,
    /// This search has had it on its page at some time.
    pub sighted: bool,
    /// The user knows of it already, by a baseline or an alert of any search.
    pub told: bool,
    /// When it was first on a page.
    pub first_seen: Timestamp,
    /// When it was last on a page.
    pub last_seen: Timestamp,
}

impl Store {
    /// What is known of a page's listings, and of those that this search had on its page last
    /// time: all that `diff` can ask about.
    ///
    /// # Errors
    /// Only if we or the disk broke.
    pub fn known(
        &self,
        host: &HostKey,
        search: SearchId,
        page: &[Listing],
        now: Timestamp,
    ) -> Result<Vec<KnownHere>> {
        let mut ids = BTreeSet::new();
        for key in page.iter().flat_map(|listing| &listing.keys) {
            ids.extend(holder(&self.db, host, key)?);
        }
        let mut here = self.db.prepare_cached(
            "SELECT listing FROM sightings WHERE search = ?1 AND ended_at IS NULL",
        )?;
        for id in here.query_map([search.0], |row| Ok(ListingId(row.get(0)?)))? {
            ids.insert(id?);
        }
        ids.into_iter().map(|id| self.known_here(id, search, now)).collect()
    }

    fn known_here(&self, id: ListingId, search: SearchId, now: Timestamp) -> Result<KnownHere> {
        let stored = find(&self.db, id)?.expect("BUG: keys and sightings refer to listings");
        let sighting: Vec<Option<i64>> = self
            .db
            .prepare_cached("SELECT ended_at FROM sightings WHERE search = ?1 AND listing = ?2")?
            .query_map(params![search.0, id.0], |row| row.get(0))?
            .collect::<rusqlite::Result<_>>()?;
        let away_ms = stored.gone_at.map(|gone_at| ms(now) - ms(gone_at));
        let long = i64::try_from(RELISTED_AFTER.as_millis()).unwrap_or(i64::MAX);
        Ok(KnownHere {
            known: Known {
                id,
                keys: stored.listing.keys,
                price: stored.listing.price,
                gone: away_ms.is_some_and(|away| away >= long),
                here: sighting.contains(&None),
            },
            sighted: !sighting.is_empty(),
            told: stored.told_at.is_some(),
            first_seen: stored.first_seen,
            last_seen: stored.last_seen,
        })
    }
}
