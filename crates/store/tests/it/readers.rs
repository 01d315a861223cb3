//! The reading side: beside the writer, never in its way.

use std::sync::mpsc::{Sender, channel};
use std::time::Duration;

use firstknock_store::{BackupKind, ListingFilter, Store, StoreError, StoreHandle};
use tokio::task::JoinHandle;

use crate::street::{at, home, look, wish};

fn open() -> (tempfile::TempDir, StoreHandle) {
    let folder = tempfile::tempdir().expect("a folder");
    let (store, _) = Store::open(folder.path(), at(0)).expect("opened");
    (folder, StoreHandle::spawn(store).expect("a thread"))
}

fn all(store: &Store) -> Result<u32, StoreError> {
    store.count_listings(&ListingFilter::default())
}

/// A read that has begun and goes on until it is released; it counts before and after.
async fn held(handle: &StoreHandle) -> (Sender<()>, JoinHandle<Result<(u32, u32), StoreError>>) {
    let (release, wait) = channel::<()>();
    let (begun, begins) = tokio::sync::oneshot::channel();
    let handle = handle.clone();
    let read = tokio::spawn(async move {
        let slow = move |store: &Store| {
            let before = all(store)?;
            begun.send(()).expect("the test waits for it");
            wait.recv().expect("released");
            Ok((before, all(store)?))
        };
        handle.read_within(Duration::from_secs(600), slow).await
    });
    begins.await.expect("it begins");
    (release, read)
}

#[tokio::test]
async fn a_check_is_committed_while_every_reader_is_held_and_each_read_sees_one_moment() {
    let (_folder, handle) = open();
    let wished = wish("S", "https://street.example/a");
    let search = handle.run(move |store| store.add_search(&wished, true, at(0))).await;
    let search = search.expect("added").id;
    let (release, first) = held(&handle).await;
    let (release_too, second) = held(&handle).await;
    let commit = handle.run(move |store| {
        look(store, search, &[home(1, 900), home(2, 950)], at(1));
        all(store)
    });
    assert_eq!(commit.await.expect("committed"), 2, "nobody waited for a reader");
    for release in [release, release_too] {
        release.send(()).expect("it waits");
    }
    assert_eq!(first.await.expect("it ends").expect("read"), (0, 0), "one moment");
    assert_eq!(second.await.expect("it ends").expect("read"), (0, 0));
    assert_eq!(handle.read(all).await.expect("read"), 2, "what was kept before is seen");
    handle.close().await;
}

#[tokio::test]
async fn a_read_waits_for_no_write() {
    let (_folder, handle) = open();
    let (release, wait) = channel::<()>();
    let writer = handle.clone();
    let write = tokio::spawn(async move { writer.run(move |_| Ok(wait.recv().is_ok())).await });
    assert_eq!(handle.read(all).await.expect("read"), 0);
    release.send(()).expect("it waits");
    assert!(write.await.expect("it ends").expect("done"));
    handle.close().await;
}

#[tokio::test]
async fn what_a_write_kept_is_in_the_next_read() {
    let (_folder, handle) = open();
    for n in 0..200_i64 {
        handle.run(move |store| store.set_setting("n", &n, at(n))).await.expect("kept");
        let read: Option<i64> = handle.read(|store| store.setting("n")).await.expect("read");
        assert_eq!(read, Some(n));
    }
    handle.close().await;
}

#[tokio::test]
async fn a_read_that_never_ends_is_cut_off_and_the_next_one_is_served() {
    let (_folder, handle) = open();
    let wished = wish("S", "https://street.example/a");
    let search = handle.run(move |store| store.add_search(&wished, true, at(0))).await;
    let search = search.expect("added").id;
    let page: Vec<_> = (0..300).map(|n| home(n, 900)).collect();
    handle.run(move |store| Ok(look(store, search, &page, at(1)))).await.expect("kept");
    let endless = |store: &Store| -> Result<(), StoreError> {
        loop {
            all(store)?;
            store.export_json(&mut std::io::sink())?;
        }
    };
    for _ in 0..3 {
        let cut = handle.read_within(Duration::from_millis(50), endless).await;
        assert!(matches!(cut, Err(StoreError::TookTooLong)), "{cut:?}");
    }
    assert_eq!(handle.read(all).await.expect("read"), 300);
    handle.close().await;
}

#[tokio::test]
async fn closing_cuts_reads_off_and_leaves_one_whole_file() {
    let (folder, handle) = open();
    handle.run(|store| store.set_setting("kept", &true, at(0))).await.expect("kept");
    let (begun, begins) = tokio::sync::oneshot::channel();
    let reader = handle.clone();
    let read = tokio::spawn(async move {
        let endless = move |store: &Store| -> Result<(), StoreError> {
            begun.send(()).expect("the test waits for it");
            loop {
                all(store)?;
                store.export_csv(&mut std::io::sink())?;
            }
        };
        reader.read_within(Duration::from_secs(600), endless).await
    });
    begins.await.expect("it begins");
    handle.close().await;
    assert!(matches!(read.await.expect("it ends"), Err(StoreError::TookTooLong)));
    assert!(matches!(handle.read(all).await, Err(StoreError::Closed)));
    assert!(!folder.path().join("firstknock.db-wal").exists(), "the log was taken in");
    let (store, _) = Store::open(folder.path(), at(1)).expect("opened");
    assert_eq!(store.setting("kept").expect("read"), Some(true));
}

#[tokio::test]
async fn a_panic_is_told_to_its_caller_alone_and_the_next_read_is_served() {
    let (_folder, handle) = open();
    for _ in 0..5 {
        let broken = handle.read(|_| -> Result<(), StoreError> { panic!("on purpose") }).await;
        assert!(matches!(broken, Err(StoreError::Panicked)));
    }
    assert_eq!(handle.read(all).await.expect("read"), 0);
    handle.close().await;
}

#[tokio::test]
async fn after_a_backup_was_put_in_place_it_is_what_is_read() {
    let (_folder, handle) = open();
    let keep = |n: i64| handle.run(move |store| store.set_setting("n", &n, at(n)));
    let read = || handle.read(|store| store.setting::<i64>("n"));
    keep(1).await.expect("kept");
    let backup = handle.run(|store| store.back_up(BackupKind::ByHand, at(2))).await.expect("made");
    keep(3).await.expect("kept");
    assert_eq!(read().await.expect("read"), Some(3));
    handle.run(move |store| store.restore(&backup, at(4))).await.expect("restored");
    assert_eq!(read().await.expect("read"), Some(1));
    keep(5).await.expect("kept");
    assert_eq!(read().await.expect("read"), Some(5));
    handle.close().await;
}

#[tokio::test]
async fn a_read_that_gets_no_turn_gives_up_by_itself_and_the_next_one_is_served() {
    let (_folder, handle) = open();
    let (release, first) = held(&handle).await;
    let (release_too, second) = held(&handle).await;
    assert!(matches!(handle.read(all).await, Err(StoreError::NoTurn)));
    handle.run(|store| store.set_setting("n", &1, at(1))).await.expect("writes go on");
    release.send(()).expect("it waits");
    first.await.expect("it ends").expect("read");
    assert_eq!(handle.read(all).await.expect("a place is free"), 0);
    release_too.send(()).expect("it waits");
    second.await.expect("it ends").expect("read");
    handle.close().await;
}

#[tokio::test]
async fn a_backup_is_made_while_the_writer_and_all_readers_are_held() {
    let (folder, handle) = open();
    handle.run(|store| store.set_setting("n", &1, at(1))).await.expect("kept");
    let (release, first) = held(&handle).await;
    let (release_too, second) = held(&handle).await;
    let (go, wait) = channel::<()>();
    let (begun, begins) = tokio::sync::oneshot::channel();
    let writer = handle.clone();
    let write = tokio::spawn(async move {
        let slow = move |store: &mut Store| {
            begun.send(()).expect("the test waits for it");
            wait.recv().expect("released");
            store.set_setting("n", &2, at(3))
        };
        writer.run(slow).await
    });
    begins.await.expect("it begins");
    // Twice at once, as two sweeps would.
    let made = tokio::time::timeout(Duration::from_secs(60), async {
        tokio::join!(handle.back_up_daily(at(2)), handle.back_up_daily(at(2)))
    });
    let (one, other) = made.await.expect("nobody is waited for");
    let (one, other) = (one.expect("made"), other.expect("looked"));
    let backup = one.xor(other).expect("one of the two made it");
    assert_eq!(handle.back_up_daily(at(60)).await.expect("looked"), None, "once a day");
    go.send(()).expect("it waits");
    write.await.expect("it ends").expect("kept");
    for (release, read) in [(release, first), (release_too, second)] {
        release.send(()).expect("it waits");
        read.await.expect("it ends").expect("read");
    }
    assert!(!folder.path().join("backups/making.tmp").exists());
    handle.run(move |store| store.restore(&backup, at(4))).await.expect("it is whole");
    let kept = handle.read(|store| store.setting::<i64>("n")).await;
    assert_eq!(kept.expect("read"), Some(1), "as it was then");
    handle.close().await;
    assert!(matches!(handle.back_up_daily(at(99 * 86_400)).await, Err(StoreError::Closed)));
}

#[tokio::test]
async fn a_store_in_memory_is_read_by_its_one_connection() {
    let handle = StoreHandle::spawn(Store::in_memory().expect("a store")).expect("a thread");
    assert_eq!(handle.read(all).await.expect("read"), 0);
}
