//! Where the known providers give out access tokens, so that nobody has to look it up.

use std::sync::LazyLock;

/// One provider's place for tokens.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TokenPlace {
    /// The mail servers that take its tokens.
    pub servers: Vec<&'static str>,
    /// Its token endpoint.
    pub token_url: &'static str,
    /// The permission (OAuth's scope) that a token must carry to send mail.
    pub scope: &'static str,
    /// The public pages that state these facts.
    pub sources: Vec<&'static str>,
}

static TABLE: LazyLock<Vec<TokenPlace>> =
    LazyLock::new(|| include_str!("tokens.tsv").lines().filter_map(row).collect());

/// All places that are known.
pub fn token_places() -> &'static [TokenPlace] {
    &TABLE
}

/// The place whose tokens a mail server takes.
pub fn token_place(server: &str) -> Option<&'static TokenPlace> {
    let server = server.trim().trim_end_matches('.').to_ascii_lowercase();
    token_places().iter().find(|place| place.servers.contains(&server.as_str()))
}

fn row(line: &'static str) -> Option<TokenPlace> {
    if line.starts_with('#') || line.is_empty() {
        return None;
    }
    let mut columns = line.split('\t');
    let mut next = || columns.next().expect("BUG: a row of tokens.tsv has four columns");
    Some(TokenPlace {
        servers: next().split(' ').collect(),
        token_url: next(),
        scope: next(),
        sources: next().split(' ').collect(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::setup::{Access, presets};

    #[test]
    fn every_place_is_whole_and_has_its_sources() {
        for place in token_places() {
            assert!(place.token_url.starts_with("https://"), "{place:?}");
            assert!(!place.scope.is_empty(), "{place:?}");
            assert!(place.sources.iter().all(|source| source.starts_with("https://")), "{place:?}");
        }
    }

    #[test]
    fn whoever_refuses_passwords_has_a_place_for_tokens() {
        for preset in presets().iter().filter(|preset| preset.access == Access::NoPasswords) {
            assert!(token_place(preset.server).is_some(), "{}", preset.provider);
        }
        assert!(token_place(" SMTP.Office365.com. ").is_some());
        assert_eq!(token_place("smtp.mailhuis.example"), None);
    }
}
