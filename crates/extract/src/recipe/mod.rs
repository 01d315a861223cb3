//! Recipes: the last resort for a site that the miner cannot read. Data only, one TOML file per
//! site, strict: an unknown key is refused. Everything is optional; what a recipe leaves out, the
//! miner does. None is shipped.
//!
//! **Leaves out**: scripts, and any file access: the caller reads the file.

pub(crate) mod apply;
pub(crate) mod data;

use std::collections::BTreeMap;

use regex::{Regex, RegexBuilder};
use scraper::Selector;
use serde::Deserialize;
use url::Url;

/// A recipe as written, checked.
#[derive(Debug, Clone)]
pub struct Recipe {
    /// Its name.
    pub id: String,
    hosts: Vec<String>,
    path: Option<Regex>,
    pub(crate) item: Option<Selector>,
    /// Where the items are in data; then nothing is read from elements.
    pub(crate) data: Option<DataSource>,
    pub(crate) skip_if: Option<Selector>,
    pub(crate) fields: BTreeMap<RecipeField, Source>,
    pub(crate) empty: Option<Statement>,
    pub(crate) count: Option<Selector>,
    pub(crate) min_fields: BTreeMap<RecipeField, f32>,
}

/// A field that a recipe may pin.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum RecipeField {
    /// The detail address.
    Url,
    /// The id token.
    Id,
    /// The title.
    Title,
    /// The address.
    Address,
    /// The price.
    Price,
    /// The size.
    Size,
    /// Rooms or bedrooms.
    Rooms,
    /// The photo.
    Image,
}

/// Why a recipe is refused.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum RecipeError {
    /// No TOML, or a key that no recipe has.
    #[error("not a recipe: {0}")]
    NotARecipe(String),
    /// A schema that this version does not know.
    #[error("schema {0} is not known, 1 is")]
    Schema(u32),
    /// A selector that is no CSS.
    #[error("no CSS selector: {0}")]
    Selector(String),
    /// A pattern that is none, or too big.
    #[error("no pattern, or too big a one: {0}")]
    Pattern(String),
    /// A key that is missing, or belongs to another kind of recipe.
    #[error("{0}")]
    Kind(&'static str),
    /// A share outside 0 to 1.
    #[error("a share is from 0 to 1, not {0}")]
    Share(String),
}

/// Where a field is read.
#[derive(Debug, Clone)]
pub(crate) struct Source {
    /// In an item of data: keys and positions with `/` between, or `@NAME` for the value of the
    /// named attribute.
    pub(crate) path: Option<String>,
    pub(crate) css: Option<Selector>,
    pub(crate) attr: Option<String>,
    pub(crate) from: Option<RecipeField>,
    pub(crate) re: Option<Regex>,
}

/// Where data has its items.
#[derive(Debug, Clone)]
pub(crate) struct DataSource {
    /// The script; `None` for an answer that is JSON as a whole.
    pub(crate) script: Option<Selector>,
    /// JSON pointer to the list.
    pub(crate) items: String,
    pub(crate) attrs: Option<NamedValues>,
}

/// Lists of named values in an item: `[{"name": "PRICE", "values": ["900"]}]`.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct NamedValues {
    pub(crate) list: String,
    pub(crate) name: String,
    pub(crate) value: String,
}

/// What says that the list is empty.
#[derive(Debug, Clone)]
pub(crate) struct Statement {
    pub(crate) css: Option<Selector>,
    pub(crate) text: Option<String>,
}

/// Compiled patterns may be this big.
const MAX_PATTERN_BYTES: usize = 200_000;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Written {
    schema: u32,
    id: String,
    #[serde(rename = "match")]
    matches: WrittenMatch,
    #[serde(default)]
    kind: Kind,
    item: Option<String>,
    embedded: Option<WrittenData>,
    json: Option<WrittenData>,
    skip_if: Option<String>,
    #[serde(default)]
    fields: BTreeMap<RecipeField, WrittenSource>,
    empty: Option<WrittenStatement>,
    count: Option<WrittenCount>,
    check: Option<WrittenCheck>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct WrittenData {
    script: Option<String>,
    items: String,
    attrs: Option<NamedValues>,
}

/// What a recipe reads: elements, an answer that is JSON, or JSON in a script of the page.
#[derive(Deserialize, Default, PartialEq, Clone, Copy)]
#[serde(rename_all = "snake_case")]
enum Kind {
    #[default]
    Html,
    Json,
    Embedded,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct WrittenMatch {
    hosts: Vec<String>,
    path: Option<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct WrittenSource {
    path: Option<String>,
    css: Option<String>,
    attr: Option<String>,
    from: Option<RecipeField>,
    re: Option<String>,
    /// Kept for readers of the file: the field's own parser is used anyhow.
    #[serde(rename = "parse")]
    _parse: Option<RecipeField>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct WrittenStatement {
    css: Option<String>,
    text: Option<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct WrittenCount {
    css: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct WrittenCheck {
    #[serde(default)]
    min_fields: BTreeMap<RecipeField, f32>,
}

impl Recipe {
    /// Reads a recipe.
    ///
    /// # Errors
    /// See [`RecipeError`]: the whole recipe is refused.
    pub fn parse(toml: &str) -> Result<Self, RecipeError> {
        let written: Written =
            toml::from_str(toml).map_err(|e| RecipeError::NotARecipe(e.message().to_owned()))?;
        if written.schema != 1 {
            return Err(RecipeError::Schema(written.schema));
        }
        written.fits_its_kind()?;
        let data = written.embedded.or(written.json).map(WrittenData::read).transpose()?;
        let min_fields = written.check.map(|c| c.min_fields).unwrap_or_default();
        if let Some((field, share)) = min_fields.iter().find(|(_, s)| !(0.0..=1.0).contains(*s)) {
            return Err(RecipeError::Share(format!("{field:?} = {share}")));
        }
        let fields = written.fields.into_iter().map(|(field, s)| Ok((field, s.read()?)));
        let statement = |s: WrittenStatement| {
            Ok(Statement { css: s.css.as_deref().map(selector).transpose()?, text: s.text })
        };
        Ok(Self {
            id: written.id,
            hosts: written.matches.hosts,
            path: written.matches.path.as_deref().map(pattern).transpose()?,
            item: written.item.as_deref().map(selector).transpose()?,
            data,
            skip_if: written.skip_if.as_deref().map(selector).transpose()?,
            fields: fields.collect::<Result<_, RecipeError>>()?,
            empty: written.empty.map(statement).transpose()?,
            count: written.count.map(|c| selector(&c.css)).transpose()?,
            min_fields,
        })
    }

    /// Whether the recipe is for an address.
    pub fn is_for(&self, url: &Url) -> bool {
        let host = url.host_str().unwrap_or_default().trim_start_matches("www.");
        self.hosts.iter().any(|h| h.trim_start_matches("www.").eq_ignore_ascii_case(host))
            && self.path.as_ref().is_none_or(|path| path.is_match(url.path()))
    }
}

impl Written {
    fn fits_its_kind(&self) -> Result<(), RecipeError> {
        let wrong = |what| Err(RecipeError::Kind(what));
        let is_html = self.kind == Kind::Html;
        if self.embedded.is_some() != (self.kind == Kind::Embedded)
            || self.json.is_some() != (self.kind == Kind::Json)
        {
            return wrong("`embedded` and `json` say where the items are, each for its own kind");
        }
        if self.embedded.as_ref().is_some_and(|data| data.script.is_none())
            || self.json.as_ref().is_some_and(|data| data.script.is_some())
        {
            return wrong("`script` is for embedded data, and needed there");
        }
        if !is_html && (self.item.is_some() || self.skip_if.is_some()) {
            return wrong("`item` and `skip_if` are for elements");
        }
        let by_path = |s: &WrittenSource| s.path.is_some();
        let by_element = |s: &WrittenSource| s.css.is_some() || s.attr.is_some();
        let mut sources = self.fields.values();
        if sources.any(|s| if is_html { by_path(s) } else { by_element(s) }) {
            return wrong("a field of data has a `path`, one of elements `css` and `attr`");
        }
        Ok(())
    }
}

impl WrittenData {
    fn read(self) -> Result<DataSource, RecipeError> {
        Ok(DataSource {
            script: self.script.as_deref().map(selector).transpose()?,
            items: self.items,
            attrs: self.attrs,
        })
    }
}

impl WrittenSource {
    fn read(self) -> Result<Source, RecipeError> {
        Ok(Source {
            path: self.path,
            css: self.css.as_deref().map(selector).transpose()?,
            attr: self.attr,
            from: self.from,
            re: self.re.as_deref().map(pattern).transpose()?,
        })
    }
}

fn selector(css: &str) -> Result<Selector, RecipeError> {
    Selector::parse(css).map_err(|_| RecipeError::Selector(css.to_owned()))
}

fn pattern(re: &str) -> Result<Regex, RecipeError> {
    RegexBuilder::new(re)
        .size_limit(MAX_PATTERN_BYTES)
        .build()
        .map_err(|_| RecipeError::Pattern(re.to_owned()))
}
