//! Listings from records alone: pages whose visible part is empty, and answers that are JSON.

use std::collections::HashMap;

use firstknock_listing::{Evidence, KeyKind, Listing, ListingKey, clean_line, truncate_chars};
use url::Url;

use crate::cards::link::has_id_token;
use crate::identity::canonical::canonical;
use crate::identity::place;
use crate::json::{Record, RecordSet};
use crate::page::doc::Doc;
use crate::values;

/// The set that is the list, if one is. Map pins are longer and poorer, so what a record tells
/// counts before how many there are.
pub(crate) fn best(sets: &[RecordSet], least: usize) -> Option<&RecordSet> {
    let rate = |set: &RecordSet| {
        let told = 2.0 * set.coverage(|r| r.price.is_some() || r.price_on_request)
            + 2.0 * set.coverage(|r| r.size.is_some())
            + set.coverage(|r| r.rooms.is_some() || r.bedrooms.is_some())
            + set.coverage(|r| r.image.is_some())
            + 0.7 * set.coverage(|r| r.title.is_some())
            + 0.5 * set.coverage(|r| r.address.is_some())
            + 0.5 * set.coverage(|r| r.url.is_some());
        (told, told * told * told * told * (set.records.len() as f32).min(60.0))
    };
    sets.iter()
        .filter(|set| set.records.len() >= least)
        .map(|set| (set, rate(set)))
        .filter(|(_, (told, _))| *told >= 4.0)
        .max_by(|a, b| a.1.1.total_cmp(&b.1.1))
        .map(|(set, _)| set)
}

/// All records as listings. A record without a whole address gets the link of the page that holds
/// its id, else the page's address with its slug.
pub(crate) fn listings(
    set: &RecordSet,
    doc: Option<&Doc<'_>>,
    base: &Url,
    remembered: Option<&str>,
) -> (Vec<Listing>, Option<String>) {
    let links = doc.map(links_by_token).unwrap_or_default();
    let complete = |token: &str| {
        let href = *links.get(&token.to_ascii_lowercase())?;
        href.and_then(|href| address(href, base))
    };
    let urls: Vec<Url> =
        set.records.iter().filter_map(|r| address_of(r, base, &complete)).collect();
    let place = place::choose(&urls.iter().collect::<Vec<_>>(), remembered);
    let mut seen: Vec<ListingKey> = Vec::new();
    let mut out: Vec<Listing> = Vec::new();
    for record in &set.records {
        let Some(listing) = listing(record, base, &set.place, place.as_deref(), &complete) else {
            continue;
        };
        if !seen.contains(listing.key()) {
            seen.push(listing.key().clone());
            out.push(listing);
        }
    }
    (out, place)
}

/// One record as a listing; `None` if nothing tells it apart.
pub(crate) fn listing(
    record: &Record,
    base: &Url,
    place: &str,
    id_place: Option<&str>,
    complete: &dyn Fn(&str) -> Option<Url>,
) -> Option<Listing> {
    let url = address_of(record, base, complete);
    let mut keys = Vec::new();
    if let Some(url) = &url {
        keys.extend(id_place.and_then(|p| place::key(url, p)));
        keys.push(ListingKey::new(
            KeyKind::Url,
            &canonical(url, has_id_token(url) && url.query().is_none()),
        ));
    }
    keys.extend(
        record
            .ids
            .iter()
            .filter(|id| is_strong(id))
            .take(1)
            .map(|id| ListingKey::new(KeyKind::Json, id)),
    );
    if keys.is_empty() {
        return None;
    }
    let url = url.map_or_else(|| base.to_string(), String::from);
    let mut listing = Listing::new(keys, url);
    listing.title = record.title.as_deref().map(|t| truncate_chars(&clean_line(t), 300));
    listing.price.clone_from(&record.price);
    listing.price_on_request = record.price_on_request;
    // Data of classified ads has the size in its title only.
    listing.size = record.size.or_else(|| values::size(record.title.as_deref()?));
    listing.rooms = record.rooms;
    listing.bedrooms = record.bedrooms;
    listing.image = record.image.as_deref().and_then(|text| address(text, base)).map(String::from);
    listing.address.clone_from(&record.address);
    listing.available_from.clone_from(&record.available_from);
    listing.evidence = evidence(record, place);
    Some(listing)
}

/// Where a record's fields were found.
pub(crate) fn evidence(record: &Record, place: &str) -> Vec<Evidence> {
    record
        .evidence
        .iter()
        .map(|(field, path, raw)| Evidence {
            field: (*field).to_owned(),
            found_at: format!("{place}#{path}"),
            raw: raw.clone(),
        })
        .collect()
}

/// An id that is no position in a list.
pub(crate) fn is_strong(id: &str) -> bool {
    (4..=80).contains(&id.len()) && id.bytes().any(|b| b.is_ascii_digit())
}

/// A whole address or a path, resolved.
pub(crate) fn address(text: &str, base: &Url) -> Option<Url> {
    let whole = text.starts_with("http") || text.starts_with('/');
    let url = whole.then(|| base.join(text).ok())??;
    matches!(url.scheme(), "http" | "https").then_some(url)
}

fn address_of(record: &Record, base: &Url, complete: &dyn Fn(&str) -> Option<Url>) -> Option<Url> {
    let text = record.url.as_deref();
    text.and_then(|t| address(t, base))
        .or_else(|| text.and_then(complete))
        .or_else(|| record.ids.iter().find_map(|id| complete(id)))
        .or_else(|| {
            // Only a slug: below the page's own path, or from the root if it is a path itself.
            let slug = text?;
            let joined = if slug.contains('/') {
                format!("/{slug}")
            } else {
                format!("{}/{slug}", base.path().trim_end_matches('/'))
            };
            address(&joined, base)
        })
}

/// The links of a page by the id tokens in them; a token of several links tells nothing.
fn links_by_token<'a>(doc: &Doc<'a>) -> HashMap<String, Option<&'a str>> {
    let mut links: HashMap<String, Option<&str>> = HashMap::new();
    for href in doc.hrefs.iter().take(4_000) {
        let parts = href.split(['/', '?', '&', '=', '#']);
        for token in parts
            .flat_map(|p| std::iter::once(p).chain(p.split(|c: char| !c.is_ascii_alphanumeric())))
        {
            if token.len() >= 4 && token.len() <= 120 {
                links
                    .entry(token.to_ascii_lowercase())
                    .and_modify(|slot| *slot = slot.filter(|h| h == href))
                    .or_insert(Some(href));
            }
        }
    }
    links
}
