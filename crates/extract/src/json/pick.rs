//! Which path of the objects stands for which field.

use std::collections::{HashMap, HashSet};

use serde_json::Value;

use super::flatten::{Leaves, Paths};
use super::record::is_warm;
use super::vocabulary::Meaning;
use crate::values::{self, Country};

/// The chosen paths, best first, for each meaning.
pub(crate) type Picks = HashMap<Meaning, Vec<usize>>;

/// Objects that are looked at to choose; the rest follow the choice.
const SAMPLE: usize = 60;

struct Stats<'v> {
    count: usize,
    distinct: HashSet<&'v str>,
    numbers: HashSet<u64>,
    values: Vec<&'v Value>,
}

/// Chooses up to three paths for each meaning.
pub(crate) fn pick(paths: &Paths, items: &[Leaves<'_>], country: Option<Country>) -> Picks {
    let sample = &items[..items.len().min(SAMPLE)];
    let mut stats: HashMap<usize, Stats<'_>> = HashMap::new();
    for leaves in sample {
        let mut seen = HashSet::new();
        for (path, value) in leaves {
            if !seen.insert(*path) {
                continue;
            }
            let s = stats.entry(*path).or_insert_with(|| Stats {
                count: 0,
                distinct: HashSet::new(),
                numbers: HashSet::new(),
                values: Vec::new(),
            });
            s.count += 1;
            match value {
                Value::String(text) => drop(s.distinct.insert(text.as_str())),
                Value::Number(n) => drop(s.numbers.insert(n.as_f64().unwrap_or(0.0).to_bits())),
                _ => {}
            }
            s.values.push(value);
        }
    }
    let mut picks = Picks::new();
    for meaning in Meaning::ALL {
        let mut scored: Vec<(f32, usize)> = stats
            .iter()
            .filter_map(|(path, s)| {
                let key = meaning.key_score(&paths.segments[*path]);
                // Where the rent is told with and without extras, the one without is the price.
                let warm = meaning == Meaning::Price && is_warm(&paths.segments[*path]);
                let key = if warm { 0.98 * key } else { key };
                (key > 0.2).then(|| (key * worth(meaning, s, sample.len(), country), *path))
            })
            .filter(|(score, _)| *score > 0.12)
            .collect();
        scored.sort_by(|a, b| {
            b.0.total_cmp(&a.0).then_with(|| paths.names[a.1].cmp(&paths.names[b.1]))
        });
        picks.insert(meaning, scored.into_iter().take(3).map(|(_, path)| path).collect());
    }
    picks
}

/// Plausible share × coverage × distinctness.
#[expect(clippy::cast_precision_loss, reason = "counts of at most a few hundred")]
fn worth(meaning: Meaning, s: &Stats<'_>, total: usize, country: Option<Country>) -> f32 {
    let plausible = s.values.iter().filter(|v| is_plausible(meaning, v, country)).count() as f32;
    let share = plausible / s.count.max(1) as f32;
    let coverage = (s.count as f32 / total.max(1) as f32).min(1.0);
    let distinct = (s.distinct.len() + s.numbers.len()) as f32 / s.count.max(1) as f32;
    match meaning {
        Meaning::Id | Meaning::Url if distinct < 0.9 || coverage < 0.8 => 0.0,
        Meaning::Id => share * coverage * distinct,
        Meaning::Url => {
            // A slug must still be found on the page; a path or an address is the link itself.
            let direct = s.values.iter().filter_map(|v| v.as_str());
            let direct = direct.filter(|t| t.starts_with("http") || t.starts_with('/')).count();
            let weight = if direct * 2 >= s.count { 1.0 } else { 0.6 };
            share * coverage * distinct * weight
        }
        // The same title everywhere is a category, the same photo a placeholder.
        Meaning::Title if distinct < 0.3 && total > 3 => 0.0,
        Meaning::Title => share * coverage.sqrt() * (0.5 + distinct / 2.0),
        Meaning::Image if distinct < 0.3 && total > 3 => 0.0,
        Meaning::Size | Meaning::Rooms | Meaning::Bedrooms | Meaning::Price if share < 0.5 => 0.0,
        _ => share * coverage.sqrt(),
    }
}

fn is_plausible(meaning: Meaning, value: &Value, country: Option<Country>) -> bool {
    let text = value.as_str();
    let number = || value.as_f64().or_else(|| text.and_then(values::number));
    match meaning {
        Meaning::Id => match value {
            Value::Number(n) => n.as_u64().is_some_and(|n| n > 0),
            Value::String(t) => {
                (1..=80).contains(&t.len())
                    && !t.contains(char::is_whitespace)
                    && !t.starts_with("http")
            }
            _ => false,
        },
        Meaning::Url => text.is_some_and(is_link),
        Meaning::Title => text.is_some_and(|t| {
            (4..400).contains(&t.len())
                && t.chars().filter(|c| c.is_alphabetic()).count() >= 3
                && !t.starts_with("http")
                && t.contains(char::is_whitespace)
        }),
        Meaning::Price => match value {
            Value::Number(n) => n.as_f64().is_some_and(|n| (30.0..1e9).contains(&n)),
            Value::String(t) if t.len() < 120 => {
                values::price(t, country).money.is_some()
                    || (values::number(t).is_some_and(|n| (30.0..1e9).contains(&n))
                        && t.chars().filter(|c| c.is_alphabetic()).count() <= 4)
            }
            _ => false,
        },
        Meaning::Currency => text.is_some_and(|t| {
            matches!(t, "€" | "$" | "£" | "kr" | "zł" | "Kč")
                || (t.len() == 3 && t.bytes().all(|b| b.is_ascii_alphabetic()))
        }),
        Meaning::Size => {
            text.is_none_or(|t| t.len() < 60)
                && number().is_some_and(|n| (5.0..20_000.0).contains(&n))
        }
        Meaning::Rooms | Meaning::Bedrooms => {
            text.is_none_or(|t| t.len() < 40) && number().is_some_and(|n| (0.0..=40.0).contains(&n))
        }
        Meaning::Image => text.is_some_and(is_photo),
        Meaning::Address | Meaning::Street => text.is_some_and(|t| {
            (3..200).contains(&t.len())
                && t.chars().filter(|c| c.is_alphabetic()).count() >= 3
                && !t.starts_with("http")
        }),
        Meaning::City => text.is_some_and(|t| {
            (2..60).contains(&t.len())
                && t.starts_with(char::is_alphabetic)
                && !t.chars().any(|c| c.is_ascii_digit())
        }),
        Meaning::Postcode => match value {
            Value::Number(n) => n.as_u64().is_some_and(|n| (1_000..100_000).contains(&n)),
            Value::String(t) => {
                (4..=10).contains(&t.len()) && t.chars().any(|c| c.is_ascii_digit())
            }
            _ => false,
        },
        Meaning::Available => text.is_some_and(|t| {
            let digits = t.chars().filter(char::is_ascii_digit).count();
            t.len() < 60
                && !t.starts_with("http")
                && (digits >= 4 || values::availability(t, country).is_some())
        }),
    }
}

/// An address, a path, or a slug that an address could be made of.
fn is_link(text: &str) -> bool {
    if text.contains(char::is_whitespace) || !(3..2_000).contains(&text.len()) {
        return false;
    }
    let path = text.split(['?', '#']).next().unwrap_or_default();
    let file = [".jpg", ".jpeg", ".png", ".webp", ".svg", ".gif", ".js", ".css"]
        .iter()
        .any(|e| path.ends_with(e));
    !file && (text.starts_with("http") || text.starts_with('/') || text.contains(['-', '/', '.']))
}

/// An address of a picture.
fn is_photo(text: &str) -> bool {
    let looks_like_address = text.starts_with("http")
        || text.starts_with('/')
        || text.contains('/')
        || text.contains('.');
    (6..2_000).contains(&text.len())
        && looks_like_address
        && !text.contains(char::is_whitespace)
        && !text.ends_with(".svg")
}
