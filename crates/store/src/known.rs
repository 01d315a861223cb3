//! What is known of the listings on a page, before it is compared.

use std::collections::BTreeSet;
use std::time::Duration;

use firstknock_listing::{HostKey, Known, Listing, ListingId, SearchId};
use jiff::Timestamp;
use rusqlite::{OptionalExtension, params};

use crate::columns::{Columns, ms};
use crate::database::Store;
use crate::error::Result;
use crate::identity::holder;
use crate::listings::find;
use crate::search_state;
use crate::sequels::{self, Sequel};

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
    /// What happened to it since this search last saw it, as another search saw first: it is this
    /// one's news as well. Told ones are among it.
    pub missed: Vec<Sequel>,
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
        let looked_at = search_state::facts(&self.db, search)?.last_answer_at;
        ids.into_iter().map(|id| self.known_here(id, search, looked_at, now)).collect()
    }

    fn known_here(
        &self,
        id: ListingId,
        search: SearchId,
        looked_at: Option<Timestamp>,
        now: Timestamp,
    ) -> Result<KnownHere> {
        let stored = find(&self.db, id)?.expect("BUG: keys and sightings refer to listings");
        let sighting: Option<(Timestamp, bool)> = self
            .db
            .prepare_cached(
                "SELECT last_seen, ended_at FROM sightings WHERE search = ?1 AND listing = ?2",
            )?
            .query_row(params![search.0, id.0], |row| {
                Ok((row.time("last_seen")?, row.opt_time("ended_at")?.is_none()))
            })
            .optional()?;
        // One that was never here: what happened since the page was last read.
        let since = sighting.map(|(last_seen, _)| last_seen).or(looked_at);
        let mut missed = sequels::of(&self.db, id)?;
        missed.retain(|sequel| since.is_some_and(|since| sequel.at > since));
        let away_ms = stored.gone_at.map(|gone_at| ms(now) - ms(gone_at));
        let long = i64::try_from(RELISTED_AFTER.as_millis()).unwrap_or(i64::MAX);
        Ok(KnownHere {
            known: Known {
                id,
                keys: stored.listing.keys,
                price: stored.listing.price,
                gone: away_ms.is_some_and(|away| away >= long),
                here: sighting.is_some_and(|(_, here)| here),
            },
            sighted: sighting.is_some(),
            told: stored.told_at.is_some(),
            first_seen: stored.first_seen,
            last_seen: stored.last_seen,
            missed,
        })
    }
}
