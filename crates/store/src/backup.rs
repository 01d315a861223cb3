//! Copies of the database: made daily and before a migration, checked before they count.
//!
//! **Promises**: a backup has its name only when it is complete, on the disk and sound; the newest
//! ones of each kind are kept. **Leaves out**: when a day is over.

use std::fs;
use std::path::{Path, PathBuf};

use jiff::Timestamp;
use rusqlite::Connection;

use crate::columns::time;
use crate::database::{DB_FILE, Store, companions, is_sound, open_checked, remove_if_there};
use crate::error::{Result, StoreError};
use crate::schema::Schema;

/// The folder of backups in the data folder.
pub(crate) const FOLDER: &str = "backups";

/// Why a backup was made.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum BackupKind {
    /// Once a day; the newest seven are kept.
    Daily,
    /// Before the schema changed; the newest three are kept.
    BeforeMigration,
    /// The user asked for it; the newest five are kept.
    ByHand,
}

/// A backup that exists.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Backup {
    /// Where it is.
    pub path: PathBuf,
    /// Of when.
    pub at: Timestamp,
    /// Why.
    pub kind: BackupKind,
    /// How large the file is.
    pub bytes: u64,
}

impl BackupKind {
    const ALL: [Self; 3] = [Self::Daily, Self::BeforeMigration, Self::ByHand];

    /// The word in its name.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Daily => "daily",
            Self::BeforeMigration => "before-migration",
            Self::ByHand => "by-hand",
        }
    }

    const fn kept(self) -> usize {
        match self {
            Self::Daily => 7,
            Self::BeforeMigration => 3,
            Self::ByHand => 5,
        }
    }
}

impl Store {
    /// Makes a backup now and drops the oldest of its kind beyond those that are kept.
    ///
    /// # Errors
    /// [`StoreError::Stopped`] if the disk is full; the backups before stay. An in-memory store
    /// has no folder: [`StoreError::NotFound`].
    pub fn back_up(&self, kind: BackupKind, now: Timestamp) -> Result<Backup> {
        let folder = self.folder.as_deref().ok_or(StoreError::NotFound)?;
        let _one = self.readers.one_backup();
        make(&self.db, folder, kind, now)
    }

    /// All backups, newest first.
    ///
    /// # Errors
    /// If the folder cannot be read.
    pub fn backups(&self) -> Result<Vec<Backup>> {
        self.folder.as_deref().map_or(Ok(Vec::new()), list)
    }

    /// Whether the newest daily backup is a day old, or there is none.
    ///
    /// # Errors
    /// If the folder cannot be read.
    pub fn backup_is_due(&self, now: Timestamp) -> Result<bool> {
        self.folder.as_deref().map_or(Ok(true), |folder| is_due(folder, now))
    }
}

pub(crate) fn is_due(folder: &Path, now: Timestamp) -> Result<bool> {
    let newest = list(folder)?.into_iter().find(|b| b.kind == BackupKind::Daily);
    Ok(newest.is_none_or(|b| {
        // One from the future is of a clock that was wrong.
        let age_ms = now.as_millisecond() - b.at.as_millisecond();
        !(0..24 * 60 * 60 * 1000).contains(&age_ms)
    }))
}

pub(crate) fn make(
    db: &Connection,
    folder: &Path,
    kind: BackupKind,
    now: Timestamp,
) -> Result<Backup> {
    let backups = folder.join(FOLDER);
    fs::create_dir_all(&backups)?;
    let path = backups.join(format!("firstknock-{}-{}.db", stamp(now), kind.word()));
    let making = backups.join("making.tmp");
    if making.exists() {
        fs::remove_file(&making)?;
    }
    let copied = copy(db, &making);
    if copied.is_err() && making.exists() {
        // Half a copy on a full disk takes the room that the database needs.
        fs::remove_file(&making)?;
    }
    copied?;
    fs::rename(&making, &path)?;
    sync_folder(&backups)?;
    rotate(folder, kind)?;
    let bytes = fs::metadata(&path)?.len();
    Ok(Backup { path, at: time(now.as_millisecond()), kind, bytes })
}

fn copy(db: &Connection, making: &Path) -> Result<()> {
    db.execute("VACUUM INTO ?1", [making.to_string_lossy()])?;
    fs::OpenOptions::new().write(true).open(making)?.sync_all()?;
    let copy = Connection::open(making)?;
    if is_sound(&copy)? { Ok(()) } else { Err(StoreError::Damaged) }
}

fn rotate(folder: &Path, kind: BackupKind) -> Result<()> {
    let of_kind = list(folder)?.into_iter().filter(|backup| backup.kind == kind);
    for old in of_kind.skip(kind.kept()) {
        fs::remove_file(old.path)?;
    }
    Ok(())
}

pub(crate) fn list(folder: &Path) -> Result<Vec<Backup>> {
    let entries = match fs::read_dir(folder.join(FOLDER)) {
        Ok(entries) => entries,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(Vec::new()),
        Err(error) => return Err(error.into()),
    };
    let mut backups = Vec::new();
    for entry in entries {
        backups.extend(parse(&entry?.path()));
    }
    backups.sort_by(|a: &Backup, b| b.at.cmp(&a.at).then_with(|| b.path.cmp(&a.path)));
    Ok(backups)
}

fn parse(path: &Path) -> Option<Backup> {
    let name = path.file_name()?.to_str()?.strip_prefix("firstknock-")?.strip_suffix(".db")?;
    let (stamp, word) = name.split_once('-')?;
    let kind = BackupKind::ALL.into_iter().find(|kind| kind.word() == word)?;
    let (day, millis) = stamp.split_once('T')?;
    let at =
        Timestamp::strptime("%Y%m%d%H%M%S%z", format!("{day}{}+0000", millis.get(..6)?)).ok()?;
    let millis: i64 = millis.get(6..9)?.parse().ok()?;
    let bytes = fs::metadata(path).ok()?.len();
    Some(Backup { path: path.to_owned(), at: time(at.as_millisecond() + millis), kind, bytes })
}

/// The newest backup that can be opened, is sound and of a schema that we know.
pub(crate) fn newest_good(folder: &Path, schema: &Schema) -> Result<Option<Backup>> {
    for backup in list(folder)? {
        match open_checked(&backup.path, schema) {
            Ok(Some(_)) => return Ok(Some(backup)),
            Ok(None) => {}
            Err(error) => {
                tracing::warn!(backup = %backup.path.display(), %error, "a backup cannot be used");
            }
        }
    }
    Ok(None)
}

/// Copies a backup to the database's place; it stays where it is, too.
pub(crate) fn put_in_place(backup: &Backup, folder: &Path) -> Result<()> {
    fetch(backup, folder)?;
    swap_in(folder)
}

/// A copy of a backup beside the database, complete and on the disk.
pub(crate) fn fetch(backup: &Backup, folder: &Path) -> Result<PathBuf> {
    let making = folder.join(format!("{DB_FILE}.making"));
    for leftover in companions(&making) {
        remove_if_there(&leftover)?;
    }
    fs::copy(&backup.path, &making)?;
    fs::OpenOptions::new().write(true).open(&making)?.sync_all()?;
    Ok(making)
}

/// Puts what [`fetch`] made in the place of the database, which nobody has open.
pub(crate) fn swap_in(folder: &Path) -> Result<()> {
    let [wal, shm, _] = companions(&folder.join(DB_FILE));
    // They would be applied to what comes in their database's place.
    remove_if_there(&wal)?;
    remove_if_there(&shm)?;
    fs::rename(folder.join(format!("{DB_FILE}.making")), folder.join(DB_FILE))?;
    sync_folder(folder)
}

/// `20261129T142030123`: sorts by time, in UTC, with milliseconds.
pub(crate) fn stamp(now: Timestamp) -> String {
    let millis = now.as_millisecond().rem_euclid(1000);
    format!("{}{millis:03}", now.strftime("%Y%m%dT%H%M%S"))
}

/// A rename is on the disk only when its folder is.
pub(crate) fn sync_folder(folder: &Path) -> Result<()> {
    if cfg!(unix) {
        fs::File::open(folder)?.sync_all()?;
    }
    Ok(())
}
