//! How values of ours become columns and back: times as unix milliseconds, the rest as JSON text.

use firstknock_listing::{HostKey, SearchUrl};
use jiff::Timestamp;
use rusqlite::Row;
use rusqlite::types::Type;
use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::error::Result;

pub(crate) fn ms(time: Timestamp) -> i64 {
    time.as_millisecond()
}

pub(crate) fn opt_ms(time: Option<Timestamp>) -> Option<i64> {
    time.map(ms)
}

/// A stored time; one outside of what a calendar knows becomes the nearest that it does.
pub(crate) fn time(ms: i64) -> Timestamp {
    Timestamp::from_millisecond(ms).unwrap_or(if ms < 0 { Timestamp::MIN } else { Timestamp::MAX })
}

pub(crate) fn json(value: &impl Serialize) -> Result<String> {
    Ok(serde_json::to_string(value)?)
}

pub(crate) fn opt_json<T: Serialize>(value: Option<&T>) -> Result<Option<String>> {
    value.map(json).transpose()
}

/// Reads a row's columns by name into our types.
pub(crate) trait Columns {
    fn time(&self, name: &str) -> rusqlite::Result<Timestamp>;
    fn opt_time(&self, name: &str) -> rusqlite::Result<Option<Timestamp>>;
    fn json<T: DeserializeOwned>(&self, name: &str) -> rusqlite::Result<T>;
    fn opt_json<T: DeserializeOwned>(&self, name: &str) -> rusqlite::Result<Option<T>>;
    fn host(&self, name: &str) -> rusqlite::Result<HostKey>;
    fn search_url(&self, name: &str) -> rusqlite::Result<SearchUrl>;
    /// A word of a closed list; the schema's CHECK keeps others out.
    fn word<T>(&self, name: &str, read: impl Fn(&str) -> Option<T>) -> rusqlite::Result<T>;
    fn opt_word<T>(
        &self,
        name: &str,
        read: impl Fn(&str) -> Option<T>,
    ) -> rusqlite::Result<Option<T>>;
}

impl Columns for Row<'_> {
    fn time(&self, name: &str) -> rusqlite::Result<Timestamp> {
        Ok(time(self.get(name)?))
    }

    fn opt_time(&self, name: &str) -> rusqlite::Result<Option<Timestamp>> {
        Ok(self.get::<_, Option<i64>>(name)?.map(time))
    }

    fn json<T: DeserializeOwned>(&self, name: &str) -> rusqlite::Result<T> {
        let text: String = self.get(name)?;
        serde_json::from_str(&text).map_err(wrong)
    }

    fn opt_json<T: DeserializeOwned>(&self, name: &str) -> rusqlite::Result<Option<T>> {
        let text: Option<String> = self.get(name)?;
        text.map(|text| serde_json::from_str(&text).map_err(wrong)).transpose()
    }

    fn host(&self, name: &str) -> rusqlite::Result<HostKey> {
        Ok(HostKey::from_stored(&self.get::<_, String>(name)?))
    }

    fn search_url(&self, name: &str) -> rusqlite::Result<SearchUrl> {
        SearchUrl::parse(&self.get::<_, String>(name)?).map_err(wrong)
    }

    fn word<T>(&self, name: &str, read: impl Fn(&str) -> Option<T>) -> rusqlite::Result<T> {
        let text: String = self.get(name)?;
        read(&text).ok_or_else(|| wrong(UnknownWord(text)))
    }

    fn opt_word<T>(
        &self,
        name: &str,
        read: impl Fn(&str) -> Option<T>,
    ) -> rusqlite::Result<Option<T>> {
        let text: Option<String> = self.get(name)?;
        text.map(|text| read(&text).ok_or_else(|| wrong(UnknownWord(text)))).transpose()
    }
}

#[derive(Debug, thiserror::Error)]
#[error("the word {0:?} is not of this version")]
struct UnknownWord(String);

fn wrong(error: impl std::error::Error + Send + Sync + 'static) -> rusqlite::Error {
    rusqlite::Error::FromSqlConversionFailure(0, Type::Text, Box::new(error))
}

/// A closed list of words that stand in the database, with the functions both ways.
macro_rules! words {
    ($name:ident { $($variant:ident = $word:literal),+ $(,)? }) => {
        impl $name {
            /// All of them.
            pub const ALL: &'static [Self] = &[$(Self::$variant),+];

            /// The word used in JSON and in the database.
            pub const fn code(self) -> &'static str {
                match self { $(Self::$variant => $word),+ }
            }

            /// Reads [`Self::code`] back.
            pub fn from_code(code: &str) -> Option<Self> {
                Self::ALL.iter().copied().find(|it| it.code() == code)
            }
        }
    };
}
pub(crate) use words;
