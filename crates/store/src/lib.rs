//! What survives a restart: SQLite, one writer.
//!
//! **Promises**: every operation is one transaction, durable when it returns (WAL,
//! `synchronous=FULL`); a database that cannot be read is never replaced by an empty one; times are
//! arguments. **Leaves out**: the network, deciding anything, asking the clock.
//!
//! [`Store`] is one connection, for one thread. [`StoreHandle`] is the same behind a thread of its
//! own, for async code.

mod backup;
mod channels;
mod checks;
mod columns;
mod commit;
mod data_lock;
mod database;
mod error;
mod fingerprint;
mod hosts;
mod identity;
mod known;
mod listings;
mod outbox;
mod outbox_steps;
mod page;
mod schedule_state;
mod search_state;
mod searches;
mod settings;
mod sightings;
mod source_memory;
mod writer;

pub use backup::{Backup, BackupKind};
pub use channels::Channel;
pub use checks::{CheckMark, CheckRow, RunId};
pub use commit::{CheckCommit, CheckResult, Committed, News, Notice, PageCommit, Post};
pub use data_lock::{DataLock, LockError};
pub use database::{DB_FILE, Fault, Opened, Store};
pub use error::{Result, StorageStop, StoreError};
pub use hosts::HostNotes;
pub use known::{KnownHere, RELISTED_AFTER};
pub use listings::{NewsKind, StoredListing};
pub use outbox::{Find, FindChange, OutboxId, OutboxRow, PostKind, Rendered};
pub use outbox_steps::OutboxStep;
pub use search_state::SearchFacts;
pub use searches::{
    MAX_ENABLED, MAX_INTERVAL, MIN_INTERVAL, QuietHours, ReaderChoice, Rhythm, Search, SearchWish,
    Tell,
};
pub use source_memory::SourceNotes;
pub use writer::StoreHandle;
