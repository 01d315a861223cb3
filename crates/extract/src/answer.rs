//! Whole answers that are JSON.

use firstknock_listing::{PageKind, PageSigns, Role};
use serde_json::Value;

use crate::changes::{self, Seen};
use crate::embedded::rescue;
use crate::json;
use crate::recipe::{Recipe, data};
use crate::values::Country;
use crate::{CardSignature, Extraction, Page, Problem, SourceMemory, feed};

/// Whether an answer is JSON by its type, or by its first character where no type says HTML.
pub(crate) fn is_json(page: &Page<'_>) -> bool {
    let kind = page.content_type.unwrap_or_default().to_ascii_lowercase();
    let starts = page.html.trim_start().starts_with(['{', '[']);
    starts && (kind.contains("json") || !kind.contains("html"))
}

/// Bytes of markup in one answer that are read.
const MOST_MARKUP: usize = 16 << 20;
/// A shorter text with tags is a title or a description.
const LEAST_MARKUP: usize = 200;

/// The page that an answer carries: a JSON Feed, or cards as finished markup in its strings, for a
/// script to put into the page.
pub(crate) fn page_inside(page: &Page<'_>) -> Option<String> {
    let value = json::read(page.html)?.value;
    feed::of_json(&value).or_else(|| {
        let mut markup = String::new();
        collect_markup(&value, 0, &mut markup);
        (!markup.is_empty()).then_some(markup)
    })
}

fn collect_markup(value: &Value, depth: usize, out: &mut String) {
    match value {
        _ if depth > 32 || out.len() > MOST_MARKUP => {}
        Value::String(text) => {
            let starts = text.trim_start().starts_with('<');
            if starts && text.len() >= LEAST_MARKUP && text.contains("href") {
                out.push_str(text);
            }
        }
        Value::Array(items) => items.iter().for_each(|v| collect_markup(v, depth + 1, out)),
        Value::Object(map) => map.values().for_each(|v| collect_markup(v, depth + 1, out)),
        _ => {}
    }
}

/// Reads a JSON answer.
pub(crate) fn read(
    page: &Page<'_>,
    mut memory: SourceMemory,
    recipe: Option<&Recipe>,
) -> Extraction {
    let mut problems = Vec::new();
    if page.html.len() > json::MAX_BYTES {
        problems.push(Problem::TooLong { read_bytes: json::MAX_BYTES });
    }
    let read = json::read(page.html);
    if read.as_ref().is_none_or(|read| read.cut) {
        problems.push(Problem::BrokenData { n: 1 });
    }
    let mut value = read.map(|read| read.value).unwrap_or_default();
    json::open_strings(&mut value, 0, 2);
    let of_host = Country::of(page.url, None);
    // A general domain says nothing; the language of the data's own keys does.
    let country = of_host.filter(|c| c.is_told()).or_else(|| json::country(&value)).or(of_host);
    let sets = json::answer_sets(&value, country);
    let place = Some(memory.id_place.clone()).filter(|p| !p.is_empty());
    let set = rescue::best(&sets, 1);
    let by_recipe = recipe.and_then(|recipe| {
        data::of_answer(recipe, &value, page.url, country)?
            .map_err(|problem| problems.push(problem))
            .ok()
    });
    let (listings, id_place) = match (by_recipe, set) {
        (Some(listings), _) => (listings, None),
        (None, Some(set)) => rescue::listings(set, None, page.url, place.as_deref()),
        (None, None) => Default::default(),
    };
    if listings.len() >= json::MAX_RECORDS {
        problems.push(Problem::TooManyCards { cards: json::MAX_RECORDS });
    }
    let kind = match (listings.is_empty(), problems.is_empty()) {
        (false, _) => PageKind::Results,
        (true, true) => PageKind::Empty,
        (true, false) => PageKind::Other,
    };
    if kind == PageKind::Other {
        problems.push(Problem::NoList);
    }
    let text_chars = page.html.len();
    let seen = Seen {
        listings: &listings,
        kind,
        nothing_found: kind == PageKind::Empty,
        result_count: None,
        text_chars,
        doc: None,
    };
    let finding = changes::judge(&memory, &seen);
    changes::learn(&mut memory, &seen, &finding, id_place);
    if let Some(set) = set {
        memory.cards = CardSignature { json: set.place.clone(), ..CardSignature::default() };
    }
    let signs = PageSigns {
        kind,
        listings: listings.iter().filter(|l| l.role != Role::Recommendation).count(),
        nothing_found: kind == PageKind::Empty,
        text_chars,
        ..PageSigns::default()
    };
    let confidence = if kind == PageKind::Results { 0.9 } else { 0.0 };
    Extraction {
        listings,
        kind,
        confidence,
        signs,
        problems,
        finding,
        memory,
        ..Extraction::default()
    }
}
