//! Searches: limits, twins, edits, deletions.

use std::time::Duration;

use firstknock_listing::{Revision, SearchId};
use firstknock_store::{MAX_ENABLED, SearchWish, Store, StoreError};

use crate::street::{at, home, look, wish};

fn store() -> Store {
    Store::in_memory().expect("a store")
}

fn add(store: &mut Store, number: usize, enabled: bool) -> Result<SearchId, StoreError> {
    let address = format!("https://street.example/list?page={number}");
    store.add_search(&wish("A search", &address), enabled, at(0)).map(|search| search.id)
}

#[test]
fn the_sixteenth_enabled_search_is_refused_and_may_be_saved_paused() {
    let mut store = store();
    for number in 0..MAX_ENABLED {
        add(&mut store, number, true).expect("there is room");
    }
    assert!(matches!(add(&mut store, 15, true), Err(StoreError::TooManyEnabled { max: 15 })));
    assert_eq!(store.searches().expect("read").len(), 15, "nothing half-saved");
    let paused = add(&mut store, 15, false).expect("paused ones are not counted");
    assert!(matches!(store.set_enabled(paused, true), Err(StoreError::TooManyEnabled { .. })));
    let first = store.searches().expect("read")[0].id;
    store.set_enabled(first, false).expect("paused");
    store.set_enabled(paused, true).expect("there is room again");
}

#[test]
fn the_same_page_is_a_search_once_whatever_its_fragment() {
    let mut store = store();
    let first = add(&mut store, 1, true).expect("added");
    for twin in ["https://street.example/list?page=1", "https://street.example/list?page=1#top"] {
        match store.add_search(&wish("Twin", twin), true, at(1)) {
            Err(StoreError::Duplicate { id, name }) => {
                assert_eq!((id, name.as_str()), (first, "A search"));
            }
            other => panic!("{twin}: {other:?}"),
        }
    }
    store
        .add_search(&wish("Other", "https://street.example/list?page=1&x="), true, at(1))
        .expect("another query is another page");
}

#[test]
fn a_search_comes_back_byte_for_byte_as_it_was_given() {
    let mut store = store();
    let mut wish =
        wish("Zuid-Holland ≤ €1.000", "https://street.example/zoek?q=%C3%A9é&Token=AbC==");
    wish.criteria.exclude_words = vec!["anti-kraak".to_owned()];
    wish.quiet = Some(firstknock_store::QuietHours {
        from_minute: 1380,
        to_minute: 420,
        zone: "Europe/Amsterdam".to_owned(),
    });
    let id = store.add_search(&wish, true, at(0)).expect("added").id;
    let saved = store.search(id).expect("read").expect("there");
    assert_eq!(saved.wish, wish);
    assert_eq!(saved.wish.url.as_str(), "https://street.example/zoek?q=%C3%A9é&Token=AbC==");
}

#[test]
fn an_interval_outside_its_range_is_refused() {
    let mut store = store();
    for seconds in [0, 29, 86_401] {
        let wish = SearchWish {
            interval: Duration::from_secs(seconds),
            ..wish("X", "https://street.example/")
        };
        let refused = store.add_search(&wish, true, at(0));
        assert!(matches!(refused, Err(StoreError::OutOfRange { field: "interval_ms", .. })));
    }
}

#[test]
fn another_name_keeps_what_is_known_and_another_address_starts_a_new_baseline() {
    let mut store = store();
    let id = add(&mut store, 1, true).expect("added");
    look(&mut store, id, &[home(1, 900)], at(10));
    store.set_choice(id, Some(&serde_json::json!(2)), at(11)).expect("kept");

    let renamed = wish("Renamed", "https://street.example/list?page=1");
    let saved = store.edit_search(id, &renamed, at(20)).expect("edited");
    assert_eq!(saved.revision, Revision(1));
    assert_eq!(store.search_facts(id).expect("read").baseline_at, Some(at(10)));
    assert_eq!(look(&mut store, id, &[home(1, 900), home(2, 900)], at(30)).news.len(), 1);

    let moved = wish("Renamed", "https://street.example/list?page=9");
    store.edit_search(id, &moved, at(40)).expect("edited");
    assert_eq!(store.search_facts(id).expect("read").baseline_at, None);
    assert_eq!(store.source_notes(id).expect("read").choice, None);
    let all_new = [home(7, 900), home(8, 900)];
    assert_eq!(look(&mut store, id, &all_new, at(50)).news, [], "a new baseline");
}

#[test]
fn a_deleted_search_can_be_had_back_with_all_it_knew_until_the_purge() {
    let mut store = store();
    let id = add(&mut store, 1, true).expect("added");
    look(&mut store, id, &[home(1, 900)], at(10));
    store.delete_search(id, at(20)).expect("deleted");
    assert!(store.searches().expect("read").is_empty());
    assert!(matches!(store.delete_search(id, at(20)), Err(StoreError::NotFound)));

    let back = store.undelete_search(id).expect("undone");
    assert_eq!(back.wish.name, "A search");
    assert_eq!(look(&mut store, id, &[home(1, 900)], at(30)).news, []);

    store.delete_search(id, at(40)).expect("deleted");
    assert_eq!(store.purge(at(41)).expect("purged").searches, 0);
    assert_eq!(store.purge(at(2 * 3600 + 60)).expect("purged").searches, 1);
    assert!(matches!(store.undelete_search(id), Err(StoreError::NotFound)));
    assert_eq!(store.count_listings(&Default::default()).expect("read"), 1, "listings stay");
}

#[test]
fn a_deletion_that_is_undone_when_fifteen_are_enabled_comes_back_paused() {
    let mut store = store();
    let id = add(&mut store, 100, true).expect("added");
    store.delete_search(id, at(1)).expect("deleted");
    for number in 0..MAX_ENABLED {
        add(&mut store, number, true).expect("there is room");
    }
    assert!(!store.undelete_search(id).expect("undone").enabled);
}

#[test]
fn an_id_is_never_used_again() {
    let mut store = store();
    let first = add(&mut store, 1, true).expect("added");
    store.delete_search(first, at(1)).expect("deleted");
    store.purge(at(7200)).expect("purged");
    let second = add(&mut store, 1, true).expect("added");
    assert!(second > first, "mails name the first");
}

#[test]
fn the_order_is_the_users() {
    let mut store = store();
    let ids: Vec<_> = (0..4).map(|n| add(&mut store, n, true).expect("added")).collect();
    store.reorder_searches(&[ids[2], ids[0]]).expect("reordered");
    let order: Vec<_> = store.searches().expect("read").iter().map(|s| s.id).collect();
    assert_eq!(order, [ids[2], ids[0], ids[1], ids[3]]);
}
