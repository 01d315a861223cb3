//! What one look writes, and what it does not.

use crate::street::{at, home, look, prepare, refused, wish};
use firstknock_store::{CheckMark, NewsKind, Store};

fn store_with_search() -> (Store, firstknock_listing::SearchId) {
    let mut store = Store::in_memory().expect("a store");
    let search = store.add_search(&wish("Delft", "https://street.example/a"), true, at(0));
    (store, search.expect("added").id)
}

#[test]
fn the_first_page_is_a_baseline_and_the_next_one_has_news() {
    let (mut store, search) = store_with_search();
    let first = look(&mut store, search, &[home(1, 900), home(2, 1000)], at(10));
    assert_eq!(first.news, [], "a baseline is no news");
    assert_eq!(store.deliveries(10).expect("read").len(), 0);

    let page = [home(3, 1100), home(1, 850), home(2, 1000)];
    let second = look(&mut store, search, &page, at(100));
    let kinds: Vec<_> = second.news.iter().map(|(_, kind)| *kind).collect();
    assert_eq!(kinds, [NewsKind::New, NewsKind::PriceDrop]);
    let rows = store.deliveries(10).expect("read");
    assert_eq!(rows.len(), 1, "one message for one check");
    assert_eq!(rows[0].finds.len(), 2);
    assert_eq!(rows[0].finds[1].was.as_ref().map(|was| was.cents), Some(90_000));
    assert_eq!(
        store.check_marks(search, 40).expect("read"),
        [CheckMark::Answered, CheckMark::News]
    );
}

#[test]
fn a_report_for_an_edited_search_writes_no_listings_but_closes_its_check() {
    let (mut store, search) = store_with_search();
    look(&mut store, search, &[home(1, 900)], at(10));
    let commit = prepare(&mut store, search, &[home(1, 900), home(2, 900)], at(100));
    store
        .edit_search(search, &wish("Delft centre", "https://street.example/a"), at(101))
        .expect("edited");
    let done = store.commit_check(&commit, at(102)).expect("committed");
    assert!(done.stale);
    assert_eq!(store.deliveries(10).expect("read").len(), 0);
    assert!(store.checks(Some(search), 1).expect("read")[0].finished_at.is_some());
    let next = look(&mut store, search, &[home(1, 900), home(2, 900)], at(200));
    assert_eq!(next.news.len(), 1, "what the stale report saw is still news");
}

#[test]
fn a_wall_touches_nothing_that_is_known() {
    let (mut store, search) = store_with_search();
    look(&mut store, search, &[home(1, 900)], at(10));
    let mut commit = prepare(&mut store, search, &[], at(100));
    commit.page = None;
    commit.result = refused();
    store.commit_check(&commit, at(101)).expect("committed");
    let facts = store.search_facts(search).expect("read");
    assert_eq!(facts.last_answer_at, Some(at(10)));
    assert_eq!(facts.last_listings, Some(1));
    assert_eq!(facts.blind_since, Some(at(101)));
    assert_eq!(look(&mut store, search, &[home(1, 900)], at(200)).news, []);
    assert_eq!(store.search_facts(search).expect("read").blind_since, None);
}
