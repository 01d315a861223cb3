//! What a check asks for.

use std::time::Duration;

use firstknock_extract::{Choice, SourceMemory};
use firstknock_fetch::Validators;
use firstknock_schedule::Check;
use firstknock_store::{ReaderChoice, Store, StoreError};

use crate::{Reading, Task};

/// What to ask for and how: who reads, and what is remembered of the page. `gap` is kept between a
/// plain reading and one in the browser.
///
/// # Errors
/// Only if we or the disk broke.
pub fn task(store: &mut Store, check: &Check, gap: Duration) -> Result<Task, StoreError> {
    let mut task = Task::first(check.url.url().clone(), gap);
    let Some(id) = check.search else { return Ok(task) };
    let Some(search) = store.search(id)? else { return Ok(task) };
    let host = store.host_notes(&check.host)?;
    task.reading = match (search.wish.reader, host.reader) {
        (ReaderChoice::Plain, _) => Reading::Plain,
        (ReaderChoice::Browser, _) | (ReaderChoice::Auto, Some(ReaderChoice::Browser)) => {
            Reading::Browser
        }
        (ReaderChoice::Auto, _) => Reading::PlainFirst,
    };
    let notes = store.source_notes(id)?;
    // What another version wrote is forgotten rather than misread.
    task.memory = notes.memory.and_then(|json| serde_json::from_value::<SourceMemory>(json).ok());
    task.choice = notes.choice.and_then(|json| serde_json::from_value::<Choice>(json).ok());
    let facts = store.search_facts(id)?;
    if facts.last_listings.is_some() && facts.last_verdict.as_deref() == Some("answer") {
        task.validators = Validators { etag: facts.etag, last_modified: facts.last_modified };
        task.body_hash = facts.body_hash.and_then(|hex| u64::from_str_radix(&hex, 16).ok());
    }
    Ok(task)
}
