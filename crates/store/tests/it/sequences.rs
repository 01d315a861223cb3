//! Any sequence of pages: one row and at most one "new" per listing, whatever the order.

use std::collections::{BTreeMap, BTreeSet};

use firstknock_listing::{KeyKind, Listing, ListingKey};
use firstknock_store::{FindChange, ListingFilter, Store};
use proptest::prelude::*;

use crate::street::{at, home, look, wish};

/// Pages of up to ten of twelve homes, in any order, of two searches.
fn looks() -> impl Strategy<Value = Vec<(usize, Vec<u32>)>> {
    let page = prop::collection::btree_set(0..12_u32, 0..10)
        .prop_flat_map(|set| Just(set.into_iter().collect::<Vec<_>>()).prop_shuffle());
    prop::collection::vec((0..2_usize, page), 1..14)
}

fn page(numbers: &[u32]) -> Vec<Listing> {
    numbers.iter().map(|n| home(*n, 900)).collect()
}

/// Runs the looks, 90 s apart, and gives how often each home was told as new.
fn run(looks: &[(usize, Vec<u32>)]) -> (BTreeMap<String, usize>, u32) {
    let mut store = Store::in_memory().expect("a store");
    let ids: Vec<_> = (0..2)
        .map(|n| {
            let wish = wish("S", &format!("https://street.example/{n}"));
            store.add_search(&wish, true, at(0)).expect("added").id
        })
        .collect();
    for (turn, (search, numbers)) in (1..).zip(looks) {
        look(&mut store, ids[*search], &page(numbers), at(turn * 90));
    }
    let mut told = BTreeMap::new();
    for row in store.deliveries(1000).expect("read") {
        for find in row.finds.iter().filter(|find| find.change == FindChange::New) {
            let stored = store.listing(find.listing).expect("read").expect("there");
            *told.entry(stored.listing.url).or_default() += 1;
        }
    }
    (told, store.count_listings(&ListingFilter::default()).expect("read"))
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 32, ..ProptestConfig::default() })]

    #[test]
    fn each_listing_is_one_row_and_at_most_one_mention(looks in looks()) {
        let (told, rows) = run(&looks);
        let distinct: BTreeSet<u32> = looks.iter().flat_map(|(_, page)| page).copied().collect();
        prop_assert_eq!(rows as usize, distinct.len());
        prop_assert!(told.values().all(|times| *times == 1), "{:?}", told);
        // Exactly those are told that no baseline had before them.
        let mut known = BTreeSet::new();
        let mut expected = BTreeSet::new();
        let mut begun = BTreeSet::new();
        for (search, page) in &looks {
            let baseline = begun.insert(*search);
            for n in page {
                if known.insert(*n) && !baseline {
                    expected.insert(home(*n, 900).url);
                }
            }
        }
        prop_assert_eq!(told.into_keys().collect::<BTreeSet<_>>(), expected);
    }

    #[test]
    fn the_order_on_a_page_changes_nothing(looks in looks()) {
        let sorted: Vec<_> = looks
            .iter()
            .map(|(search, page)| {
                let mut page = page.clone();
                page.sort_unstable();
                (*search, page)
            })
            .collect();
        prop_assert_eq!(run(&looks), run(&sorted));
    }

    #[test]
    fn a_page_that_flips_tells_each_listing_at_most_once(
        a in prop::collection::btree_set(0..12_u32, 0..8),
        b in prop::collection::btree_set(0..12_u32, 0..8),
    ) {
        let pages = [a.into_iter().collect::<Vec<_>>(), b.into_iter().collect()];
        let looks: Vec<_> = (0..8).map(|turn| (0, pages[turn % 2].clone())).collect();
        let (told, _) = run(&looks);
        prop_assert!(told.values().all(|times| *times == 1));
    }

    #[test]
    fn homes_seen_under_some_of_their_keys_are_one_each_once_all_keys_are_seen(
        looks in prop::collection::vec(
            (0..2_usize, prop::collection::vec((0..6_u32, 1..8_usize), 0..8)), 1..10,
        ),
    ) {
        let mut store = Store::in_memory().expect("a store");
        let ids = [0, 1].map(|n| {
            let wish = wish("S", &format!("https://street.example/{n}"));
            store.add_search(&wish, true, at(0)).expect("added").id
        });
        for (turn, (search, cards)) in (1..).zip(&looks) {
            let page: Vec<_> = cards.iter().map(|(n, which)| some_keys(*n, *which)).collect();
            look(&mut store, ids[*search], &page, at(turn * 90));
        }
        let all: Vec<_> = (0..6).map(|n| some_keys(n, 7)).collect();
        let done = look(&mut store, ids[0], &all, at(9000));
        prop_assert_eq!(done.ids.iter().flatten().collect::<BTreeSet<_>>().len(), 6);
        prop_assert_eq!(store.count_listings(&ListingFilter::default()).expect("read"), 6);
        for id in done.ids.iter().flatten() {
            let stored = store.listing(*id).expect("read").expect("there");
            prop_assert_eq!(stored.listing.keys.len(), 3);
            prop_assert_eq!(stored.gone_at, None);
        }
        prop_assert_eq!(look(&mut store, ids[0], &all, at(9090)).news, []);
        for row in store.deliveries(1000).expect("read") {
            prop_assert!(!row.finds.is_empty(), "no message lost what it tells of");
        }
    }
}

/// A home under those of its three keys whose bits are set.
fn some_keys(number: u32, which: usize) -> Listing {
    let mut home = home(number, 900);
    home.keys.push(ListingKey::new(KeyKind::Attr, &format!("h{number}")));
    let mut bit = 0;
    home.keys.retain(|_| {
        bit += 1;
        which & (1 << (bit - 1)) != 0
    });
    home
}
