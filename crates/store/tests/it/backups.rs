//! Backups: made, checked, rotated, restored; and a disk that is full.

use firstknock_store::{BackupKind, Fault, StorageStop, Store, StoreError};

use crate::street::{at, home, look, prepare, wish};

const DAY: i64 = 24 * 3600;

#[test]
fn the_newest_seven_daily_backups_are_kept_and_other_kinds_are_not_counted() {
    let folder = tempfile::tempdir().expect("a folder");
    let (store, _) = Store::open(folder.path(), at(0)).expect("opened");
    store.back_up(BackupKind::ByHand, at(0)).expect("made");
    for day in 0..10 {
        assert!(store.backup_is_due(at(day * DAY)).expect("read"));
        store.back_up(BackupKind::Daily, at(day * DAY)).expect("made");
        assert!(!store.backup_is_due(at(day * DAY + 60)).expect("read"));
    }
    let backups = store.backups().expect("read");
    assert_eq!(backups.len(), 8);
    assert_eq!(backups[0].at, at(9 * DAY), "newest first");
    assert_eq!(backups[7].kind, BackupKind::ByHand);
}

#[test]
fn a_backup_from_the_future_does_not_stop_the_daily_one() {
    let folder = tempfile::tempdir().expect("a folder");
    let (store, _) = Store::open(folder.path(), at(0)).expect("opened");
    store.back_up(BackupKind::Daily, at(400 * DAY)).expect("made");
    assert!(store.backup_is_due(at(0)).expect("read"));
}

#[test]
fn a_restored_backup_brings_back_its_day_and_todays_state_is_kept_too() {
    let folder = tempfile::tempdir().expect("a folder");
    let (mut store, _) = Store::open(folder.path(), at(0)).expect("opened");
    store.add_search(&wish("One", "https://street.example/1"), true, at(0)).expect("added");
    let backup = store.back_up(BackupKind::Daily, at(10)).expect("made");
    store.add_search(&wish("Two", "https://street.example/2"), true, at(20)).expect("added");
    let opened = store.restore(&backup, at(30)).expect("restored");
    assert_eq!(opened, Default::default());
    assert_eq!(store.searches().expect("read").len(), 1);
    let by_hand = store.backups().expect("read").remove(0);
    assert_eq!((by_hand.kind, by_hand.at), (BackupKind::ByHand, at(30)));
    store.restore(&by_hand, at(50)).expect("restored");
    assert_eq!(store.searches().expect("read").len(), 2);
    drop(store);
    let (store, _) = Store::open(folder.path(), at(60)).expect("opened");
    assert_eq!(store.searches().expect("read").len(), 2);
}

#[test]
fn a_damaged_backup_is_refused_and_nothing_is_changed() {
    let folder = tempfile::tempdir().expect("a folder");
    let (mut store, _) = Store::open(folder.path(), at(0)).expect("opened");
    store.add_search(&wish("One", "https://street.example/1"), true, at(0)).expect("added");
    let backup = store.back_up(BackupKind::Daily, at(10)).expect("made");
    std::fs::write(&backup.path, b"SQLite format 3\0 torn").expect("torn");
    assert!(store.restore(&backup, at(20)).is_err());
    assert_eq!(store.searches().expect("read").len(), 1);
    store.set_setting("still", &true, at(30)).expect("it goes on");
}

#[test]
fn a_full_disk_keeps_nothing_of_a_check_and_the_listing_comes_late_but_comes() {
    let folder = tempfile::tempdir().expect("a folder");
    let (mut store, _) = Store::open(folder.path(), at(0)).expect("opened");
    let search = store.add_search(&wish("One", "https://street.example/1"), true, at(0));
    let search = search.expect("added").id;
    look(&mut store, search, &[], at(10));
    let page: Vec<_> = (0..400).map(|n| home(n, 900)).collect();
    let commit = prepare(&mut store, search, &page, at(100));
    store.fault(Fault::DiskFull).expect("set");
    match store.commit_check(&commit, at(101)) {
        Err(error) => assert_eq!(error.stop(), Some(StorageStop::DiskFull)),
        Ok(done) => panic!("{done:?}"),
    }
    assert_eq!(store.try_writing(at(102)).expect_err("full").stop(), Some(StorageStop::DiskFull));
    assert_eq!(store.count_listings(&Default::default()).expect("read"), 0, "all or nothing");

    store.fault(Fault::None).expect("cleared");
    store.try_writing(at(103)).expect("there is room again");
    let done = store.commit_check(&commit, at(104)).expect("the same report, kept now");
    assert_eq!(done.news.len(), 400);
    assert_eq!(store.deliveries(9).expect("read").len(), 1);
}

#[test]
fn a_read_only_disk_is_told_apart_and_reading_goes_on() {
    let mut store = Store::in_memory().expect("a store");
    store.add_search(&wish("One", "https://street.example/1"), true, at(0)).expect("added");
    store.fault(Fault::ReadOnly).expect("set");
    let refused = store.add_search(&wish("Two", "https://street.example/2"), true, at(1));
    assert!(matches!(refused, Err(StoreError::Stopped(StorageStop::ReadOnly))));
    assert_eq!(store.searches().expect("read").len(), 1);
    store.fault(Fault::None).expect("cleared");
    store.add_search(&wish("Two", "https://street.example/2"), true, at(2)).expect("added");
}
