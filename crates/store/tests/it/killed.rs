//! A process that dies in the middle: what was committed is there, what was not is not.

use std::process::Command;

use firstknock_store::{DataLock, Store};

use crate::street::{at, home, look, wish};

const FOLDER: &str = "FIRSTKNOCK_TEST_KILLED_IN";

/// Runs `part` of this file in a process of its own, which aborts.
fn run_and_die(part: &str, folder: &std::path::Path) {
    let output = Command::new(std::env::current_exe().expect("this test"))
        .args(["--exact", &format!("killed::{part}"), "--ignored", "--test-threads=1"])
        .env(FOLDER, folder)
        .output()
        .expect("started");
    assert!(!output.status.success(), "it was meant to die");
    let said = String::from_utf8_lossy(&output.stdout);
    assert!(!said.contains("panicked"), "it died of something else: {said}");
}

fn folder() -> std::path::PathBuf {
    std::env::var_os(FOLDER).expect("only run by another test").into()
}

#[test]
#[ignore = "run by the test below, in a process that dies"]
fn dies_after_a_commit() {
    let (mut store, _) = Store::open(&folder(), at(0)).expect("opened");
    let search = store.add_search(&wish("One", "https://street.example/1"), true, at(0));
    let search = search.expect("added").id;
    look(&mut store, search, &[home(1, 900)], at(10));
    look(&mut store, search, &[home(1, 900), home(2, 900)], at(100));
    std::process::abort();
}

#[test]
#[ignore = "run by the test below, in a process that dies"]
fn dies_inside_a_transaction() {
    let path = folder().join(firstknock_store::DB_FILE);
    let db = rusqlite::Connection::open(path).expect("opened");
    db.execute_batch("PRAGMA cache_spill = 1; PRAGMA cache_size = 1; BEGIN IMMEDIATE")
        .expect("begun");
    for _ in 0..2000 {
        db.execute(
            "INSERT INTO events (at, code, args) VALUES (1, 'torn', ?1)",
            [format!("\"{}\"", "x".repeat(1000))],
        )
        .expect("written");
    }
    std::process::abort();
}

#[test]
fn nothing_that_was_committed_is_lost_and_nothing_half_done_is_there() {
    let folder = tempfile::tempdir().expect("a folder");
    run_and_die("dies_after_a_commit", folder.path());
    run_and_die("dies_inside_a_transaction", folder.path());
    let (mut store, opened) = Store::open(folder.path(), at(200)).expect("opened");
    assert_eq!(opened, Default::default(), "a killed process damages nothing");
    let search = store.searches().expect("read").remove(0).id;
    assert_eq!(store.count_listings(&Default::default()).expect("read"), 2);
    let due = store.due("mail", at(200), 9).expect("read");
    assert_eq!(due.len(), 1, "the mail of the killed process goes out");
    assert_eq!(due[0].finds.len(), 1);
    assert_eq!(store.events_after(0, 9).expect("read"), [], "the torn transaction never was");
    assert_eq!(look(&mut store, search, &[home(1, 900), home(2, 900)], at(300)).news, []);
}

#[test]
#[ignore = "run by the test below, in a process that dies"]
fn dies_with_the_lock_and_a_check_under_way() {
    let _lock = DataLock::acquire(&folder()).expect("locked");
    let (mut store, _) = Store::open(&folder(), at(0)).expect("opened");
    let search = store.add_search(&wish("One", "https://street.example/1"), true, at(0));
    crate::street::reserve(&mut store, search.expect("added").id, Default::default(), at(1));
    std::process::abort();
}

#[test]
fn the_lock_dies_with_its_process_and_the_check_is_closed_as_cut_off() {
    let folder = tempfile::tempdir().expect("a folder");
    run_and_die("dies_with_the_lock_and_a_check_under_way", folder.path());
    let _lock = DataLock::acquire(folder.path()).expect("free again");
    let (mut store, _) = Store::open(folder.path(), at(10)).expect("opened");
    assert_eq!(store.close_cut_off_checks(at(10)).expect("closed"), 1);
    assert_eq!(store.close_cut_off_checks(at(10)).expect("closed"), 0);
}
