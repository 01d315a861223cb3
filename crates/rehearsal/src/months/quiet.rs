//! Watches that nothing goes out in the quiet hours of everybody whom it is for.

use firstknock_listing::SearchId;
use firstknock_store::{OutboxRow, PostKind, QuietHours, Store};
use jiff::Timestamp;
use jiff::tz::TimeZone;

use super::rule::{Broken, Rule};
use super::time::Time;

/// A message goes out now: each of its listings has a search that may be heard.
///
/// # Errors
/// [`Rule::QuietHours`].
pub(super) fn watch(row: &OutboxRow, store: &Store, time: &Time) -> Result<(), Broken> {
    if row.kind == PostKind::ThereNow {
        return Ok(());
    }
    let now = time.now();
    let silent = |id: &SearchId| {
        let search = store.search(*id).ok().flatten();
        search.and_then(|it| it.wish.quiet).is_some_and(|hours| holds(&hours, now))
    };
    let about = row.search.iter().filter(|_| row.finds.is_empty()).map(std::slice::from_ref);
    let mut listings = row.finds.iter().map(|find| find.searches.as_slice()).chain(about);
    if listings.any(|searches| !searches.is_empty() && searches.iter().all(silent)) {
        let words = format!("at {now}: {row:?}");
        return Err(Broken { rule: Rule::QuietHours, after: time.lived, words });
    }
    Ok(())
}

fn holds(hours: &QuietHours, now: Timestamp) -> bool {
    let zone = TimeZone::get(&hours.zone).expect("BUG: a zone of this world");
    let clock = now.to_zoned_datetime(zone).time();
    let minute = i32::from(clock.hour()) * 60 + i32::from(clock.minute());
    let (from, to) = (i32::from(hours.from_minute), i32::from(hours.to_minute));
    if from < to { (from..to).contains(&minute) } else { minute >= from || minute < to }
}
