//! The store behind its thread.

use firstknock_store::{Store, StoreError, StoreHandle};

use crate::street::{at, wish};

fn handle() -> StoreHandle {
    StoreHandle::spawn(Store::in_memory().expect("a store")).expect("a thread")
}

#[tokio::test]
async fn operations_run_in_the_order_in_which_they_were_asked() {
    let handle = handle();
    let mut asked = Vec::new();
    for n in 0..300_i64 {
        asked.push(handle.run(move |store| store.set_setting("n", &n, at(n))));
    }
    for operation in asked {
        operation.await.expect("kept");
    }
    let last: Option<i64> = handle.run(|store| store.setting("n")).await.expect("read");
    assert_eq!(last, Some(299));
}

#[tokio::test]
async fn a_closed_store_says_so() {
    let handle = handle();
    let clone = handle.clone();
    handle.close().await;
    handle.close().await;
    let refused = clone.run(|store| store.searches()).await;
    assert!(matches!(refused, Err(StoreError::Closed)));
}

#[tokio::test]
async fn what_was_asked_before_closing_is_done() {
    let folder = tempfile::tempdir().expect("a folder");
    let (store, _) = Store::open(folder.path(), at(0)).expect("opened");
    let handle = StoreHandle::spawn(store).expect("a thread");
    let operation = {
        let handle = handle.clone();
        tokio::spawn(async move {
            handle
                .run(|store| store.add_search(&wish("A", "https://a.example/"), true, at(0)))
                .await
        })
    };
    tokio::task::yield_now().await;
    handle.close().await;
    operation.await.expect("ran").expect("kept");
    let (store, _) = Store::open(folder.path(), at(1)).expect("opened");
    assert_eq!(store.searches().expect("read").len(), 1);
}

#[tokio::test]
async fn a_panic_is_told_to_its_caller_alone_and_the_thread_goes_on() {
    let handle = handle();
    let broken = handle.run(|_| -> Result<(), StoreError> { panic!("on purpose") }).await;
    assert!(matches!(broken, Err(StoreError::Panicked)));
    handle.run(|store| store.set_setting("still", &true, at(0))).await.expect("kept");
}

#[tokio::test]
async fn an_operation_runs_to_its_end_when_its_caller_stops_waiting() {
    let handle = handle();
    let (go, wait) = std::sync::mpsc::channel::<()>();
    let slow = handle.run(move |store| {
        wait.recv().expect("released");
        store.set_setting("kept", &true, at(0))
    });
    let mut slow = Box::pin(slow);
    tokio::select! {
        biased;
        _ = &mut slow => panic!("it waits for us"),
        () = tokio::task::yield_now() => {}
    }
    drop(slow);
    go.send(()).expect("the thread is there");
    let kept: Option<bool> = handle.run(|store| store.setting("kept")).await.expect("read");
    assert_eq!(kept, Some(true));
}
