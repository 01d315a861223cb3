//! A recipe on data: items by their path, fields by theirs, read by the same value parsers.
//!
//! What a recipe leaves out stays empty here: the miner reads elements, and an item has none.

use std::collections::BTreeMap;

use firstknock_listing::{Evidence, Listing, ListingKey, clean_line};
use scraper::Html;
use serde_json::Value;
use url::Url;

use super::apply::{self, Pinned};
use super::{NamedValues, Recipe, RecipeField, Source};
use crate::values::Country;
use crate::{Problem, json};

/// The listings, or why the recipe does not fit.
type Read = Result<Vec<Listing>, Problem>;

/// From the script of a page; `None` if the recipe is not for one, or says that the list is empty.
pub(crate) fn of_page(
    recipe: &Recipe,
    html: &Html,
    base: &Url,
    country: Option<Country>,
) -> Option<Read> {
    let source = recipe.data.as_ref()?;
    let script = html.select(source.script.as_ref()?).next();
    let text: String = script.map(|script| script.text().collect()).unwrap_or_default();
    let value = json::read(&text).map(|read| read.value).unwrap_or_default();
    let read = listings(recipe, &value, base, country);
    if read.is_err() && apply::says_empty(recipe, html) {
        return None;
    }
    Some(read)
}

/// From an answer that is JSON; `None` if the recipe is not for one.
pub(crate) fn of_answer(
    recipe: &Recipe,
    value: &Value,
    base: &Url,
    country: Option<Country>,
) -> Option<Read> {
    recipe.data.as_ref().filter(|source| source.script.is_none())?;
    // An honest empty list is no mistake of the recipe; the miner says what it is.
    if items(recipe, value).is_some_and(<[Value]>::is_empty) {
        return None;
    }
    Some(listings(recipe, value, base, country))
}

fn items<'v>(recipe: &Recipe, value: &'v Value) -> Option<&'v [Value]> {
    at(value, &recipe.data.as_ref()?.items)?.as_array().map(Vec::as_slice)
}

fn listings(recipe: &Recipe, value: &Value, base: &Url, country: Option<Country>) -> Read {
    let attrs = recipe.data.as_ref().and_then(|source| source.attrs.as_ref());
    let all = items(recipe, value).unwrap_or_default();
    let mut pinned = Vec::new();
    let mut listings: Vec<Listing> = Vec::new();
    for (i, item) in all.iter().take(json::MAX_RECORDS).enumerate() {
        let card = Pinned { node: 0, fields: fields(recipe, item, attrs) };
        if let Some(mut listing) = listing(&card, base, country) {
            listing.evidence = evidence(recipe, &card, i);
            if !listings.iter().any(|other| other.key() == listing.key()) {
                listings.push(listing);
            }
        }
        pinned.push(card);
    }
    if apply::holds(recipe, &pinned, &listings) {
        Ok(listings)
    } else {
        Err(Problem::RecipeFailed { recipe: recipe.id.clone() })
    }
}

/// One item; `None` if nothing tells it apart.
fn listing(card: &Pinned, base: &Url, country: Option<Country>) -> Option<Listing> {
    let no_keys: Vec<ListingKey> = Vec::new();
    let mut listing = Listing::new(no_keys, base.to_string());
    apply::pin(&mut listing, card, base, country);
    (!listing.keys.is_empty()).then_some(listing)
}

fn fields(
    recipe: &Recipe,
    item: &Value,
    attrs: Option<&NamedValues>,
) -> BTreeMap<RecipeField, String> {
    apply::fields(recipe, |source: &Source| {
        let path = source.path.as_deref()?;
        let value = match path.strip_prefix('@') {
            Some(name) => named(item, attrs?, name)?,
            None => at(item, path)?,
        };
        match value {
            Value::String(text) => Some(clean_line(text)),
            Value::Number(number) => Some(number.to_string()),
            _ => None,
        }
    })
}

fn named<'v>(item: &'v Value, attrs: &NamedValues, name: &str) -> Option<&'v Value> {
    let list = at(item, &attrs.list)?.as_array()?;
    let entry = list.iter().find(|entry| at(entry, &attrs.name).is_some_and(|n| n == name))?;
    at(entry, &attrs.value)
}

/// A JSON pointer; its first `/` may be left out.
fn at<'v>(value: &'v Value, path: &str) -> Option<&'v Value> {
    if path.is_empty() || path.starts_with('/') {
        value.pointer(path)
    } else {
        value.pointer(&format!("/{path}"))
    }
}

fn evidence(recipe: &Recipe, card: &Pinned, item: usize) -> Vec<Evidence> {
    let items = recipe.data.as_ref().map_or("", |source| source.items.as_str());
    let found = card.fields.iter().map(|(field, raw)| {
        let path = recipe.fields.get(field).and_then(|source| source.path.as_deref());
        Evidence {
            field: format!("{field:?}").to_lowercase(),
            found_at: format!("recipe {}: {items}/{item}/{}", recipe.id, path.unwrap_or_default()),
            raw: raw.clone(),
        }
    });
    found.collect()
}
