//! Where a listing is, for a subject, for a line and for channels that strangers can read.

use firstknock_listing::{Listing, fold};

use super::view::line;

/// The town, or else the address line as shown.
pub(super) fn town(listing: &Listing) -> Option<String> {
    let address = listing.address.as_ref()?;
    let text = address.city.as_deref().filter(|city| !city.trim().is_empty());
    some(line(text.unwrap_or(&address.raw), 48))
}

/// The whole line as shown, or put together from its parts.
pub(super) fn full(listing: &Listing) -> Option<String> {
    let address = listing.address.as_ref()?;
    let raw = line(&address.raw, 120);
    if !raw.is_empty() {
        return Some(raw);
    }
    let town = [&address.postcode, &address.city]
        .into_iter()
        .flatten()
        .map(String::as_str)
        .collect::<Vec<_>>()
        .join(" ");
    let parts: Vec<&str> = address.street.as_deref().into_iter().chain([town.as_str()]).collect();
    some(line(&parts.into_iter().filter(|p| !p.is_empty()).collect::<Vec<_>>().join(", "), 120))
}

/// The town alone, never a street: `None` where only a raw line is known.
pub(super) fn without_street(listing: &Listing) -> Option<String> {
    some(line(listing.address.as_ref()?.city.as_deref()?, 48))
}

/// Whether a title gives the street away.
pub(super) fn names_street(title: &str, listing: &Listing) -> bool {
    let Some(address) = &listing.address else { return false };
    let street = match &address.street {
        Some(street) => street.as_str(),
        // A raw line begins with a street where its first part has a house number.
        None => match address.raw.split(',').next() {
            Some(part) if part.contains(|c: char| c.is_ascii_digit()) => part,
            _ => return false,
        },
    };
    let name = fold(street.split(|c: char| c.is_ascii_digit() || c == ',').next().unwrap_or(""));
    !name.is_empty() && fold(title).contains(&name)
}

fn some(text: String) -> Option<String> {
    (!text.is_empty()).then_some(text)
}
