//! Clients as the owner manages them in the window: made, used, let in again, revoked.

use std::time::Duration;

use firstknock_api::{Limits, Ui};
use firstknock_ipc::Command;
use serde_json::{Value, json};
use tokio::io::AsyncReadExt;

use crate::house::{Answer, House, bearer, client, owner, rich};
use crate::play::Play;

/// One command of the list, as the owner's page sends it.
async fn call(house: &House, token: &str, name: &str, args: Value) -> Answer {
    keyed(house, token, name, args, None).await
}

async fn keyed(house: &House, token: &str, name: &str, args: Value, key: Option<&str>) -> Answer {
    let body = json!({ "name": name, "args": args }).to_string();
    house.send("POST", "/api/ui/call", token, key, &body).await
}

async fn made(house: &House, owner: &str, name: &str, can_write: bool) -> (i64, String) {
    let new = json!({ "name": name, "can_write": can_write });
    let made = call(house, owner, "add_client", new).await;
    assert_eq!(made.status, 200, "{}", made.body);
    let made = made.json();
    let token = made["token"].as_str().expect("a token").to_owned();
    (made["id"].as_i64().expect("an id"), token)
}

async fn listed(house: &House, owner: &str) -> Vec<Value> {
    let shown = call(house, owner, "get_api", json!({})).await.json();
    assert_eq!(shown["state"], json!({ "kind": "on", "port": house.port }));
    assert_eq!(shown["can_switch"], false);
    shown["clients"].as_array().expect("clients").clone()
}

#[tokio::test(flavor = "multi_thread")]
async fn the_owner_makes_a_client_that_works_at_once_until_it_is_revoked() {
    let play = Play::begin(61).await;
    let owner = owner(play.engine()).await;
    let house = House::open(play.engine(), Limits::default()).await;
    assert!(listed(&house, &owner).await.is_empty(), "the owner's own pages are no client");
    let (id, token) = made(&house, &owner, "  Home\u{202e} Assistant ", false).await;
    assert_eq!(house.get("/api/v1/summary", &token).await.status, 200);
    house.api.settle().await.expect("a store");
    let clients = listed(&house, &owner).await;
    assert_eq!(clients.len(), 1);
    assert_eq!(clients[0]["name"], "Home Assistant");
    assert_eq!((&clients[0]["spent_minute"], &clients[0]["spent_day"]), (&json!(1), &json!(1)));
    assert_eq!((&clients[0]["per_minute"], &clients[0]["per_day"]), (&json!(120), &json!(20_000)));
    assert_eq!(clients[0]["seen_at"], play.now().as_millisecond());
    assert!(!clients[0].to_string().contains("fk_"));

    let may_write = json!({
        "id": id, "name": "House", "can_write": true, "per_minute": 7, "per_day": 50,
    });
    assert_eq!(call(&house, &owner, "edit_client", may_write).await.status, 200);
    let gone = house.send("DELETE", "/api/v1/searches/99", &token, None, "").await;
    assert_eq!(gone.status, 404, "it may write now");

    let (_, other) = made(&house, &owner, "other", false).await;
    let mut stream = house.follow("/api/v1/events", &other, "event: summary").await;
    let it = json!({ "id": id });
    assert_eq!(call(&house, &owner, "revoke_client", it.clone()).await.status, 200);
    assert_eq!(house.get("/api/v1/summary", &token).await.status, 401);
    assert_eq!(call(&house, &owner, "revoke_client", it).await.status, 404, "it is gone");
    let quiet = tokio::time::timeout(Duration::from_millis(200), stream.read_u8()).await;
    assert!(quiet.is_err(), "the other one's stream goes on");
    house.close().await;
    play.end().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_stream_of_a_client_that_the_owner_revokes_ends_by_itself() {
    let play = Play::begin(62).await;
    let owner = owner(play.engine()).await;
    let house = House::open(play.engine(), Limits::default()).await;
    let (id, token) = made(&house, &owner, "sensor", false).await;
    let mut stream = house.follow("/api/v1/events", &token, "event: summary").await;
    assert_eq!(call(&house, &owner, "revoke_client", json!({ "id": id })).await.status, 200);
    let mut rest = Vec::new();
    tokio::time::timeout(Duration::from_secs(10), async {
        while !rest.ends_with(b"0\r\n\r\n") {
            assert!(stream.read_buf(&mut rest).await.expect("a stream") > 0, "hung up");
        }
    })
    .await
    .expect("it ends");
    house.close().await;
    play.end().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_token_is_given_once_and_kept_nowhere() {
    let play = Play::begin(63).await;
    let owner = owner(play.engine()).await;
    let house = House::open(play.engine(), Limits::default()).await;
    let new = json!({ "name": "sensor", "can_write": false });
    let first = keyed(&house, &owner, "add_client", new.clone(), Some("k")).await;
    let token = first.json()["token"].as_str().expect("a token").to_owned();
    assert_eq!(first.header("cache-control"), Some("no-store"));
    let again = keyed(&house, &owner, "add_client", new, Some("k")).await;
    assert_eq!((again.status, again.code().as_str()), (410, "shown_once"));
    assert!(!again.body.contains("fk_"), "{}", again.body);
    assert_eq!(listed(&house, &owner).await.len(), 1, "and the second was not made");
    let mut files = 0;
    for file in std::fs::read_dir(play.engine().folder().path()).expect("the data folder") {
        let path = file.expect("a file").path();
        let Ok(bytes) = std::fs::read(&path) else { continue };
        files += 1;
        let found = bytes.windows(token.len()).any(|window| window == token.as_bytes());
        assert!(!found, "the token stands in {}", path.display());
    }
    assert!(files >= 2, "the database and its log were looked through");
    house.close().await;
    play.end().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn nothing_that_the_owners_page_may_do_is_done_for_another_token() {
    let play = Play::begin(64).await;
    let owner = owner(play.engine()).await;
    let house = House::open(play.engine(), Limits::default()).await;
    let reader = client(play.engine(), "reader", false, firstknock_api::USUAL_BUDGET).await;
    let writer = rich(play.engine()).await;
    let mut asked = 0;
    for name in Command::NAMES {
        for token in [&reader, &writer] {
            let refused = call(&house, token, name, json!({})).await;
            assert_eq!((refused.status, refused.code().as_str()), (403, "scope"), "{name}");
        }
        asked += 1;
    }
    assert!(asked > 40, "the whole list, {asked}");
    let mine = json!({ "name": "mine", "can_write": true });
    assert_eq!(call(&house, &writer, "add_client", mine).await.status, 403);
    for path in ["/api/ui/events", "/api/ui/photos/1-00"] {
        assert_eq!(house.get(path, &writer).await.status, 403, "{path}");
    }
    // Neither has the API of programs any path to clients, settings or secrets.
    let described = firstknock_api::openapi_json();
    for word in ["client", "setting", "mail", "secret", "backup"] {
        let path = described.lines().find(|l| l.contains("\"/api/v1") && l.contains(word));
        assert_eq!(path, None, "{word}");
    }
    assert_eq!(listed(&house, &owner).await.len(), 2);
    house.close().await;
    play.end().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_owners_own_token_is_not_touched_and_values_have_ranges() {
    let play = Play::begin(65).await;
    let owner = owner(play.engine()).await;
    let house = House::open(play.engine(), Limits::default()).await;
    for name in ["revoke_client", "let_client_in"] {
        assert_eq!(call(&house, &owner, name, json!({ "id": 1 })).await.status, 404, "{name}");
    }
    let edit = |id: i64, name: &str, minute: i64, day: i64| {
        let args = json!({
            "id": id, "name": name, "can_write": false, "per_minute": minute, "per_day": day,
        });
        async { call(&house, &owner, "edit_client", args).await }
    };
    assert_eq!(edit(1, "owner", 100, 100).await.status, 404);
    let nameless = json!({ "name": " \u{200b} ", "can_write": false });
    let refused = call(&house, &owner, "add_client", nameless).await;
    assert_eq!((refused.status, refused.code().as_str()), (422, "out_of_range"));
    let (id, _) = made(&house, &owner, "sensor", false).await;
    for (name, minute, day, status) in [
        ("sensor", 0, 100, 422),
        ("sensor", 100, 0, 422),
        ("sensor", 100_001, 100, 422),
        ("sensor", 100, 10_000_001, 422),
        ("", 100, 100, 422),
        ("sensor", 1, 1, 200),
        ("sensor", 100_000, 10_000_000, 200),
    ] {
        assert_eq!(edit(id, name, minute, day).await.status, status, "{name} {minute} {day}");
    }
    house.close().await;
    play.end().await;
}

/// Asks until it is refused, and waits the lock out.
async fn offend(play: &Play, house: &House, token: &str, wait: bool) {
    loop {
        let answer = house.get("/api/v1/summary", token).await;
        if answer.status == 429 {
            let until = answer.json()["limit"]["until_ms"].as_i64().expect("until when");
            let left = until - play.now().as_millisecond();
            if wait {
                play.clock.advance(Duration::from_millis(u64::try_from(left).expect("later")));
            }
            return;
        }
        assert_eq!(answer.status, 200);
    }
}

async fn banner(house: &House, owner: &str) -> Option<Value> {
    let board = call(house, owner, "get_board", json!({})).await.json();
    let banners = board["facts"]["banners"].as_array().expect("banners").clone();
    banners.into_iter().find(|banner| banner["kind"] == "client_limited")
}

#[tokio::test(flavor = "multi_thread")]
async fn the_window_says_which_client_is_at_its_limit_until_it_is_let_in() {
    let play = Play::begin(66).await;
    let owner = owner(play.engine()).await;
    let house = House::open(play.engine(), Limits::default()).await;
    let (id, token) = made(&house, &owner, "buggy loop", false).await;
    for _ in 0..4 {
        offend(&play, &house, &token, true).await;
    }
    assert_eq!(banner(&house, &owner).await, None, "four are its own affair");
    let mut stream = house.follow("/api/ui/events", &owner, "\"kind\":\"snapshot\"").await;
    offend(&play, &house, &token, false).await;
    let mut told = String::new();
    while !told.contains("client_limited") {
        let mut bytes = [0; 4096];
        let n = stream.read(&mut bytes).await.expect("a stream");
        assert!(n > 0, "{told}");
        told.push_str(&String::from_utf8_lossy(&bytes[..n]));
    }
    let said = banner(&house, &owner).await.expect("it is said");
    assert_eq!((&said["client"], &said["offences"]), (&json!("buggy loop"), &json!(5)));
    let clients = listed(&house, &owner).await;
    assert_eq!((&clients[0]["offences"], &clients[0]["locked_until"]), (&json!(5), &said["until"]));

    assert_eq!(call(&house, &owner, "let_client_in", json!({ "id": id })).await.status, 200);
    assert_eq!(
        house.get("/api/v1/summary", &token).await.status,
        200,
        "its budget is its own again"
    );
    // Whatever was asked of the engine before this is done.
    let none = firstknock_monitor::SearchId(1);
    play.engine().set_muted(none, true).await.expect_err("there is no search");
    play.engine().set_muted(none, true).await.expect_err("there is no search");
    assert_eq!(banner(&house, &owner).await, None);
    let clients = listed(&house, &owner).await;
    assert_eq!((&clients[0]["offences"], &clients[0]["locked_until"]), (&json!(5), &Value::Null));
    house.close().await;
    play.end().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn one_that_is_let_in_while_nobody_serves_is_let_in_at_the_next_start() {
    let play = Play::begin(67).await;
    let owner = owner(play.engine()).await;
    let house = House::open(play.engine(), Limits::default()).await;
    let (id, token) = made(&house, &owner, "loop", false).await;
    offend(&play, &house, &token, false).await;
    house.close().await;
    play.clock.advance(Duration::from_millis(1));
    play.engine().let_client_in(id).await.expect("let in");
    let house = House::open(play.engine(), Limits::default()).await;
    let head = bearer(&token);
    assert_eq!(house.ask("GET", "/api/v1/summary", &[&head], "").await.status, 200);
    house.close().await;
    play.end().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn beside_a_window_there_is_neither_page_nor_door_not_even_for_the_owner() {
    let play = Play::begin(68).await;
    let owner = owner(play.engine()).await;
    let house = House::open_with(play.engine(), Limits::default(), Ui::None).await;
    assert_eq!(house.get("/api/v1/summary", &owner).await.status, 200);
    assert_eq!(call(&house, &owner, "get_board", json!({})).await.status, 404);
    for path in ["/api/ui/events", "/", "/index.html", "/sign-in", "/gate.js", "/serve.css"] {
        assert_eq!(house.get(path, &owner).await.status, 404, "{path}");
    }
    house.close().await;
    play.end().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_port_of_the_system_is_no_port_of_the_api() {
    let play = Play::begin(69).await;
    let owner = owner(play.engine()).await;
    let house = House::open(play.engine(), Limits::default()).await;
    let mut settings = call(&house, &owner, "get_settings", json!({})).await.json();
    assert_eq!(settings["local_api"], false, "off until somebody switches it on");
    for (port, status) in [(0, 422), (1023, 422), (1024, 200), (65_535, 200)] {
        settings["local_api_port"] = json!(port);
        let kept = call(&house, &owner, "put_settings", settings.clone()).await;
        assert_eq!(kept.status, status, "{port}");
    }
    house.close().await;
    play.end().await;
}
