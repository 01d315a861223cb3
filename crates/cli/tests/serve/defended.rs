//! Whoever should not be answered is not, and nobody can hold the door open.

use std::time::Duration;

use firstknock_api::Limits;
use firstknock_monitor::store::Store;
use tokio::io::{AsyncReadExt, AsyncWriteExt};

use crate::house::{Answer, House, bearer, client, owner, rich};
use crate::play::Play;

fn hasty() -> Limits {
    Limits {
        head: Duration::from_millis(300),
        body: Duration::from_millis(300),
        body_bytes: 4096,
        ..Limits::default()
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_name_that_is_not_ours_is_421_whatever_it_resolves_to() {
    let play = Play::begin(1).await;
    let house = House::open(play.engine(), Limits::default()).await;
    let token = bearer(&rich(play.engine()).await);
    let port = house.port;
    let own = format!("Host: localhost:{port}");
    let rebound = format!("Host: rebound.example:{port}");
    let suffix = format!("Host: localhost:{port}.example");
    for (hosts, wanted) in [
        (vec![own.as_str()], 200),
        (vec![rebound.as_str()], 421),
        (vec![suffix.as_str()], 421),
        (vec!["Host: 127.0.0.1"], 421),
        (vec!["Host: 127.0.0.1:1"], 421),
        (vec!["Host: 0.0.0.0"], 421),
        (vec!["Host:"], 421),
        (vec![own.as_str(), rebound.as_str()], 421),
        (vec![], 421),
    ] {
        let lines: Vec<&str> = hosts.iter().copied().chain([token.as_str()]).collect();
        for path in ["/api/v1/summary", "/", "/healthz"] {
            let answer = house.say("GET", path, &lines, "").await;
            assert_eq!(answer.status, wanted, "{hosts:?} {path}");
        }
    }
    let line = format!("http://rebound.example:{port}/api/v1/summary");
    assert_eq!(house.say("GET", &line, &[&own, &token], "").await.status, 421, "in the line");
    house.close().await;
    play.end().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_page_of_another_site_gets_nothing_not_even_a_permission() {
    let play = Play::begin(2).await;
    let house = House::open(play.engine(), Limits::default()).await;
    let token = bearer(&rich(play.engine()).await);
    for origin in ["http://evil.example", "null", "https://127.0.0.1", "http://127.0.0.1:1"] {
        let origin = format!("Origin: {origin}");
        let answer = house.ask("GET", "/api/v1/summary", &[&token, &origin], "").await;
        assert_eq!((answer.status, answer.code().as_str()), (403, "foreign_origin"), "{origin}");
    }
    let own = format!("Origin: http://127.0.0.1:{}", house.port);
    let answer = house.ask("GET", "/api/v1/summary", &[&token, &own], "").await;
    assert_eq!(answer.status, 200);
    assert!(!answer.head.contains("access-control"), "{}", answer.head);
    assert_eq!(answer.header("x-content-type-options"), Some("nosniff"));
    let wish = ["Origin: http://evil.example", "Access-Control-Request-Method: POST"];
    let preflight = house.ask("OPTIONS", "/api/v1/searches", &wish, "").await;
    assert_eq!(preflight.status, 403);
    assert!(!preflight.head.contains("access-control"));
    let cross = ["Sec-Fetch-Site: cross-site", token.as_str()];
    assert_eq!(house.ask("GET", "/api/v1/summary", &cross, "").await.status, 403);
    house.close().await;
    play.end().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_token_opens_what_its_scope_says_and_nothing_else() {
    let play = Play::begin(3).await;
    let owner = owner(play.engine()).await;
    let house = House::open(play.engine(), Limits::default()).await;
    let budget = firstknock_api::USUAL_BUDGET;
    let reader = client(play.engine(), "reader", false, budget).await;
    let writer = client(play.engine(), "writer", true, budget).await;
    let nearly = format!("{}0", &reader[..reader.len() - 1]);
    let board = r#"{"name":"get_board","args":{}}"#;
    for (token, read, write, door) in [
        ("", 401, 401, 401),
        ("fk_", 401, 401, 401),
        (nearly.as_str(), 401, 401, 401),
        (reader.as_str(), 200, 403, 403),
        (writer.as_str(), 200, 404, 403),
        (owner.as_str(), 200, 404, 200),
    ] {
        if nearly == reader && token == nearly {
            continue;
        }
        assert_eq!(house.get("/api/v1/summary", token).await.status, read);
        let gone = house.send("DELETE", "/api/v1/searches/99", token, None, "").await;
        assert_eq!(gone.status, write);
        assert_eq!(house.send("POST", "/api/ui/call", token, None, board).await.status, door);
    }
    let refused = house.ask("GET", "/api/v1/summary", &[], "").await;
    assert_eq!(refused.header("www-authenticate"), Some("bearer realm=\"firstknock\""));
    let at_risk = format!("/api/v1/summary?token={reader}");
    assert_eq!(house.ask("GET", &at_risk, &[], "").await.status, 401, "not in an address");

    let id = play.engine().store().run(|store| store.clients()).await.expect("a store")[1].id;
    let now = play.now();
    play.engine().store().run(move |store| store.revoke_client(id, now)).await.expect("revoked");
    house.api.settle().await.expect("a store");
    assert_eq!(house.get("/api/v1/summary", &reader).await.status, 401, "revoked");
    house.close().await;
    play.end().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_too_large_or_no_http_is_refused_and_the_next_one_is_served() {
    let play = Play::begin(4).await;
    let house = House::open(play.engine(), hasty()).await;
    let token = rich(play.engine()).await;
    let large = format!("{{\"url\":\"{}\"}}", "x".repeat(5000));
    let answer = house.send("POST", "/api/v1/previews", &token, None, &large).await;
    assert_eq!((answer.status, answer.code().as_str()), (413, "too_large"));
    let chunked = format!(
        "POST /api/v1/previews HTTP/1.1\r\nHost: 127.0.0.1:{}\r\nConnection: close\r\n\
         Transfer-Encoding: chunked\r\n\r\n1388\r\n{}\r\n0\r\n\r\n",
        house.port,
        "x".repeat(5000),
    );
    let head = format!(
        "GET / HTTP/1.1\r\nHost: 127.0.0.1:{}\r\nX: {}\r\n\r\n",
        house.port,
        "x".repeat(40_000)
    );
    let twice = format!(
        "POST /api/v1/previews HTTP/1.1\r\nHost: 127.0.0.1:{}\r\nContent-Length: 5\r\n\
         Content-Length: 6\r\n\r\nhello!",
        house.port
    );
    for (raw, wanted) in [
        (chunked.as_str(), 413),
        (head.as_str(), 431),
        (twice.as_str(), 400),
        ("\u{16}\u{3}\u{1} hello", 400),
        ("GET /\r\n\r\n", 400),
        ("GET / HTTP/9.9\r\n\r\n", 400),
    ] {
        let mut stream = house.connect().await;
        drop(stream.write_all(raw.as_bytes()).await);
        let answer = Answer::read(stream).await;
        // A peer that is still sending may see the connection reset instead of the answer.
        assert!(
            answer.status == wanted || (answer.status == 0 && raw.len() > 10_000),
            "{} for {:.40}",
            answer.status,
            raw
        );
    }
    for (method, path, body, wanted) in [
        ("POST", "/api/v1/searches", "{", 400),
        ("POST", "/api/v1/searches", "{\"url\":\"https://a.example/\",\"x\":1}", 400),
        ("POST", "/api/v1/searches", "[1]", 400),
        ("POST", "/api/v1/previews", "{\"url\":\"nonsense\"}", 422),
        ("GET", "/api/v1/listings?limit=0", "", 400),
        ("GET", "/api/v1/listings?limit=-1", "", 400),
        ("GET", "/api/v1/listings?limit=999", "", 400),
        ("GET", "/api/v1/listings?cursor=zzz", "", 422),
        ("GET", "/api/v1/listings?drop=table", "", 400),
        ("GET", "/api/v1/searches/x", "", 400),
        ("GET", "/api/v1/searches/7", "", 404),
        ("PUT", "/api/v1/summary", "", 405),
        ("GET", "/api/v1/nothing", "", 404),
        ("GET", "/../Cargo.toml", "", 404),
        ("GET", "/assets/%2e%2e/secret", "", 404),
    ] {
        let answer = house.send(method, path, &token, None, body).await;
        assert_eq!(answer.status, wanted, "{method} {path} {body}: {}", answer.body);
        answer.code();
    }
    let wrong_kind = [bearer(&token), "Content-Type: text/plain".to_owned()];
    let lines: Vec<&str> = wrong_kind.iter().map(String::as_str).collect();
    assert_eq!(house.ask("POST", "/api/v1/searches", &lines, "{}").await.status, 415);
    house.close().await;
    play.end().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_client_that_dawdles_is_cut_and_a_port_scan_leaves_no_mark() {
    let play = Play::begin(5).await;
    let house = House::open(play.engine(), Limits { connections: 8, ..hasty() }).await;
    let token = rich(play.engine()).await;
    let mut half = house.connect().await;
    half.write_all(b"GET / HTTP/1.1\r\nHos").await.expect("sent");
    let mut bytes = Vec::new();
    tokio::time::timeout(Duration::from_secs(60), half.read_to_end(&mut bytes))
        .await
        .expect("half a head is cut")
        .expect("closed");
    let mut slow = house.connect().await;
    let head = format!(
        "POST /api/v1/previews HTTP/1.1\r\nHost: 127.0.0.1:{}\r\nConnection: close\r\n\
         Content-Length: 50\r\n\r\n{{",
        house.port
    );
    slow.write_all(head.as_bytes()).await.expect("sent");
    let answer = Answer::read(slow).await;
    assert_eq!((answer.status, answer.code().as_str()), (408, "too_slow"));
    // Connections that say nothing take all places, and are cut …
    let mut silent = Vec::new();
    for _ in 0..40 {
        silent.push(house.connect().await);
    }
    for stream in &mut silent {
        let mut bytes = Vec::new();
        tokio::time::timeout(Duration::from_secs(60), stream.read_to_end(&mut bytes))
            .await
            .expect("a silent connection is cut")
            .ok();
    }
    // … and then there is room again.
    assert_eq!(house.get("/api/v1/summary", &token).await.status, 200);
    house.close().await;
    play.end().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn those_that_connect_and_say_nothing_hold_nobody_else_up() {
    let play = Play::begin(6).await;
    // Nothing is ever cut: whoever waits behind them would wait for ever.
    let patient = Duration::from_secs(3600);
    let limits = Limits { head: patient, body: patient, ..Limits::default() };
    let house = House::open(play.engine(), limits).await;
    let token = rich(play.engine()).await;
    let mut silent = Vec::new();
    for _ in 0..40 {
        silent.push(house.connect().await);
    }
    for _ in 0..40 {
        silent.push(house.raw("POST /api/v1/searches HTTP/1.1\r\nContent-Le").await);
    }
    assert_eq!(house.get("/api/v1/summary", &token).await.status, 200);
    drop(silent);
    house.close().await;
    play.end().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn while_the_store_is_busy_the_door_stays_open() {
    let play = Play::begin(7).await;
    let house = House::open(play.engine(), Limits::default()).await;
    let token = rich(play.engine()).await;
    // Somebody who has spent something, so that there is something to keep.
    assert_eq!(house.get("/api/v1/summary", &token).await.status, 200);
    let (release, held) = std::sync::mpsc::channel::<()>();
    let store = play.engine().store().clone();
    let busy = tokio::spawn(async move { store.run(move |_| Ok(held.recv().is_ok())).await });
    // By then it is being kept, behind what holds the store.
    tokio::time::sleep(Duration::from_secs(4)).await;
    assert_eq!(house.ask("GET", "/healthz", &[], "").await.status, 200);
    assert_eq!(house.get("/api/v1/summary", &token).await.status, 200);
    release.send(()).expect("the store waits");
    assert!(busy.await.expect("it ends").expect("it ran"));
    house.close().await;
    play.end().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_read_that_gets_no_turn_says_when_to_come_again() {
    let play = Play::begin(8).await;
    let house = House::open(play.engine(), Limits::default()).await;
    let token = rich(play.engine()).await;
    assert_eq!(house.get("/api/v1/listings", &token).await.status, 200);
    let mut held = Vec::new();
    for _ in 0..2 {
        let (release, wait) = std::sync::mpsc::channel::<()>();
        let (begun, begins) = tokio::sync::oneshot::channel();
        let store = play.engine().store().clone();
        let read = tokio::spawn(async move {
            let slow = move |_: &Store| {
                begun.send(()).expect("the test waits for it");
                Ok(wait.recv().is_ok())
            };
            store.read_within(Duration::from_secs(3600), slow).await
        });
        begins.await.expect("it begins");
        held.push((release, read));
    }
    let refused = house.get("/api/v1/listings", &token).await;
    assert_eq!((refused.status, refused.code().as_str()), (503, "busy"));
    assert_eq!(refused.header("retry-after"), Some("2"));
    for (release, read) in held {
        release.send(()).expect("it waits");
        assert!(read.await.expect("it ends").expect("it ran"));
    }
    assert_eq!(house.get("/api/v1/listings", &token).await.status, 200);
    house.close().await;
    play.end().await;
}
