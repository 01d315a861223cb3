//! Looking for words: what the index finds is what the plain meaning says, whatever happened to the
//! listings before.

use firstknock_listing::{Listing, ListingId, PostalAddress, SearchId, fold};
use firstknock_store::{DB_FILE, ListingFilter, ListingSort, Store};
use proptest::prelude::*;

use crate::street::{at, home, look, wish};

const WORDS: [&str; 14] = [
    "Möbliertes",
    "möbel",
    "Café-Straße",
    "cafe",
    "KÖLN",
    "Kölnisch",
    "2.5",
    "25",
    "d'Oranje",
    "€950",
    "(nieuw)",
    "Čapek",
    "Ωmega",
    "–",
];

/// The plain meaning: all words that were typed stand there, without the signs around them.
fn means(typed: &str, shown: &str) -> bool {
    let (typed, shown) = (fold(typed), fold(shown));
    let mut words =
        typed.split_whitespace().map(|w| w.trim_matches(|c: char| !c.is_alphanumeric()));
    words.all(|word| shown.contains(word))
}

fn flat(number: u32, title: &[usize], street: usize) -> Listing {
    let mut flat = home(number, 900);
    let title: Vec<_> = title.iter().map(|word| WORDS[*word]).collect();
    flat.title = Some(title.join(" "));
    flat.address = Some(PostalAddress {
        raw: format!("{} {number}", WORDS[street]),
        street: None,
        city: None,
        postcode: None,
    });
    flat
}

fn shown(flat: &Listing) -> String {
    let address = flat.address.as_ref().expect("an address");
    format!("{} {}", flat.title.as_deref().expect("a title"), address.raw)
}

/// Titles of twelve homes, then others for some of them.
fn titles() -> impl Strategy<Value = Vec<(u32, Vec<usize>, usize)>> {
    let title = prop::collection::vec(0..WORDS.len(), 0..4);
    prop::collection::vec((0..12_u32, title, 0..WORDS.len()), 1..30)
}

/// Some letters of some words, in either case.
fn typed() -> impl Strategy<Value = String> {
    let word = (0..WORDS.len(), 0..4_usize, 1..12_usize, any::<bool>());
    let word = word.prop_map(|(word, from, letters, loud)| {
        let word: String = WORDS[word].chars().skip(from).take(letters).collect();
        if loud { word.to_uppercase() } else { word }
    });
    prop::collection::vec(word, 0..4).prop_map(|words| words.join(" "))
}

fn street() -> (Store, SearchId) {
    let mut store = Store::in_memory().expect("a store");
    let search = store.add_search(&wish("S", "https://street.example/a"), true, at(0));
    let search = search.expect("added").id;
    (store, search)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 48, ..ProptestConfig::default() })]

    #[test]
    fn the_index_finds_what_the_words_mean(
        titles in titles(), typed in prop::collection::vec(typed(), 1..12)
    ) {
        let (mut store, search) = street();
        let mut flats = std::collections::BTreeMap::new();
        for (turn, (number, title, street)) in (1..).zip(&titles) {
            let flat = flat(*number, title, *street);
            look(&mut store, search, std::slice::from_ref(&flat), at(turn * 90));
            flats.insert(flat.url.clone(), flat);
        }
        for text in typed {
            let filter = ListingFilter { text: text.clone(), ..Default::default() };
            let sort = ListingSort::Newest;
            let rows = store.list_listings(&filter, sort, None, 200).expect("read").rows;
            let found: std::collections::BTreeSet<_> =
                rows.iter().map(|row| row.listing.url.clone()).collect();
            let wanted = flats.iter().filter(|(_, flat)| means(&text, &shown(flat)));
            let wanted: std::collections::BTreeSet<_> = wanted.map(|(url, _)| url.clone()).collect();
            prop_assert_eq!(&found, &wanted, "{:?}", text);
            prop_assert_eq!(store.count_listings(&filter).expect("read") as usize, wanted.len());
        }
    }
}

#[test]
fn words_from_the_other_end_of_the_keyboard_are_words_and_never_a_query_language() {
    let (mut store, search) = street();
    let mut flat = home(1, 900);
    flat.title = Some("Zimmer AND Küche".to_owned());
    look(&mut store, search, &[flat], at(1));
    let long = "zimmer ".repeat(5000);
    for (text, count) in [
        ("and", 1),
        ("NOT zimmer", 0),
        ("zimmer OR balkon", 0),
        ("\"zimmer", 1),
        ("zim*", 1),
        ("* zimmer", 1),
        ("folded:zimmer", 0),
        ("zimmer -", 1),
        ("NEAR(zimmer kuche)", 0),
        ("\u{0}zimmer\u{0}", 1),
        (long.as_str(), 1),
        ("imme", 1),
        ("küch", 1),
        ("ch", 1),
        ("qq zimmer", 0),
        ("immer rooms", 0),
    ] {
        let filter = ListingFilter { text: text.to_owned(), ..Default::default() };
        assert_eq!(store.count_listings(&filter).expect("read"), count, "{text:.40?}");
    }
}

#[test]
fn the_index_follows_a_change_of_words_a_merge_and_an_older_database() {
    let folder = tempfile::tempdir().expect("a folder");
    let (mut store, _) = Store::open(folder.path(), at(0)).expect("opened");
    let search = store.add_search(&wish("S", "https://street.example/a"), true, at(0));
    let search = search.expect("added").id;
    let mut one = home(1, 900);
    let two = home(2, 900);
    look(&mut store, search, &[one.clone(), two.clone()], at(1));
    one.title = Some("Dachgeschoss".to_owned());
    // One key of each: they are the same home.
    one.keys.extend(two.keys);
    look(&mut store, search, &[one], at(100));
    let count = |store: &Store, text: &str| {
        let filter = ListingFilter { text: text.to_owned(), ..Default::default() };
        store.count_listings(&filter).expect("read")
    };
    assert_eq!((count(&store, "dach"), count(&store, "home")), (1, 0));
    drop(store);
    let db = rusqlite::Connection::open(folder.path().join(DB_FILE)).expect("opened");
    db.execute("INSERT INTO listing_words (listing_words, rank) VALUES ('integrity-check', 1)", [])
        .expect("the index says what the table says");
    // As the first version left it.
    db.execute_batch(
        "DROP TABLE listing_words; DROP TRIGGER listing_words_new;
         DROP TRIGGER listing_words_changed; DROP TRIGGER listing_words_gone;
         ALTER TABLE idempotency DROP COLUMN location; DROP TABLE sequels;
         ALTER TABLE clients DROP COLUMN let_in_at; PRAGMA user_version = 1",
    )
    .expect("undone");
    db.close().expect("closed");
    let (store, opened) = Store::open(folder.path(), at(200)).expect("opened");
    assert_eq!((opened.migrated_from, count(&store, "dach")), (Some(1), 1));
}

#[test]
fn a_page_goes_on_where_the_last_one_ended_while_listings_come_in() {
    for text in ["", "home"] {
        for sort in [
            ListingSort::Newest,
            ListingSort::Oldest,
            ListingSort::Cheapest,
            ListingSort::Dearest,
            ListingSort::Largest,
            ListingSort::LatestNews,
        ] {
            let (mut store, search) = street();
            let priced = |n: u32| home(n, 500 + i64::from(n * 37 % 900));
            let mut page: Vec<_> = (0..40).map(priced).collect();
            page[7].price = None;
            look(&mut store, search, &page, at(1));
            let filter = ListingFilter { text: text.to_owned(), ..Default::default() };
            let (mut seen, mut after, mut more) = (Vec::new(), None, 40);
            loop {
                let rows = store.list_listings(&filter, sort, after, 7).expect("read");
                seen.extend(rows.rows.iter().map(|row| row.id));
                page.extend((more..more + 3).map(priced));
                more += 3;
                look(&mut store, search, &page, at(i64::from(more) * 90));
                after = match rows.next {
                    Some(next) if seen.len() < 400 => Some(next),
                    _ => break,
                };
            }
            for id in 1..=40 {
                let times = seen.iter().filter(|it| **it == ListingId(id)).count();
                assert_eq!(times, 1, "listing {id}, {sort:?} {text:?}: {seen:?}");
            }
        }
    }
}
