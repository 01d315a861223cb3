//! Reads with tags and cursors, and writes that are done once.

use std::time::Duration;

use firstknock_api::Limits;
use serde_json::json;

use crate::house::{House, bearer, owner, rich};
use crate::play::{BROKEN, Play};

#[tokio::test(flavor = "multi_thread")]
async fn a_search_is_added_after_a_look_then_edited_checked_and_deleted() {
    let play = Play::begin(21).await;
    let house = House::open(play.engine(), Limits::default()).await;
    let token = rich(play.engine()).await;
    let url = play.site().search_url("waterveen");
    let body =
        json!({ "url": url, "interval_s": 90, "filters": { "max_price": 1500.0 } }).to_string();
    let added = house.send("POST", "/api/v1/searches", &token, None, &body).await;
    assert_eq!(added.status, 201, "{}", added.body);
    let id = added.json()["id"].as_i64().expect("an id");
    assert_eq!(added.header("location"), Some(format!("/api/v1/searches/{id}").as_str()));
    let twice = house.send("POST", "/api/v1/searches", &token, None, &body).await;
    assert_eq!((twice.status, twice.code().as_str()), (422, "preview_duplicate"));
    play.until_checked(1, 12).await;

    let path = format!("/api/v1/searches/{id}");
    let one = house.get(&path, &token).await.json();
    assert_eq!((one["state"].as_str(), one["interval_s"].as_i64()), (Some("ok"), Some(90)));
    assert_eq!(one["last_listings"], 12);
    assert_eq!(one["filters"]["max_price"], 1500.0);
    let list = house.get("/api/v1/searches", &token).await.json();
    assert_eq!(list["searches"], json!([one]));

    let change = r#"{"name":"By the water","enabled":false}"#;
    assert_eq!(house.send("PATCH", &path, &token, None, change).await.status, 200);
    let one = house.get(&path, &token).await.json();
    assert_eq!(
        (one["name"].as_str(), one["state"].as_str()),
        (Some("By the water"), Some("paused"))
    );
    assert_eq!(one["filters"]["max_price"], 1500.0, "what was not given stays");
    let too_often = house.send("PATCH", &path, &token, None, r#"{"interval_s":1}"#).await;
    assert_eq!((too_often.status, too_often.code().as_str()), (422, "out_of_range"));

    assert_eq!(house.send("DELETE", &path, &token, None, "").await.status, 200);
    assert_eq!(house.get(&path, &token).await.status, 404);
    house.close().await;
    play.end().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn listings_come_page_by_page_and_an_unchanged_answer_is_304() {
    let play = Play::begin(22).await;
    play.add("waterveen").await;
    play.until_checked(1, 12).await;
    let house = House::open(play.engine(), Limits::default()).await;
    let token = rich(play.engine()).await;
    let mut ids = Vec::new();
    let mut path = "/api/v1/listings?limit=5".to_owned();
    loop {
        let page = house.get(&path, &token).await.json();
        assert_eq!(page["total"], 12);
        let rows = page["listings"].as_array().expect("rows");
        assert!(rows.iter().all(|row| row["url"].is_string() && row["price"].is_number()));
        ids.extend(rows.iter().filter_map(|row| row["id"].as_i64()));
        let Some(next) = page["next"].as_str() else { break };
        path = format!("/api/v1/listings?limit=5&cursor={next}");
    }
    let mut sorted = ids.clone();
    sorted.sort_unstable_by(|a, b| b.cmp(a));
    sorted.dedup();
    assert_eq!((ids.len(), &ids), (12, &sorted), "each once, newest first");

    let first = house.get("/api/v1/listings", &token).await;
    let tag = first.header("etag").expect("a tag").to_owned();
    let lines = [bearer(&token), format!("If-None-Match: {tag}")];
    let lines: Vec<&str> = lines.iter().map(String::as_str).collect();
    let same = house.ask("GET", "/api/v1/listings", &lines, "").await;
    assert_eq!((same.status, same.body.as_str()), (304, ""));
    let path = format!("/api/v1/listings/{}", ids[0]);
    let marked = house.send("PATCH", &path, &token, None, r#"{"starred":true}"#).await;
    assert_eq!(marked.status, 200);
    assert_eq!(house.ask("GET", "/api/v1/listings", &lines, "").await.status, 200, "it changed");
    let starred = house.get("/api/v1/listings?only=starred", &token).await.json();
    assert_eq!(starred["listings"][0]["id"], ids[0]);
    house.close().await;
    play.end().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_key_does_a_write_once_and_says_when_it_cannot() {
    let play = Play::begin(23).await;
    let house = House::open(play.engine(), Limits::default()).await;
    let token = rich(play.engine()).await;
    let (one, two) = (play.site().search_url("a"), play.site().search_url("b"));
    let add = |url: &str| json!({ "url": url, "preview": false, "enabled": false }).to_string();
    let first = house.send("POST", "/api/v1/searches", &token, Some("k1"), &add(&one)).await;
    assert_eq!(first.status, 201, "{}", first.body);
    let again = house.send("POST", "/api/v1/searches", &token, Some("k1"), &add(&one)).await;
    assert_eq!((again.status, &again.body), (201, &first.body));
    assert_eq!(again.header("idempotency-replayed"), Some("true"));
    assert!(first.header("location").is_some());
    for name in ["location", "content-type"] {
        assert_eq!(again.header(name), first.header(name), "{name}");
    }
    let other = house.send("POST", "/api/v1/searches", &token, Some("k1"), &add(&two)).await;
    assert_eq!((other.status, other.code().as_str()), (422, "key_reused"));
    let bad = house.send("POST", "/api/v1/searches", &token, Some("a b"), &add(&two)).await;
    assert_eq!(bad.status, 400);
    let all = play.engine().store().run(|store| store.searches()).await.expect("a store");
    assert_eq!(all.len(), 1, "done once");
    // Somebody else's key is another key.
    let neighbour = owner(play.engine()).await;
    house.api.settle().await.expect("a store");
    let theirs = house.send("POST", "/api/v1/searches", &neighbour, Some("k1"), &add(&two)).await;
    assert_eq!(theirs.status, 201);

    // The second look at a site waits for the gap, on a clock that stands still.
    let look = |town: &str| json!({ "url": play.site().search_url(town) }).to_string();
    let seen = house.send("POST", "/api/v1/previews", &token, None, &look("c")).await;
    assert_eq!(seen.status, 200, "{}", seen.body);
    assert_eq!(seen.json()["count"], 12);
    let body = look("d");
    let waiting = house.send("POST", "/api/v1/previews", &token, Some("k2"), &body);
    let meanwhile = async {
        let answer = house.send("POST", "/api/v1/previews", &token, Some("k2"), &body).await;
        assert_eq!((answer.status, answer.code().as_str()), (409, "in_flight"));
        play.clock.advance(Duration::from_secs(5));
    };
    let later = async {
        // Both keys are taken on the store's one thread; the first request has to be there first.
        tokio::time::sleep(Duration::from_secs(1)).await;
        meanwhile.await;
    };
    let (waited, ()) = tokio::join!(waiting, later);
    assert_eq!(waited.status, 200, "{}", waited.body);
    house.close().await;
    play.end().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_window_has_its_commands_and_its_stream_and_writes_with_a_key_once() {
    let play = Play::begin(24).await;
    let token = owner(play.engine()).await;
    let house = House::open(play.engine(), Limits::default()).await;
    let stop = r#"{"name":"stop","args":{}}"#;
    let done = house.send("POST", "/api/ui/call", &token, Some("s1"), stop).await;
    assert_eq!((done.status, done.body.as_str()), (200, "{}"));
    let start = r#"{"name":"start","args":{}}"#;
    assert_eq!(house.send("POST", "/api/ui/call", &token, Some("s2"), start).await.status, 200);
    let again = house.send("POST", "/api/ui/call", &token, Some("s1"), stop).await;
    assert_eq!(again.header("idempotency-replayed"), Some("true"));
    // Whatever was asked of the engine before this is done.
    let id = firstknock_monitor::SearchId(1);
    play.engine().set_muted(id, true).await.expect_err("there is no search");
    play.engine().set_muted(id, true).await.expect_err("there is no search");
    let board = r#"{"name":"get_board","args":{}}"#;
    let board = house.send("POST", "/api/ui/call", &token, None, board).await.json();
    assert_ne!(board["app"]["kind"], "stopped", "the repeated stop was not done again");
    let missing = r#"{"name":"delete_search","args":{"id":9}}"#;
    let missing = house.send("POST", "/api/ui/call", &token, None, missing).await;
    assert_eq!((missing.status, missing.code().as_str()), (404, "not_found"));

    let head = bearer(&token);
    for (path, first) in
        [("/api/ui/events", "\"kind\":\"snapshot\""), ("/api/v1/events", "event: summary")]
    {
        let mut stream = house.connect().await;
        let line =
            format!("GET {path} HTTP/1.1\r\nHost: 127.0.0.1:{}\r\n{head}\r\n\r\n", house.port);
        tokio::io::AsyncWriteExt::write_all(&mut stream, line.as_bytes()).await.expect("sent");
        let mut text = String::new();
        while !text.contains(first) {
            let mut bytes = [0; 4096];
            let n = tokio::io::AsyncReadExt::read(&mut stream, &mut bytes).await.expect("a stream");
            assert!(n > 0, "{text}");
            text.push_str(&String::from_utf8_lossy(&bytes[..n]));
        }
        assert!(text.contains("content-type: text/event-stream"), "{text}");
    }
    house.close().await;
    play.end().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_key_whose_work_broke_is_free_again() {
    let play = Play::begin(25).await;
    let house = House::open(play.engine(), Limits::default()).await;
    let token = rich(play.engine()).await;
    let body = json!({ "url": format!("http://{BROKEN}/homes") }).to_string();
    let broke = house.send("POST", "/api/v1/previews", &token, Some("k"), &body).await;
    assert_eq!((broke.status, broke.code().as_str()), (500, "internal"), "{}", broke.body);
    // Whatever the site's turn says now, the key is not taken for ever.
    let again = house.send("POST", "/api/v1/previews", &token, Some("k"), &body);
    let time = async {
        loop {
            play.clock.advance(Duration::from_secs(5));
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
    };
    let again = tokio::select! {
        again = again => again,
        () = time => unreachable!("it never ends"),
    };
    assert_ne!(again.code(), "in_flight", "{}", again.body);
    let other = json!({ "url": "nonsense" }).to_string();
    let free = house.send("POST", "/api/v1/previews", &token, Some("k"), &other).await;
    assert_ne!(free.code(), "in_flight");
    house.close().await;
    play.end().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn another_request_is_another_however_its_letters_are_cut() {
    let play = Play::begin(26).await;
    let house = House::open(play.engine(), Limits::default()).await;
    let token = rich(play.engine()).await;
    // Line and body together are the same letters in each of these pairs.
    for (n, [(path, body), (other_path, other_body)]) in [
        [("/api/v1/previews", "12"), ("/api/v1/previews1", "2")],
        [("/api/v1/previews?a", "=b"), ("/api/v1/previews?a=b", "")],
        [("/api/v1/searches", "/7/check"), ("/api/v1/searches/7/check", "")],
    ]
    .into_iter()
    .enumerate()
    {
        let key = format!("k{n}");
        let first = house.send("POST", path, &token, Some(&key), body).await;
        assert!(first.status < 500 && first.status >= 400, "{}", first.body);
        let same = house.send("POST", path, &token, Some(&key), body).await;
        assert_eq!(same.header("idempotency-replayed"), Some("true"));
        let other = house.send("POST", other_path, &token, Some(&key), other_body).await;
        assert_eq!((other.status, other.code().as_str()), (422, "key_reused"), "{other_path}");
    }
    // And another method on the same path.
    let add = house.send("POST", "/api/v1/searches/9", &token, Some("m"), "").await;
    assert_eq!(add.status, 405);
    let delete = house.send("DELETE", "/api/v1/searches/9", &token, Some("m"), "").await;
    assert_eq!(delete.code(), "key_reused");
    house.close().await;
    play.end().await;
}
