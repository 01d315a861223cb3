//! What a key path means: its words weighed by where they stand in the path.

use std::rc::Rc;

use super::words::words;

/// What a path may stand for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) enum Meaning {
    Id,
    Url,
    Title,
    Price,
    Currency,
    Size,
    Rooms,
    Bedrooms,
    Image,
    Address,
    Street,
    City,
    Postcode,
    Available,
}

impl Meaning {
    pub(crate) const ALL: [Self; 14] = [
        Self::Id,
        Self::Url,
        Self::Title,
        Self::Price,
        Self::Currency,
        Self::Size,
        Self::Rooms,
        Self::Bedrooms,
        Self::Image,
        Self::Address,
        Self::Street,
        Self::City,
        Self::Postcode,
        Self::Available,
    ];

    /// How well a path says this: 0 to about 1.2.
    pub(crate) fn key_score(self, path: &[Rc<Segment>]) -> f32 {
        let at = self as usize;
        let named: Vec<&Segment> = path.iter().map(Rc::as_ref).filter(|s| !s.is_index).collect();
        let Some(last) = named.last() else { return 0.0 };
        let mut best = 0.0_f32;
        for (distance, segment) in named.iter().rev().enumerate() {
            let weight = match distance {
                0 => 1.0,
                1 => 0.85,
                2 => 0.6,
                _ => 0.35,
            };
            // "price.value" says as much as "price"; "price.label" says less.
            let told = distance == 0 || last.is_value;
            best = best.max(weight * segment.hits[at] * if told { 1.0 } else { 0.6 });
        }
        if best == 0.0 {
            return 0.0;
        }
        if last.bad[at] {
            return best * 0.15;
        }
        let penalty = named.iter().rev().take(3).any(|segment| segment.bad[at]);
        #[expect(clippy::cast_precision_loss, reason = "paths are at most a dozen segments")]
        let depth = 0.97_f32.powf(named.len() as f32);
        best * depth * if penalty { 0.25 } else { 1.0 }
    }
}

/// One key of a path, weighed once for all meanings.
pub(crate) struct Segment {
    pub(crate) tokens: Vec<String>,
    /// Only a place in a list.
    is_index: bool,
    /// "value", "amount", "text": says what the key before it says.
    is_value: bool,
    /// By meaning: 0, or how well the words say it.
    hits: [f32; Meaning::ALL.len()],
    /// By meaning: whether a word says that it is something else.
    bad: [bool; Meaning::ALL.len()],
}

impl Segment {
    pub(crate) fn new(key: &str) -> Self {
        let tokens = tokens(key);
        let joined = tokens.concat();
        let weigh = |meaning: Meaning| hit(&tokens, &joined, &words(meaning).good);
        let is_bad = |meaning: Meaning| tokens.iter().any(|t| matches_any(t, &words(meaning).bad));
        Self {
            is_index: matches!(&*tokens, [one] if one.bytes().all(|b| b.is_ascii_digit())),
            is_value: is_value_word(&tokens),
            hits: Meaning::ALL.map(weigh),
            bad: Meaning::ALL.map(is_bad),
            tokens,
        }
    }
}

impl Segment {
    /// Whether the key's words say this and nothing against it.
    pub(super) fn says(&self, meaning: Meaning) -> bool {
        self.hits[meaning as usize] > 0.0 && !self.bad[meaning as usize]
    }
}

/// Every token of a key must be explained for the full mark: "rentPrice" is better than
/// "rentPriceLabelSuffix".
fn hit(tokens: &[String], joined: &str, good: &[&str]) -> f32 {
    if matches_any(joined, good) && !joined.ends_with("count") {
        return 1.1;
    }
    let hits = tokens.iter().filter(|t| matches_any(t, good)).count();
    #[expect(clippy::cast_precision_loss, reason = "a key has a handful of tokens")]
    let share = hits as f32 / tokens.len().max(1) as f32;
    if hits > 0 { 0.5 + 0.5 * share } else { 0.0 }
}

fn matches_any(token: &str, words: &[&str]) -> bool {
    words.iter().any(|word| {
        if let Some(beginning) = word.strip_suffix('*') {
            token.starts_with(beginning)
        } else if let Some(end) = word.strip_prefix('~') {
            token.ends_with(end)
        } else {
            token == *word
        }
    })
}

fn is_value_word(tokens: &[String]) -> bool {
    const VALUES: [&str; 26] = [
        "value",
        "amount",
        "text",
        "formatted",
        "display",
        "raw",
        "gross",
        "net",
        "total",
        "main",
        "min",
        "from",
        "low",
        "lowest",
        "number",
        "displayvalue",
        "cents",
        "eur",
        "price",
        "monthly",
        "full",
        "url",
        "src",
        "name",
        "values",
        "default",
    ];
    tokens.iter().any(|t| VALUES.contains(&t.as_str()))
}

/// `livingArea_sqm` → `living`, `area`, `sqm`.
pub(super) fn tokens(key: &str) -> Vec<String> {
    let mut out: Vec<String> = Vec::new();
    let mut previous_lower = false;
    let mut fresh = true;
    for c in key.chars().take(64) {
        if !c.is_alphanumeric() && c != '@' {
            fresh = true;
            previous_lower = false;
            continue;
        }
        if c.is_uppercase() && previous_lower {
            fresh = true;
        }
        previous_lower = c.is_lowercase() || c.is_numeric();
        if fresh {
            out.push(String::new());
            fresh = false;
        }
        if let Some(token) = out.last_mut() {
            token.extend(c.to_lowercase());
        }
    }
    out
}

/// Whether an object has a key that may be a price, down to four levels: a cheap test before the
/// object is flattened.
pub(crate) fn has_price_key(
    object: &serde_json::Map<String, serde_json::Value>,
    depth: u8,
) -> bool {
    use serde_json::Value;
    object.iter().any(|(key, value)| {
        key_speaks_of_price(key)
            || depth > 0
                && match value {
                    Value::Object(inner) => has_price_key(inner, depth - 1),
                    Value::Array(items) => items.iter().take(40).any(|item| match item {
                        Value::Object(inner) => {
                            has_price_key(inner, depth - 1)
                                || inner.values().any(|v| {
                                    v.as_str()
                                        .is_some_and(|t| t.len() < 40 && key_speaks_of_price(t))
                                })
                        }
                        _ => false,
                    }),
                    _ => false,
                }
    })
}

fn key_speaks_of_price(key: &str) -> bool {
    const PARTS: [&str; 19] = [
        "price", "preis", "prijs", "prix", "preci", "prezz", "preco", "preço", "cena", "pris",
        "rent", "miete", "huur", "loyer", "hyra", "leie", "amount", "canone", "alquiler",
    ];
    let low = key.to_ascii_lowercase();
    low.len() <= 64 && PARTS.iter().any(|part| low.contains(part))
}

/// Whether a text may hold a list of homes: some word for a price is in it.
pub(crate) fn speaks_of_price(text: &str) -> bool {
    const WORDS: [&str; 20] = [
        "rice", "PRICE", "rent", "Rent", "reis", "PREIS", "iete", "MIETE", "rijs", "huur", "rix\"",
        "loyer", "recio", "rezzo", "reço", "reco\"", "cena", "hyra", "pris", "mount",
    ];
    WORDS.iter().any(|word| text.contains(word))
}
