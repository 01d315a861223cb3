//! The steps between the plan, a look, the store and the outbox, without tokio: the engine takes
//! them on the store's thread, rehearsed months one after the other.
//!
//! **Promises**: nothing here waits, draws or asks the time. **Leaves out**: the order of the steps
//! and who goes on after one that failed (`engine`, `outbox::worker`).

mod news;
mod page;
mod sight;
mod task;
#[cfg(test)]
mod tests;
mod when;

use firstknock_schedule::{Change, Check, Seen};
use firstknock_store::{CheckCommit, RunId, Search, SearchFacts, Store, StoreError};
use jiff::Timestamp;
use jiff::tz::TimeZone;

use crate::Look;

pub use crate::outbox::digest::gather as before_sending;
pub use crate::outbox::worker::BATCH;
pub use crate::pause::{Pause, note_alive};
pub use page::seen;
pub(crate) use sight::{WhyBlind, blind};
pub use task::task;

/// A check whose look came back, with what was known before.
#[derive(Debug, Clone, Copy)]
pub struct Ended<'a> {
    /// The check.
    pub check: &'a Check,
    /// Its row.
    pub run: RunId,
    /// What came back.
    pub look: &'a Look,
    /// What was known of the search.
    pub facts: &'a SearchFacts,
    /// The last time in which nobody looked.
    pub pause: Option<Pause>,
    /// When the search could first have seen something: an earlier time blinds nobody.
    pub watched_since: Timestamp,
    /// The zone of daily messages.
    pub zone: &'a TimeZone,
}

/// All that is to be kept of an ended check, in one: its row, the host's side of it (`change`), and,
/// where its search is still there (`search`), what its page told.
///
/// # Errors
/// Only if we or the disk broke.
pub fn outline(
    store: &mut Store,
    it: &Ended<'_>,
    search: Option<&Search>,
    seen: Seen,
    change: &Change,
    now: Timestamp,
) -> Result<CheckCommit, StoreError> {
    let mut commit = CheckCommit {
        run: it.run,
        search: it.check.search,
        revision: it.check.revision,
        host: it.check.host.clone(),
        result: page::result(it, seen, change.keep_listings),
        page: None,
        notices: Vec::new(),
        change: change.clone(),
    };
    if let Some(search) = search.filter(|_| change.keep_listings) {
        commit.page = page::page(store, it, search, now)?;
        commit.notices = sight::after_look(store, it, search, now)?;
    }
    Ok(commit)
}
