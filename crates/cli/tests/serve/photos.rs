//! Photos for the web twin: behind the owner's token, by key, with a tag.

use std::time::Duration;

use firstknock_api::{Budget, Limits};
use serde_json::{Value, json};

use crate::house::{House, bearer, client, owner};
use crate::play::Play;

/// The key of the newest listing's photo, as the window gets it.
async fn key(house: &House, token: &str) -> Value {
    let query = json!({ "name": "list_listings", "args": {
        "search": null, "text": "", "only": "all", "sort": "newest", "cursor": null, "limit": 20,
    } });
    let page = house.send("POST", "/api/ui/call", token, None, &query.to_string()).await;
    assert_eq!(page.status, 200, "{}", page.body);
    page.json()["rows"][0]["card"]["image"].clone()
}

#[tokio::test(flavor = "multi_thread")]
async fn the_owners_page_gets_photos_by_key_and_nobody_else_does() {
    let play = Play::begin(61).await;
    play.add("waterveen").await;
    play.until_checked(1, 12).await;
    let token = owner(play.engine()).await;
    let house = House::open(play.engine(), Limits::default()).await;
    let key = key(&house, &token).await;
    let key = key.as_str().expect("a key");
    assert!(!key.contains("localhost") && !key.contains("foto"), "no address: {key}");
    let path = format!("/api/ui/photos/{key}");

    assert_eq!(house.ask("GET", &path, &[], "").await.status, 401, "without a token");
    let script =
        client(play.engine(), "script", true, Budget { per_minute: 99, per_day: 99 }).await;
    assert_eq!(house.get(&path, &script).await.status, 403, "a script's token is not the owner's");
    let foreign = [&bearer(&token) as &str, "Origin: http://evil.example"];
    assert_eq!(house.ask("GET", &path, &foreign, "").await.status, 403, "another site's page");

    let later = house.get(&path, &token).await;
    assert_eq!((later.status, later.header("cache-control")), (202, Some("no-store")));
    let mut here = later;
    for _ in 0..3000 {
        if !play.site().requests().iter().any(|r| r.path.starts_with("/foto/")) {
            play.clock.advance(Duration::from_millis(250));
        }
        tokio::time::sleep(Duration::from_millis(10)).await;
        here = house.get(&path, &token).await;
        if here.status != 202 {
            break;
        }
    }
    assert_eq!((here.status, here.header("content-type")), (200, Some("image/jpeg")));
    assert_eq!(here.header("cache-control"), Some("private, max-age=86400, immutable"));
    let tag = here.header("etag").expect("a tag").to_owned();
    let known = [&bearer(&token) as &str, &format!("If-None-Match: {tag}")];
    let again = house.ask("GET", &path, &known, "").await;
    assert_eq!((again.status, again.body.len()), (304, 0));

    let mark = key.split('-').next_back().expect("a mark");
    let told =
        house.send("POST", "/api/ui/call", &token, None, r#"{"name":"get_board","args":{}}"#);
    assert!(told.await.body.contains(mark), "the board names what came");
    for nonsense in ["p-../../etc/hostname", "1-abc", "4711-0123456789abcdef0123456789abcdef"] {
        let path = format!("/api/ui/photos/{nonsense}");
        assert_eq!(house.get(&path, &token).await.status, 404, "{nonsense}");
    }
    house.close().await;
    play.end().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn where_photos_are_off_there_is_no_key() {
    let play = Play::begin(62).await;
    play.add("waterveen").await;
    play.until_checked(1, 12).await;
    let token = owner(play.engine()).await;
    let house = House::open(play.engine(), Limits::default()).await;
    let before = key(&house, &token).await;
    let settings = json!({ "name": "put_settings", "args": { "photos": false } });
    let put = house.send("POST", "/api/ui/call", &token, Some("k1"), &settings.to_string()).await;
    assert_eq!(put.status, 200, "{}", put.body);
    assert_eq!(key(&house, &token).await, Value::Null);
    let path = format!("/api/ui/photos/{}", before.as_str().expect("a key"));
    assert_eq!(house.get(&path, &token).await.status, 404, "nor for an old key");
    house.close().await;
    play.end().await;
}
