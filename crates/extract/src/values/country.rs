//! The country that a page speaks for.

use url::Url;

/// A country as two lower-case letters, from the host's top-level domain or the page's language.
/// It settles what `$`, `kr` and `T2` mean, and the order of day and month.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Country([u8; 2]);

impl Country {
    /// A general domain (`.com`, `.org`, `.net`) without a language. Nothing is known of it, but
    /// that a bare `$` there is most often the US one.
    pub const UNTOLD: Self = Self(*b"zz");

    /// From two letters, in any case; `uk` is `gb`.
    pub fn parse(code: &str) -> Option<Self> {
        let bytes: [u8; 2] = code.as_bytes().try_into().ok()?;
        if !bytes.iter().all(u8::is_ascii_alphabetic) {
            return None;
        }
        let lower = bytes.map(|b| b.to_ascii_lowercase());
        Some(Self(if &lower == b"uk" { *b"gb" } else { lower }))
    }

    /// The country of a page: its host's top-level domain; on a general one (`.com`, `.org` …) the
    /// region of the page's language tag, else the language's largest country, else
    /// [`Country::UNTOLD`].
    pub fn of(url: &Url, lang: Option<&str>) -> Option<Self> {
        let host = url.host_str()?.trim_end_matches('.');
        let top = host.rsplit('.').next().unwrap_or_default();
        match top {
            "berlin" | "hamburg" | "koeln" | "bayern" => return Self::parse("de"),
            "wien" | "tirol" => return Self::parse("at"),
            "swiss" | "zuerich" => return Self::parse("ch"),
            "amsterdam" | "frl" => return Self::parse("nl"),
            "brussels" | "vlaanderen" | "gent" => return Self::parse("be"),
            "london" | "scot" | "wales" | "cymru" => return Self::parse("gb"),
            "paris" | "bzh" => return Self::parse("fr"),
            "nyc" => return Self::parse("us"),
            // Two letters that everybody uses as a general name.
            "io" | "co" | "me" | "ai" | "eu" | "tv" | "app" | "nu" => {}
            _ if host.contains('.') && top.len() == 2 => return Self::parse(top),
            _ => {}
        }
        let untold = matches!(top, "com" | "org" | "net").then_some(Self::UNTOLD);
        lang.and_then(Self::of_language).or(untold)
    }

    /// Whether it is one.
    pub(crate) fn is_told(self) -> bool {
        self != Self::UNTOLD
    }

    /// The country of a language tag: its region, else the language's largest country.
    pub fn of_language(lang: &str) -> Option<Self> {
        let mut parts = lang.trim().split(['-', '_']);
        let language = parts.next()?.to_ascii_lowercase();
        if let Some(region) = parts.filter(|p| p.len() == 2).find_map(Self::parse) {
            return Some(region);
        }
        let country = match language.as_str() {
            "en" => "us",
            "sv" => "se",
            "da" => "dk",
            "nb" | "nn" | "no" => "no",
            "cs" => "cz",
            "nl" | "de" | "fr" | "es" | "it" | "pt" | "pl" | "fi" | "hu" | "ro" => &language,
            _ => return None,
        };
        Self::parse(country)
    }

    /// Two lower-case letters.
    pub fn code(&self) -> &str {
        std::str::from_utf8(&self.0).expect("BUG: a country is two ASCII letters")
    }

    pub(crate) fn is(self, code: &str) -> bool {
        self.code() == code
    }

    /// Whether one of these is the country.
    pub(crate) fn is_one_of(self, codes: &[&str]) -> bool {
        codes.contains(&self.code())
    }
}
