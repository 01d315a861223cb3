//! Where a page keeps data: scripts of type JSON, assignments in scripts, attributes.

use std::borrow::Cow;

use serde_json::Value;

use super::{devalue, flight, pairs, reader, references, script};

/// A script of the page.
#[derive(Debug, Clone, Copy)]
pub struct ScriptText<'a> {
    /// Its `type`, empty if it has none.
    pub kind: &'a str,
    /// Its `id`, empty if it has none.
    pub id: &'a str,
    /// What is inside.
    pub text: &'a str,
}

/// An attribute whose text starts with `{` or `[`.
#[derive(Debug, Clone, Copy)]
pub struct AttributeText<'a> {
    /// The element's name.
    pub element: &'a str,
    /// The attribute's name.
    pub name: &'a str,
    /// The value, entities decoded.
    pub text: &'a str,
    /// The caller's number for the element, handed back with the record.
    pub node: u32,
}

/// One piece of data.
#[derive(Debug, Clone, PartialEq)]
pub struct Blob {
    /// Where it was found: `script#__NEXT_DATA__`, `script[3]`, `li@data-item`. Attributes of the
    /// same name on the same kind of element share it.
    pub place: String,
    /// The data.
    pub value: Value,
    /// The element that carries it, for attributes.
    pub node: Option<u32>,
}

/// All data of a page.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Blobs {
    /// In page order, scripts first.
    pub found: Vec<Blob>,
    /// How many looked like data and could not be read to their end.
    pub broken: usize,
}

/// Attributes that are read in one page.
const MAX_ATTRIBUTES: usize = 3_000;
/// Shorter texts hold no listing.
const MIN_TEXT: usize = 40;
/// Strings of JSON inside JSON are opened this often.
const MAX_STRING_DEPTH: u8 = 2;

/// Finds and reads the data of a page. Scripts and attributes without any word for a price are
/// not read.
pub fn blobs<'a>(
    scripts: impl IntoIterator<Item = ScriptText<'a>>,
    attributes: impl IntoIterator<Item = AttributeText<'a>>,
) -> Blobs {
    let mut out = Blobs::default();
    let mut chunks = String::new();
    for (i, script) in scripts.into_iter().enumerate() {
        if script.text.contains("__next_f") {
            script::flight_chunks(script.text, &mut chunks);
        } else {
            read_script(&script, i, &mut out);
        }
    }
    if super::vocabulary::speaks_of_price(&chunks) {
        for value in flight::rows(&chunks) {
            out.push("flight".to_owned(), value, None);
        }
    }
    for attribute in attributes.into_iter().take(MAX_ATTRIBUTES) {
        let text = attribute.text.trim_start();
        if text.len() < MIN_TEXT
            || !text.starts_with(['{', '['])
            || !super::vocabulary::speaks_of_price(text)
        {
            continue;
        }
        match reader::read(text) {
            Some(read) if !read.cut => {
                let place = format!("{}@{}", attribute.element, attribute.name);
                out.push(place, read.value, Some(attribute.node));
            }
            // `[&>svg]:h-full`, `{ scrollAtTop: true, open() {…} }`: not data.
            _ => {}
        }
    }
    out
}

fn read_script(script: &ScriptText<'_>, i: usize, out: &mut Blobs) {
    let is_json = script.kind.contains("json");
    let is_code =
        script.kind.is_empty() || script.kind.contains("javascript") || script.kind == "module";
    if script.text.len() < MIN_TEXT
        || !(is_json || is_code)
        || !super::vocabulary::speaks_of_price(script.text)
    {
        return;
    }
    let place =
        if script.id.is_empty() { format!("script[{i}]") } else { format!("script#{}", script.id) };
    if is_json {
        let text = without_escapes(script.text);
        match reader::read(&text) {
            Some(read) => {
                out.broken += usize::from(read.cut);
                out.push(place, read.value, None);
            }
            None => out.broken += 1,
        }
        return;
    }
    for value in script::literals(script.text, &mut out.broken) {
        out.push(place.clone(), value, None);
    }
}

/// Server-side rendering of one framework escapes the quotes of its state as `&q;`.
fn without_escapes(text: &str) -> Cow<'_, str> {
    if !text.trim_start().starts_with("{&q;") {
        return Cow::Borrowed(text);
    }
    let escapes = [("&q;", "\""), ("&s;", "'"), ("&l;", "<"), ("&g;", ">"), ("&a;", "&")];
    Cow::Owned(escapes.iter().fold(text.to_owned(), |text, (from, to)| text.replace(from, to)))
}

impl Blobs {
    fn push(&mut self, place: String, value: Value, node: Option<u32>) {
        let mut value = devalue::revive(&value).or_else(|| pairs::unpair(&value)).unwrap_or(value);
        open_strings(&mut value, 0, MAX_STRING_DEPTH);
        references::follow(&mut value);
        self.found.push(Blob { place, value, node });
    }
}

/// Replaces strings of JSON by the JSON.
pub(crate) fn open_strings(value: &mut Value, depth: usize, left: u8) {
    if depth > reader::MAX_DEPTH || left == 0 {
        return;
    }
    match value {
        Value::String(text)
            if text.len() >= MIN_TEXT && text.trim_start().starts_with(['{', '[']) =>
        {
            if let Ok(mut inner) = serde_json::from_str::<Value>(text) {
                open_strings(&mut inner, depth + 1, left - 1);
                *value = inner;
            }
        }
        Value::Array(items) => items.iter_mut().for_each(|v| open_strings(v, depth + 1, left)),
        Value::Object(map) => map.values_mut().for_each(|v| open_strings(v, depth + 1, left)),
        _ => {}
    }
}
