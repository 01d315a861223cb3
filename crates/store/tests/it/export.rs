//! Files for other programs.

use firstknock_listing::Listing;
use firstknock_store::{
    ExportedSearch, Fate, ImportedLine, ListingMarks, Store, StoreError, StoredListing,
};

use crate::street::{at, home, look, wish};

#[test]
fn a_cell_never_runs_as_a_formula_and_quotes_are_doubled() {
    let mut store = Store::in_memory().expect("a store");
    let search = store.add_search(&wish("Delft", "https://street.example/a"), true, at(0));
    let nasty = ["=HYPERLINK(\"http://x\")", "+1", "-1", "@SUM(A1)", "\tx", "a, \"b\"\nc", "plain"];
    let page: Vec<_> = (0..)
        .zip(nasty)
        .map(|(n, title)| Listing { title: Some(title.to_owned()), ..home(n, 900) })
        .collect();
    let ids = look(&mut store, search.expect("added").id, &page, at(1)).ids;
    let note = ListingMarks { note: Some("=1+1".to_owned()), ..Default::default() };
    store.mark_listing(ids[6].expect("kept"), &note).expect("noted");
    let mut file = Vec::new();
    assert_eq!(store.export_csv(&mut file).expect("written"), 7);
    let text = String::from_utf8(file).expect("UTF-8");
    for safe in [
        "\"'=HYPERLINK(\"\"http://x\"\")\"",
        ",\"'+1\",",
        ",\"'-1\",",
        ",\"'@SUM(A1)\",",
        ",\"'\tx\",",
        ",\"a, \"\"b\"\"\nc\",",
        ",plain,",
        ",\"'=1+1\"\r\n",
    ] {
        assert!(text.contains(safe), "{safe} is not in\n{text}");
    }
    assert!(text.starts_with("id,host,url,title,"));
    assert!(text.contains(",900.00,"));
}

#[test]
fn the_json_export_reads_back() {
    let mut store = Store::in_memory().expect("a store");
    let search = store.add_search(&wish("Delft", "https://street.example/a"), true, at(0));
    look(&mut store, search.expect("added").id, &[home(1, 900), home(2, 800)], at(1));
    let mut file = Vec::new();
    assert_eq!(store.export_json(&mut file).expect("written"), 2);
    let back: Vec<StoredListing> = serde_json::from_slice(&file).expect("JSON");
    assert_eq!(back[1], store.listing(back[1].id).expect("read").expect("there"));
    let mut empty = Vec::new();
    Store::in_memory().expect("a store").export_json(&mut empty).expect("written");
    assert_eq!(serde_json::from_slice::<Vec<StoredListing>>(&empty).expect("JSON"), []);
}

#[test]
fn searches_go_out_and_come_in_again() {
    let mut from = Store::in_memory().expect("a store");
    let mut one = wish("Eén", "https://a.example/?q=%C3%A9");
    one.criteria.max_cents = Some(120_000);
    from.add_search(&one, true, at(0)).expect("added");
    from.add_search(&wish("Two", "https://b.example/"), false, at(0)).expect("added");
    let file = serde_json::to_string(&from.export_searches().expect("read")).expect("JSON");

    let mut to = Store::in_memory().expect("a store");
    to.add_search(&wish("Mine", "https://b.example/"), true, at(0)).expect("added");
    let imported = to.import_searches(&file, at(1)).expect("imported");
    let Fate::Added(id) = imported[0].fate else { panic!("{imported:?}") };
    assert_eq!(to.search(id).expect("read").expect("there").wish, one);
    assert_eq!((imported[1].entry, imported[1].name.as_str()), (2, "Two"));
    assert_eq!(imported[1].fate, Fate::Duplicate("Mine".to_owned()), "it says of which");
}

#[test]
fn plain_lines_are_searches_too_and_what_is_beyond_fifteen_is_paused() {
    let mut store = Store::in_memory().expect("a store");
    let lines: Vec<_> = (0..18).map(|n| format!("site{n}.example/huren\r\n\r\n")).collect();
    let imported = store.import_searches(&lines.concat(), at(0)).expect("imported");
    assert_eq!((imported[0].entry, imported[1].entry), (1, 3), "as an editor numbers lines");
    let paused = |line: &&ImportedLine| matches!(line.fate, Fate::Paused(_));
    assert_eq!((imported.len(), imported.iter().filter(paused).count()), (18, 3));
    let searches = store.searches().expect("read");
    assert_eq!(searches[0].wish.name, "site0.example");
    assert_eq!(searches.iter().filter(|search| search.enabled).count(), 15);
}

#[test]
fn an_import_that_cannot_be_read_adds_nothing_and_names_the_entry() {
    let mut store = Store::in_memory().expect("a store");
    let cases = [
        ("a.example\nb.example\nrooms in delft", 3),
        ("[{\"url\": \"https://a.example/\"}, {\"url\": \"ftp://b.example/\"}]", 2),
        ("[{\"url\": ", 1),
        ("https://me:secret@a.example/", 1),
    ];
    for (text, bad) in cases {
        match store.import_searches(text, at(0)) {
            Err(StoreError::BadImport { entry }) => assert_eq!(entry, bad, "{text}"),
            other => panic!("{text}: {other:?}"),
        }
        assert_eq!(store.searches().expect("read").len(), 0, "{text}");
    }
    let only_url: ExportedSearch =
        serde_json::from_str("{\"url\": \"https://a.example/\"}").expect("all else has a default");
    assert_eq!((only_url.interval_s, only_url.enabled), (90, true));
}
