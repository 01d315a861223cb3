//! From an outbox row to what there is to say.

use firstknock_listing::catalogue::{Language, say};
use firstknock_listing::{HostKey, SearchId};
use firstknock_notify::{Alert, DigestReason, Finding, Found, News, SearchName, SeenPrice};
use firstknock_store::{Find, FindChange, OutboxRow, PostKind, Store, StoreError};
use jiff::Timestamp;
use serde_json::Value;

/// Reads everything that a message needs.
pub(super) fn of(
    store: &mut Store,
    row: &OutboxRow,
    language: Language,
) -> Result<Alert, StoreError> {
    let mut ids: Vec<SearchId> = row.search.into_iter().collect();
    for id in row.finds.iter().flat_map(|find| &find.searches) {
        if !ids.contains(id) {
            ids.push(*id);
        }
    }
    let mut searches = Vec::new();
    for id in ids {
        if let Some(search) = store.search(id)? {
            searches.push(SearchName { id, name: search.wish.name });
        }
    }
    let mut findings = Vec::new();
    for find in &row.finds {
        findings.extend(finding(store, find, &searches)?);
    }
    Ok(Alert {
        kind: kind(row, findings.len(), language),
        seen_at: row.created_at,
        // Of several checks, the last: all of it was not there before.
        not_there_at: row.finds.iter().filter_map(|find| find.unseen_at).max(),
        searches,
        findings,
        language,
    })
}

/// The host whose page showed the first listing that is still known.
pub(super) fn page_of(store: &Store, row: &OutboxRow) -> Result<Option<HostKey>, StoreError> {
    for find in &row.finds {
        if let Some(stored) = store.listing(find.listing)? {
            return Ok(Some(stored.host));
        }
    }
    Ok(None)
}

fn finding(
    store: &Store,
    find: &Find,
    searches: &[SearchName],
) -> Result<Option<Finding>, StoreError> {
    let Some(stored) = store.listing(find.listing)? else { return Ok(None) };
    let news = match (find.change, &find.was) {
        (FindChange::PriceDrop, Some(was)) => News::PriceDrop { was: was.clone() },
        (FindChange::PriceRise, Some(was)) => News::PriceRise { was: was.clone() },
        (FindChange::Relisted, was) => {
            News::Relisted { seen_at: find.was_at.unwrap_or(stored.first_seen), was: was.clone() }
        }
        _ => News::New,
    };
    let others = find.searches.iter().skip(1);
    let also_in = others
        .filter_map(|id| searches.iter().find(|search| search.id == *id))
        .map(|search| search.name.clone())
        .collect();
    let extras = store.listing_extras(&stored)?;
    let earlier = extras
        .seen_before
        .and_then(|before| before.price.map(|price| SeenPrice { price, at: before.at }));
    let mut steps = extras.prices;
    // The last step is today's price.
    steps.pop();
    let steps = steps.into_iter().map(|step| SeenPrice { price: step.price, at: step.at });
    let seen_before = earlier.into_iter().chain(steps).collect();
    Ok(Some(Finding {
        listing: stored.listing,
        news,
        first_seen: stored.first_seen,
        also_in,
        seen_before,
    }))
}

/// What the places of a reason's sentence stand for.
fn args(payload: Option<&Value>, language: Language) -> Vec<(String, String)> {
    let given = payload.and_then(|p| p.get("args")).and_then(Value::as_object);
    let mut args: Vec<(String, String)> = given
        .into_iter()
        .flatten()
        .filter_map(|(name, value)| Some((name.clone(), value.as_str()?.to_owned())))
        .collect();
    for (name, usual) in
        [("vendor", say(language, "reason_the_site", &[])), ("evidence", String::new())]
    {
        if args.iter().all(|(given, _)| given != name) {
            args.push((name.to_owned(), usual));
        }
    }
    args
}

fn kind(row: &OutboxRow, findings: usize, language: Language) -> Found {
    let payload = row.payload.as_ref();
    let text = |name: &str| {
        payload.and_then(|p| p.get(name)).and_then(Value::as_str).unwrap_or_default().to_owned()
    };
    let number = |name: &str| payload.and_then(|p| p.get(name)).and_then(Value::as_i64);
    let since = payload
        .and_then(|p| p.get("since"))
        .and_then(Value::as_i64)
        .and_then(|ms| Timestamp::from_millisecond(ms).ok())
        .unwrap_or(row.created_at);
    match row.kind {
        PostKind::Alert => Found::Listings,
        PostKind::Digest => Found::Digest {
            reason: match text("reason").as_str() {
                "quiet_hours" => DigestReason::QuietHours,
                "daily_limit" => DigestReason::DailyLimit,
                "long_pause" => DigestReason::LongPause,
                "held" => DigestReason::Held,
                _ => DigestReason::Chosen,
            },
            since,
        },
        PostKind::ThereNow => {
            Found::Baseline { count: u32::try_from(findings).unwrap_or(u32::MAX) }
        }
        PostKind::Blind => Found::Blind {
            since,
            reason: text("reason"),
            args: args(payload, language),
            host: text("host"),
            page: Some(text("page")).filter(|page| !page.is_empty()),
        },
        PostKind::Recovered => {
            Found::Recovered { since, until: row.created_at, host: text("host") }
        }
        PostKind::Notice => Found::ClientLimited {
            client: text("client"),
            offences: number("offences").and_then(|n| u32::try_from(n).ok()).unwrap_or_default(),
            until: number("until")
                .and_then(|ms| Timestamp::from_millisecond(ms).ok())
                .unwrap_or(row.created_at),
        },
        PostKind::Test => Found::Test,
    }
}
