//! What happened to a listing last: it became cheaper, or it came back.
//!
//! **Promises**: whichever search sees it first, it is noted, and it stays untold until a search
//! that tells such news has told it; then it is told to nobody a second time. **Leaves out**: new
//! listings (`told_at` of their own) and dearer ones, which nobody is told of.

use std::time::Duration;

use firstknock_listing::{Listing, ListingId, Money};
use jiff::Timestamp;
use rusqlite::{Connection, Row, params};

use crate::columns::{Columns, ms, opt_json};
use crate::error::Result;
use crate::known::RELISTED_AFTER;
use crate::listings::{NewsKind, StoredListing};

/// The store counts in milliseconds.
const MOMENT: Duration = Duration::from_millis(1);

/// One such event.
#[derive(Debug, Clone, PartialEq)]
pub struct Sequel {
    /// [`NewsKind::PriceDrop`] or [`NewsKind::Relisted`].
    pub kind: NewsKind,
    /// When a page first showed it.
    pub at: Timestamp,
    /// The price before: of a drop that followed an untold one, the price before both.
    pub was: Option<Money>,
    /// When the listing was last seen before.
    pub was_at: Timestamp,
    /// A message has told of it, or is about to.
    pub told: bool,
}

impl Sequel {
    /// Whether the listing is still cheaper than it was.
    fn holds_at(&self, price: &Money) -> bool {
        self.was.as_ref().is_some_and(|was| price.comparable(was) && price.cents < was.cents)
    }
}

/// Notes what a page makes of a listing, before its row is brought up to date.
pub(crate) fn note(
    db: &Connection,
    before: &StoredListing,
    shown: &Listing,
    now: Timestamp,
) -> Result<()> {
    let away = before.gone_at.map(|gone_at| now.duration_since(gone_at));
    let was = before.listing.price.as_ref();
    // Later than anybody's last sight of it, also while the clock is set back.
    let after_all = before.last_seen.saturating_add(MOMENT).unwrap_or(Timestamp::MAX);
    let at = now.max(after_all);
    let sequel = Sequel {
        kind: NewsKind::Relisted,
        at,
        was: was.cloned(),
        was_at: before.last_seen,
        told: false,
    };
    if away.is_some_and(|away| away.unsigned_abs() >= RELISTED_AFTER && away.is_positive()) {
        // What it cost before it went is part of that.
        forget(db, before.id, NewsKind::PriceDrop)?;
        return write(db, before.id, &sequel);
    }
    let (Some(price), Some(was)) = (&shown.price, was) else { return Ok(()) };
    if price.cents == was.cents || !price.comparable(was) {
        return Ok(());
    }
    let untold = of(db, before.id)?.into_iter().find(|sequel| {
        sequel.kind == NewsKind::PriceDrop && !sequel.told && sequel.holds_at(price)
    });
    match untold {
        Some(untold) if price.cents < was.cents => write(db, before.id, &Sequel { at, ..untold }),
        // Dearer than yesterday, but not than before the drop that nobody was told of.
        Some(_) => Ok(()),
        None if price.cents < was.cents => {
            write(db, before.id, &Sequel { kind: NewsKind::PriceDrop, ..sequel })
        }
        None => forget(db, before.id, NewsKind::PriceDrop),
    }
}

/// All that is noted of a listing, what came back first.
pub(crate) fn of(db: &Connection, listing: ListingId) -> Result<Vec<Sequel>> {
    let mut statement =
        db.prepare_cached("SELECT * FROM sequels WHERE listing = ?1 ORDER BY kind DESC")?;
    let sequels = statement.query_map([listing.0], read)?;
    Ok(sequels.collect::<rusqlite::Result<_>>()?)
}

/// A message tells of it.
pub(crate) fn tell(
    db: &Connection,
    listing: ListingId,
    kind: NewsKind,
    now: Timestamp,
) -> Result<()> {
    db.prepare_cached(
        "UPDATE sequels SET told_at = coalesce(told_at, ?3) WHERE listing = ?1 AND kind = ?2",
    )?
    .execute(params![listing.0, kind.code(), ms(now)])?;
    Ok(())
}

fn forget(db: &Connection, listing: ListingId, kind: NewsKind) -> Result<()> {
    db.prepare_cached("DELETE FROM sequels WHERE listing = ?1 AND kind = ?2")?
        .execute(params![listing.0, kind.code()])?;
    Ok(())
}

fn write(db: &Connection, listing: ListingId, sequel: &Sequel) -> Result<()> {
    let Sequel { kind, at, was, was_at, told: _ } = sequel;
    db.prepare_cached(
        "INSERT OR REPLACE INTO sequels (listing, kind, at, was, was_at) VALUES (?1, ?2, ?3, ?4, ?5)",
    )?
    .execute(params![listing.0, kind.code(), ms(*at), opt_json(was.as_ref())?, ms(*was_at)])?;
    Ok(())
}

fn read(row: &Row<'_>) -> rusqlite::Result<Sequel> {
    Ok(Sequel {
        kind: row.word("kind", NewsKind::from_code)?,
        at: row.time("at")?,
        was: row.opt_json("was")?,
        was_at: row.time("was_at")?,
        told: row.opt_time("told_at")?.is_some(),
    })
}
