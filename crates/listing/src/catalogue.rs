//! The one catalogue of texts: a code with arguments in, a sentence out.
//!
//! The files live in `ui/messages` and the window uses the very same ones; here they serve mail,
//! tray, terminal and toasts. A text may hold `{name}` places; where a count named `n` decides
//! the form, the keys end in `_one` and `_other`.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use serde::{Deserialize, Serialize};

/// The languages that are complete.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Language {
    /// English: the first, and the one that others fall back to.
    #[default]
    En,
    /// Dutch.
    Nl,
    /// German.
    De,
}

type Texts = BTreeMap<String, String>;

static EN: LazyLock<Texts> = LazyLock::new(|| read(include_str!("../../../ui/messages/en.json")));
static NL: LazyLock<Texts> = LazyLock::new(|| read(include_str!("../../../ui/messages/nl.json")));
static DE: LazyLock<Texts> = LazyLock::new(|| read(include_str!("../../../ui/messages/de.json")));

fn read(json: &str) -> Texts {
    serde_json::from_str(json).expect("BUG: the catalogue is a flat JSON object of strings")
}

impl Language {
    /// All languages.
    pub const ALL: [Self; 3] = [Self::En, Self::Nl, Self::De];

    /// The two-letter code.
    pub const fn code(self) -> &'static str {
        match self {
            Self::En => "en",
            Self::Nl => "nl",
            Self::De => "de",
        }
    }

    /// Reads a code or a locale (`nl_NL.UTF-8`).
    pub fn from_code(code: &str) -> Option<Self> {
        let code = code.get(..2)?.to_ascii_lowercase();
        Self::ALL.into_iter().find(|l| l.code() == code)
    }

    fn texts(self) -> &'static Texts {
        match self {
            Self::En => &EN,
            Self::Nl => &NL,
            Self::De => &DE,
        }
    }
}

/// All keys of a language, for the test that holds the three against each other.
pub fn keys(language: Language) -> Vec<&'static str> {
    language.texts().keys().map(String::as_str).collect()
}

/// The sentence for a code. An unknown code shows itself, so that nothing is ever silent.
///
/// If the plain key is missing and an argument `n` is given, `_one` or `_other` is appended.
pub fn say(language: Language, code: &str, args: &[(&str, &str)]) -> String {
    let plural = || {
        let (_, n) = args.iter().find(|(name, _)| *name == "n")?;
        Some(format!("{code}_{}", if *n == "1" { "one" } else { "other" }))
    };
    let find = |texts: &'static Texts| {
        texts.get(code).or_else(|| plural().and_then(|key| texts.get(&key)))
    };
    match find(language.texts()).or_else(|| find(&EN)) {
        Some(text) => fill(text, args),
        None => code.to_owned(),
    }
}

fn fill(text: &str, args: &[(&str, &str)]) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, after)) = rest.split_once('{') {
        out.push_str(before);
        let Some((name, tail)) = after.split_once('}') else {
            out.push('{');
            rest = after;
            continue;
        };
        match args.iter().find(|(arg, _)| *arg == name) {
            Some((_, value)) => out.push_str(value),
            None => {
                out.push('{');
                out.push_str(name);
                out.push('}');
            }
        }
        rest = tail;
    }
    out.push_str(rest);
    out
}
