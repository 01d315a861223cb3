//! "This search has seen nothing for hours": once, and once when it sees again.
//!
//! **Promises**: also for a search that is not looked at because its host waits; never for one
//! that is muted; time asleep, stopped or offline blinds nobody.
//! **Leaves out**: how long is too long (`policy::delivery::Sight`).

use std::collections::HashMap;
use std::time::Duration;

use firstknock_extract::Finding as PageFinding;
use firstknock_listing::SearchId;
use firstknock_policy::Outcome;
use firstknock_policy::delivery::{BLIND_AFTER, Sight, Tell};
use firstknock_schedule::{AppStatus, HostState, HostWait};
use firstknock_store::{Notice, PostKind, Search, SearchFacts, Store, StoreError};
use jiff::Timestamp;
use serde_json::{Map, Value, json};

use super::{Core, news::Gathered};
use crate::{Settings, quiet};

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

/// Why nothing is seen: the key of a sentence and what its places stand for.
struct Why {
    key: String,
    args: Map<String, Value>,
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
                waiting.push((search.clone(), Why::of_wait(&wait), self.watch.since(id)));
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

/// What a look means for the search's sight. `since` is when it could first have seen something.
pub(super) fn after_look(
    store: &mut Store,
    it: &Gathered<'_>,
    since: Timestamp,
    now: Timestamp,
) -> Result<Vec<Notice>, StoreError> {
    let finding = &it.look.extraction.finding;
    let sees = it.look.verdict.outcome == Outcome::Answer
        && !matches!(finding, PageFinding::Broken | PageFinding::Unsure { .. });
    if !sees {
        return blind(store, it.search, it.facts, &Why::of_look(it), since, now);
    }
    let Some(Tell::Recovered { since }) = sight(it.search, it.facts).saw(now) else {
        return Ok(Vec::new());
    };
    let payload = json!({ "since": since.as_millisecond(), "host": it.search.host });
    let notices = to_all(store, it.search, PostKind::Recovered, &payload, now)?;
    if notices.is_empty() {
        store.forget_blind(it.search.id)?;
    }
    Ok(notices)
}

fn blind(
    store: &Store,
    search: &Search,
    facts: &SearchFacts,
    why: &Why,
    since: Timestamp,
    now: Timestamp,
) -> Result<Vec<Notice>, StoreError> {
    let settings: Settings = store.setting(Settings::KEY)?.unwrap_or_default();
    let after = match settings.blind_after_hours {
        0 => BLIND_AFTER,
        hours => Duration::from_secs(u64::from(hours) * 3600),
    };
    let Some(Tell::Blind { since }) = sight(search, facts).saw_nothing(now, since, after) else {
        return Ok(Vec::new());
    };
    let payload = json!({
        "since": since.as_millisecond(),
        "reason": why.key,
        "args": why.args,
        "host": search.host,
        "page": search.wish.url,
    });
    to_all(store, search, PostKind::Blind, &payload, now)
}

fn to_all(
    store: &Store,
    search: &Search,
    kind: PostKind,
    payload: &Value,
    now: Timestamp,
) -> Result<Vec<Notice>, StoreError> {
    if search.wish.muted {
        return Ok(Vec::new());
    }
    let not_before = search.wish.quiet.as_ref().and_then(|hours| quiet::until(hours, now));
    let channels = store.channels()?.into_iter().filter(|channel| channel.enabled);
    Ok(channels
        .map(|c| Notice { channel: c.channel, kind, not_before, payload: payload.clone() })
        .collect())
}

fn sight(search: &Search, facts: &SearchFacts) -> Sight {
    let last_seen = facts.blind_since.or(facts.last_answer_at).unwrap_or(search.created_at);
    Sight { last_seen, told_blind_since: facts.blind_told_at.map(|_| last_seen) }
}

fn passed(since: Timestamp, now: Timestamp) -> Duration {
    Duration::try_from(now.duration_since(since)).unwrap_or_default()
}

impl Why {
    fn new(key: String, args: &[(&str, Option<&str>)]) -> Self {
        let given = args.iter().filter_map(|(name, value)| value.map(|value| (name, value)));
        Self { key, args: given.map(|(name, value)| ((*name).to_owned(), value.into())).collect() }
    }

    fn of_wait(wait: &HostWait) -> Self {
        let evidence = wait.evidence.first().map(String::as_str);
        let args = [("vendor", wait.vendor.as_deref()), ("evidence", evidence)];
        Self::new(format!("reason_{}", wait.reason.code()), &args)
    }

    fn of_look(it: &Gathered<'_>) -> Self {
        let outcome = &it.look.verdict.outcome;
        let finding = &it.look.extraction.finding;
        let vendor = match outcome {
            Outcome::Wall(wall) => wall.vendor.as_deref(),
            Outcome::Trouble(_) => None,
            Outcome::Answer => {
                let times = match finding {
                    PageFinding::Unsure { times } => Some(times.to_string()),
                    _ => None,
                };
                return Self::new(format!("page_{}", finding.code()), &[("n", times.as_deref())]);
            }
        };
        let evidence = it.look.verdict.evidence.first().map(String::as_str);
        let args = [("vendor", vendor), ("evidence", evidence)];
        Self::new(format!("reason_{}", outcome.reason().code()), &args)
    }
}
