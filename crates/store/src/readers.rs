//! Connections that only read, beside the one that writes.
//!
//! **Promises**: a write never waits for a read, nor a read for a write; a read sees one moment of
//! the data, with everything that was kept before it was asked for; none runs longer than its
//! limit, and none waits longer than its own for a place; a backup takes no place and holds nobody
//! up; while the file itself is replaced no connection has it open. **Leaves out**: a store in
//! memory, which has one connection only.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, RwLock, RwLockWriteGuard};
use std::time::{Duration, Instant};

use jiff::Timestamp;
use rusqlite::{Connection, OpenFlags};
use tokio::sync::Semaphore;

use crate::backup::{self, Backup, BackupKind};
use crate::database::{DB_FILE, Store};
use crate::error::{Result, StoreError};

/// So many at a time: one that takes its while leaves a place for the others.
const PLACES: usize = 2;
/// A read that finds all places taken waits so long for one: as long as a usual read may take.
const PLACE_LIMIT: Duration = Duration::from_secs(5);
/// SQLite asks whether the time is over after so many steps of a statement: some ten microseconds,
/// so that a row of short statements is cut off, too.
const STEPS: i32 = 1000;

/// The reading side of one database file; cheap to clone.
#[derive(Clone)]
pub(crate) struct Readers(Arc<Inner>);

struct Inner {
    folder: Option<PathBuf>,
    places: Arc<Semaphore>,
    /// Held for reading by each read, and for writing while the file is replaced.
    file: RwLock<()>,
    idle: Mutex<Vec<Store>>,
    /// Held while a backup is made: they write to one place first.
    backup: Mutex<()>,
    closing: AtomicBool,
}

impl Readers {
    /// Of the database in a folder; of none, nothing can be read.
    pub(crate) fn of(folder: Option<PathBuf>) -> Self {
        Self(Arc::new(Inner {
            folder,
            places: Arc::new(Semaphore::new(PLACES)),
            file: RwLock::default(),
            idle: Mutex::default(),
            backup: Mutex::default(),
            closing: AtomicBool::new(false),
        }))
    }

    /// Whether there is a file that a second connection can open.
    pub(crate) fn can_read(&self) -> bool {
        self.0.folder.is_some()
    }

    /// Runs one read on a thread where it may take its time.
    pub(crate) async fn run<T, F>(&self, limit: Duration, operation: F) -> Result<T>
    where
        T: Send + 'static,
        F: FnOnce(&Store) -> Result<T> + Send + 'static,
    {
        let place = Arc::clone(&self.0.places).acquire_owned();
        let place =
            tokio::time::timeout(PLACE_LIMIT, place).await.map_err(|_| StoreError::NoTurn)?;
        let place = place.map_err(|_| StoreError::Closed)?;
        let inner = Arc::clone(&self.0);
        let read = tokio::task::spawn_blocking(move || {
            let done = inner.read(limit, operation);
            drop(place);
            done
        });
        read.await.unwrap_or(Err(StoreError::Panicked))
    }

    /// Makes a backup on a connection of its own; the daily one only if it is due.
    pub(crate) async fn back_up(&self, kind: BackupKind, now: Timestamp) -> Result<Option<Backup>> {
        if self.0.places.is_closed() {
            return Err(StoreError::Closed);
        }
        let inner = Arc::clone(&self.0);
        let made = tokio::task::spawn_blocking(move || inner.back_up(kind, now));
        made.await.unwrap_or(Err(StoreError::Panicked))
    }

    /// No backup is made elsewhere while this is held.
    pub(crate) fn one_backup(&self) -> MutexGuard<'_, ()> {
        self.0.one_backup()
    }

    /// Closes every connection and keeps others from being opened while the guard is held. Waits
    /// for the reads that go on.
    pub(crate) fn let_go(&self) -> RwLockWriteGuard<'_, ()> {
        let guard = self.0.file.write().unwrap_or_else(PoisonError::into_inner);
        self.0.idle().clear();
        guard
    }

    /// Nothing is read any more; what is being read is cut off.
    pub(crate) fn close(&self) {
        self.0.closing.store(true, Ordering::Relaxed);
        self.0.places.close();
    }
}

impl Inner {
    fn read<T>(
        self: &Arc<Self>,
        limit: Duration,
        operation: impl FnOnce(&Store) -> Result<T>,
    ) -> Result<T> {
        let _file = self.file.read().unwrap_or_else(PoisonError::into_inner);
        let kept = self.idle().pop();
        let store = kept.map_or_else(|| self.open(), Ok)?;
        let (until, inner) = (Instant::now() + limit, Arc::downgrade(self));
        store.db.progress_handler(
            STEPS,
            Some(move || {
                let closing = |it: Arc<Self>| it.closing.load(Ordering::Relaxed);
                Instant::now() >= until || inner.upgrade().is_some_and(closing)
            }),
        )?;
        store.db.execute_batch("BEGIN")?;
        let done = catch_unwind(AssertUnwindSafe(|| operation(&store)));
        // One that panicked may have left anything behind: its connection is not used again.
        let done = done.unwrap_or(Err(StoreError::Panicked));
        let none: Option<fn() -> bool> = None;
        store.db.progress_handler(STEPS, none)?;
        if !matches!(done, Err(StoreError::Panicked)) && store.db.execute_batch("ROLLBACK").is_ok()
        {
            self.idle().push(store);
        }
        done
    }

    fn back_up(self: &Arc<Self>, kind: BackupKind, now: Timestamp) -> Result<Option<Backup>> {
        let _file = self.file.read().unwrap_or_else(PoisonError::into_inner);
        let _one = self.one_backup();
        let folder = self.folder.as_ref().ok_or(StoreError::NotFound)?;
        if kind == BackupKind::Daily && !backup::is_due(folder, now)? {
            return Ok(None);
        }
        let db = self.connect()?;
        let inner = Arc::downgrade(self);
        db.progress_handler(
            STEPS,
            Some(move || inner.upgrade().is_none_or(|it| it.closing.load(Ordering::Relaxed))),
        )?;
        backup::make(&db, folder, kind, now).map(Some)
    }

    fn one_backup(&self) -> MutexGuard<'_, ()> {
        self.backup.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn connect(&self) -> Result<Connection> {
        let folder = self.folder.as_ref().ok_or(StoreError::NotFound)?;
        let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX;
        let db = Connection::open_with_flags(folder.join(DB_FILE), flags)?;
        db.busy_timeout(Duration::from_secs(5))?;
        Ok(db)
    }

    fn open(&self) -> Result<Store> {
        let db = self.connect()?;
        db.pragma_update(None, "query_only", true)?;
        db.pragma_update(None, "trusted_schema", false)?;
        db.set_prepared_statement_cache_capacity(64);
        Ok(Store { db, folder: None, readers: Readers::of(None) })
    }

    fn idle(&self) -> MutexGuard<'_, Vec<Store>> {
        self.idle.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
