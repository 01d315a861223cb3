//! "This search has seen nothing for hours": once, and once when it sees again.
//!
//! **Promises**: never for a search that is muted.
//! **Leaves out**: how long is too long (`policy::delivery::Sight`), and searches that nobody looks
//! at (`engine::blind`).

use std::time::Duration;

use firstknock_extract::Finding as PageFinding;
use firstknock_policy::Outcome;
use firstknock_policy::delivery::{BLIND_AFTER, Sight, Tell};
use firstknock_schedule::HostWait;
use firstknock_store::{Notice, PostKind, Search, SearchFacts, Store, StoreError};
use jiff::Timestamp;
use serde_json::{Map, Value, json};

use super::Ended;
use crate::{Settings, quiet};

/// Why nothing is seen: the key of a sentence and what its places stand for.
pub(crate) struct WhyBlind {
    key: String,
    args: Map<String, Value>,
}

/// What a look means for the search's sight.
pub(super) fn after_look(
    store: &mut Store,
    it: &Ended<'_>,
    search: &Search,
    now: Timestamp,
) -> Result<Vec<Notice>, StoreError> {
    let finding = &it.look.extraction.finding;
    let sees = it.look.verdict.outcome == Outcome::Answer
        && !matches!(finding, PageFinding::Broken | PageFinding::Unsure { .. });
    if !sees {
        return blind(store, search, it.facts, &WhyBlind::of_look(it), it.watched_since, now);
    }
    let Some(Tell::Recovered { since }) = sight(search, it.facts).saw(now) else {
        return Ok(Vec::new());
    };
    let payload = json!({ "since": since.as_millisecond(), "host": search.host });
    let notices = to_all(store, search, PostKind::Recovered, &payload, now)?;
    if notices.is_empty() {
        store.forget_blind(search.id)?;
    }
    Ok(notices)
}

/// Says so if it is time: `since` is when the search could first have seen something.
pub(crate) fn blind(
    store: &Store,
    search: &Search,
    facts: &SearchFacts,
    why: &WhyBlind,
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

impl WhyBlind {
    fn new(key: String, args: &[(&str, Option<&str>)]) -> Self {
        let given = args.iter().filter_map(|(name, value)| value.map(|value| (name, value)));
        Self { key, args: given.map(|(name, value)| ((*name).to_owned(), value.into())).collect() }
    }

    pub(crate) fn of_wait(wait: &HostWait) -> Self {
        let evidence = wait.evidence.first().map(String::as_str);
        let args = [("vendor", wait.vendor.as_deref()), ("evidence", evidence)];
        Self::new(format!("reason_{}", wait.reason.code()), &args)
    }

    fn of_look(it: &Ended<'_>) -> Self {
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
