//! Many messages become one: beyond the day's cap, after a provider's daily limit, after a long
//! pause, at the end of quiet hours.
//!
//! **Promises**: nothing is lost, nothing that was ever rendered changes; what comes late waits for
//! the end of quiet hours like what was found in them.
//! **Leaves out**: what is found within quiet hours and daily digests, which are written as such
//! from the start.

use std::collections::BTreeMap;
use std::time::Duration;

use firstknock_listing::SearchId;
use firstknock_policy::delivery::{Hold, cap_allows};
use firstknock_store::{Channel, OutboxRow, PostKind, Store, StoreError};
use jiff::Timestamp;
use serde_json::{Value, json};

use crate::Settings;
use crate::pause::LONG;
use crate::quiet;

const DAY: Duration = Duration::from_secs(24 * 3600);
const LIMIT: &str = "daily_limit";
const PAUSE: &str = "long_pause";
const HELD: &str = "held";

/// Before a round of sending. Gives how many messages the round may send.
pub fn gather(
    store: &mut Store,
    channel: &Channel,
    most: u32,
    now: Timestamp,
) -> Result<u32, StoreError> {
    let name = channel.channel.as_str();
    hush(store, name, now)?;
    // A held account has nothing due, as long as its hold is believed.
    if store.due(name, now, 1)?.is_empty() {
        return Ok(most);
    }
    let rows = store.unrendered(name)?;
    let due = |row: &&OutboxRow| row.next_at.is_none_or(|at| at <= now);
    if channel.held == Some(Hold::DailyLimit) {
        let waited: Vec<&OutboxRow> = rows.iter().filter(due).collect();
        fold(store, name, &waited, LIMIT, None, now)?;
        return Ok(most);
    }
    let room = room(store, channel, now)?;
    if let Err(free_at) = room {
        let beyond: Vec<&OutboxRow> =
            rows.iter().filter(|row| due(row) || reason(row) == LIMIT).collect();
        if beyond.iter().any(due) {
            fold(store, name, &beyond, LIMIT, Some(free_at), now)?;
        }
        return Ok(most);
    }
    // The summary of a night, and what was found before it and kept back by it.
    let of_night =
        |row: &&OutboxRow| row.next_at.is_some() && [quiet::REASON, ""].contains(&reason(row));
    let mut nights: BTreeMap<SearchId, Vec<&OutboxRow>> = BTreeMap::new();
    for row in rows.iter().filter(due).filter(of_night) {
        nights.entry(row.search.unwrap_or_default()).or_default().push(row);
    }
    for night in nights.values() {
        fold(store, name, night, quiet::REASON, None, now)?;
    }
    let together: Vec<&OutboxRow> =
        rows.iter().filter(due).filter(|row| reason(row) == PAUSE).collect();
    fold(store, name, &together, PAUSE, None, now)?;
    // An account that works again after hours, a computer that was off before it could send.
    let late = |row: &&OutboxRow| {
        let waited = Duration::try_from(now.duration_since(row.created_at)).unwrap_or_default();
        row.kind == PostKind::Alert && waited >= LONG
    };
    let late: Vec<&OutboxRow> = rows.iter().filter(due).filter(late).collect();
    fold(store, name, &late, HELD, None, now)?;
    Ok(room.map_or(most, |room| room.min(most)))
}

/// What would go out in quiet hours because it comes late (the account was held, the server away,
/// the computer off) waits for their end.
fn hush(store: &mut Store, channel: &str, now: Timestamp) -> Result<(), StoreError> {
    for row in store.due(channel, now, u32::MAX)? {
        if let Some(end) = silent_until(store, &row, now)? {
            store.put_off(row.id, end, now)?;
        }
    }
    Ok(())
}

/// When somebody may hear all of a message; `None` if now is fine, or a person wants it now.
fn silent_until(
    store: &Store,
    row: &OutboxRow,
    now: Timestamp,
) -> Result<Option<Timestamp>, StoreError> {
    let wanted = matches!(row.kind, PostKind::ThereNow | PostKind::Test | PostKind::Notice);
    if wanted || store.is_sent_again(row.id)? {
        return Ok(None);
    }
    // Each listing goes as soon as one of the searches that found it may speak.
    let mut groups: Vec<Vec<SearchId>> =
        row.finds.iter().map(|find| find.searches.clone()).collect();
    if groups.is_empty() {
        groups.push(row.search.into_iter().collect());
    }
    let mut end = None;
    for group in groups {
        let mut ends = Vec::new();
        for id in &group {
            let search = store.search(*id)?;
            let hours = search.and_then(|search| search.wish.quiet);
            ends.extend(hours.and_then(|hours| quiet::until(&hours, now)));
        }
        if ends.len() == group.len() {
            end = end.max(ends.into_iter().min());
        }
    }
    Ok(end)
}

/// How many more mails the day's cap allows, else when the next one may go.
fn room(
    store: &Store,
    channel: &Channel,
    now: Timestamp,
) -> Result<Result<u32, Timestamp>, StoreError> {
    if channel.kind != "smtp" {
        return Ok(Ok(u32::MAX));
    }
    let settings: Settings = store.setting(Settings::KEY)?.unwrap_or_default();
    let cap = settings.daily_mail_cap.max(1);
    let sent = store.sent_since(&channel.channel, now - DAY)?;
    let free_at = cap_allows(&sent, usize::try_from(cap).unwrap_or(usize::MAX), now);
    if free_at > now {
        return Ok(Err(free_at));
    }
    let left = cap.saturating_sub(u32::try_from(sent.len()).unwrap_or(u32::MAX));
    Ok(Ok(left.max(1)))
}

fn fold(
    store: &mut Store,
    channel: &str,
    rows: &[&OutboxRow],
    reason: &str,
    not_before: Option<Timestamp>,
    now: Timestamp,
) -> Result<(), StoreError> {
    let since = rows.iter().map(|row| since(row)).min().unwrap_or(now);
    let payload = json!({ "reason": reason, "since": since.as_millisecond() });
    let ids: Vec<_> = rows.iter().map(|row| row.id).collect();
    if store.fold_into_digest(channel, &ids, Some(&payload), not_before, now)?.is_some() {
        tracing::info!(channel, messages = ids.len(), reason, "messages became one digest");
    }
    Ok(())
}

fn reason(row: &OutboxRow) -> &str {
    let payload = row.payload.as_ref();
    payload.and_then(|p| p.get("reason")).and_then(Value::as_str).unwrap_or_default()
}

fn since(row: &OutboxRow) -> Timestamp {
    let payload = row.payload.as_ref();
    payload
        .and_then(|p| p.get("since"))
        .and_then(Value::as_i64)
        .and_then(|ms| Timestamp::from_millisecond(ms).ok())
        .unwrap_or(row.created_at)
}
