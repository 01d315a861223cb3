//! Backups: made, checked, rotated, restored; and a disk that is full.

use firstknock_policy::delivery::{Attempt, Next};
use firstknock_store::{BackupKind, Fault, Rendered, StorageStop, Store, StoreError};

use crate::street::{at, home, host, look, prepare, wish};

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

#[test]
fn the_oldest_backup_by_hand_can_be_restored_although_todays_takes_its_place() {
    let folder = tempfile::tempdir().expect("a folder");
    let (mut store, _) = Store::open(folder.path(), at(0)).expect("opened");
    store.add_search(&wish("One", "https://street.example/1"), true, at(0)).expect("added");
    let oldest = store.back_up(BackupKind::ByHand, at(1)).expect("made");
    for n in 2..6 {
        store.back_up(BackupKind::ByHand, at(n)).expect("made");
    }
    store.add_search(&wish("Two", "https://street.example/2"), true, at(7)).expect("added");
    store.restore(&oldest, at(8)).expect("restored");
    assert_eq!(store.searches().expect("read").len(), 1);
    assert_eq!(store.backups().expect("read").len(), 5);
}

#[test]
fn a_restore_shortens_no_wait_revives_no_token_sends_nothing_twice_and_reuses_no_number() {
    let folder = tempfile::tempdir().expect("a folder");
    let (mut store, _) = Store::open(folder.path(), at(0)).expect("opened");
    let search = store.add_search(&wish("One", "https://street.example/1"), true, at(0));
    let search = search.expect("added").id;
    look(&mut store, search, &[], at(1));
    look(&mut store, search, &[home(1, 900)], at(2));
    let open = store.due("mail", at(3), 9).expect("read").remove(0).id;
    let client = store.add_client("Script", &[7; 32], false, (120, 20_000), at(3)).expect("added");
    let backup = store.back_up(BackupKind::Daily, at(4)).expect("made");

    // What happens after the backup: the message goes, the site says no, the token is revoked.
    store.set_solved(&host(), at(5)).expect("a record");
    let bytes = Rendered { message_id: "m".into(), subject: "s".into(), message: b"b".to_vec() };
    store.begin_sending(open, Some(&bytes), at(6)).expect("sending");
    let sent = Attempt::Sent { reply: "250 ok".to_owned() };
    store.end_sending(open, &sent, &Next::Sent, at(7)).expect("sent");
    store.revoke_client(client, at(8)).expect("revoked");
    let later = store.add_search(&wish("Two", "https://street.example/2"), true, at(9));
    let later = later.expect("added").id;
    let hosts = store.host_notes(&host()).expect("read");

    store.restore(&backup, at(20)).expect("restored");
    assert_eq!(store.searches().expect("read").len(), 1);
    assert_eq!(store.host_notes(&host()).expect("read"), hosts, "what the site is owed");
    assert!(store.due("mail", at(21), 9).expect("read").is_empty(), "it has gone out already");
    assert!(store.client(client).expect("read").expect("there").revoked_at.is_some());
    let again = store.add_search(&wish("Three", "https://street.example/3"), true, at(22));
    assert!(again.expect("added").id > later, "a number is never used again");
}
