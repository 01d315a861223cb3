//! What is told, to whom, and that it is told once.

use firstknock_listing::{KeyKind, Listing, ListingKey, SearchId};
use firstknock_policy::delivery::{Attempt, DeliveryState, Hold, Next};
use firstknock_store::{
    FindChange, ListingFilter, NewsKind, Notice, Post, PostKind, RELISTED_AFTER, Rendered, Store,
    rekey_pairs,
};
use serde_json::json;

use crate::street::{at, home, look, mail, prepare, wish};

pub(crate) fn store_with(searches: &[&str]) -> (Store, Vec<SearchId>) {
    let mut store = Store::in_memory().expect("a store");
    let ids = searches
        .iter()
        .map(|name| {
            let address = format!("https://street.example/{name}");
            store.add_search(&wish(name, &address), true, at(0)).expect("added").id
        })
        .collect();
    (store, ids)
}

pub(crate) fn finds(store: &Store) -> Vec<(FindChange, Vec<SearchId>)> {
    let mut rows = store.deliveries(100).expect("read");
    rows.reverse();
    rows.into_iter().flat_map(|row| row.finds).map(|f| (f.change, f.searches)).collect()
}

#[test]
fn a_listing_found_by_two_searches_is_one_alert_that_names_both() {
    let (mut store, ids) = store_with(&["city", "centre"]);
    for id in &ids {
        look(&mut store, *id, &[home(1, 900)], at(10));
    }
    let page = [home(2, 900), home(1, 900)];
    assert_eq!(look(&mut store, ids[1], &page, at(100)).news.len(), 1);
    assert_eq!(look(&mut store, ids[0], &page, at(101)).news.len(), 0);
    assert_eq!(finds(&store), [(FindChange::New, vec![ids[1], ids[0]])], "the finder first");
}

#[test]
fn an_alert_that_was_rendered_stays_as_it_is() {
    let (mut store, ids) = store_with(&["city", "centre"]);
    for id in &ids {
        look(&mut store, *id, &[], at(10));
    }
    let row = look(&mut store, ids[0], &[home(2, 900)], at(100)).outbox[0];
    let rendered = Rendered {
        message_id: "<1@firstknock>".to_owned(),
        subject: "Home 2".to_owned(),
        message: b"bytes".to_vec(),
    };
    store.begin_sending(row, Some(&rendered), at(101)).expect("sending");
    look(&mut store, ids[1], &[home(2, 900)], at(102));
    assert_eq!(finds(&store), [(FindChange::New, vec![ids[0]])]);
}

#[test]
fn what_a_muted_search_found_is_told_by_the_other_one() {
    let (mut store, ids) = store_with(&["city", "centre"]);
    for id in &ids {
        look(&mut store, *id, &[], at(10));
    }
    // As the engine does it: a muted search has news, but no messages.
    let mut commit = prepare(&mut store, ids[0], &[home(2, 900)], at(100));
    commit.page.as_mut().expect("a page").posts = Vec::new();
    store.commit_check(&commit, at(100)).expect("committed");
    assert_eq!(finds(&store), []);
    assert_eq!(store.unread_count().expect("read"), 1, "but the app shows it");
    look(&mut store, ids[1], &[home(2, 900)], at(101));
    assert_eq!(finds(&store), [(FindChange::New, vec![ids[1]])]);
}

#[test]
fn what_a_baseline_showed_is_no_news_to_another_search() {
    let (mut store, ids) = store_with(&["city", "centre"]);
    look(&mut store, ids[0], &[home(1, 900)], at(10));
    look(&mut store, ids[1], &[], at(11));
    look(&mut store, ids[1], &[home(1, 900)], at(100));
    assert_eq!(finds(&store), []);
}

#[test]
fn a_page_that_flickers_alerts_once_per_listing() {
    let (mut store, ids) = store_with(&["city"]);
    let pages = [[home(1, 900), home(2, 900)], [home(3, 900), home(4, 900)]];
    look(&mut store, ids[0], &pages[0], at(0));
    for turn in 1..20 {
        look(&mut store, ids[0], &pages[turn % 2], at(90 * turn as i64));
    }
    assert_eq!(finds(&store).len(), 2, "3 and 4, once each");
}

#[test]
fn one_that_comes_back_after_a_day_is_relisted_with_its_old_price_and_date() {
    let (mut store, ids) = store_with(&["city"]);
    look(&mut store, ids[0], &[home(1, 900), home(2, 900)], at(0));
    let gone = look(&mut store, ids[0], &[home(2, 900)], at(90)).gone;
    assert_eq!(gone.len(), 1);
    let later = RELISTED_AFTER.as_secs() as i64 + 100;
    let back = look(&mut store, ids[0], &[home(2, 900), home(1, 850)], at(later));
    assert_eq!(back.news, [(gone[0], NewsKind::Relisted)]);
    let find = store.deliveries(1).expect("read").remove(0).finds.remove(0);
    assert_eq!(find.was.map(|was| was.cents), Some(90_000));
    assert_eq!(find.was_at, Some(at(0)));
}

#[test]
fn a_listing_is_gone_only_when_no_search_has_it() {
    let (mut store, ids) = store_with(&["city", "centre"]);
    for id in &ids {
        look(&mut store, *id, &[home(1, 900)], at(0));
    }
    assert_eq!(look(&mut store, ids[0], &[], at(90)).gone.len(), 0);
    assert_eq!(look(&mut store, ids[1], &[], at(91)).gone.len(), 1);
}

#[test]
fn one_that_was_pushed_off_the_pages_end_is_not_gone() {
    let (mut store, ids) = store_with(&["city"]);
    let page: Vec<_> = (1..=5).map(|n| home(n, 900)).collect();
    look(&mut store, ids[0], &page, at(0));
    // Two came in at the top, two fell off at the end, and number 2 left from the middle.
    let next = [home(7, 900), home(6, 900), home(1, 900), home(3, 900), home(9, 900)];
    let mut commit = prepare(&mut store, ids[0], &next, at(90));
    commit.page.as_mut().expect("a page").complete = false;
    let gone = store.commit_check(&commit, at(90)).expect("committed").gone;
    let titles: Vec<_> = gone
        .iter()
        .map(|id| store.listing(*id).expect("read").expect("there").listing.title)
        .collect();
    assert_eq!(titles, [Some("Home 2".to_owned())]);
}

#[test]
fn an_old_one_that_moved_up_from_page_two_is_shown_but_not_mailed() {
    let (mut store, ids) = store_with(&["city"]);
    look(&mut store, ids[0], &[home(90, 900), home(80, 900), home(70, 900)], at(0));
    let next = [home(99, 900), home(90, 900), home(70, 900), home(60, 900)];
    let mut commit = prepare(&mut store, ids[0], &next, at(90));
    commit.page.as_mut().expect("a page").complete = false;
    let done = store.commit_check(&commit, at(90)).expect("committed");
    assert_eq!(done.news.len(), 2, "80 left: 99 is new, 60 moved up");
    let row = store.deliveries(9).expect("read").remove(0);
    let told: Vec<_> = row.finds.iter().map(|find| Some(find.listing)).collect();
    assert_eq!(told, [done.ids[0]], "only 99 is mailed");
    assert_eq!(store.unread_count().expect("read"), 2);
}

#[test]
fn a_missing_price_keeps_the_old_one_and_is_no_news() {
    let (mut store, ids) = store_with(&["city"]);
    look(&mut store, ids[0], &[home(1, 900)], at(0));
    let bare = Listing { price: None, title: None, ..home(1, 900) };
    assert_eq!(look(&mut store, ids[0], &[bare], at(90)).news, []);
    let list = store.list_listings(&ListingFilter::default(), Default::default(), None, 10);
    let kept = list.expect("read").rows.remove(0).listing;
    assert_eq!(kept.price, home(1, 900).price);
    assert_eq!(kept.title, home(1, 900).title);
}

#[test]
fn two_listings_that_turn_out_to_be_one_keep_the_older_id_the_star_and_all_keys() {
    let (mut store, ids) = store_with(&["city"]);
    let by_link = Listing { keys: home(1, 900).keys[1..].to_vec(), ..home(1, 900) };
    let by_id = Listing { keys: home(1, 900).keys[..1].to_vec(), ..home(1, 900) };
    let first = look(&mut store, ids[0], &[by_link], at(0)).ids[0].expect("kept");
    let second = look(&mut store, ids[0], &[by_id], at(90)).ids[0].expect("kept");
    assert_ne!(first, second);
    let star = firstknock_store::ListingMarks { starred: Some(true), ..Default::default() };
    store.mark_listing(second, &star).expect("starred");

    let both = look(&mut store, ids[0], &[home(1, 900)], at(180));
    assert_eq!(both.merged, [(second, first)]);
    assert_eq!(both.ids, [Some(first)]);
    assert_eq!(both.news, []);
    assert_eq!(store.listing(second).expect("read"), None);
    let kept = store.listing(first).expect("read").expect("there");
    assert!(kept.starred);
    assert_eq!(kept.listing.keys, home(1, 900).keys);
    let finds = store.deliveries(10).expect("read").remove(0).finds;
    assert_eq!(finds[0].listing, first, "the alert that is waiting speaks of the one that stayed");
}

#[test]
fn a_site_that_changes_all_its_keys_is_followed_without_a_word() {
    let (mut store, ids) = store_with(&["city"]);
    let old: Vec<_> = (1..=4).map(|n| home(n, 900 + i64::from(n))).collect();
    let known = look(&mut store, ids[0], &old, at(0)).ids;
    let new: Vec<_> = old
        .iter()
        .map(|listing| {
            let keys = vec![ListingKey::new(KeyKind::Attr, listing.title.as_deref().expect("one"))];
            Listing { keys, url: format!("{}?v2", listing.url), ..listing.clone() }
        })
        .collect();
    let pairs = rekey_pairs(&store.listings_here(ids[0]).expect("read"), &new);
    assert_eq!(pairs.len(), 4);
    let mut commit = prepare(&mut store, ids[0], &new, at(90));
    let page = commit.page.as_mut().expect("a page");
    page.rekeyed = pairs;
    let done = store.commit_check(&commit, at(90)).expect("committed");
    assert_eq!(done.ids, known, "the same listings as before");
    assert_eq!(done.news, []);
    assert_eq!(done.gone, []);
    assert_eq!(finds(&store), []);
    assert_eq!(look(&mut store, ids[0], &new, at(180)).news, []);
}

#[test]
fn homes_that_look_alike_are_not_paired() {
    let (mut store, ids) = store_with(&["city"]);
    let twin = |n| Listing { title: Some("Studio".to_owned()), ..home(n, 900) };
    look(&mut store, ids[0], &[twin(1), twin(2), home(3, 900)], at(0));
    let here = store.listings_here(ids[0]).expect("read");
    let pairs = rekey_pairs(&here, &[twin(11), twin(12), home(3, 900)]);
    assert_eq!(pairs, [(here[2].id, 2)]);
}

#[test]
fn a_digest_collects_until_it_is_rendered() {
    let (mut store, ids) = store_with(&["city"]);
    look(&mut store, ids[0], &[], at(0));
    for (n, time) in [(1, 90), (2, 180)] {
        let mut commit = prepare(&mut store, ids[0], &[home(1, 900), home(n, 900)], at(time));
        let mut digest = mail();
        (digest.kind, digest.join, digest.not_before) = (PostKind::Digest, true, Some(at(1000)));
        commit.page.as_mut().expect("a page").posts = vec![digest];
        store.commit_check(&commit, at(time)).expect("committed");
    }
    assert!(store.due("mail", at(500), 10).expect("read").is_empty(), "not before its time");
    assert_eq!(store.next_delivery("mail").expect("read"), Some(at(1000)));
    let due = store.due("mail", at(1000), 10).expect("read");
    assert_eq!(due.len(), 1);
    assert_eq!(due[0].finds.len(), 2);
}

#[test]
fn a_digest_keeps_its_time_when_its_account_was_held_and_works_again() {
    let refused = Attempt::AccountHeld { hold: Hold::Auth, reply: "535 5.7.8 no".to_owned() };
    let full = Attempt::AccountHeld { hold: Hold::DailyLimit, reply: "550 5.4.5".to_owned() };
    let auth = Next::Held { hold: Hold::Auth, until: None };
    let limit = Next::Held { hold: Hold::DailyLimit, until: Some(at(5000)) };
    for (attempt, held) in [(refused, auth), (full, limit)] {
        let (mut store, ids) = store_with(&["city"]);
        look(&mut store, ids[0], &[], at(0));
        let first = store.post("mail", PostKind::Notice, None, None, at(1)).expect("posted");
        let bytes = Rendered { message_id: "<1@f>".into(), subject: "1".into(), message: vec![1] };
        store.begin_sending(first, Some(&bytes), at(2)).expect("sending");
        store.end_sending(first, &attempt, &held, at(3)).expect("kept");
        let mut commit = prepare(&mut store, ids[0], &[home(1, 900)], at(90));
        let evening =
            Post { kind: PostKind::Digest, join: true, not_before: Some(at(1000)), ..mail() };
        commit.page.as_mut().expect("a page").posts = vec![evening];
        let digest = store.commit_check(&commit, at(90)).expect("committed").outbox[0];
        assert!(store.due("mail", at(1000), 9).expect("read").is_empty(), "it is held");
        store.release_held("mail", at(500)).expect("released");
        let due = |now| -> Vec<_> {
            store.due("mail", at(now), 9).expect("read").iter().map(|row| row.id).collect()
        };
        assert_eq!(due(999), [first], "{held:?}");
        assert_eq!(due(1000), [first, digest], "{held:?}");
    }
}

#[test]
fn a_find_that_waits_for_the_morning_goes_out_when_another_search_may_speak() {
    let (mut store, ids) = store_with(&["quiet", "awake"]);
    for id in &ids {
        look(&mut store, *id, &[], at(0));
    }
    let page = [home(1, 900), home(2, 900)];
    let mut commit = prepare(&mut store, ids[0], &page, at(90));
    let morning = Post { kind: PostKind::Digest, join: true, not_before: Some(at(9000)), ..mail() };
    commit.page.as_mut().expect("a page").posts = vec![morning];
    store.commit_check(&commit, at(90)).expect("committed");
    assert!(store.due("mail", at(100), 9).expect("read").is_empty());

    look(&mut store, ids[1], &page[..1], at(180));
    let due = store.due("mail", at(180), 9).expect("read");
    assert_eq!(due.len(), 1);
    assert_eq!(due[0].kind, PostKind::Alert);
    assert_eq!(due[0].finds.len(), 1);
    assert_eq!(due[0].finds[0].searches, [ids[1], ids[0]], "it names both");
    look(&mut store, ids[1], &page, at(270));
    let rows = store.deliveries(9).expect("read");
    assert_eq!(rows.len(), 2, "nothing is left to wait for the morning");
    assert!(rows.iter().all(|row| row.kind == PostKind::Alert));
}

#[test]
fn a_message_that_more_is_added_to_waits_no_longer_than_what_is_added() {
    let (mut store, ids) = store_with(&["city"]);
    look(&mut store, ids[0], &[], at(0));
    let page = [home(1, 900), home(2, 900)];
    for (shown, now, not_before, due) in
        [(&page[..1], 90, 9000, 9000), (&page, 180, 5000, 5000), (&page, 270, 8000, 5000)]
    {
        let mut commit = prepare(&mut store, ids[0], shown, at(now));
        let later =
            Post { kind: PostKind::Digest, join: true, not_before: Some(at(not_before)), ..mail() };
        commit.page.as_mut().expect("a page").posts = vec![later];
        store.commit_check(&commit, at(now)).expect("committed");
        let rows = store.deliveries(9).expect("read");
        assert_eq!(rows.iter().map(|row| row.next_at).collect::<Vec<_>>(), [Some(at(due))]);
    }
}

#[test]
fn waiting_alerts_fold_into_one_digest_that_tells_all_of_it() {
    let (mut store, ids) = store_with(&["city", "centre"]);
    for id in &ids {
        look(&mut store, *id, &[], at(0));
    }
    let first = look(&mut store, ids[0], &[home(1, 900)], at(90)).outbox[0];
    let second = look(&mut store, ids[1], &[home(1, 900), home(2, 900)], at(180)).outbox[0];
    let one = store.fold_into_digest("mail", &[first, first], None, None, at(200));
    assert_eq!(one.expect("looked"), None, "one message is no digest");
    let third = look(&mut store, ids[0], &[home(1, 900), home(3, 900)], at(270)).outbox[0];
    let all = [first, second, third];
    let digest = store.fold_into_digest("mail", &all, None, None, at(300)).expect("folded");
    let rows = store.deliveries(9).expect("read");
    assert_eq!(rows.len(), 1);
    assert_eq!((Some(rows[0].id), rows[0].kind), (digest, PostKind::Digest));
    assert_eq!(rows[0].created_at, at(90), "the two days count from the first finding");
    assert_eq!(rows[0].finds.len(), 3);
    let of_two: Vec<_> = rows[0].finds.iter().filter(|find| find.searches.len() == 2).collect();
    assert_eq!(of_two.len(), 1, "home 1 still names both searches");
}

#[test]
fn a_blind_search_is_told_once_and_its_recovery_once() {
    let (mut store, ids) = store_with(&["city"]);
    let notice = |kind| Notice {
        channel: "mail".to_owned(),
        kind,
        not_before: None,
        payload: json!({"hours": 6}),
    };
    let mut commit = prepare(&mut store, ids[0], &[], at(100));
    commit.page = None;
    commit.result = crate::street::refused();
    commit.notices = vec![notice(PostKind::Blind)];
    store.commit_check(&commit, at(100)).expect("committed");
    assert_eq!(store.search_facts(ids[0]).expect("read").blind_told_at, Some(at(100)));
    let mut commit = prepare(&mut store, ids[0], &[home(1, 900)], at(200));
    commit.notices = vec![notice(PostKind::Recovered)];
    store.commit_check(&commit, at(200)).expect("committed");
    let facts = store.search_facts(ids[0]).expect("read");
    assert_eq!((facts.blind_since, facts.blind_told_at), (None, None));
    let kinds: Vec<_> = store.deliveries(9).expect("read").iter().map(|row| row.kind).collect();
    assert_eq!(kinds, [PostKind::Recovered, PostKind::Blind]);
}

#[test]
fn what_is_there_now_is_sent_on_demand() {
    let (mut store, ids) = store_with(&["city"]);
    look(&mut store, ids[0], &[home(1, 900), home(2, 1500)], at(0));
    let channels = ["mail".to_owned(), "ntfy".to_owned()];
    let cheap = |it: &firstknock_store::StoredListing| {
        it.listing.price.as_ref().is_some_and(|price| price.cents < 100_000)
    };
    let posted = store.send_current(ids[0], &channels, cheap, at(10)).expect("posted");
    assert_eq!(posted.len(), 2);
    let row = store.delivery(posted[0]).expect("read").expect("there");
    assert_eq!((row.kind, row.state), (PostKind::ThereNow, DeliveryState::Pending));
    assert_eq!(row.finds.len(), 1);
    let none = store.send_current(ids[0], &channels, |_| false, at(10)).expect("posted");
    assert_eq!(none, [], "nothing is no message");
}
