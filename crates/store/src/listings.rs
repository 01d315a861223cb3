//! Listings as they are kept: one row each, for ever.
//!
//! **Promises**: a field that a page no longer shows keeps its last value; every price that was
//! shown is in the history. **Leaves out**: who is who (`identity`), which search has it
//! (`sightings`), lists (`listing_list`).

use firstknock_listing::{
    Area, Currency, Flags, HostKey, Listing, ListingId, ListingKey, Money, Period, PostalAddress,
    RentKind, Role, Rooms, fold,
};
use jiff::Timestamp;
use rusqlite::{Connection, OptionalExtension, Row, named_params, params};
use serde::{Deserialize, Serialize};

use crate::columns::{Columns, json, ms, words};
use crate::database::Store;
use crate::error::Result;
use crate::fingerprint::fingerprint;

/// What is worth telling about a listing.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum NewsKind {
    /// Never seen before.
    New,
    /// Cheaper.
    PriceDrop,
    /// Dearer.
    PriceRise,
    /// Gone for a while, and back.
    Relisted,
}

/// A listing with what we and the user know of it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct StoredListing {
    /// Ours, for ever.
    pub id: ListingId,
    /// Where it was found.
    pub host: HostKey,
    /// As last shown; without its evidence.
    pub listing: Listing,
    /// When it was first on a page.
    pub first_seen: Timestamp,
    /// When it was last on a page.
    pub last_seen: Timestamp,
    /// When it had left every page that showed it.
    pub gone_at: Option<Timestamp>,
    /// Since when the user knows of it: a baseline or an alert.
    pub told_at: Option<Timestamp>,
    /// The last thing worth telling.
    pub news: Option<NewsKind>,
    /// When that was.
    pub news_at: Option<Timestamp>,
    /// Not looked at yet.
    pub unread: bool,
    /// The user's star.
    pub starred: bool,
    /// The user does not want to see it.
    pub hidden: bool,
    /// The user's words.
    pub note: Option<String>,
}

impl Store {
    /// One listing.
    ///
    /// # Errors
    /// Only if we or the disk broke.
    pub fn listing(&self, id: ListingId) -> Result<Option<StoredListing>> {
        find(&self.db, id)
    }
}

/// All columns of a listing, and its keys as a JSON array.
pub(crate) const SELECT: &str = "SELECT l.*, (SELECT json_group_array(k.key) FROM listing_keys k \
     WHERE k.listing = l.id) AS keys FROM listings l";

pub(crate) fn find(db: &Connection, id: ListingId) -> Result<Option<StoredListing>> {
    Ok(db
        .prepare_cached(&format!("{SELECT} WHERE l.id = ?1"))?
        .query_row([id.0], read)
        .optional()?)
}

/// Writes a listing that was never seen before.
pub(crate) fn insert(
    db: &Connection,
    host: &HostKey,
    listing: &Listing,
    now: Timestamp,
) -> Result<ListingId> {
    db.prepare_cached(
        "INSERT INTO listings (host, url, first_seen, last_seen) VALUES (?1, ?2, ?3, ?3)",
    )?
    .execute(params![host.as_str(), listing.url, ms(now)])?;
    let id = ListingId(db.last_insert_rowid());
    write_fields(db, id, listing)?;
    if let Some(price) = &listing.price {
        add_price(db, id, price, now)?;
    }
    Ok(id)
}

/// Brings a known listing up to date with a page.
pub(crate) fn update(
    db: &Connection,
    before: StoredListing,
    shown: &Listing,
    now: Timestamp,
) -> Result<()> {
    let id = before.id;
    let old_price = before.listing.price.clone();
    let merged = merge_fields(before.listing, shown);
    if let Some(price) = &merged.price
        && old_price
            .as_ref()
            .is_none_or(|old| (old.cents, old.upper_cents) != (price.cents, price.upper_cents))
    {
        add_price(db, id, price, now)?;
    }
    db.prepare_cached("UPDATE listings SET last_seen = max(last_seen, ?2) WHERE id = ?1")?
        .execute(params![id.0, ms(now)])?;
    write_fields(db, id, &merged)
}

/// What is shown wins; what is not shown any more stays (a missing field is not a missing fact).
fn merge_fields(old: Listing, shown: &Listing) -> Listing {
    Listing {
        keys: Vec::new(),
        url: shown.url.clone(),
        title: shown.title.clone().or(old.title),
        address: shown.address.clone().or(old.address),
        price: if shown.price_on_request { None } else { shown.price.clone().or(old.price) },
        price_on_request: shown.price_on_request,
        size: shown.size.or(old.size),
        rooms: shown.rooms.or(old.rooms),
        bedrooms: shown.bedrooms.or(old.bedrooms),
        image: shown.image.clone().or(old.image),
        available_from: shown.available_from.clone().or(old.available_from),
        role: shown.role,
        flags: shown.flags,
        evidence: shown.evidence.clone(),
    }
}

fn write_fields(db: &Connection, id: ListingId, listing: &Listing) -> Result<()> {
    let price = listing.price.as_ref();
    let address = listing.address.as_ref();
    let mut folded = fold(listing.title.as_deref().unwrap_or_default());
    if let Some(address) = address {
        folded.push(' ');
        folded.push_str(&fold(&address.raw));
    }
    db.prepare_cached(
        "UPDATE listings SET url = :url, title = :title, address = :address, street = :street,
            postcode = :postcode, city = :city, price_cents = :cents, price_upper = :upper,
            currency = :currency, period = :period, rent_kind = :kind, price_from = :from,
            price_on_request = :on_request, monthly_cents = :monthly, size = :size, rooms = :rooms,
            bedrooms = :bedrooms, image = :image, available_from = :available,
            promoted = :promoted, wanted = :wanted, exchange = :exchange, let_already = :let,
            fingerprint = :fingerprint
         WHERE id = :id",
    )?
    .execute(named_params! {
        ":id": id.0,
        ":url": listing.url,
        ":title": listing.title,
        ":address": address.map(|a| &a.raw),
        ":street": address.and_then(|a| a.street.as_ref()),
        ":postcode": address.and_then(|a| a.postcode.as_ref()),
        ":city": address.and_then(|a| a.city.as_ref()),
        ":cents": price.map(|p| p.cents),
        ":upper": price.and_then(|p| p.upper_cents),
        ":currency": price.and_then(|p| p.currency.as_ref().map(Currency::code)),
        ":period": price.and_then(|p| p.period.map(Period::code)),
        ":kind": price.and_then(|p| p.kind.map(RentKind::code)),
        ":from": price.is_some_and(|p| p.from),
        ":on_request": listing.price_on_request,
        ":monthly": price.map(Money::monthly_cents),
        ":size": listing.size.map(Area::hundredths),
        ":rooms": listing.rooms.map(Rooms::tenths),
        ":bedrooms": listing.bedrooms.map(Rooms::tenths),
        ":image": listing.image,
        ":available": listing.available_from,
        ":promoted": listing.role == Role::Promoted,
        ":wanted": listing.flags.wanted,
        ":exchange": listing.flags.exchange,
        ":let": listing.flags.let_already,
        ":fingerprint": fingerprint(listing),
    })?;
    db.prepare_cached(
        "INSERT INTO listing_text (listing, folded) VALUES (?1, ?2)
         ON CONFLICT (listing) DO UPDATE SET folded = ?2 WHERE folded <> ?2",
    )?
    .execute(params![id.0, folded])?;
    if !listing.evidence.is_empty() {
        db.prepare_cached(
            "INSERT INTO listing_evidence (listing, evidence) VALUES (?1, ?2)
             ON CONFLICT (listing) DO UPDATE SET evidence = ?2 WHERE evidence <> ?2",
        )?
        .execute(params![id.0, json(&listing.evidence)?])?;
    }
    Ok(())
}

pub(crate) fn add_price(
    db: &Connection,
    id: ListingId,
    price: &Money,
    now: Timestamp,
) -> Result<()> {
    db.prepare_cached(
        "INSERT OR REPLACE INTO prices (listing, at, price_cents, price_upper, currency, period,
            rent_kind, price_from) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)",
    )?
    .execute(params![
        id.0,
        ms(now),
        price.cents,
        price.upper_cents,
        price.currency.as_ref().map(Currency::code),
        price.period.map(Period::code),
        price.kind.map(RentKind::code),
        price.from
    ])?;
    Ok(())
}

/// A price out of columns of these names; `None` where there is none.
pub(crate) fn read_price(row: &Row<'_>) -> rusqlite::Result<Option<Money>> {
    let Some(cents) = row.get("price_cents")? else { return Ok(None) };
    Ok(Some(Money {
        cents,
        upper_cents: row.get("price_upper")?,
        currency: row.opt_word("currency", Currency::parse)?,
        period: row.opt_word("period", Period::from_code)?,
        kind: row.opt_word("rent_kind", RentKind::from_code)?,
        from: row.get("price_from")?,
    }))
}

pub(crate) fn read(row: &Row<'_>) -> rusqlite::Result<StoredListing> {
    let mut keys: Vec<ListingKey> = row
        .json::<Vec<String>>("keys")?
        .iter()
        .filter_map(|key| ListingKey::from_stored(key))
        .collect();
    keys.sort_by(|a, b| (a.kind(), a.as_str()).cmp(&(b.kind(), b.as_str())));
    let address = row.get::<_, Option<String>>("address")?.map(|raw| -> rusqlite::Result<_> {
        Ok(PostalAddress {
            raw,
            street: row.get("street")?,
            postcode: row.get("postcode")?,
            city: row.get("city")?,
        })
    });
    Ok(StoredListing {
        id: ListingId(row.get("id")?),
        host: row.host("host")?,
        listing: Listing {
            keys,
            url: row.get("url")?,
            title: row.get("title")?,
            address: address.transpose()?,
            price: read_price(row)?,
            price_on_request: row.get("price_on_request")?,
            size: row.get::<_, Option<u32>>("size")?.map(Area::from_hundredths),
            rooms: row.get::<_, Option<u16>>("rooms")?.map(Rooms::from_tenths),
            bedrooms: row.get::<_, Option<u16>>("bedrooms")?.map(Rooms::from_tenths),
            image: row.get("image")?,
            available_from: row.get("available_from")?,
            role: if row.get("promoted")? { Role::Promoted } else { Role::Result },
            flags: Flags {
                wanted: row.get("wanted")?,
                exchange: row.get("exchange")?,
                let_already: row.get("let_already")?,
            },
            evidence: Vec::new(),
        },
        first_seen: row.time("first_seen")?,
        last_seen: row.time("last_seen")?,
        gone_at: row.opt_time("gone_at")?,
        told_at: row.opt_time("told_at")?,
        news: row.opt_word("news", NewsKind::from_code)?,
        news_at: row.opt_time("news_at")?,
        unread: row.get("unread")?,
        starred: row.get("starred")?,
        hidden: row.get("hidden")?,
        note: row.get("note")?,
    })
}

words!(NewsKind {
    New = "new",
    PriceDrop = "price_drop",
    PriceRise = "price_rise",
    Relisted = "relisted",
});
