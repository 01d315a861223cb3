//! The store behind a thread of its own, for async code.
//!
//! **Promises**: one writer, operations in the order in which they were asked; a tokio worker is
//! never blocked; an operation that panics is rolled back and told to its caller alone; a closed
//! store says so. **Leaves out**: retrying.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::thread;

use tokio::sync::{mpsc, oneshot};

use crate::database::Store;
use crate::error::{Result, StoreError};

type Job = Box<dyn FnOnce(&mut Store) + Send>;

/// How many operations may wait; more of them wait at the door, without blocking.
const QUEUE: usize = 256;

/// A way to the one writer thread; cheap to clone.
#[derive(Clone)]
pub struct StoreHandle {
    jobs: mpsc::Sender<Message>,
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
        thread::Builder::new()
            .name("firstknock-store".to_owned())
            .spawn(move || work(store, inbox))
            .map_err(StoreError::File)?;
        Ok(Self { jobs })
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

    /// Waits for all that was asked before, closes the database and ends the thread. Closing twice
    /// is fine.
    pub async fn close(&self) {
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
                drop(store);
                if closed.send(()).is_err() {
                    tracing::debug!("nobody waited for the store to close");
                }
                return;
            }
        }
    }
}
