//! What is kept: backups, and files for other programs.

use serde::{Deserialize, Serialize};
use ts_rs::TS;

/// What the data folder holds.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct DataFacts {
    pub listings: u32,
    /// Of the database.
    pub bytes: u64,
    /// Newest first.
    pub backups: Vec<BackupShown>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct BackupShown {
    /// Its file's name: what `restore` wants.
    pub name: String,
    pub at: i64,
    pub bytes: u64,
    pub why: BackupWhy,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
pub enum BackupWhy {
    Daily,
    BeforeMigration,
    /// Asked for, or made before a restore.
    ByHand,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
pub enum ExportWhat {
    ListingsCsv,
    ListingsJson,
    /// What `import_searches` takes.
    Searches,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct ExportQuery {
    pub what: ExportWhat,
}

/// A file for the user to keep.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct ExportedFile {
    /// Suggested.
    pub name: String,
    pub text: String,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct ImportText {
    /// A JSON array as `export` gives it, or an address per line.
    pub text: String,
}

/// What became of one entry of an import.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct ImportLine {
    /// From 1.
    pub entry: u32,
    pub name: String,
    pub fate: ImportFate,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case", tag = "kind")]
pub enum ImportFate {
    Added,
    /// So many are enabled already.
    Paused {
        max: u32,
    },
    /// The address is a search of this name already.
    Duplicate {
        of: String,
    },
}
