//! Who is who: any strong key that matches within the host is the same listing.
//!
//! **Promises**: a listing keeps its id for ever; where a page shows that two known listings are
//! one, the older id stays and takes over what the other had. **Leaves out**: weak signs.

use std::collections::BTreeSet;

use firstknock_listing::{HostKey, ListingId, ListingKey};
use rusqlite::{Connection, OptionalExtension, params};

use crate::error::Result;

/// The listing that has one of these keys, and the others that turn out to be the same.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Match {
    pub(crate) id: ListingId,
    pub(crate) twins: Vec<ListingId>,
}

pub(crate) fn resolve(
    db: &Connection,
    host: &HostKey,
    keys: &[ListingKey],
) -> Result<Option<Match>> {
    let mut found = BTreeSet::new();
    for key in keys {
        found.extend(holder(db, host, key)?);
    }
    let mut ids = found.into_iter();
    Ok(ids.next().map(|id| Match { id, twins: ids.collect() }))
}

/// Who has a key.
pub(crate) fn holder(
    db: &Connection,
    host: &HostKey,
    key: &ListingKey,
) -> Result<Option<ListingId>> {
    Ok(db
        .prepare_cached("SELECT listing FROM listing_keys WHERE host = ?1 AND key = ?2")?
        .query_row([host.as_str(), key.as_str()], |row| Ok(ListingId(row.get(0)?)))
        .optional()?)
}

/// Gives keys to a listing; those that it or another has already stay where they are.
pub(crate) fn add_keys(
    db: &Connection,
    host: &HostKey,
    keys: &[ListingKey],
    id: ListingId,
) -> Result<()> {
    for key in keys {
        db.prepare_cached(
            "INSERT INTO listing_keys (host, key, listing) VALUES (?1, ?2, ?3)
             ON CONFLICT DO NOTHING",
        )?
        .execute(params![host.as_str(), key.as_str(), id.0])?;
    }
    Ok(())
}

/// Makes two listings one. The older keeps its id; stars, notes and "hidden" of either survive.
pub(crate) fn merge(db: &Connection, twin: ListingId, into: ListingId) -> Result<()> {
    let both = params![twin.0, into.0];
    for sql in [
        "UPDATE listing_keys SET listing = ?2 WHERE listing = ?1",
        "INSERT INTO sightings SELECT search, ?2, first_seen, last_seen, place, baseline, ended_at
            FROM sightings WHERE listing = ?1
         ON CONFLICT (search, listing) DO UPDATE SET
            first_seen = min(first_seen, excluded.first_seen),
            last_seen = max(last_seen, excluded.last_seen),
            baseline = min(baseline, excluded.baseline),
            ended_at = CASE WHEN ended_at IS NULL OR excluded.ended_at IS NULL THEN NULL
                            ELSE max(ended_at, excluded.ended_at) END",
        "UPDATE OR IGNORE prices SET listing = ?2 WHERE listing = ?1",
        "UPDATE OR IGNORE sequels SET listing = ?2 WHERE listing = ?1",
        "UPDATE OR IGNORE outbox_finds SET listing = ?2 WHERE listing = ?1",
        "UPDATE listings SET
            first_seen = min(listings.first_seen, twin.first_seen),
            told_at = coalesce(min(listings.told_at, twin.told_at), listings.told_at, twin.told_at),
            last_seen = max(listings.last_seen, twin.last_seen),
            gone_at = CASE WHEN listings.gone_at IS NULL OR twin.gone_at IS NULL THEN NULL
                           ELSE max(listings.gone_at, twin.gone_at) END,
            starred = max(listings.starred, twin.starred),
            hidden = max(listings.hidden, twin.hidden),
            unread = min(listings.unread, twin.unread),
            note = CASE WHEN twin.note IS NULL THEN listings.note
                        WHEN listings.note IS NULL THEN twin.note
                        ELSE listings.note || char(10) || twin.note END
         FROM (SELECT * FROM listings WHERE id = ?1) AS twin WHERE listings.id = ?2",
        "DELETE FROM listings WHERE id = ?1 AND ?2 <> ?1",
    ] {
        db.prepare_cached(sql)?.execute(both)?;
    }
    tracing::info!(%twin, %into, "two listings turned out to be one");
    Ok(())
}
