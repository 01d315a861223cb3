//! "Send me what is there now": for a search that has its baseline at once, for a new one when it
//! gets it.

use firstknock_listing::SearchId;
use firstknock_store::{OutboxId, Store, StoreError, StoredListing};
use jiff::Timestamp;

use crate::Engine;

/// Searches whose user asked for it before their first check.
const OWED: &str = "send_current";

impl Engine {
    /// Writes one message per channel with all that the search has on its page.
    ///
    /// # Errors
    /// [`StoreError::NotFound`] if the search is not there; [`StoreError::Stopped`].
    pub async fn send_current(&self, id: SearchId) -> Result<usize, StoreError> {
        let now = self.clock.now();
        let posted = self.store.run(move |store| post(store, id, now)).await?;
        self.bell.ring();
        self.redraw().await;
        Ok(posted.len())
    }

    /// The same, as soon as the search has its first page.
    ///
    /// # Errors
    /// [`StoreError::Stopped`].
    pub async fn send_current_after_baseline(&self, id: SearchId) -> Result<(), StoreError> {
        let now = self.clock.now();
        let posted = self
            .store
            .run(move |store| {
                // The first check may have been quicker than the user's click.
                if store.search_facts(id)?.baseline_at.is_some() {
                    return post(store, id, now);
                }
                let mut owed: Vec<SearchId> = store.setting(OWED)?.unwrap_or_default();
                owed.push(id);
                store.set_setting(OWED, &owed, now)?;
                Ok(Vec::new())
            })
            .await?;
        if !posted.is_empty() {
            self.bell.ring();
        }
        Ok(())
    }
}

/// At a baseline: what its user asked for before it.
pub(crate) fn owed(
    store: &mut Store,
    search: Option<SearchId>,
    now: Timestamp,
) -> Result<Vec<OutboxId>, StoreError> {
    let Some(id) = search else { return Ok(Vec::new()) };
    let mut owed: Vec<SearchId> = store.setting(OWED)?.unwrap_or_default();
    if !owed.contains(&id) {
        return Ok(Vec::new());
    }
    let posted = post(store, id, now)?;
    owed.retain(|other| *other != id);
    store.set_setting(OWED, &owed, now)?;
    Ok(posted)
}

fn post(store: &mut Store, id: SearchId, now: Timestamp) -> Result<Vec<OutboxId>, StoreError> {
    let search = store.search(id)?.ok_or(StoreError::NotFound)?;
    let channels: Vec<String> =
        store.channels()?.into_iter().filter(|c| c.enabled).map(|c| c.channel).collect();
    let criteria = search.wish.criteria;
    let wanted = |stored: &StoredListing| criteria.hides(&stored.listing).is_none();
    store.send_current(id, &channels, wanted, now)
}
