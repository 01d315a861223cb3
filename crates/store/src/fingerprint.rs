//! A weak sign that two listings are one home: address, size and rooms. Good for "seen before at
//! €X" and "also on", never for leaving a listing out (inmo-tool#566: flats of one house).

use firstknock_listing::{Area, Listing, Rooms, fold};

/// `None` where too little is known to mean anything. Begins with `house` where the address has a
/// house number, with `area` where it has only a postcode: then the price has to agree as well.
pub(crate) fn fingerprint(listing: &Listing) -> Option<String> {
    let address = listing.address.as_ref()?;
    let size = listing.size.map(Area::hundredths);
    let rooms = listing.rooms.or(listing.bedrooms).map(Rooms::tenths);
    if size.is_none() && rooms.is_none() {
        return None;
    }
    let (word, place) = match &address.street {
        Some(street) if street.chars().any(|c| c.is_ascii_digit()) => {
            let town = address.city.as_deref().or(address.postcode.as_deref()).unwrap_or_default();
            ("house", format!("{street} {town}"))
        }
        _ if address.raw.chars().any(|c| c.is_ascii_digit()) => ("area", address.raw.clone()),
        _ => return None,
    };
    let bare: String = fold(&place).chars().filter(|c| c.is_alphanumeric()).collect();
    let number = |n: Option<u32>| n.map_or_else(|| "-".to_owned(), |n| n.to_string());
    Some(format!("{word}:{bare}:{}:{}", number(size), number(rooms.map(u32::from))))
}
