//! The database file: opening, checking, migrating, setting aside.
//!
//! **Promises**: an unreadable database is set aside whole (with its `-wal` and `-shm`) and the
//! newest good backup takes its place, and [`Opened`] says so; without a good backup it is left
//! alone and opening fails; one of a newer version or of another program is refused untouched. A
//! new database appears under its name only when it is complete, so a file of zero bytes is never
//! ours in the making. **Leaves out**: the lock on the folder ([`crate::DataLock`]).

use std::fs;
use std::io::Read;
use std::path::{Path, PathBuf};

use jiff::Timestamp;
use rusqlite::{Connection, OpenFlags, Transaction, TransactionBehavior};

use crate::backup::{self, Backup, BackupKind};
use crate::error::{Result, StoreError};
use crate::readers::Readers;
use crate::schema::{Schema, schema_version};

/// The database's name in the data folder.
pub const DB_FILE: &str = "firstknock.db";

/// `FKnk`: says whose file it is.
pub(crate) const APPLICATION_ID: i64 = 0x464b_6e6b;

/// Older versions can corrupt a database in WAL mode when a checkpoint meets a writer.
const OLDEST_SQLITE: i32 = 3_051_003;

/// One connection to the database of one data folder. Everything is done through it, by one
/// thread; async code has [`crate::StoreHandle`].
pub struct Store {
    pub(crate) db: Connection,
    pub(crate) folder: Option<PathBuf>,
    /// Connections of [`crate::StoreHandle`] to the same file; they let go while it is replaced.
    pub(crate) readers: Readers,
}

/// What happened while the database was opened, beyond nothing. The user is told.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Opened {
    /// The data come from this backup; what was found after it is missing.
    pub restored_backup: Option<Backup>,
    /// The database that could not be read lies here now.
    pub set_aside: Option<PathBuf>,
    /// The schema was brought up from this one; a backup was made before.
    pub migrated_from: Option<i64>,
}

/// Real trouble on request, for tests and the rehearsal: SQLite itself answers as it would.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fault {
    /// No trouble (again).
    None,
    /// Nothing more can be added: the disk is full.
    DiskFull,
    /// Nothing can be written.
    ReadOnly,
}

impl Store {
    /// Opens the database of a data folder, making folder and database if there are none.
    ///
    /// # Errors
    /// [`StoreError::NewerVersion`], [`StoreError::NotOurs`], [`StoreError::Unreadable`],
    /// [`StoreError::Migration`], [`StoreError::Stopped`].
    pub fn open(folder: &Path, now: Timestamp) -> Result<(Self, Opened)> {
        Self::open_as(folder, &Schema::embedded(), now)
    }

    /// The same for any ladder of schemas; tests bring one that goes on.
    pub(crate) fn open_as(
        folder: &Path,
        schema: &Schema,
        now: Timestamp,
    ) -> Result<(Self, Opened)> {
        assert!(
            rusqlite::version_number() >= OLDEST_SQLITE,
            "BUG: built with SQLite {}, which can corrupt a WAL",
            rusqlite::version()
        );
        make_private(folder)?;
        let path = folder.join(DB_FILE);
        let mut opened = Opened::default();
        let mut db = match open_checked(&path, schema) {
            Ok(Some(db)) => db,
            Ok(None) => {
                // A WAL without its database would be applied to whatever comes in its place.
                opened.set_aside = set_aside(folder, now)?;
                // A database that vanished from beside its backups is no fresh start.
                opened.restored_backup = backup::newest_good(folder, schema)?;
                match &opened.restored_backup {
                    Some(backup) => backup::put_in_place(backup, folder)?,
                    None => create(folder, &path, schema)?,
                }
                connect(&path)?
            }
            Err(error) if error.is_damage() => {
                let backup = backup::newest_good(folder, schema)?
                    .ok_or_else(|| StoreError::Unreadable(path.clone()))?;
                opened.set_aside = set_aside(folder, now)?;
                backup::put_in_place(&backup, folder)?;
                opened.restored_backup = Some(backup);
                connect(&path)?
            }
            Err(error) => return Err(error),
        };
        let version = schema_version(&db)?;
        if version < schema.newest {
            backup::make(&db, folder, BackupKind::BeforeMigration, now)?;
            schema.bring_up(&mut db)?;
            opened.migrated_from = Some(version);
        }
        configure(&db)?;
        Ok((Self::over(db, Some(folder)), opened))
    }

    /// Sets an unreadable database aside and begins an empty one: only on the user's word.
    ///
    /// # Errors
    /// If files cannot be moved or made.
    pub fn start_anew(folder: &Path, now: Timestamp) -> Result<(Self, Opened)> {
        let set_aside = set_aside(folder, now)?;
        create(folder, &folder.join(DB_FILE), &Schema::embedded())?;
        let db = connect(&folder.join(DB_FILE))?;
        configure(&db)?;
        let opened = Opened { set_aside, ..Opened::default() };
        Ok((Self::over(db, Some(folder)), opened))
    }

    /// An empty store that lives as long as the process, for tests and the rehearsal.
    ///
    /// # Errors
    /// Only if we broke.
    pub fn in_memory() -> Result<Self> {
        let mut db = Connection::open_in_memory()?;
        Schema::embedded().bring_up(&mut db)?;
        configure(&db)?;
        Ok(Self::over(db, None))
    }

    fn over(db: Connection, folder: Option<&Path>) -> Self {
        let folder = folder.map(Path::to_owned);
        Self { db, readers: Readers::of(folder.clone()), folder }
    }

    /// Makes the database fail as a full or read-only disk does, or work again.
    ///
    /// # Errors
    /// Only if we broke.
    pub fn fault(&mut self, fault: Fault) -> Result<()> {
        let pages: i64 = self.db.pragma_query_value(None, "page_count", |row| row.get(0))?;
        let most = if fault == Fault::DiskFull { pages } else { i64::from(u32::MAX - 1) };
        self.db.pragma_update_and_check(None, "max_page_count", most, |_| Ok(()))?;
        self.db.pragma_update(None, "query_only", fault == Fault::ReadOnly)?;
        Ok(())
    }

    /// Begins a transaction that may write from its first statement on, so that none can find out
    /// half-way that another holds the database.
    pub(crate) fn begin(&mut self) -> Result<Transaction<'_>> {
        Ok(self.db.transaction_with_behavior(TransactionBehavior::Immediate)?)
    }

    /// Whether something could be kept right now: one small write, for the app that was stopped
    /// by a full disk and wants to resume by itself.
    ///
    /// # Errors
    /// [`StoreError::Stopped`] while it could not.
    pub fn try_writing(&mut self, now: Timestamp) -> Result<()> {
        // Larger than any hole a full database may still have on a page, and committed before it is
        // removed again: pages that are freed within one transaction are never written.
        self.db.execute(
            "INSERT OR REPLACE INTO settings (key, value, updated_at) VALUES ('probe', ?1, ?2)",
            (format!("\"{}\"", "x".repeat(64 * 1024)), now.as_millisecond()),
        )?;
        self.db.execute("DELETE FROM settings WHERE key = 'probe'", [])?;
        Ok(())
    }
}

/// Opens a file and looks whether it can be read and is ours. `None`: there is no file.
pub(crate) fn open_checked(path: &Path, schema: &Schema) -> Result<Option<Connection>> {
    match header(path)? {
        Header::NoFile => return Ok(None),
        // SQLite takes an empty file for a new database and deletes the WAL beside it.
        Header::NotSqlite => return Err(StoreError::Damaged),
        Header::Sqlite => {}
    }
    let db = connect(path)?;
    let version = schema_version(&db)?;
    let owner: i64 = db.pragma_query_value(None, "application_id", |row| row.get(0))?;
    if owner != APPLICATION_ID {
        return Err(StoreError::NotOurs(path.to_owned()));
    }
    if version > schema.newest {
        return Err(StoreError::NewerVersion { found: version, known: schema.newest });
    }
    if version < 1 || !is_sound(&db)? {
        return Err(StoreError::Damaged);
    }
    Ok(Some(db))
}

/// Whether SQLite finds nothing wrong with the file.
pub(crate) fn is_sound(db: &Connection) -> Result<bool> {
    let verdict: String = db.query_row("PRAGMA quick_check(1)", [], |row| row.get(0))?;
    Ok(verdict == "ok")
}

enum Header {
    NoFile,
    NotSqlite,
    Sqlite,
}

fn header(path: &Path) -> Result<Header> {
    let mut file = match fs::File::open(path) {
        Ok(file) => file,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(Header::NoFile),
        Err(error) => return Err(error.into()),
    };
    let mut magic = [0; 16];
    match file.read_exact(&mut magic) {
        Ok(()) if &magic == b"SQLite format 3\0" => Ok(Header::Sqlite),
        Ok(()) => Ok(Header::NotSqlite),
        Err(error) if error.kind() == std::io::ErrorKind::UnexpectedEof => Ok(Header::NotSqlite),
        Err(error) => Err(error.into()),
    }
}

pub(crate) fn connect(path: &Path) -> Result<Connection> {
    let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let db = Connection::open_with_flags(path, flags)?;
    db.busy_timeout(std::time::Duration::from_secs(5))?;
    Ok(db)
}

fn configure(db: &Connection) -> Result<()> {
    db.pragma_update_and_check(None, "journal_mode", "WAL", |_| Ok(()))?;
    db.pragma_update(None, "synchronous", "FULL")?;
    db.pragma_update(None, "foreign_keys", true)?;
    db.pragma_update(None, "trusted_schema", false)?;
    db.set_prepared_statement_cache_capacity(128);
    Ok(())
}

/// Makes the data folder if there is none: notes and sessions are nobody else's business.
pub(crate) fn make_private(folder: &Path) -> std::io::Result<()> {
    let mut builder = fs::DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.create(folder)
}

/// Makes an empty database beside its place and moves it there when it is complete.
fn create(folder: &Path, path: &Path, schema: &Schema) -> Result<()> {
    let making = folder.join(format!("{DB_FILE}.making"));
    for leftover in companions(&making) {
        remove_if_there(&leftover)?;
    }
    let mut db = Connection::open(&making)?;
    db.pragma_update(None, "synchronous", "FULL")?;
    schema.bring_up(&mut db)?;
    db.close().map_err(|(_, error)| StoreError::from(error))?;
    fs::rename(&making, path)?;
    backup::sync_folder(folder)?;
    Ok(())
}

/// Moves db, -wal and -shm together to a name that SQLite can still open as one.
fn set_aside(folder: &Path, now: Timestamp) -> Result<Option<PathBuf>> {
    let aside = folder.join(format!("firstknock.unreadable-{}.db", backup::stamp(now)));
    let mut any = false;
    for (from, to) in companions(&folder.join(DB_FILE)).into_iter().zip(companions(&aside)) {
        match fs::rename(&from, &to) {
            Ok(()) => any = true,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => {}
            Err(error) => return Err(error.into()),
        }
    }
    backup::sync_folder(folder)?;
    Ok(any.then_some(aside))
}

/// A database file and the two that belong to it.
pub(crate) fn companions(path: &Path) -> [PathBuf; 3] {
    let with = |suffix: &str| {
        let mut name = path.as_os_str().to_owned();
        name.push(suffix);
        PathBuf::from(name)
    };
    // The WAL first: a database without it is older, a WAL without its database is nothing.
    [with("-wal"), with("-shm"), path.to_owned()]
}

pub(crate) fn remove_if_there(path: &Path) -> Result<()> {
    match fs::remove_file(path) {
        Err(error) if error.kind() != std::io::ErrorKind::NotFound => Err(error.into()),
        _ => Ok(()),
    }
}
