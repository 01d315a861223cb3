//! The store behind a thread of its own, for async code.
//!
//! **Promises**: one writer, operations in the order in which they were asked; a tokio worker is
//! never blocked; an operation that panics is rolled back and told to its caller alone; a closed
//! store says so. **Leaves out**: retrying.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::thread;
use std::time::Duration;

use jiff::Timestamp;
use tokio::sync::{mpsc, oneshot};

use crate::backup::{Backup, BackupKind};
use crate::database::Store;
use crate::error::{Result, StoreError};
use crate::readers::Readers;

type Job = Box<dyn FnOnce(&mut Store) + Send>;

/// How many operations may wait; more of them wait at the door, without blocking.
const QUEUE: usize = 256;
/// What a person waits for is read within this, or not at all.
const READ_LIMIT: Duration = Duration::from_secs(5);

/// A way to the one writer thread and to the readers beside it; cheap to clone.
#[derive(Clone)]
pub struct StoreHandle {
    jobs: mpsc::Sender<Message>,
    readers: Readers,
}

enum Message {
    Do(Job),
    Close(oneshot::Sender<()>),
}

impl StoreHandle {
    /// Gives the store a thread. It ends when it is closed or the last handle is dropped.
    ///
    /// # Errors
    /// If no thread can be started.
    pub fn spawn(store: Store) -> Result<Self> {
        let (jobs, inbox) = mpsc::channel(QUEUE);
        let readers = store.readers.clone();
        thread::Builder::new()
            .name("firstknock-store".to_owned())
            .spawn(move || work(store, inbox))
            .map_err(StoreError::File)?;
        Ok(Self { jobs, readers })
    }

    /// Runs one operation on the writer thread. It runs to its end even if the caller stops
    /// waiting: what was asked to be kept is kept.
    ///
    /// # Errors
    /// What the operation gives, [`StoreError::Closed`], or [`StoreError::Panicked`].
    pub async fn run<T, F>(&self, operation: F) -> Result<T>
    where
        T: Send + 'static,
        F: FnOnce(&mut Store) -> Result<T> + Send + 'static,
    {
        let (answer, answered) = oneshot::channel();
        let job: Job = Box::new(move |store| {
            let result = catch_unwind(AssertUnwindSafe(|| operation(store)));
            let result = result.unwrap_or_else(|_| Err(StoreError::Panicked));
            if answer.send(result).is_err() {
                tracing::debug!("nobody waited for an operation of the store");
            }
        });
        self.jobs.send(Message::Do(job)).await.map_err(|_| StoreError::Closed)?;
        answered.await.map_err(|_| StoreError::Closed)?
    }

    /// Reads beside the writer: nobody's write waits for it, and it sees all that was kept before.
    /// What it reads is of one moment, also where it asks several things.
    ///
    /// # Errors
    /// What the operation gives, [`StoreError::TookTooLong`] after 5 s, [`StoreError::NoTurn`] if no
    /// place was free for 5 s, [`StoreError::Closed`], or [`StoreError::Panicked`].
    pub async fn read<T, F>(&self, operation: F) -> Result<T>
    where
        T: Send + 'static,
        F: FnOnce(&Store) -> Result<T> + Send + 'static,
    {
        self.read_within(READ_LIMIT, operation).await
    }

    /// The same with a limit of its own, for what goes through all that is stored.
    ///
    /// # Errors
    /// As for [`StoreHandle::read`].
    pub async fn read_within<T, F>(&self, limit: Duration, operation: F) -> Result<T>
    where
        T: Send + 'static,
        F: FnOnce(&Store) -> Result<T> + Send + 'static,
    {
        if self.readers.can_read() {
            self.readers.run(limit, operation).await
        } else {
            self.run(move |store| operation(store)).await
        }
    }

    /// Makes a backup beside the writer: however large the data are, nobody's write waits for it. It
    /// is of one moment, and cut off when the store is closed.
    ///
    /// # Errors
    /// As for `Store::back_up`, and [`StoreError::Closed`].
    pub async fn back_up(&self, kind: BackupKind, now: Timestamp) -> Result<Backup> {
        self.readers.back_up(kind, now).await?.ok_or(StoreError::NotFound)
    }

    /// The same once a day: nothing is made where the newest daily one is younger. Asked twice at
    /// once, it is made once.
    ///
    /// # Errors
    /// As for [`StoreHandle::back_up`]; a store in memory has nothing to keep and none.
    pub async fn back_up_daily(&self, now: Timestamp) -> Result<Option<Backup>> {
        if !self.readers.can_read() {
            return Ok(None);
        }
        self.readers.back_up(BackupKind::Daily, now).await
    }

    /// Cuts reads off, waits for all writes that were asked before, closes the database and ends
    /// the thread. Closing twice is fine.
    pub async fn close(&self) {
        self.readers.close();
        let (closed, done) = oneshot::channel();
        if self.jobs.send(Message::Close(closed)).await.is_ok() && done.await.is_err() {
            tracing::debug!("the store's thread had ended already");
        }
    }
}

fn work(mut store: Store, mut inbox: mpsc::Receiver<Message>) {
    while let Some(message) = inbox.blocking_recv() {
        match message {
            Message::Do(job) => job(&mut store),
            Message::Close(closed) => {
                inbox.close();
                // What slipped in behind is answered with `Closed` when it is dropped.
                while inbox.try_recv().is_ok() {}
                // The writer goes last: then the log is taken into the database.
                drop(store.readers.let_go());
                drop(store);
                if closed.send(()).is_err() {
                    tracing::debug!("nobody waited for the store to close");
                }
                return;
            }
        }
    }
}
