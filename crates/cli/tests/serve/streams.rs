//! Streams of events: so many of one client, and none for one that is revoked.

use std::time::Duration;

use firstknock_api::{Budget, Limits};
use tokio::io::AsyncReadExt;

use crate::house::{House, bearer, client, owner, rich};
use crate::play::Play;

const STREAMS: [(&str, &str); 2] =
    [("/api/v1/events", "event: summary"), ("/api/ui/events", "\"kind\":\"snapshot\"")];

#[tokio::test(flavor = "multi_thread")]
async fn the_streams_of_a_client_that_is_revoked_end_at_once_and_no_others() {
    let play = Play::begin(51).await;
    let token = owner(play.engine()).await;
    let house = House::open(play.engine(), Limits::default()).await;
    let other = rich(play.engine()).await;
    let mut ends = Vec::new();
    for (path, until) in STREAMS {
        ends.push(house.follow(path, &token, until).await);
    }
    let mut stays = house.follow("/api/v1/events", &other, "event: summary").await;
    let now = play.now();
    play.engine().store().run(move |store| store.revoke_client(1, now)).await.expect("revoked");
    for mut stream in ends {
        let mut rest = Vec::new();
        // By itself, long before anything changes or a beat is due.
        tokio::time::timeout(Duration::from_secs(10), async {
            while !rest.ends_with(b"0\r\n\r\n") {
                assert!(stream.read_buf(&mut rest).await.expect("a stream") > 0, "hung up");
            }
        })
        .await
        .expect("it ends");
    }
    assert_eq!(house.get("/api/v1/summary", &token).await.status, 401);
    let quiet = tokio::time::timeout(Duration::from_millis(200), stays.read_u8()).await;
    assert!(quiet.is_err(), "the other one's goes on");
    house.close().await;
    play.end().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_client_that_opens_a_thousand_streams_has_its_own_few_and_the_others_have_theirs() {
    let play = Play::begin(52).await;
    let house = House::open(play.engine(), Limits::default()).await;
    let plenty = Budget { per_minute: u32::MAX, per_day: u32::MAX };
    let greedy = client(play.engine(), "greedy", false, plenty).await;
    let other = rich(play.engine()).await;
    let mut open = Vec::new();
    for _ in 0..Limits::default().own_streams {
        open.push(house.follow("/api/v1/events", &greedy, "event: summary").await);
    }
    for _ in 0..1000 {
        let refused = house.get("/api/v1/events", &greedy).await;
        assert_eq!((refused.status, refused.code().as_str()), (409, "too_many_streams"));
    }
    drop(house.follow("/api/v1/events", &other, "event: summary").await);
    drop(open);
    // Its places are free again when the server has noticed.
    let head = bearer(&greedy);
    let mut freed = false;
    for _ in 0..100 {
        // Asked by HEAD: an answer of a stream without the stream.
        freed = house.ask("HEAD", "/api/v1/events", &[&head], "").await.status == 200;
        if freed {
            break;
        }
        play.engine().stop().await;
        play.engine().start().await;
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    assert!(freed, "places that nobody holds are free");
    house.close().await;
    play.end().await;
}

/// Notes so many events, each with a text of so many letters.
async fn note(play: &Play, events: usize, letters: usize) {
    let now = play.now();
    let noted = play.engine().store().run(move |store| {
        for n in 0..events {
            let args = serde_json::json!({ "n": n, "text": "x".repeat(letters) });
            store.note_event("rehearsed", None, None, &args, now)?;
        }
        Ok(())
    });
    noted.await.expect("noted");
}

#[tokio::test(flavor = "multi_thread")]
async fn one_that_is_hundreds_of_events_behind_gets_every_one_in_order() {
    let play = Play::begin(53).await;
    let house = House::open(play.engine(), Limits::default()).await;
    let token = rich(play.engine()).await;
    note(&play, 330, 1).await;
    let (port, head) = (house.port, bearer(&token));
    let request = format!(
        "GET /api/v1/events HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\n{head}\r\nLast-Event-ID: 0\r\n\r\n"
    );
    let mut stream = house.raw(&request).await;
    let mut text = String::new();
    let all = async {
        while !text.contains("\"n\":329") {
            let mut bytes = [0; 4096];
            let n = stream.read(&mut bytes).await.expect("a stream");
            assert!(n > 0, "it ends at {:?}", text.rsplit('\n').next());
            text.push_str(&String::from_utf8_lossy(&bytes[..n]));
        }
    };
    tokio::time::timeout(Duration::from_secs(60), all).await.expect("all of them come");
    let seen: Vec<usize> = text
        .split("\"n\":")
        .skip(1)
        .filter_map(|rest| rest.split([',', '}']).next()?.parse().ok())
        .collect();
    assert_eq!(seen, (0..330).collect::<Vec<_>>());
    house.close().await;
    play.end().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn one_that_takes_nothing_of_its_stream_loses_its_place() {
    let play = Play::begin(54).await;
    let limits = Limits { own_streams: 1, stall: Duration::from_millis(300), ..Limits::default() };
    let house = House::open(play.engine(), limits).await;
    let token = rich(play.engine()).await;
    // More than the buffers of a connection hold.
    note(&play, 4_000, 4_000).await;
    let (port, head) = (house.port, bearer(&token));
    let request = format!(
        "GET /api/v1/events HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\n{head}\r\nLast-Event-ID: 0\r\n\r\n"
    );
    let deaf = house.raw(&request).await;
    let mut taken = false;
    let mut freed = false;
    for _ in 0..600 {
        let status = house.ask("HEAD", "/api/v1/events", &[&head], "").await.status;
        taken |= status == 409;
        freed = taken && status == 200;
        if freed {
            break;
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    assert!(taken, "it had the one place");
    assert!(freed, "and lost it");
    drop(deaf);
    house.close().await;
    play.end().await;
}
