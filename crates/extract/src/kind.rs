//! What a page is: a result list, one listing's page, an honest empty list, or something else.
//!
//! Detail pages are the weak spot: the whole page looks like one card, and a strip of similar
//! flats looks like a list.

use firstknock_listing::{KeyKind, Listing, PageKind, Role};
use url::Url;

use crate::cards::link::has_id_token;
use crate::cards::shape::{has_id, own_shape};
use crate::fields::labels::fold;
use crate::hints;
use crate::list::ads_without_links;
use crate::lookalikes;
use crate::page::doc::Doc;
use crate::page::tag::Tag;

/// Cards poorer than this on average are no listings ("popular cities from EUR 900").
pub(crate) const LEAST_MEAN: f32 = 2.85;

/// What the choice of the cards came to.
pub(crate) struct Chosen<'a> {
    pub(crate) listings: &'a [Listing],
    /// The elements of the cards; empty for records of embedded data.
    pub(crate) nodes: &'a [u32],
    /// Mean card score; the weights are the same for records.
    pub(crate) mean: f32,
    /// They look like the cards that are remembered, or a person chose them.
    pub(crate) remembered: bool,
}

/// Whether the chosen cards are the page's list.
pub(crate) fn is_list(doc: &Doc<'_>, page: &Url, chosen: &Chosen<'_>) -> bool {
    let hits = chosen.listings.iter().filter(|l| l.role != Role::Recommendation).count();
    if hits == 0 {
        return false;
    }
    if chosen.remembered {
        return true;
    }
    if chosen.mean < LEAST_MEAN || !enough_values(chosen.listings) {
        return false;
    }
    if is_something_else(doc, page, chosen) {
        return false;
    }
    // Two links among dozens of running ads are not the list.
    if hits <= 3 && ads_without_links(doc) > 4 * hits {
        return false;
    }
    // One card alone may be the whole page; only a memory makes it a list.
    hits >= 2 && !is_strip(doc, page, chosen)
}

/// Whether the single card of a page that speaks of a list is a home.
pub(crate) fn is_one_home(doc: &Doc<'_>, page: &Url, chosen: &Chosen<'_>) -> bool {
    chosen.listings.iter().any(|l| l.role != Role::Recommendation)
        && chosen.mean >= LEAST_MEAN
        && !is_something_else(doc, page, chosen)
        && !has_own_id(page)
}

/// A price or size on a third of the cards, and prices that can be those of a home.
fn enough_values(listings: &[Listing]) -> bool {
    let n = listings.len();
    let told = listings
        .iter()
        .filter(|l| l.price.is_some() || l.price_on_request || l.size.is_some())
        .count();
    let mut cents: Vec<i64> =
        listings.iter().filter_map(|l| Some(l.price.as_ref()?.cents)).collect();
    cents.sort_unstable();
    let median = cents.get(cents.len() / 2).copied();
    let homes =
        listings.iter().any(|l| l.size.is_some() || l.rooms.is_some() || l.bedrooms.is_some());
    told * 3 >= n && median.is_none_or(|m| m >= 2_500 || homes)
}

/// Cards with rooms are homes, and so are those with a size and something that tells them apart: a
/// photo, an address, an id. Others may be anything that has a price: then the page's address, its title or the cards' titles must speak of homes.
fn speaks_of_homes(doc: &Doc<'_>, page: &Url, listings: &[Listing]) -> bool {
    let is_home = |l: &&Listing| {
        let apart = || {
            l.image.is_some()
                || l.address.is_some()
                || l.keys.iter().any(|k| k.kind() != Some(KeyKind::Url))
        };
        l.rooms.is_some() || l.bedrooms.is_some() || (l.size.is_some() && apart())
    };
    if listings.iter().filter(is_home).count() * 5 >= listings.len() {
        return true;
    }
    let mut text = format!("{} {}", page.as_str(), doc.flat.title);
    for listing in listings.iter().take(20) {
        text.push(' ');
        text.push_str(listing.title.as_deref().unwrap_or_default());
        text.push_str(&listing.url);
    }
    let text = fold(&text);
    HOME_WORDS.iter().any(|word| text.contains(word))
}

/// Words for homes and for renting and buying them, folded, per language.
const HOME_WORDS: [&str; 62] = [
    "wohnung",
    "immobil",
    "miet",
    "zimmer",
    "haus",
    "apartment",
    "appartement",
    "woning",
    "huur",
    "huis",
    "kamer",
    "vastgoed",
    "makelaar",
    "te koop",
    "rent",
    "flat",
    "house",
    "home",
    "propert",
    "real-estate",
    "realestate",
    "bedroom",
    "studio",
    "room",
    "villa",
    "logement",
    "louer",
    "location",
    "maison",
    "immo",
    "achat",
    "vente",
    "chambre",
    "alquiler",
    "piso",
    "vivienda",
    "inmueble",
    "casa",
    "affitt",
    "vendita",
    "arrendar",
    "imovel",
    "imove",
    "quarto",
    "mieszkan",
    "nieruchom",
    "wynajem",
    "pokoj",
    "bostad",
    "lagenhet",
    "villor",
    "hus",
    "bolig",
    "leje",
    "leilighet",
    "utleie",
    "lejlighed",
    "byt",
    "pronajem",
    "nemovitost",
    "garage",
    "loft",
];

/// Whether the cards are no homes at all, or a front page's sample of them: then the page is not
/// one listing's either.
pub(crate) fn is_something_else(doc: &Doc<'_>, page: &Url, chosen: &Chosen<'_>) -> bool {
    !speaks_of_homes(doc, page, chosen.listings)
        || lookalikes::are_no_homes(doc, page, chosen)
        || is_sample(doc, page, chosen)
}

/// A site's front page shows a few of its homes.
fn is_sample(doc: &Doc<'_>, page: &Url, chosen: &Chosen<'_>) -> bool {
    let chars: u32 = chosen.nodes.iter().map(|&at| doc.inside(at as usize).chars).sum();
    let share = chars as f32 / doc.total().chars.max(1) as f32;
    let is_front = page.path().len() <= 1 && page.query().is_none();
    is_front && (1..=3).contains(&chosen.listings.len()) && !chosen.nodes.is_empty() && share < 0.3
}

/// Cards that lead to pages like this very one, or a few cards far down a page that has an id of
/// its own.
fn is_strip(doc: &Doc<'_>, page: &Url, chosen: &Chosen<'_>) -> bool {
    let own = own_shape(page);
    let page_has_id = page.path_segments().into_iter().flatten().any(has_id);
    let like_this = chosen
        .listings
        .iter()
        .filter(|l| l.url.parse().is_ok_and(|u: Url| has_id_token(&u) && own_shape(&u) == own))
        .count();
    if page_has_id && like_this * 2 >= chosen.listings.len() {
        return true;
    }
    let Some(&first) = chosen.nodes.first() else { return false };
    let total = doc.total().chars.max(1) as f32;
    let chars: u32 = chosen.nodes.iter().map(|&at| doc.inside(at as usize).chars).sum();
    let share = chars as f32 / total;
    let before = doc.before(first as usize).chars as f32 / total;
    let few = chosen.listings.len() <= 3;
    // Sites without ids: the same words in the address, and the cards below something long.
    let like_by_words = chosen
        .listings
        .iter()
        // A card without a link of its own stands at the page's address.
        .filter(|l| l.url != page.as_str())
        .filter(|l| l.url.parse().is_ok_and(|u: Url| own.ends_with("/*") && own_shape(&u) == own))
        .count();
    if like_by_words * 2 >= chosen.listings.len() && before > 0.45 && chosen.listings.len() <= 12 {
        return true;
    }
    if few && has_own_id(page) {
        return true;
    }
    // Small lists stand below large filters too; then the page counts its hits, or its address is
    // that of a search.
    let hits = chosen.listings.len();
    let counted =
        hints::result_count(doc, chosen.nodes).is_some_and(|n| n > 0 && n as usize >= hits);
    let far_below =
        (few && share < 0.12 && before > 0.6) || (page_has_id && share < 0.2 && before > 0.5);
    far_below && !counted && !is_search(page)
}

/// Several parameters, and none of them an id.
fn is_search(page: &Url) -> bool {
    let pairs = page.query_pairs().filter(|(_, value)| !value.is_empty());
    pairs.clone().count() >= 2 && !pairs.clone().any(|(_, value)| has_id(&value))
}

/// What a page without a list is.
pub(crate) fn without_list(
    doc: &Doc<'_>,
    page: &Url,
    says_empty: bool,
    had_cards: bool,
) -> PageKind {
    // "No results" may stand in the search field of a listing's page as well.
    if is_detail(doc, page, had_cards) && (!says_empty || has_own_id(page)) {
        return PageKind::Detail;
    }
    if says_empty { PageKind::Empty } else { PageKind::Other }
}

/// Whether the page's own address ends in an id: then its data is about one listing and those that
/// are like it.
pub(crate) fn has_own_id(page: &Url) -> bool {
    let segments: Vec<&str> = page.path_segments().into_iter().flatten().collect();
    segments.iter().rev().filter(|s| !s.is_empty()).take(2).any(|segment| {
        segment.split(|c: char| !c.is_ascii_digit()).any(|number| (6..=20).contains(&number.len()))
    })
}

/// One listing's page: an id in its address or a type that says so, one main heading, and a price
/// or a size.
pub(crate) fn is_detail(doc: &Doc<'_>, page: &Url, had_cards: bool) -> bool {
    let has_id = page.path_segments().into_iter().flatten().any(has_id);
    let headings = doc
        .flat
        .nodes
        .iter()
        .filter(|n| n.tag == Tag::Heading && n.element.is_some_and(|e| e.name() == "h1"))
        .count();
    let typed = doc.flat.og_type.is_some_and(|t| {
        ["product", "realestate", "house", "apartment", "listing"].iter().any(|w| t.contains(w))
    });
    let total = doc.total();
    let home = (total.prices > 0 || has_own_id(page)) && (total.sizes > 0 || total.rooms > 0);
    home && (1..=3).contains(&headings) && (has_id || typed || had_cards)
}
