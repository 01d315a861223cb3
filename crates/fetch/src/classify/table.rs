//! The table of walls, parsed once.
//!
//! Promises that all strings by which a wall is known stand in `walls.toml`. Leaves out when a
//! marker may speak; that is the verdict's.

use std::sync::LazyLock;

use firstknock_policy::Reason;
use regex::Regex;
use serde::Deserialize;

use super::condition::Condition;

/// The table.
pub(super) static TABLE: LazyLock<Table> = LazyLock::new(|| {
    toml::from_str(include_str!("walls.toml")).expect("BUG: walls.toml is a table of markers")
});

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Table {
    pub(super) marker: Vec<Marker>,
    pub(super) status: Vec<StatusRow>,
    pub(super) arrived: Arrived,
}

/// One way in which a wall shows itself.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Marker {
    /// The guard's name, for the row; none for a site's own page.
    pub(super) who: Option<String>,
    pub(super) verdict: Class,
    pub(super) reason: Reason,
    pub(super) strength: Strength,
    /// Only under these statuses; empty for any.
    #[serde(default)]
    pub(super) status: Vec<u16>,
    #[serde(default)]
    pub(super) all: Vec<Condition>,
    #[serde(default)]
    pub(super) any: Vec<Condition>,
    /// Who reported it.
    #[expect(dead_code, reason = "read by people")]
    from: String,
}

/// What a row of the table says it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Class {
    Challenge,
    RateLimited,
    Denied,
    Error,
}

/// How much a marker proves alone; the table's head explains them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
pub(super) enum Strength {
    A,
    B,
    #[serde(rename = "W")]
    Widget,
    #[serde(rename = "S")]
    SmallOnly,
}

/// What a status alone means.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct StatusRow {
    #[serde(deserialize_with = "codes")]
    codes: Vec<(u16, u16)>,
    pub(super) verdict: Class,
    pub(super) reason: Reason,
}

/// What it means that a redirect ended somewhere else.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Arrived {
    /// Of hotels' and trains' networks.
    pub(super) captive_labels: Vec<String>,
    pub(super) consent_labels: Vec<String>,
    pub(super) login_labels: Vec<String>,
    #[serde(deserialize_with = "pattern")]
    pub(super) login_path: Regex,
    #[serde(deserialize_with = "pattern")]
    pub(super) home_path: Regex,
}

impl Table {
    /// The row of a status; `None` for 2xx.
    pub(super) fn status(&self, status: u16) -> Option<&StatusRow> {
        self.status.iter().find(|row| row.codes.iter().any(|(a, b)| (*a..=*b).contains(&status)))
    }
}

fn codes<'de, D: serde::Deserializer<'de>>(from: D) -> Result<Vec<(u16, u16)>, D::Error> {
    use serde::de::Error;
    let text = String::deserialize(from)?;
    text.split(',')
        .map(|part| {
            let (first, last) = part.split_once('-').unwrap_or((part, part));
            let number = |n: &str| n.trim().parse().map_err(D::Error::custom);
            Ok((number(first)?, number(last)?))
        })
        .collect()
}

fn pattern<'de, D: serde::Deserializer<'de>>(from: D) -> Result<Regex, D::Error> {
    Regex::new(&String::deserialize(from)?).map_err(serde::de::Error::custom)
}
