//! Numbers to look at.

use firstknock_policy::delivery::{Attempt, Next};
use firstknock_store::{Delay, Rendered, Store};
use jiff::Timestamp;
use jiff::tz::TimeZone;

use crate::street::{home, look, wish};

fn time(text: &str) -> Timestamp {
    text.parse().expect("a time")
}

#[test]
fn new_listings_fall_into_the_hours_of_the_zone_with_its_summer_time() {
    let mut store = Store::in_memory().expect("a store");
    let start = time("2026-03-01T00:00:00Z");
    let search = store.add_search(&wish("Delft", "https://street.example/a"), true, start);
    let search = search.expect("added").id;
    look(&mut store, search, &[home(1, 900)], start);
    // Both a Sunday at 12:30 in Amsterdam, before and after the clocks changed.
    look(&mut store, search, &[home(1, 900), home(2, 900)], time("2026-03-22T11:30:00Z"));
    look(&mut store, search, &[home(1, 900), home(3, 700)], time("2026-03-29T10:30:00Z"));
    let zone = TimeZone::get("Europe/Amsterdam").expect("a zone");
    let insight = store.insight(search, &zone).expect("read");
    assert_eq!(insight.since, Some(start));
    assert_eq!(insight.new_total, 2, "the baseline is not counted");
    assert_eq!(insight.by_hour[6][12], 2);
    assert_eq!(insight.by_hour.iter().flatten().sum::<u32>(), 2);
    assert_eq!(insight.monthly_cents, [70_000, 90_000, 90_000]);
    let utc = store.insight(search, &TimeZone::UTC).expect("read");
    assert_eq!((utc.by_hour[6][11], utc.by_hour[6][10]), (1, 1));
}

#[test]
fn the_delay_runs_from_the_last_look_without_it_to_the_servers_yes() {
    let mut store = Store::in_memory().expect("a store");
    let seen = |n: i64| crate::street::at(n);
    let search = store.add_search(&wish("Delft", "https://street.example/a"), true, seen(0));
    let search = search.expect("added").id;
    look(&mut store, search, &[home(1, 900)], seen(10));
    let row = look(&mut store, search, &[home(1, 900), home(2, 900)], seen(100)).outbox[0];
    let rendered =
        Rendered { message_id: "<m>".into(), subject: "s".into(), message: b"m".to_vec() };
    store.begin_sending(row, Some(&rendered), seen(101)).expect("sending");
    let sent = Attempt::Sent { reply: "250".to_owned() };
    store.end_sending(row, &sent, &Next::Sent, seen(103)).expect("kept");
    let delay = Delay { unseen_at: Some(seen(10)), found_at: seen(100), sent_at: seen(103) };
    assert_eq!(store.insight(search, &TimeZone::UTC).expect("read").delays, [delay]);
    assert_eq!(store.last_sent().expect("read"), Some(seen(103)));
}

#[test]
fn a_long_price_list_is_thinned_and_keeps_both_ends() {
    let mut store = Store::in_memory().expect("a store");
    let search =
        store.add_search(&wish("Delft", "https://street.example/a"), true, crate::street::at(0));
    let search = search.expect("added").id;
    let page: Vec<_> = (0..1200).map(|n| home(n, i64::from(n))).collect();
    look(&mut store, search, &page, crate::street::at(1));
    let prices = store.insight(search, &TimeZone::UTC).expect("read").monthly_cents;
    assert_eq!(prices.len(), 500);
    assert_eq!((prices[0], prices[499]), (0, 119_900));
    assert!(prices.is_sorted());
}
