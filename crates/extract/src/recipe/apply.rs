//! A recipe on a page: pinned cards and pinned fields. What it leaves out stays the miner's.

use std::collections::{BTreeMap, HashMap};

use firstknock_listing::{KeyKind, Listing, ListingKey, Money, clean_line, truncate_chars};
use scraper::node::Element;
use scraper::{ElementRef, Html};
use url::Url;

use super::{Recipe, RecipeField, Source, Statement};
use crate::identity::canonical::canonical;
use crate::page::doc::Doc;
use crate::values::{self, Country};

/// One card that a recipe pinned.
pub(crate) struct Pinned {
    pub(crate) node: u32,
    pub(super) fields: BTreeMap<RecipeField, String>,
}

/// The cards of a recipe; `None` if it pins none.
pub(crate) fn cards(recipe: &Recipe, html: &Html, doc: &Doc<'_>) -> Option<Vec<Pinned>> {
    let item = recipe.item.as_ref()?;
    let nodes: HashMap<*const Element, u32> = doc
        .flat
        .nodes
        .iter()
        .enumerate()
        .filter_map(|(at, node)| Some((std::ptr::from_ref(node.element?), u32::try_from(at).ok()?)))
        .collect();
    let pinned = html.select(item).filter(|card| {
        recipe
            .skip_if
            .as_ref()
            .is_none_or(|skip| !skip.matches(card) && card.select(skip).next().is_none())
    });
    let pinned = pinned.filter_map(|card| {
        let node = *nodes.get(&std::ptr::from_ref(card.value()))?;
        Some(Pinned { node, fields: fields(recipe, |source| source_text(source, card)) })
    });
    Some(pinned.take(crate::cards::pick::MAX_CARDS).collect())
}

/// The fields that a recipe pins, cut by their patterns.
pub(super) fn fields(
    recipe: &Recipe,
    text_at: impl Fn(&Source) -> Option<String>,
) -> BTreeMap<RecipeField, String> {
    let mut out = BTreeMap::new();
    // Those that are taken from another field come last.
    let (direct, derived): (Vec<_>, Vec<_>) =
        recipe.fields.iter().partition(|(_, source)| source.from.is_none());
    for (field, source) in direct.into_iter().chain(derived) {
        let text = match source.from {
            Some(from) => out.get(&from).cloned(),
            None => text_at(source),
        };
        let text = text.and_then(|text| match &source.re {
            None => Some(text),
            Some(re) => {
                let found = re.captures(&text)?;
                Some(found.get(1).or(found.get(0))?.as_str().to_owned())
            }
        });
        if let Some(text) = text.map(|t| clean_line(&t)).filter(|t| !t.is_empty()) {
            out.insert(*field, text);
        }
    }
    out
}

fn source_text(source: &Source, card: ElementRef<'_>) -> Option<String> {
    let element = match &source.css {
        Some(css) => card.select(css).next()?,
        None => card,
    };
    match &source.attr {
        Some(name) => element.value().attr(name).map(str::to_owned),
        None => Some(element.text().collect::<Vec<_>>().join(" ")),
    }
}

/// Puts the pinned fields over what the miner read.
pub(crate) fn pin(listing: &mut Listing, card: &Pinned, base: &Url, country: Option<Country>) {
    for (field, text) in &card.fields {
        match field {
            RecipeField::Url => {
                if let Some(url) =
                    base.join(text).ok().filter(|u| matches!(u.scheme(), "http" | "https"))
                {
                    let key = ListingKey::new(KeyKind::Url, &canonical(&url, false));
                    listing.keys.retain(|k| k.kind() != Some(KeyKind::Url));
                    listing.keys.push(key);
                    listing.url = url.to_string();
                }
            }
            RecipeField::Id => {}
            RecipeField::Title => listing.title = Some(truncate_chars(text, 300)),
            RecipeField::Address => listing.address = Some(values::address(text, country)),
            RecipeField::Price => {
                let read = values::price(text, country);
                listing.price = read.money.or_else(|| bare_price(text, country));
                listing.price_on_request = read.on_request;
            }
            RecipeField::Size => {
                listing.size = values::size(text).or_else(|| values::size(&named(text, "m²")?));
            }
            RecipeField::Rooms => {
                let named = named(text, "rooms");
                let read = values::rooms(named.as_deref().unwrap_or(text), country);
                (listing.rooms, listing.bedrooms) = (read.rooms, read.bedrooms);
            }
            RecipeField::Image => listing.image = base.join(text).ok().map(String::from),
        }
    }
    if let Some(id) = card.fields.get(&RecipeField::Id) {
        let host = base.host_str().unwrap_or_default().trim_start_matches("www.");
        let key = ListingKey::new(KeyKind::Id, &format!("{host}:recipe:{id}"));
        listing.keys.retain(|k| *k != key);
        listing.keys.insert(0, key);
    }
}

/// A number that the recipe says is a price, in the country's money.
fn bare_price(text: &str, country: Option<Country>) -> Option<Money> {
    let mut money = crate::json::of_units(bare(text)?)?;
    money.currency = values::currency_of_country(country);
    Some(money)
}

/// A bare number with what the recipe says it counts.
fn named(text: &str, unit: &str) -> Option<String> {
    bare(text).map(|_| format!("{text} {unit}"))
}

fn bare(text: &str) -> Option<f64> {
    values::number(text).filter(|_| !text.chars().any(char::is_alphabetic))
}

/// Whether the listings hold what the recipe promises.
pub(crate) fn holds(recipe: &Recipe, pinned: &[Pinned], listings: &[Listing]) -> bool {
    let n = listings.len() as f32;
    let share = |has: &dyn Fn(&Listing) -> bool| {
        listings.iter().filter(|l| has(l)).count() as f32 / n.max(1.0)
    };
    n > 0.0
        && recipe.min_fields.iter().all(|(field, least)| {
            let told = match field {
                RecipeField::Url => share(&|l| !l.url.is_empty()),
                RecipeField::Id => share(&|l| l.keys.iter().any(|k| k.kind() == Some(KeyKind::Id))),
                RecipeField::Title => share(&|l| l.title.is_some()),
                RecipeField::Address => share(&|l| l.address.is_some()),
                RecipeField::Price => share(&|l| l.price.is_some() || l.price_on_request),
                RecipeField::Size => share(&|l| l.size.is_some()),
                RecipeField::Rooms => share(&|l| l.rooms.is_some() || l.bedrooms.is_some()),
                RecipeField::Image => share(&|l| l.image.is_some()),
            };
            // A pinned field that is not where the recipe says counts as missing, even if the miner
            // found it elsewhere.
            let found = pinned.iter().filter(|p| p.fields.contains_key(field)).count() as f32;
            let pinned_well =
                !recipe.fields.contains_key(field) || found >= least * pinned.len() as f32;
            told >= *least && pinned_well
        })
}

/// Whether the recipe's statement of an empty list is on the page.
pub(crate) fn says_empty(recipe: &Recipe, html: &Html) -> bool {
    let says = |statement: &Statement| {
        let by_css = statement.css.as_ref().is_some_and(|css| html.select(css).next().is_some());
        let by_text = statement.text.as_ref().is_some_and(|text| {
            let text = firstknock_listing::fold(text);
            let body = html.root_element().text();
            body.filter(|t| t.len() <= 400).any(|t| firstknock_listing::fold(t).contains(&text))
        });
        by_css || by_text
    };
    recipe.empty.as_ref().is_some_and(says)
}

/// The count that the recipe points at.
pub(crate) fn count(recipe: &Recipe, html: &Html) -> Option<u32> {
    let element = html.select(recipe.count.as_ref()?).next()?;
    let text: String = element.text().collect();
    let digits: String = text
        .chars()
        .skip_while(|c| !c.is_ascii_digit())
        .take_while(|c| c.is_ascii_digit() || matches!(c, '.' | ',' | ' ' | '\u{a0}' | '\''))
        .filter(char::is_ascii_digit)
        .collect();
    digits.parse().ok()
}
