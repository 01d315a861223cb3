//! The schedule's records come back as they were given.

use firstknock_listing::HostKey;
use firstknock_schedule::{AppState, Change, DomainState, HostRecord, HostUpdate, SearchState};
use firstknock_store::{ReaderChoice, Store};

use crate::street::{at, check, host, wish};

fn record() -> HostRecord {
    HostRecord { host: host().to_string(), strikes: 1, strike_ms: Some(5), ..Default::default() }
}

#[test]
fn records_survive_a_restart_and_a_cleared_host_is_welcome() {
    let folder = tempfile::tempdir().expect("a folder");
    let (mut store, _) = Store::open(folder.path(), at(0)).expect("opened");
    let search = store.add_search(&wish("One", "https://street.example/1"), true, at(0));
    let search = search.expect("added");
    let state = SearchState { search: search.id, next_due_ms: Some(77), ..Default::default() };
    let domain = DomainState { domain: "street.example".into(), free_ms: 9, recent_ms: vec![1, 2] };
    let app = AppState { stopped_ms: Some(3), offline_ms: None };
    let change = Change {
        hosts: vec![HostUpdate::Put(record())],
        searches: vec![state.clone()],
        domains: vec![domain.clone()],
        app: Some(app),
        ..Default::default()
    };
    store.keep_schedule(&change, at(1)).expect("kept");
    drop(store);

    let (mut store, _) = Store::open(folder.path(), at(2)).expect("opened");
    let saved = store.load_schedule().expect("read");
    assert_eq!(saved.hosts, [record()]);
    assert_eq!(saved.domains, [domain]);
    assert_eq!(saved.app, app);
    assert_eq!(saved.searches.len(), 1);
    let (spec, kept) = &saved.searches[0];
    assert_eq!((spec.id, &spec.url, spec.enabled), (search.id, &search.wish.url, true));
    assert_eq!(kept.as_ref(), Some(&state));

    let clear = Change { hosts: vec![HostUpdate::Clear(host())], ..Default::default() };
    store.keep_schedule(&clear, at(3)).expect("kept");
    assert_eq!(store.load_schedule().expect("read").hosts, []);
}

#[test]
fn what_a_plan_reserved_is_kept_before_the_check_goes_out() {
    let mut store = Store::in_memory().expect("a store");
    let search = store.add_search(&wish("One", "https://street.example/1"), true, at(0));
    let search = search.expect("added").id;
    let domain = DomainState { domain: "street.example".into(), free_ms: 9, ..Default::default() };
    let change = Change { domains: vec![domain.clone()], ..Default::default() };
    let planned = check(Some(search), Default::default(), at(1));
    let run = store.reserve(&planned, &change, at(1)).expect("reserved");
    assert_eq!(store.load_schedule().expect("read").domains, [domain]);
    let row = store.checks(Some(search), 1).expect("read").remove(0);
    assert_eq!((row.id, row.why.as_str(), row.finished_at), (run, "due", None));
}

#[test]
fn a_purge_leaves_a_check_that_is_under_way_however_far_the_clock_jumped() {
    let mut store = Store::in_memory().expect("a store");
    let search = store.add_search(&wish("One", "https://street.example/1"), true, at(0));
    let search = search.expect("added").id;
    let commit = crate::street::prepare(&mut store, search, &[], at(1));
    let year = 365 * 86_400;
    assert_eq!(store.purge(at(year)).expect("purged").checks, 0);
    store.commit_check(&commit, at(year)).expect("committed");
    assert_eq!(store.purge(at(year)).expect("purged").checks, 1);
}

#[test]
fn deleting_the_last_search_of_a_host_keeps_the_hosts_record_and_session() {
    let mut store = Store::in_memory().expect("a store");
    let search = store.add_search(&wish("One", "https://street.example/1"), true, at(0));
    let change = Change { hosts: vec![HostUpdate::Put(record())], ..Default::default() };
    store.keep_schedule(&change, at(1)).expect("kept");
    store.set_session(&host(), Some("{\"c\":1}"), at(2)).expect("kept");
    store.set_host_reader(&host(), Some(ReaderChoice::Browser), at(2)).expect("kept");
    store.delete_search(search.expect("added").id, at(3)).expect("deleted");
    store.purge(at(9999)).expect("purged");
    assert_eq!(store.load_schedule().expect("read").hosts, [record()]);
    assert_eq!(store.sessions().expect("read"), [(host(), "{\"c\":1}".to_owned())]);

    store.set_session(&host(), None, at(4)).expect("forgotten");
    let notes = store.host_notes(&host()).expect("read");
    assert_eq!((notes.cookies, notes.reader), (None, Some(ReaderChoice::Browser)));
    let waits = store.load_schedule().expect("read").hosts;
    assert_eq!(waits, [record()], "clearing a session never clears a wait");
}

#[test]
fn a_record_of_another_shape_is_left_out_and_the_others_are_read() {
    let folder = tempfile::tempdir().expect("a folder");
    let (mut store, _) = Store::open(folder.path(), at(0)).expect("opened");
    let change = Change { hosts: vec![HostUpdate::Put(record())], ..Default::default() };
    store.keep_schedule(&change, at(1)).expect("kept");
    drop(store);
    let db = rusqlite::Connection::open(folder.path().join(firstknock_store::DB_FILE));
    db.expect("opened")
        .execute("INSERT INTO hosts (host, record, updated_at) VALUES ('x.example', '[1', 0)", [])
        .expect("written");
    let (store, _) = Store::open(folder.path(), at(2)).expect("opened");
    assert_eq!(store.load_schedule().expect("read").hosts, [record()]);
}

#[test]
fn a_session_never_shows_in_debug_output() {
    let mut store = Store::in_memory().expect("a store");
    let host = HostKey::from_stored("a.example");
    store.set_session(&host, Some("sid=TOPSECRET"), at(0)).expect("kept");
    let shown = format!("{:?}", store.host_notes(&host).expect("read"));
    assert!(!shown.contains("TOPSECRET"), "{shown}");
}
