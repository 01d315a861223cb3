//! What survives a restart: SQLite, one writer, and readers that hold nobody up.
//!
//! **Promises**: every operation is one transaction, durable when it returns (WAL,
//! `synchronous=FULL`); a database that cannot be read is never replaced by an empty one; times are
//! arguments. **Leaves out**: the network, deciding anything, asking the clock.
//!
//! [`Store`] is one connection, for one thread. [`StoreHandle`] is the same behind a thread of its
//! own, with connections beside it that only read, for async code.

mod backup;
mod channels;
mod checks;
mod clients;
mod columns;
mod commit;
mod data_lock;
mod database;
mod error;
mod events;
mod export;
mod fingerprint;
mod hosts;
mod idempotency;
mod identity;
mod insight;
mod known;
mod listing_extras;
mod listing_list;
mod listing_marks;
mod listing_query;
mod listings;
mod moved_up;
mod outbox;
mod outbox_queue;
mod outbox_recovery;
mod outbox_steps;
mod page;
mod readers;
mod rekey;
mod restore;
mod retention;
mod schedule_state;
mod schema;
mod search_edit;
mod search_state;
mod searches;
mod sequels;
mod settings;
mod sightings;
mod source_memory;
mod tell;

mod writer;

pub use backup::{Backup, BackupKind};
pub use channels::Channel;
pub use checks::{CheckMark, CheckRow, RunId};
pub use clients::Client;
pub use commit::{CheckCommit, CheckResult, Committed, News, Notice, PageCommit, Post};
pub use data_lock::{DataLock, LockError};
pub use database::{DB_FILE, Fault, Opened, Store};
pub use error::{Result, StorageStop, StoreError};
pub use events::Happened;
pub use export::{ExportedSearch, Fate, ImportedLine};
pub use hosts::HostNotes;
pub use idempotency::Begun;
pub use insight::{Delay, Insight};
pub use known::{KnownHere, RELISTED_AFTER};
pub use listing_extras::{ListingExtras, PriceStep, SeenBefore};
pub use listing_list::{
    ListingCursor, ListingFilter, ListingOnly, ListingRows, ListingSort, MAX_PAGE, NotACursor,
};
pub use listing_marks::ListingMarks;
pub use listings::{NewsKind, StoredListing};
pub use outbox::{Find, FindChange, OutboxId, OutboxRow, PostKind, Rendered};
pub use outbox_steps::OutboxStep;
pub use rekey::rekey_pairs;
pub use retention::Purged;
pub use search_state::SearchFacts;
pub use searches::{
    MAX_ENABLED, MAX_INTERVAL, MIN_INTERVAL, QuietHours, ReaderChoice, Rhythm, Search, SearchWish,
    Tell,
};
pub use sequels::Sequel;
pub use source_memory::SourceNotes;
pub use writer::StoreHandle;
