//! The address of a search page, parsed at the door and then kept byte for byte.

use serde::{Deserialize, Serialize};
use url::Url;

use crate::HostKey;

/// An http(s) address with a host and without a password, exactly as the user gave it
/// (fredy#363: rewriting an address can widen the search).
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct SearchUrl {
    given: String,
    url: Url,
}

/// Why an address cannot be a search. Each has a sentence in the catalogue under `error_*`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum SearchUrlError {
    /// Nothing that reads as an address.
    #[error("this is not a web address")]
    NotAnAddress,
    /// `ftp:`, `file:`, `mailto:` …
    #[error("only http and https addresses can be watched")]
    NotHttp,
    /// User name or password before the `@`: it would end up in logs and mails.
    #[error("the address has a user name or password in it")]
    HasPassword,
    /// Over 8,000 characters.
    #[error("the address is longer than 8,000 characters")]
    TooLong,
}

impl SearchUrlError {
    /// The code; its sentence is the catalogue's `error_<code>`.
    pub const fn code(self) -> &'static str {
        match self {
            Self::NotAnAddress => "not_an_address",
            Self::NotHttp => "not_http",
            Self::HasPassword => "has_password",
            Self::TooLong => "address_too_long",
        }
    }
}

/// Longer addresses are refused; servers refuse them too.
const MAX_LEN: usize = 8_000;

impl SearchUrl {
    /// Parses what a person pasted: blanks around it are dropped and a missing `https://` is added.
    ///
    /// # Errors
    /// See [`SearchUrlError`]; the text is not changed otherwise.
    pub fn parse(pasted: &str) -> Result<Self, SearchUrlError> {
        let trimmed = pasted.trim().trim_matches(|c| matches!(c, '<' | '>' | '"')).trim();
        if trimmed.is_empty() || trimmed.chars().any(char::is_whitespace) {
            return Err(SearchUrlError::NotAnAddress);
        }
        if trimmed.len() > MAX_LEN {
            return Err(SearchUrlError::TooLong);
        }
        let given = match trimmed.split_once("://") {
            Some(_) => trimmed.to_owned(),
            None if looks_like_host(trimmed) => format!("https://{trimmed}"),
            None => match Url::parse(trimmed) {
                Ok(url) if !matches!(url.scheme(), "http" | "https") => {
                    return Err(SearchUrlError::NotHttp);
                }
                _ => return Err(SearchUrlError::NotAnAddress),
            },
        };
        let url = Url::parse(&given).map_err(|_| SearchUrlError::NotAnAddress)?;
        if !matches!(url.scheme(), "http" | "https") {
            return Err(SearchUrlError::NotHttp);
        }
        if !url.username().is_empty() || url.password().is_some() {
            return Err(SearchUrlError::HasPassword);
        }
        if HostKey::of(&url).is_none() {
            return Err(SearchUrlError::NotAnAddress);
        }
        Ok(Self { given, url })
    }

    /// The address as it was given; this is what is stored, shown and asked for.
    pub fn as_str(&self) -> &str {
        &self.given
    }

    /// The parsed address.
    pub fn url(&self) -> &Url {
        &self.url
    }

    /// Who is asked.
    pub fn host(&self) -> HostKey {
        HostKey::of(&self.url).expect("BUG: a SearchUrl has a host")
    }
}

fn looks_like_host(text: &str) -> bool {
    let host = text.split(['/', '?', '#']).next().unwrap_or_default();
    let name = host.split(':').next().unwrap_or_default();
    let port_is_number = host
        .split(':')
        .nth(1)
        .is_none_or(|p| !p.is_empty() && p.bytes().all(|b| b.is_ascii_digit()));
    port_is_number
        && !host.contains('@')
        && (name == "localhost" || (name.contains('.') && !name.starts_with('.')))
}

impl Serialize for SearchUrl {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&self.given)
    }
}

impl<'de> Deserialize<'de> for SearchUrl {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        Self::parse(&text).map_err(serde::de::Error::custom)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_is_taken_or_refused_with_its_reason() {
        use SearchUrlError::{HasPassword, NotAnAddress, NotHttp};
        let cases = [
            ("https://a.example/huren?x=1", Ok("https://a.example/huren?x=1")),
            ("  https://a.example/ \n", Ok("https://a.example/")),
            ("a.example/huren", Ok("https://a.example/huren")),
            ("localhost:8080/x", Ok("https://localhost:8080/x")),
            (
                "https://a.example/?q=%C3%A9&Long=TokenÄ",
                Ok("https://a.example/?q=%C3%A9&Long=TokenÄ"),
            ),
            ("", Err(NotAnAddress)),
            ("rooms in delft", Err(NotAnAddress)),
            ("delft", Err(NotAnAddress)),
            ("https://", Err(NotAnAddress)),
            ("ftp://a.example/", Err(NotHttp)),
            ("mailto:me@a.example", Err(NotHttp)),
            ("javascript:alert(1)", Err(NotHttp)),
            ("https://me:secret@a.example/", Err(HasPassword)),
            ("https://me@a.example/", Err(HasPassword)),
        ];
        for (pasted, want) in cases {
            let got = SearchUrl::parse(pasted);
            assert_eq!(got.as_ref().map(SearchUrl::as_str), want.as_ref().copied(), "{pasted:?}");
        }
    }
}
