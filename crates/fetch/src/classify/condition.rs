//! One condition of a marker: a place, a comparison, a value.

use regex::Regex;
use serde::Deserialize;
use url::Url;

use super::look::Look;
use crate::exchange::Response;

/// `title = just a moment...`, `header cf-mitigated = challenge`, `source ~ _cf_chl_opt`.
#[derive(Debug, Deserialize)]
#[serde(try_from = "String")]
pub(super) struct Condition {
    place: Place,
    test: Test,
}

#[derive(Debug)]
enum Place {
    Header(String),
    Title,
    Text,
    Markup,
    Source,
    Host,
    Path,
    Query,
}

#[derive(Debug)]
enum Test {
    Is(String),
    Begins(String),
    Contains(String),
    Ends(String),
    Matches(Regex),
    There,
}

/// All that conditions may look at.
pub(super) struct Scene<'a> {
    pub(super) response: &'a Response,
    pub(super) look: &'a Look,
}

impl Condition {
    /// It can be tested without reading the page.
    pub(super) const fn is_outside(&self) -> bool {
        match self.place {
            Place::Header(_) | Place::Host | Place::Path | Place::Query => true,
            Place::Title | Place::Text | Place::Markup | Place::Source => false,
        }
    }

    /// What was seen, in the words of the wire, if the condition holds.
    pub(super) fn seen(&self, scene: &Scene<'_>) -> Option<String> {
        let response = scene.response;
        let url = &response.final_url;
        match &self.place {
            Place::Header(name) => response.header_all(name).find_map(|value| {
                let value = value.trim();
                let low = value.to_ascii_lowercase();
                self.test.finds(&low)?;
                Some(format!("header {name}: {}", short(value)))
            }),
            Place::Title => self.quote("title", &scene.look.title),
            Place::Text => self.quote("text", &scene.look.text),
            Place::Markup => self.quote("body", &scene.look.markup),
            Place::Source => self.quote("body", &scene.look.source),
            Place::Host => {
                let host = url.host_str()?.trim_end_matches('.').to_ascii_lowercase();
                self.test.finds(&host)?;
                Some(format!("address {host}"))
            }
            Place::Path => {
                let path = lower_path(url);
                let found = self.test.finds(&path)?;
                Some(format!("address path {}", short(found)))
            }
            Place::Query => {
                let query = url.query()?.to_ascii_lowercase();
                Some(format!("address query {}", short(self.test.finds(&query)?)))
            }
        }
    }

    fn quote(&self, place: &str, hay: &str) -> Option<String> {
        let found = self.test.finds(hay)?;
        Some(format!("{place} {}", short(found)))
    }
}

impl Test {
    /// The part of `hay` that holds; for `=` and `^` and `$` the value itself.
    fn finds<'a>(&'a self, hay: &'a str) -> Option<&'a str> {
        match self {
            Self::Is(value) => (hay == value).then_some(value),
            Self::Begins(value) => hay.starts_with(value.as_str()).then_some(value),
            Self::Ends(value) => hay.ends_with(value.as_str()).then_some(value),
            Self::Contains(value) => hay.contains(value.as_str()).then_some(value),
            Self::Matches(regex) => regex.find(hay).map(|found| found.as_str()),
            Self::There => Some(hay),
        }
    }
}

impl TryFrom<String> for Condition {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        let wrong = || format!("no condition: {text}");
        let (place, rest) = text.split_once(' ').ok_or_else(wrong)?;
        let (place, rest) = match place {
            "header" => {
                let (name, rest) = rest.split_once(' ').ok_or_else(wrong)?;
                (Place::Header(name.to_owned()), rest)
            }
            "title" => (Place::Title, rest),
            "text" => (Place::Text, rest),
            "markup" => (Place::Markup, rest),
            "source" => (Place::Source, rest),
            "host" => (Place::Host, rest),
            "path" => (Place::Path, rest),
            "query" => (Place::Query, rest),
            _ => return Err(wrong()),
        };
        if rest == "?" {
            return Ok(Self { place, test: Test::There });
        }
        let (operator, value) = rest.split_once(' ').ok_or_else(wrong)?;
        let value = value.to_owned();
        let test = match operator {
            "=" => Test::Is(value),
            "^" => Test::Begins(value),
            "~" => Test::Contains(value),
            "$" => Test::Ends(value),
            "/" => Test::Matches(Regex::new(&value).map_err(|error| error.to_string())?),
            _ => return Err(wrong()),
        };
        Ok(Self { place, test })
    }
}

pub(super) fn lower_path(url: &Url) -> String {
    url.path().to_ascii_lowercase()
}

/// At most 80 characters, so that a row stays a row.
fn short(text: &str) -> String {
    let text = text.trim();
    match text.char_indices().nth(80) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}
