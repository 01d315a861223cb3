//! Databases that are damaged, foreign, newer or missing: never silently empty.

use std::fs;
use std::path::{Path, PathBuf};

use firstknock_store::{BackupKind, DB_FILE, Opened, Store, StoreError};
use tempfile::TempDir;

use crate::street::{at, home, look, wish};

/// A folder with one search, three listings, a backup made with them, and a fourth listing that
/// only the database has.
fn folder_with_backup() -> TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    let (mut store, _) = Store::open(folder.path(), at(0)).expect("opened");
    fill(&mut store, 3);
    store.back_up(BackupKind::Daily, at(100)).expect("backed up");
    let search = store.searches().expect("read")[0].id;
    look(&mut store, search, &[home(4, 900)], at(200));
    folder
}

fn fill(store: &mut Store, homes: u32) {
    let search = store.add_search(&wish("Delft", "https://street.example/a"), true, at(0));
    let page: Vec<_> = (1..=homes).map(|n| home(n, 900)).collect();
    look(store, search.expect("added").id, &page, at(10));
}

fn db(folder: &Path) -> PathBuf {
    folder.join(DB_FILE)
}

fn listings(store: &Store) -> u32 {
    store.count_listings(&Default::default()).expect("read")
}

/// Opens after a misfortune; the backup must be in place, and the wreck must be kept.
fn assert_restored(folder: &TempDir, wreck: &[u8]) {
    let (store, opened) = Store::open(folder.path(), at(300)).expect("opened");
    assert_eq!(opened.restored_backup.expect("told").at, at(100));
    assert_eq!(fs::read(opened.set_aside.expect("told")).expect("kept"), wreck);
    assert_eq!(listings(&store), 3, "what the backup had");
    drop(store);
    let (_, opened) = Store::open(folder.path(), at(400)).expect("opened");
    assert_eq!(opened, Opened::default(), "all is well from then on");
}

#[test]
fn a_truncated_database_is_set_aside_and_the_backup_restored() {
    let folder = folder_with_backup();
    let whole = fs::read(db(folder.path())).expect("read");
    let half = &whole[..whole.len() / 2];
    fs::write(db(folder.path()), half).expect("truncated");
    assert_restored(&folder, half);
}

#[test]
fn a_database_with_a_garbage_header_is_set_aside_and_the_backup_restored() {
    let folder = folder_with_backup();
    let mut bytes = fs::read(db(folder.path())).expect("read");
    bytes[..100].fill(0x5a);
    fs::write(db(folder.path()), &bytes).expect("written");
    assert_restored(&folder, &bytes);
}

#[test]
fn a_database_with_damaged_pages_is_set_aside_and_the_backup_restored() {
    let folder = folder_with_backup();
    let mut bytes = fs::read(db(folder.path())).expect("read");
    let after_the_first_page = 4096..bytes.len();
    bytes[after_the_first_page].fill(0xff);
    fs::write(db(folder.path()), &bytes).expect("written");
    assert_restored(&folder, &bytes);
}

#[test]
fn an_empty_file_beside_a_wal_keeps_the_wal() {
    let folder = folder_with_backup();
    let wal = folder.path().join(format!("{DB_FILE}-wal"));
    fs::write(&wal, b"frames that somebody may still want").expect("written");
    fs::write(db(folder.path()), b"").expect("written");
    let (store, opened) = Store::open(folder.path(), at(300)).expect("opened");
    assert_eq!(listings(&store), 3);
    let mut aside = opened.set_aside.expect("told").into_os_string();
    aside.push("-wal");
    assert_eq!(fs::read(aside).expect("kept"), b"frames that somebody may still want");
}

#[test]
fn a_database_that_vanished_from_beside_its_backups_is_restored() {
    let folder = folder_with_backup();
    fs::remove_file(db(folder.path())).expect("removed");
    let (store, opened) = Store::open(folder.path(), at(300)).expect("opened");
    assert_eq!(opened.restored_backup.expect("told").at, at(100));
    assert_eq!(listings(&store), 3);
}

#[test]
fn a_stray_wal_is_not_applied_to_a_new_database() {
    let folder = tempfile::tempdir().expect("a folder");
    fs::write(folder.path().join(format!("{DB_FILE}-wal")), b"old").expect("written");
    let (store, opened) = Store::open(folder.path(), at(0)).expect("opened");
    assert!(opened.set_aside.is_some());
    assert_eq!(listings(&store), 0);
}

#[test]
fn without_a_good_backup_an_unreadable_database_is_left_alone_and_nothing_is_opened() {
    for wreck in [&b""[..], &b"not a database at all, but long enough to have a header"[..]] {
        let folder = tempfile::tempdir().expect("a folder");
        fs::create_dir_all(folder.path().join("backups")).expect("made");
        let bad = folder.path().join("backups/firstknock-20260101T000000000-daily.db");
        fs::write(&bad, b"torn").expect("written");
        fs::write(db(folder.path()), wreck).expect("written");
        let refused = Store::open(folder.path(), at(0));
        assert!(matches!(refused, Err(StoreError::Unreadable(_))));
        assert_eq!(fs::read(db(folder.path())).expect("still there"), wreck);

        let (store, opened) = Store::start_anew(folder.path(), at(1)).expect("on the user's word");
        assert_eq!(listings(&store), 0);
        assert_eq!(fs::read(opened.set_aside.expect("told")).expect("kept"), wreck);
    }
}

#[test]
fn a_damaged_backup_is_passed_over_for_an_older_good_one() {
    let folder = folder_with_backup();
    let newer = folder.path().join("backups/firstknock-20991231T235959999-daily.db");
    fs::write(&newer, b"SQLite format 3\0 and then nothing").expect("written");
    fs::write(db(folder.path()), b"x").expect("written");
    assert_restored(&folder, b"x");
}

#[test]
fn a_database_of_a_newer_version_is_refused_and_untouched() {
    let folder = folder_with_backup();
    let newer = rusqlite::Connection::open(db(folder.path())).expect("opened");
    newer.pragma_update(None, "user_version", 99).expect("set");
    newer.close().expect("closed");
    let before = fs::read(db(folder.path())).expect("read");
    match Store::open(folder.path(), at(300)) {
        Err(StoreError::NewerVersion { found: 99, known }) => assert!(known < 99),
        other => panic!("{:?}", other.map(|(_, opened)| opened)),
    }
    assert_eq!(fs::read(db(folder.path())).expect("read"), before);
}

#[test]
fn a_database_of_another_program_is_refused_and_untouched() {
    let folder = tempfile::tempdir().expect("a folder");
    let other = rusqlite::Connection::open(db(folder.path())).expect("opened");
    other.execute_batch("CREATE TABLE theirs (x)").expect("made");
    other.close().expect("closed");
    let before = fs::read(db(folder.path())).expect("read");
    assert!(matches!(Store::open(folder.path(), at(0)), Err(StoreError::NotOurs(_))));
    assert_eq!(fs::read(db(folder.path())).expect("read"), before);
}
