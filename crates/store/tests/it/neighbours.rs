//! What one search sees first is its neighbours' news as well, and is told once.

use firstknock_listing::{Listing, SearchId};
use firstknock_store::{FindChange, RELISTED_AFTER, Store};

use crate::alerts::{finds, store_with};
use crate::street::{at, home, look, prepare};

/// A look of a search that is told nothing of what it finds.
fn look_in_silence(store: &mut Store, search: SearchId, page: &[Listing], seconds: i64) {
    let mut commit = prepare(store, search, page, at(seconds));
    commit.page.as_mut().expect("a page").news.iter_mut().for_each(|news| news.tell = false);
    store.commit_check(&commit, at(seconds)).expect("committed");
}

#[test]
fn a_drop_that_another_search_saw_first_is_told_once_by_those_that_want_it() {
    let (mut store, ids) = store_with(&["silent", "city", "centre"]);
    for id in &ids {
        look(&mut store, *id, &[home(1, 900)], at(0));
    }
    look_in_silence(&mut store, ids[0], &[home(1, 850)], 90);
    look_in_silence(&mut store, ids[0], &[home(1, 800)], 180);
    assert_eq!(finds(&store), []);
    store.mark_all_read(None).expect("marked");
    let told = look(&mut store, ids[1], &[home(1, 800)], at(190));
    assert_eq!(told.news.len(), 1);
    assert_eq!(look(&mut store, ids[2], &[home(1, 800)], at(200)).news.len(), 0);
    assert_eq!(finds(&store), [(FindChange::PriceDrop, vec![ids[1], ids[2]])], "both are named");
    let find = store.deliveries(1).expect("read").remove(0).finds.remove(0);
    assert_eq!(find.was.map(|was| was.cents), Some(90_000), "what both last heard of");
    for (n, id) in ids.iter().enumerate() {
        look(&mut store, *id, &[home(1, 800)], at(300 + n as i64));
    }
    assert_eq!(finds(&store).len(), 1, "once");
    // The next drop is another one.
    look(&mut store, ids[1], &[home(1, 750)], at(400));
    assert_eq!(finds(&store).len(), 2);
}

#[test]
fn a_drop_that_was_taken_back_before_it_was_told_is_none() {
    let (mut store, ids) = store_with(&["silent", "city"]);
    for id in &ids {
        look(&mut store, *id, &[home(1, 900)], at(0));
    }
    look_in_silence(&mut store, ids[0], &[home(1, 850)], 90);
    look_in_silence(&mut store, ids[0], &[home(1, 900)], 180);
    look(&mut store, ids[1], &[home(1, 900)], at(190));
    assert_eq!(finds(&store), []);
    // Told and taken back, the same price is a drop again.
    for (price, seconds) in [(850, 300), (900, 400), (850, 500)] {
        look(&mut store, ids[1], &[home(1, price)], at(seconds));
    }
    let drops = finds(&store).into_iter().filter(|(change, _)| *change == FindChange::PriceDrop);
    assert_eq!(drops.count(), 2);
}

#[test]
fn what_a_new_searchs_baseline_shows_cheaper_is_still_a_drop_to_the_others() {
    let (mut store, ids) = store_with(&["city", "later"]);
    look(&mut store, ids[0], &[home(1, 900)], at(0));
    look(&mut store, ids[1], &[home(1, 850)], at(90));
    assert_eq!(finds(&store), [], "a baseline says nothing");
    look(&mut store, ids[0], &[home(1, 850)], at(100));
    assert_eq!(finds(&store), [(FindChange::PriceDrop, vec![ids[0]])]);
    look(&mut store, ids[1], &[home(1, 850)], at(190));
    assert_eq!(finds(&store).len(), 1, "its own baseline had that price");
}

#[test]
fn one_that_came_back_on_another_searchs_page_first_is_relisted_to_those_that_want_it() {
    let (mut store, ids) = store_with(&["silent", "city"]);
    for id in &ids {
        look(&mut store, *id, &[home(1, 900), home(2, 900)], at(0));
    }
    for id in &ids {
        look(&mut store, *id, &[home(2, 900)], at(90));
    }
    let later = RELISTED_AFTER.as_secs() as i64 + 100;
    look_in_silence(&mut store, ids[0], &[home(2, 900), home(1, 850)], later);
    assert_eq!(finds(&store), []);
    look(&mut store, ids[1], &[home(2, 900), home(1, 850)], at(later + 10));
    assert_eq!(finds(&store), [(FindChange::Relisted, vec![ids[1]])]);
    let find = store.deliveries(1).expect("read").remove(0).finds.remove(0);
    assert_eq!(find.was.map(|was| was.cents), Some(90_000));
    assert_eq!(find.was_at, Some(at(0)));
    look(&mut store, ids[1], &[home(2, 900), home(1, 850)], at(later + 100));
    assert_eq!(finds(&store).len(), 1, "once");
}
