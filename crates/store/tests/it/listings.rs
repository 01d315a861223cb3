//! Lists: filters, orders, pages, and that each order follows an index.

use firstknock_listing::{Area, Listing, ListingId, PostalAddress, Rooms, SearchId};
use firstknock_store::{
    ListingCursor, ListingFilter, ListingMarks, ListingOnly, ListingSort, Store, StoreError,
};

use crate::street::{at, home, look, wish};

const SORTS: [ListingSort; 6] = [
    ListingSort::Newest,
    ListingSort::Oldest,
    ListingSort::Cheapest,
    ListingSort::Dearest,
    ListingSort::Largest,
    ListingSort::LatestNews,
];

fn flat(number: u32) -> Listing {
    let mut flat = home(number, 600 + i64::from(number * 37 % 900));
    if number.is_multiple_of(7) {
        flat.price = None;
    }
    flat.size =
        (!number.is_multiple_of(5)).then(|| Area::from_hundredths(2000 + number * 13 % 9000 * 10));
    flat.rooms = Some(Rooms::from_tenths(10 + (number % 4 * 10) as u16));
    flat.title = Some(format!("Möbliertes Zimmer Nr. {number}"));
    flat.address = Some(PostalAddress {
        raw: format!("Café-Straße {number}, Köln"),
        street: Some(format!("Café-Straße {number}")),
        city: Some("Köln".to_owned()),
        postcode: None,
    });
    flat
}

fn filled(listings: u32) -> (Store, SearchId) {
    let mut store = Store::in_memory().expect("a store");
    let search = store.add_search(&wish("Köln", "https://street.example/a"), true, at(0));
    let search = search.expect("added").id;
    look(&mut store, search, &[], at(1));
    let page: Vec<_> = (1..=listings).map(flat).collect();
    look(&mut store, search, &page, at(2));
    (store, search)
}

fn all(store: &Store, filter: &ListingFilter, sort: ListingSort, step: u32) -> Vec<ListingId> {
    let mut ids = Vec::new();
    let mut after = None;
    loop {
        let page = store.list_listings(filter, sort, after, step).expect("read");
        ids.extend(page.rows.iter().map(|row| row.id));
        match page.next {
            // Through text and back, as it travels.
            Some(next) => after = Some(next.to_string().parse::<ListingCursor>().expect("ours")),
            None => return ids,
        }
    }
}

#[test]
fn every_order_gives_every_listing_once_whatever_the_page_size() {
    let (store, search) = filled(97);
    for sort in SORTS {
        for filter in
            [ListingFilter::default(), ListingFilter { search: Some(search), ..Default::default() }]
        {
            let at_once = all(&store, &filter, sort, 200);
            assert_eq!(at_once.len(), 97);
            for step in [1, 7, 50, 97] {
                assert_eq!(all(&store, &filter, sort, step), at_once, "{sort:?} by {step}");
            }
            let mut distinct = at_once.clone();
            distinct.sort();
            distinct.dedup();
            assert_eq!(distinct.len(), 97, "{sort:?}");
        }
    }
}

#[test]
fn prices_are_in_order_and_what_has_none_comes_last() {
    let (store, _) = filled(60);
    for (sort, cheapest_first) in [(ListingSort::Cheapest, true), (ListingSort::Dearest, false)] {
        let rows =
            store.list_listings(&ListingFilter::default(), sort, None, 200).expect("read").rows;
        let prices: Vec<_> =
            rows.iter().map(|r| r.listing.price.as_ref().map(|p| p.cents)).collect();
        let known: Vec<_> = prices.iter().flatten().copied().collect();
        let mut sorted = known.clone();
        sorted.sort_unstable();
        if !cheapest_first {
            sorted.reverse();
        }
        assert_eq!(known, sorted);
        assert!(prices[known.len()..].iter().all(Option::is_none));
        assert_eq!(known.len(), 52);
    }
}

#[test]
fn words_are_found_without_case_and_accents_and_all_of_them_must_be_there() {
    let (store, _) = filled(30);
    for (text, count) in [
        ("mobliert", 30),
        ("MÖBLIERTES koln", 30),
        ("cafe-strasse 12", 1),
        ("koln berlin", 0),
        ("   ", 30),
        ("%", 30),
        ("_", 30),
        ("strasse", 30),
        ("trasse", 30),
    ] {
        let filter = ListingFilter { text: text.to_owned(), ..Default::default() };
        assert_eq!(store.count_listings(&filter).expect("read"), count, "{text:?}");
    }
}

#[test]
fn words_are_not_found_in_what_is_hidden() {
    let (mut store, search) = filled(30);
    let hide = ListingMarks { hidden: Some(true), ..Default::default() };
    for id in [3, 4] {
        store.mark_listing(ListingId(id), &hide).expect("hidden");
    }
    for (only, search, count) in [
        (ListingOnly::All, None, 28),
        (ListingOnly::All, Some(search), 28),
        (ListingOnly::Hidden, None, 2),
        (ListingOnly::Unread, None, 28),
    ] {
        let filter = ListingFilter { text: "koln".to_owned(), only, search, ..Default::default() };
        assert_eq!(store.count_listings(&filter).expect("read"), count, "{only:?} {search:?}");
        assert_eq!(all(&store, &filter, ListingSort::Cheapest, 7).len(), count as usize);
    }
}

#[test]
fn bounds_and_states_filter() {
    let (mut store, search) = filled(40);
    let count = |store: &Store, filter: ListingFilter| store.count_listings(&filter).expect("read");
    let priced = ListingFilter { min_cents: Some(0), ..Default::default() };
    assert_eq!(count(&store, priced), 35);
    let large = ListingFilter { min_rooms: Some(Rooms::from_tenths(40)), ..Default::default() };
    assert_eq!(count(&store, large), 10);
    let only = |only| ListingFilter { only, ..Default::default() };
    assert_eq!(count(&store, only(ListingOnly::Unread)), 40);

    let id = ListingId(3);
    let marks = ListingMarks {
        read: Some(true),
        starred: Some(true),
        note: Some("  viewing on Friday ".to_owned()),
        hidden: None,
    };
    store.mark_listing(id, &marks).expect("marked");
    let stored = store.listing(id).expect("read").expect("there");
    assert_eq!(stored.note.as_deref(), Some("viewing on Friday"));
    assert_eq!(count(&store, only(ListingOnly::Starred)), 1);
    assert_eq!(count(&store, only(ListingOnly::Unread)), 39);

    let hide = ListingMarks { hidden: Some(true), note: Some(String::new()), ..Default::default() };
    store.mark_listing(id, &hide).expect("hidden");
    assert_eq!(store.listing(id).expect("read").expect("there").note, None);
    assert_eq!(count(&store, only(ListingOnly::All)), 39);
    assert_eq!(count(&store, only(ListingOnly::Hidden)), 1);

    look(&mut store, search, &[flat(1)], at(100));
    assert_eq!(count(&store, only(ListingOnly::Gone)), 38, "39 are gone, one of them hidden");
    assert_eq!(count(&store, only(ListingOnly::Here)), 1);
    assert_eq!(store.appeared_and_gone(None, at(50), at(200)).expect("read"), (0, 39));
    assert_eq!(store.mark_all_read(Some(search)).expect("marked"), 39);
    assert_eq!(store.unread_by_search().expect("read"), []);
    let missing = store.mark_listing(ListingId(999), &ListingMarks::default());
    assert!(matches!(missing, Err(StoreError::NotFound)));
}

#[test]
fn every_order_follows_an_index_and_sorts_nothing() {
    let (store, search) = filled(3);
    for sort in SORTS {
        for only in [
            ListingOnly::All,
            ListingOnly::Here,
            ListingOnly::Unread,
            ListingOnly::Starred,
            ListingOnly::Gone,
            ListingOnly::Hidden,
        ] {
            for search in [None, Some(search)] {
                let filter = ListingFilter { search, only, ..Default::default() };
                let plan = store.explain_list(&filter, sort).expect("explained");
                assert!(!plan.contains("TEMP B-TREE"), "{sort:?} {only:?} {search:?}:\n{plan}");
                let first = plan.lines().next().expect("a plan");
                assert!(
                    first.contains("SEARCH") || first.contains("USING INDEX"),
                    "{sort:?} {only:?} {search:?}:\n{plan}"
                );
                let text = "koln".to_owned();
                let plan = store.explain_list(&ListingFilter { text, ..filter }, sort);
                let plan = plan.expect("explained");
                assert!(!plan.contains("SCAN l\n"), "{sort:?} {only:?} {search:?}:\n{plan}");
                if matches!(sort, ListingSort::Newest | ListingSort::Oldest) {
                    let first = plan.lines().next().expect("a plan");
                    assert!(first.contains("VIRTUAL TABLE"), "{only:?} {search:?}:\n{plan}");
                    assert!(!plan.contains("TEMP B-TREE"), "{only:?} {search:?}:\n{plan}");
                }
            }
        }
    }
}

#[test]
fn the_price_steps_and_the_searches_stand_beside_a_listing() {
    let mut store = Store::in_memory().expect("a store");
    let ids: Vec<_> = ["a", "b"]
        .iter()
        .map(|name| {
            let wish = wish(name, &format!("https://street.example/{name}"));
            store.add_search(&wish, true, at(0)).expect("added").id
        })
        .collect();
    for (euros, time) in [(900, 10), (850, 100), (850, 200), (870, 300)] {
        look(&mut store, ids[0], &[home(1, euros)], at(time));
    }
    look(&mut store, ids[1], &[home(1, 870)], at(400));
    let stored = store.listing(ListingId(1)).expect("read").expect("there");
    let extras = store.listing_extras(&stored).expect("read");
    let steps: Vec<_> = extras.prices.iter().map(|s| (s.at, s.price.cents)).collect();
    assert_eq!(steps, [(at(10), 90_000), (at(100), 85_000), (at(300), 87_000)]);
    assert_eq!(extras.searches, ids);
    assert_eq!(extras.seen_before, None);
}

#[test]
fn the_same_home_under_another_listing_was_seen_before() {
    let (mut store, search) = filled(0);
    let at_number = |id: u32, euros, house: &str, size: u32| {
        let mut listing = home(id, euros);
        listing.size = Some(Area::from_hundredths(size));
        listing.address = Some(PostalAddress {
            raw: house.to_owned(),
            street: house.chars().any(|c| c == ' ').then(|| house.to_owned()),
            city: Some("Delft".to_owned()),
            postcode: None,
        });
        listing
    };
    let old = [at_number(1, 1000, "Markt 7", 5000), at_number(2, 1000, "2611GZ", 5000)];
    let old = look(&mut store, search, &old, at(10)).ids;
    let old = |n: usize| old[n].expect("kept");
    let page = [
        at_number(3, 800, "MARKT 7", 5000),
        at_number(4, 800, "Markt 7", 5500),
        at_number(5, 980, "2611GZ", 5000),
        at_number(6, 800, "2611GZ", 5000),
    ];
    let ids = look(&mut store, search, &page, at(100)).ids;
    let before = |n: usize| {
        let id = ids[n].expect("kept");
        let stored = store.listing(id).expect("read").expect("there");
        store.seen_before(&stored).expect("read").map(|b| (b.listing, b.price.map(|p| p.cents)))
    };
    assert_eq!(before(0), Some((old(0), Some(100_000))), "cheaper, and that is the news");
    assert_eq!(before(1), None, "another size is another flat of the house");
    assert_eq!(before(2), Some((old(1), Some(100_000))), "only a postcode, but 2 % apart");
    assert_eq!(before(3), None, "only a postcode, and 20 % apart");
}
