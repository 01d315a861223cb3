//! Clients of the local API, repeated writes, events.

use firstknock_store::{Begun, Store};
use serde_json::json;

use crate::street::at;

#[test]
fn a_clients_budget_and_offences_survive_a_restart() {
    let folder = tempfile::tempdir().expect("a folder");
    let (mut store, _) = Store::open(folder.path(), at(0)).expect("opened");
    let id = store.add_client("home", &[7; 32], true, (60, 5000), at(0)).expect("added");
    let (spent, offences) = (json!({"minute": 59}), json!([1, 2]));
    store.keep_client(id, Some(&spent), Some(&offences), at(5)).expect("kept");
    drop(store);
    let (mut store, _) = Store::open(folder.path(), at(10)).expect("opened");
    let client = store.client(id).expect("read").expect("there");
    assert_eq!((client.budget, client.lockout), (Some(spent), Some(offences)));
    assert_eq!((client.token_hash, client.used_at), ([7; 32], Some(at(5))));
    store.let_client_in(id, at(15)).expect("let in");
    store.keep_client(id, None, None, at(16)).expect("kept");
    assert_eq!(store.clients().expect("read")[0].let_in_at, Some(at(15)), "not undone");
    store.edit_client(id, "cupboard", false, (10, 100)).expect("edited");
    store.revoke_client(id, at(20)).expect("revoked");
    store.revoke_client(id, at(30)).expect("again");
    let client = store.clients().expect("read").remove(0);
    assert_eq!((client.name.as_str(), client.revoked_at), ("cupboard", Some(at(20))));
    assert!(!format!("{client:?}").contains('7'), "no hash in a log");
}

#[test]
fn a_repeated_write_is_done_once() {
    let mut store = Store::in_memory().expect("a store");
    let client = store.add_client("home", &[7; 32], true, (60, 5000), at(0)).expect("added");
    let other = store.add_client("other", &[8; 32], true, (60, 5000), at(0)).expect("added");
    let begin = |store: &mut Store, client, body: &[u8]| {
        store.begin_write(client, "key", body, at(1)).expect("begun")
    };
    assert_eq!(begin(&mut store, client, b"a"), Begun::New);
    assert_eq!(begin(&mut store, client, b"a"), Begun::InFlight);
    assert_eq!(begin(&mut store, client, b"b"), Begun::OtherBody);
    assert_eq!(begin(&mut store, other, b"b"), Begun::New, "keys are per client");
    store.finish_write(client, "key", 201, b"{}", Some("/there")).expect("kept");
    store.abandon_write(client, "key").expect("only what is in flight");
    let done =
        Begun::Done { status: 201, answer: b"{}".to_vec(), location: Some("/there".to_owned()) };
    assert_eq!(begin(&mut store, client, b"a"), done);
    assert_eq!(store.abandon_all_writes().expect("abandoned"), 1);
    assert_eq!(begin(&mut store, other, b"b"), Begun::New);
    assert_eq!(store.purge(at(2 * 86_400)).expect("purged").answers, 2);
    assert_eq!(begin(&mut store, client, b"a"), Begun::New);
}

#[test]
fn events_are_read_from_where_a_client_left_off() {
    let mut store = Store::in_memory().expect("a store");
    let first = store.note_event("backup_restored", None, None, &json!({"n": 1}), at(0));
    let host = crate::street::host();
    store.note_event("host_waits", None, Some(&host), &json!({}), at(1)).expect("noted");
    let after = store.events_after(first.expect("noted"), 9).expect("read");
    assert_eq!(after.len(), 1);
    assert_eq!((after[0].code.as_str(), after[0].host.as_ref()), ("host_waits", Some(&host)));
    store.events_seen(after[0].id).expect("seen");
    assert!(store.events_after(0, 9).expect("read").iter().all(|event| event.seen));
}
