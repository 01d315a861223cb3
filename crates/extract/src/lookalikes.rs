//! What looks like a list of homes and is none: towns, searches, posts, plans and tables of rents.

use std::collections::HashSet;

use firstknock_listing::Listing;
use url::Url;

use crate::cards::link::has_id_token;
use crate::fields::labels::fold;
use crate::hints;
use crate::kind::Chosen;
use crate::page::annotate::{PRICE, ROOMS, SIZE};
use crate::page::doc::Doc;
use crate::page::flat::{IN_HEADING, IN_LINK};
use crate::page::tag::Tag;
use crate::values;

/// A longer text is a sentence, not a fact.
const MAX_FACT: usize = 70;

/// Words right before an amount that make it the most that somebody would pay, folded.
const LIMITS: [&str; 18] = [
    "up to",
    "max",
    "max.",
    "maximum",
    "maximaal",
    "maximal",
    "bis",
    "bis zu",
    "tot",
    "hoogstens",
    "jusqu'a",
    "hasta",
    "maximo",
    "fino a",
    "massimo",
    "ate",
    "under",
    "below",
];
/// Words that say of a number that it is a mean of many, folded.
const MEANS: [&str; 12] = [
    "durchschnitt",
    "mittelwert",
    "gemiddeld",
    "average",
    "median",
    "moyen",
    "promedio",
    "precio medio",
    "prezzo medio",
    "canone medio",
    "media de",
    "genomsnitt",
];
/// Words by which a part of a site says that it is for reading, or for its own prices, folded; whole
/// segments of its path.
const TO_READ: [&str; 32] = [
    "fees",
    "tarieven",
    "tarifs",
    "preise",
    "pricing",
    "gebuehren",
    "honoraires",
    "tarifas",
    "blog",
    "magazin",
    "magazine",
    "news",
    "ratgeber",
    "guide",
    "guides",
    "advice",
    "nieuws",
    "tips",
    "artikel",
    "artikelen",
    "articles",
    "article",
    "actualites",
    "actualite",
    "conseils",
    "noticias",
    "consejos",
    "notizie",
    "consigli",
    "presse",
    "press",
    "journal",
];

/// Whether the cards are no homes at all.
pub(crate) fn are_no_homes(doc: &Doc<'_>, page: &Url, chosen: &Chosen<'_>) -> bool {
    leads_to_lists(doc, chosen)
        || is_prose(doc, chosen)
        || sells_something_else(chosen)
        || is_to_read(page, chosen)
        || are_searches(doc, chosen)
        || are_means(doc, chosen)
        || is_rent_index(doc, chosen)
        || ask_questions(doc, chosen)
}

fn knows_home(listing: &Listing) -> bool {
    listing.size.is_some() || listing.rooms.is_some() || listing.bedrooms.is_some()
}

/// Cards that count homes ("37 homes from € 500") and hardly ever say how large one is lead to
/// lists: towns, agents, searches.
fn leads_to_lists(doc: &Doc<'_>, chosen: &Chosen<'_>) -> bool {
    let n = chosen.nodes.len();
    let sized = chosen.listings.iter().filter(|l| l.size.is_some()).count();
    if n == 0 || sized * 5 > n {
        return false;
    }
    let counting = |card: &&u32| {
        doc.flat.inside(**card as usize).any(|at| hints::counts_homes(doc.flat.nodes[at].text))
    };
    chosen.nodes.iter().filter(counting).count() * 10 >= n * 6
}

/// Posts of a blog speak of prices and sizes too, but in the middle of sentences. A card says them
/// in short texts, in its heading or in its link.
fn is_prose(doc: &Doc<'_>, chosen: &Chosen<'_>) -> bool {
    let tells = |at: usize| {
        let node = &doc.flat.nodes[at];
        doc.signs[at] & (PRICE | SIZE | ROOMS) != 0
            && (node.flags & (IN_HEADING | IN_LINK) != 0 || node.text.trim().len() <= MAX_FACT)
    };
    let told = |card: &&u32| doc.flat.whole(**card as usize).any(tells);
    let n = chosen.nodes.len();
    n > 0 && chosen.nodes.iter().filter(told).count() * 3 < n
}

/// Two or three things with a price, no size, no rooms, no address and no id are plans or services.
fn sells_something_else(chosen: &Chosen<'_>) -> bool {
    let bare = |l: &Listing| {
        !knows_home(l)
            && l.address.is_none()
            && l.url.parse().is_ok_and(|url: Url| !has_id_token(&url))
    };
    (1..=3).contains(&chosen.listings.len()) && chosen.listings.iter().all(bare)
}

/// A part of the site that is called a blog, a magazine or a guide shows posts, whatever amounts
/// they speak of; homes would have an id or an address.
fn is_to_read(page: &Url, chosen: &Chosen<'_>) -> bool {
    let called_so = page.path_segments().into_iter().flatten().any(|segment| {
        let segment = segment.split('.').next().unwrap_or_default();
        TO_READ.contains(&fold(segment).as_str())
    });
    let located = |l: &&Listing| {
        l.address.is_some() || l.url.parse().is_ok_and(|url: Url| has_id_token(&url))
    };
    called_so && chosen.listings.iter().filter(located).count() * 2 < chosen.listings.len()
}

/// Cards whose price is the most that somebody would pay are saved searches.
fn are_searches(doc: &Doc<'_>, chosen: &Chosen<'_>) -> bool {
    let limited = |card: &&u32| {
        let priced = doc.flat.whole(**card as usize).find(|&at| doc.signs[at] & PRICE != 0);
        priced.is_some_and(|at| is_limit(doc.flat.nodes[at].text))
    };
    let n = chosen.nodes.len();
    n > 0 && chosen.nodes.iter().filter(limited).count() * 10 >= n * 6
}

/// "max. € 1500": what stands right before the first amount.
fn is_limit(text: &str) -> bool {
    let Some(start) = values::price_starts(text) else { return false };
    let before = fold(&text[..start]).replace('’', "'");
    let before = before.trim_end_matches(|c: char| c.is_whitespace() || c == ':');
    LIMITS.iter().any(|word| {
        before.strip_suffix(word).is_some_and(|rest| !rest.ends_with(char::is_alphanumeric))
    })
}

/// Rows without photo, house number and id, all for the same size and rooms or without rooms beside
/// a price per square metre, are a table of rents, or of what something costs.
fn is_rent_index(doc: &Doc<'_>, chosen: &Chosen<'_>) -> bool {
    let n = chosen.nodes.len();
    if n < 3 || chosen.listings.len() != n {
        return false;
    }
    let plain = chosen.listings.iter().all(|l| {
        l.image.is_none()
            && l.address.as_ref().is_none_or(|a| !a.raw.bytes().any(|b| b.is_ascii_digit()))
            && l.url.parse().is_ok_and(|url: Url| !has_id_token(&url))
    });
    let sizes: HashSet<_> =
        chosen.listings.iter().filter_map(|l| l.size).map(|s| s.m2().to_bits()).collect();
    let says = |test: &dyn Fn(&str) -> bool| {
        let rows = chosen.nodes.iter().filter(|&&card| {
            let texts = doc.flat.inside(card as usize);
            texts
                .map(|at| doc.flat.nodes[at].text)
                .any(|t| !t.is_empty() && t.len() < 200 && test(t))
        });
        rows.count() * 10 >= n * 6
    };
    // "2 rooms, 50 m²" in every row is an example, not a home.
    let rooms: HashSet<_> = chosen.listings.iter().map(|l| (l.rooms, l.bedrooms)).collect();
    let roomless = rooms.iter().all(|(rooms, beds)| rooms.is_none() && beds.is_none());
    plain
        && rooms.len() == 1
        && (sizes.len() == 1 || (roomless && says(&values::is_price_per_area)))
}

/// Amounts that are means of many ("Average rent £1,100") are of no home; a table may say so once, in
/// its head.
fn are_means(doc: &Doc<'_>, chosen: &Chosen<'_>) -> bool {
    let names_mean = |text: &str| {
        let text = fold(text);
        text.contains('ø') || MEANS.iter().any(|word| text.contains(word))
    };
    let is_mean = |at: usize| {
        let node = &doc.flat.nodes[at];
        doc.signs[at] & PRICE != 0 && node.text.len() < 200 && names_mean(node.text)
    };
    let heads = |at: usize| {
        let node = &doc.flat.nodes[at];
        let cell = doc.flat.nodes[node.parent as usize].element;
        cell.is_some_and(|cell| cell.name() == "th") && names_mean(node.text)
    };
    let first = chosen.nodes.first().copied().unwrap_or(0) as usize;
    if doc.flat.nodes[first].tag == Tag::Row && (first.saturating_sub(60)..first).any(heads) {
        return true;
    }
    let mean = |card: &&u32| doc.flat.whole(**card as usize).any(is_mean);
    let n = chosen.nodes.len();
    n > 0 && chosen.nodes.iter().filter(mean).count() * 10 >= n * 6
}

/// Topics of a forum ask; homes do not.
fn ask_questions(doc: &Doc<'_>, chosen: &Chosen<'_>) -> bool {
    let asks = |at: usize| {
        let node = &doc.flat.nodes[at];
        node.flags & (IN_HEADING | IN_LINK) != 0 && node.text.trim_end().ends_with('?')
    };
    let asking = |card: &&u32| doc.flat.whole(**card as usize).any(asks);
    let n = chosen.nodes.len();
    n >= 3 && chosen.nodes.iter().filter(asking).count() * 3 >= n
}
