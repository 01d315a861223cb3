//! "This search has seen nothing for hours": once, and once when it sees again.
//!
//! **Promises**: also for a search that is not looked at because its host waits; never for one
//! that is muted; time asleep, stopped or offline blinds nobody.
//! **Leaves out**: how long is too long (`policy::delivery::Sight`).

use std::collections::HashMap;
use std::time::Duration;

use firstknock_listing::SearchId;
use firstknock_schedule::{AppStatus, HostState};
use jiff::Timestamp;

use super::Core;
use crate::steps::{WhyBlind, blind};

/// How often the searches are gone through that are not looked at.
const SWEEP_EVERY: Duration = Duration::from_secs(180);

/// Since when somebody has been looking: blindness counts from here at the earliest.
pub(super) struct Watch {
    /// The app began to run, or woke, or came back after a long time offline or stopped.
    pub(super) awake_since: Timestamp,
    /// A search was added, edited or switched on.
    pub(super) begun: HashMap<SearchId, Timestamp>,
    /// Nobody is asked since then: stopped or offline.
    away_since: Option<Timestamp>,
    swept_at: Option<Timestamp>,
}

impl Watch {
    /// A start.
    pub(super) fn from(now: Timestamp) -> Self {
        Self { awake_since: now, begun: HashMap::new(), away_since: None, swept_at: None }
    }

    /// Since when a search could have seen something.
    pub(super) fn since(&self, search: SearchId) -> Timestamp {
        self.begun.get(&search).map_or(self.awake_since, |begun| self.awake_since.max(*begun))
    }
}

impl Core {
    /// Every few minutes: who has been blind for too long, although nobody looked?
    pub(super) async fn sweep_blind(&mut self) {
        const AWAY: Duration = Duration::from_secs(30 * 60);
        let now = self.clock.now();
        if matches!(
            self.schedule.status(now),
            AppStatus::Stopped { .. } | AppStatus::Offline { .. }
        ) {
            self.watch.away_since.get_or_insert(now);
            return;
        }
        if let Some(since) = self.watch.away_since.take()
            && passed(since, now) > AWAY
        {
            self.watch.awake_since = now;
        }
        if self.watch.swept_at.is_some_and(|at| passed(at, now) < SWEEP_EVERY) {
            return;
        }
        self.watch.swept_at = Some(now);
        let mut waiting = Vec::new();
        for card in self.schedule.host_cards(now) {
            let (HostState::Waits(wait) | HostState::Probing { wait, .. }) = card.state else {
                continue;
            };
            for id in card.searches {
                let Some(search) = self.shelf.searches.iter().find(|s| s.id == id) else {
                    continue;
                };
                waiting.push((search.clone(), WhyBlind::of_wait(&wait), self.watch.since(id)));
            }
        }
        if waiting.is_empty() {
            return;
        }
        let told = self
            .store
            .run(move |store| {
                let mut posted = 0;
                for (search, why, since) in waiting {
                    let facts = store.search_facts(search.id)?;
                    let notices = blind(store, &search, &facts, &why, since, now)?;
                    posted += store.post_notices(search.id, &notices, now)?.len();
                }
                Ok(posted)
            })
            .await;
        match told {
            Ok(0) => {}
            Ok(_) => self.bell.ring(),
            Err(error) => self.storage_trouble(&error),
        }
    }
}

fn passed(since: Timestamp, now: Timestamp) -> Duration {
    Duration::try_from(now.duration_since(since)).unwrap_or_default()
}
