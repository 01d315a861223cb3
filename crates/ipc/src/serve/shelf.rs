//! What is kept: listings, deliveries, insight.

use firstknock_listing::{ListingId, SearchId};
use firstknock_monitor::store as kept;
use firstknock_monitor::store::{ListingCursor, ListingFilter};
use firstknock_monitor::{Engine, Settings};

use super::{search, store};
use crate::{
    DeliveryRow, ErrorBody, ErrorCode, Insight, InsightQuery, ListingOnly, ListingPage,
    ListingQuery, ListingSort, MarkListing, wire,
};

pub(super) async fn listings(
    engine: &Engine,
    query: ListingQuery,
) -> Result<ListingPage, ErrorBody> {
    let filter = ListingFilter {
        search: query.search.map(SearchId),
        text: query.text,
        only: match query.only {
            ListingOnly::All => kept::ListingOnly::All,
            ListingOnly::Unread => kept::ListingOnly::Unread,
            ListingOnly::Starred => kept::ListingOnly::Starred,
            ListingOnly::Gone => kept::ListingOnly::Gone,
            ListingOnly::Hidden => kept::ListingOnly::Hidden,
        },
        ..ListingFilter::default()
    };
    let sort = match query.sort {
        ListingSort::Newest => kept::ListingSort::Newest,
        ListingSort::Cheapest => kept::ListingSort::Cheapest,
        ListingSort::Largest => kept::ListingSort::Largest,
    };
    let after = match query.cursor.as_deref().map(str::parse::<ListingCursor>) {
        None => None,
        Some(Ok(cursor)) => Some(cursor),
        Some(Err(_)) => return Err(ErrorBody::new(ErrorCode::OutOfRange).with("field", "cursor")),
    };
    engine
        .store()
        .read(move |store| {
            let page = store.list_listings(&filter, sort, after, query.limit)?;
            let settings: Settings = store.setting(Settings::KEY)?.unwrap_or_default();
            let mut rows = Vec::with_capacity(page.rows.len());
            for listing in page.rows {
                let extras = store.listing_extras(&listing)?;
                let mut row = wire::listing_row(&listing, &extras);
                row.card.image = row.card.image.filter(|_| settings.photos);
                rows.push(row);
            }
            Ok(ListingPage {
                rows,
                next: page.next.map(|cursor| cursor.to_string()),
                total: store.count_listings(&filter)?,
                unread: store.unread_count()?,
            })
        })
        .await
        .map_err(store)
}

pub(super) async fn mark(engine: &Engine, mark: MarkListing) -> Result<(), ErrorBody> {
    let marks = kept::ListingMarks {
        read: mark.read,
        starred: mark.starred,
        hidden: mark.hidden,
        note: mark.note,
    };
    let id = ListingId(mark.id);
    engine.store().run(move |store| store.mark_listing(id, &marks)).await.map_err(store)?;
    engine.redraw().await;
    Ok(())
}

pub(super) async fn mark_all_read(engine: &Engine) -> Result<(), ErrorBody> {
    engine.store().run(|store| store.mark_all_read(None)).await.map_err(store)?;
    engine.redraw().await;
    Ok(())
}

#[expect(clippy::cast_precision_loss, reason = "prices and delays stay far below 2^53")]
pub(super) async fn insight(engine: &Engine, query: InsightQuery) -> Result<Insight, ErrorBody> {
    let zone =
        jiff::tz::TimeZone::get(&query.zone).unwrap_or_else(|_| jiff::tz::TimeZone::system());
    let id = search(query.search);
    let read = engine.store().read(move |store| store.insight(id, &zone)).await.map_err(store)?;
    Ok(Insight {
        search: query.search,
        since: read.since.map(|at| at.as_millisecond()),
        by_hour: read.by_hour.iter().map(|day| day.to_vec()).collect(),
        prices: read.monthly_cents.iter().map(|cents| *cents as f64 / 100.0).collect(),
        delays_s: read
            .delays
            .iter()
            .map(|delay| {
                let from = delay.unseen_at.unwrap_or(delay.found_at);
                delay.sent_at.duration_since(from).as_millis() as f64 / 1000.0
            })
            .collect(),
        new_total: read.new_total,
    })
}

/// The newest deliveries with their history.
pub(super) async fn deliveries(engine: &Engine) -> Result<Vec<DeliveryRow>, ErrorBody> {
    const MOST: u32 = 100;
    engine
        .store()
        .read(|store| {
            let rows = store.deliveries(MOST)?;
            let mut out = Vec::with_capacity(rows.len());
            for row in rows {
                let steps = store.delivery_steps(row.id)?;
                out.push(wire::delivery(&row, &steps));
            }
            Ok(out)
        })
        .await
        .map_err(store)
}

pub(super) async fn send_again(engine: &Engine, id: i64) -> Result<(), ErrorBody> {
    let now = engine.clock().now();
    let id = kept::OutboxId(id);
    engine.store().run(move |store| store.send_again(id, now)).await.map_err(store)?;
    engine.ring();
    engine.redraw().await;
    Ok(())
}
