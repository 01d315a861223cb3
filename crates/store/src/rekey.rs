//! A site that gave all its listings new keys: which of the old is which of the new.
//!
//! **Promises**: only pairs that cannot be mixed up; what is left over stays unpaired.

use std::collections::HashMap;

use firstknock_listing::{Area, Listing, ListingId, Rooms, fold};

use crate::listings::StoredListing;

/// Pairs what was on a page with what is on it under new keys, by title, address, size, rooms and
/// price together. Where two look the same on either side, neither is paired.
pub fn rekey_pairs(before: &[StoredListing], page: &[Listing]) -> Vec<(ListingId, usize)> {
    let mut old: HashMap<String, Vec<ListingId>> = HashMap::new();
    for stored in before {
        old.entry(looks(&stored.listing)).or_default().push(stored.id);
    }
    let mut new: HashMap<String, Vec<usize>> = HashMap::new();
    for (at, listing) in page.iter().enumerate() {
        new.entry(looks(listing)).or_default().push(at);
    }
    let mut pairs: Vec<_> = old
        .into_iter()
        .filter_map(|(look, ids)| match (ids.as_slice(), new.get(&look).map(Vec::as_slice)) {
            ([id], Some([at])) => Some((*id, *at)),
            _ => None,
        })
        .collect();
    pairs.sort_by_key(|(_, at)| *at);
    pairs
}

fn looks(listing: &Listing) -> String {
    let text = |text: Option<&str>| fold(text.unwrap_or_default());
    format!(
        "{}|{}|{:?}|{:?}|{:?}",
        text(listing.title.as_deref()),
        text(listing.address.as_ref().map(|address| address.raw.as_str())),
        listing.size.map(Area::hundredths),
        listing.rooms.or(listing.bedrooms).map(Rooms::tenths),
        listing.price.as_ref().map(|price| price.cents),
    )
}
