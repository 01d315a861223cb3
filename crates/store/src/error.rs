//! What can go wrong here, by what the caller does next.

use std::path::PathBuf;

use firstknock_listing::SearchId;

/// Why nothing can be kept at the moment. The app stops, says so and tries again by itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum StorageStop {
    /// The disk (or a quota) is full.
    DiskFull,
    /// The file or its folder may not be written.
    ReadOnly,
    /// The disk gave an error.
    DiskError,
}

/// An error of the store. What was asked was then not done at all: every operation is one
/// transaction.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// Nothing can be kept now; asking again later may work.
    #[error("nothing can be stored: {}", .0.code())]
    Stopped(StorageStop),
    /// Another process holds the database for longer than we wait.
    #[error("the database is busy")]
    Busy,
    /// The database was made by a newer version; it is left alone.
    #[error(
        "the data was made by a newer version of Firstknock (schema {found}, this one knows {known})"
    )]
    NewerVersion {
        /// Its schema.
        found: i64,
        /// Ours.
        known: i64,
    },
    /// A database of another program lies in our place; it is left alone.
    #[error("{} is not a database of Firstknock", .0.display())]
    NotOurs(PathBuf),
    /// The database cannot be read and there is no good backup; it is left alone.
    #[error("{} cannot be read and there is no good backup; it was left as it is", .0.display())]
    Unreadable(PathBuf),
    /// A page of the database turned out to be damaged while we worked.
    #[error("the database is damaged")]
    Damaged,
    /// The migration to our schema failed; the database is as it was, and a backup of it exists.
    #[error("the data could not be brought to this version")]
    Migration(#[source] Box<rusqlite_migration::Error>),
    /// Fifteen searches are enabled already.
    #[error("at most {max} searches can be enabled at once")]
    TooManyEnabled {
        /// How many may be.
        max: usize,
    },
    /// The same address is a search already.
    #[error("this address is a search already")]
    Duplicate {
        /// Which.
        id: SearchId,
        /// Its name.
        name: String,
    },
    /// That search, listing, delivery or client is not there (any more).
    #[error("not there any more")]
    NotFound,
    /// A value outside its range.
    #[error("{field} must be from {min} to {max}")]
    OutOfRange {
        /// What.
        field: &'static str,
        /// The least.
        min: i64,
        /// The most.
        max: i64,
    },
    /// An import that cannot be read, with the line or entry that is wrong.
    #[error("entry {entry} of the import cannot be read")]
    BadImport {
        /// From 1.
        entry: usize,
    },
    /// A read did not come to an end within its limit and was cut off.
    #[error("reading took too long")]
    TookTooLong,
    /// Every reader was taken, for as long as one may wait for its turn.
    #[error("too much is being read at once")]
    NoTurn,
    /// The store was closed; the app is shutting down.
    #[error("the store is closed")]
    Closed,
    /// We broke: one operation panicked. It was rolled back.
    #[error("an operation of the store panicked")]
    Panicked,
    /// We broke: a value that was stored, or is to be, is no JSON of the right shape.
    #[error("a stored value has the wrong shape")]
    Json(#[from] serde_json::Error),
    /// We broke: the database refused what we said.
    #[error("the database refused a statement")]
    Sql(#[source] rusqlite::Error),
    /// A file could not be handled.
    #[error("a file in the data folder could not be handled")]
    File(#[source] std::io::Error),
}

/// What operations give back.
pub type Result<T> = std::result::Result<T, StoreError>;

impl StorageStop {
    /// The word on the wire.
    pub const fn code(self) -> &'static str {
        match self {
            Self::DiskFull => "disk_full",
            Self::ReadOnly => "read_only",
            Self::DiskError => "disk_error",
        }
    }
}

impl StoreError {
    /// Why nothing can be kept, if that is what this says.
    pub const fn stop(&self) -> Option<StorageStop> {
        match self {
            Self::Stopped(why) => Some(*why),
            _ => None,
        }
    }

    /// Whether the database file itself is what is wrong.
    pub(crate) const fn is_damage(&self) -> bool {
        matches!(self, Self::Damaged)
    }
}

impl From<rusqlite::Error> for StoreError {
    fn from(error: rusqlite::Error) -> Self {
        use rusqlite::ErrorCode::{
            CannotOpen, DatabaseBusy, DatabaseCorrupt, DatabaseLocked, DiskFull, NotADatabase,
            OperationInterrupted, PermissionDenied, ReadOnly, SystemIoFailure,
        };
        match error.sqlite_error_code() {
            Some(DiskFull) => Self::Stopped(StorageStop::DiskFull),
            Some(ReadOnly | PermissionDenied | CannotOpen) => Self::Stopped(StorageStop::ReadOnly),
            Some(SystemIoFailure) => Self::Stopped(StorageStop::DiskError),
            Some(DatabaseBusy | DatabaseLocked) => Self::Busy,
            Some(DatabaseCorrupt | NotADatabase) => Self::Damaged,
            Some(OperationInterrupted) => Self::TookTooLong,
            _ if matches!(error, rusqlite::Error::QueryReturnedNoRows) => Self::NotFound,
            _ => Self::Sql(error),
        }
    }
}

impl From<std::io::Error> for StoreError {
    fn from(error: std::io::Error) -> Self {
        use std::io::ErrorKind::{
            PermissionDenied, QuotaExceeded, ReadOnlyFilesystem, StorageFull,
        };
        match error.kind() {
            StorageFull | QuotaExceeded => Self::Stopped(StorageStop::DiskFull),
            ReadOnlyFilesystem | PermissionDenied => Self::Stopped(StorageStop::ReadOnly),
            _ => Self::File(error),
        }
    }
}

impl From<rusqlite_migration::Error> for StoreError {
    fn from(error: rusqlite_migration::Error) -> Self {
        match error {
            rusqlite_migration::Error::RusqliteError { err, .. }
                if Self::from_code(&err).is_some() =>
            {
                Self::from(err)
            }
            other => Self::Migration(Box::new(other)),
        }
    }
}

impl StoreError {
    /// The codes that say something about disk or file rather than about our SQL.
    fn from_code(error: &rusqlite::Error) -> Option<rusqlite::ErrorCode> {
        use rusqlite::ErrorCode::{
            CannotOpen, DatabaseBusy, DatabaseCorrupt, DatabaseLocked, DiskFull, NotADatabase,
            ReadOnly, SystemIoFailure,
        };
        error.sqlite_error_code().filter(|code| {
            matches!(
                code,
                DiskFull
                    | ReadOnly
                    | SystemIoFailure
                    | CannotOpen
                    | DatabaseBusy
                    | DatabaseLocked
                    | DatabaseCorrupt
                    | NotADatabase
            )
        })
    }
}
