//! Two clients and a clock of our own: what one does wrong is that one's trouble alone.

use std::time::Duration;

use firstknock_api::{Budget, Limits, USUAL_BUDGET};
use firstknock_monitor::store::{PostKind, StoreError};
use serde_json::Value;

use crate::house::{Answer, House, client};
use crate::play::Play;

const MINUTE: Duration = Duration::from_secs(60);
const SMALL: Budget = Budget { per_minute: 10, per_day: 1_000 };

/// Asks until it is refused.
async fn overdraw(house: &House, token: &str) -> Answer {
    for _ in 0..12 {
        let answer = house.get("/api/v1/summary", token).await;
        if answer.status == 429 {
            return answer;
        }
        assert_eq!(answer.status, 200);
    }
    panic!("twelve within a budget of ten");
}

/// Minutes that the lock lasts, as body and header say it.
fn locked_for(play: &Play, answer: &Answer) -> i64 {
    let body = answer.json();
    let until = body["limit"]["until_ms"].as_i64().expect("until when");
    let left = until - play.now().as_millisecond();
    let header: i64 = answer.header("retry-after").and_then(|s| s.parse().ok()).expect("seconds");
    assert_eq!(header, (left + 999) / 1000, "the header says what the body says");
    assert_eq!(body["limit"]["budget_per_minute"], 10);
    assert_eq!(left % 60_000, 0);
    left / 60_000
}

fn offence(answer: &Answer) -> Value {
    answer.json()["limit"]["offence"].clone()
}

#[tokio::test(flavor = "multi_thread")]
async fn one_that_keeps_coming_gets_to_55_minutes_and_the_other_never_notices() {
    let play = Play::begin(11).await;
    let house = House::open(play.engine(), Limits::default()).await;
    let buggy = client(play.engine(), "buggy loop", false, SMALL).await;
    let good = client(play.engine(), "good", false, USUAL_BUDGET).await;
    for (nth, minutes) in [1, 2, 3, 5, 8, 13, 21, 34, 55, 55, 55].into_iter().enumerate() {
        let refused = overdraw(&house, &buggy).await;
        assert_eq!(refused.code(), "budget_overdrawn");
        assert_eq!(refused.json()["limit"]["overdrawn"], "minute");
        assert_eq!(offence(&refused), nth + 1);
        assert_eq!(locked_for(&play, &refused), minutes);
        assert_eq!(house.get("/api/v1/summary", &good).await.status, 200);
        // Hammering during the lock is refused and is no new offence.
        for _ in 0..5 {
            let again = house.get("/api/v1/summary", &buggy).await;
            assert_eq!((again.status, again.code().as_str()), (429, "locked_out"));
            assert_eq!(offence(&again), nth + 1);
        }
        play.clock.advance(MINUTE * u32::try_from(minutes).expect("small"));
    }
    let told = play.engine().store().run(|store| store.events_after(0, 100)).await.expect("events");
    let told: Vec<_> = told.iter().filter(|it| it.code == "client_limited").collect();
    assert_eq!(told.len(), 1, "the owner is told at the fifth, once");
    assert_eq!(told[0].args["client"], "buggy loop");
    assert_eq!(told[0].args["offences"], 5);
    let sent = play.engine().store().run(|store| store.deliveries(100)).await.expect("the outbox");
    assert_eq!(sent.iter().filter(|row| row.kind == PostKind::Notice).count(), 1);
    play.clock.until("the mail", 5 * MINUTE, || !play.mails().is_empty()).await;
    let mails = play.mails();
    assert_eq!(mails.len(), 1);
    assert!(crate::play::decoded(&mails[0]).contains("buggy loop"), "{}", mails[0]);
    house.close().await;
    play.end().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_loop_that_is_fixed_ages_out_and_never_sees_a_long_lockout_again() {
    let play = Play::begin(12).await;
    let house = House::open(play.engine(), Limits::default()).await;
    let token = client(play.engine(), "loop", false, SMALL).await;
    for minutes in [1, 2, 3, 5] {
        let refused = overdraw(&house, &token).await;
        assert_eq!(locked_for(&play, &refused), minutes);
        play.clock.advance(MINUTE * u32::try_from(minutes).expect("small"));
    }
    // Fixed: it asks every ten minutes for a day, and nothing is ever refused.
    for _ in 0..=(24 * 6) {
        assert_eq!(house.get("/api/v1/summary", &token).await.status, 200);
        play.clock.advance(10 * MINUTE);
    }
    let refused = overdraw(&house, &token).await;
    assert_eq!((offence(&refused), locked_for(&play, &refused)), (1.into(), 1));
    house.close().await;
    play.end().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_lockout_and_what_was_spent_survive_a_restart() {
    let play = Play::begin(13).await;
    let house = House::open(play.engine(), Limits::default()).await;
    let locked = client(play.engine(), "locked", false, SMALL).await;
    let spender = client(play.engine(), "spender", false, SMALL).await;
    let before = overdraw(&house, &locked).await.json();
    for _ in 0..10 {
        assert_eq!(house.get("/api/v1/summary", &spender).await.status, 200);
    }
    house.close().await;
    let play = play.restart().await;
    let house = House::open(play.engine(), Limits::default()).await;
    let after = house.get("/api/v1/summary", &locked).await;
    assert_eq!((after.status, after.code().as_str()), (429, "locked_out"));
    assert_eq!(after.json()["limit"]["until_ms"], before["limit"]["until_ms"]);
    let spent = house.get("/api/v1/summary", &spender).await;
    assert_eq!(spent.code(), "budget_overdrawn", "its ten are spent");
    play.clock.advance(MINUTE);
    let refused = overdraw(&house, &locked).await;
    assert_eq!((offence(&refused), locked_for(&play, &refused)), (2.into(), 2));
    house.close().await;
    play.end().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_day_has_a_budget_too_and_the_dear_question_is_refused_before_the_work() {
    let play = Play::begin(14).await;
    let house = House::open(play.engine(), Limits::default()).await;
    let budget = Budget { per_minute: 20, per_day: 30 };
    let token = client(play.engine(), "curious", false, budget).await;
    let dear = house.get("/api/v1/listings?text=garden&limit=200", &token).await;
    assert_eq!(dear.json()["limit"]["overdrawn"], "minute", "21 units of 20");
    play.clock.advance(MINUTE);
    for _ in 0..3 {
        // Estimated at 11; nothing is there, so it is settled at 1.
        assert_eq!(house.get("/api/v1/listings?limit=200", &token).await.status, 200);
    }
    let mut answered = 0;
    let refused = loop {
        play.clock.advance(MINUTE);
        let answer = house.get("/api/v1/summary", &token).await;
        if answer.status == 429 {
            break answer;
        }
        answered += 1;
    };
    assert_eq!(answered, 27, "30 a day, of which three were spent");
    assert_eq!(refused.json()["limit"]["overdrawn"], "day");
    house.close().await;
    play.end().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn one_that_is_locked_out_costs_the_store_nothing() {
    let play = Play::begin(15).await;
    let house = House::open(play.engine(), Limits::default()).await;
    let token = client(play.engine(), "hammer", false, SMALL).await;
    overdraw(&house, &token).await;
    let (release, held) = std::sync::mpsc::channel::<()>();
    let store = play.engine().store().clone();
    let busy = tokio::spawn(async move { store.run(move |_| Ok(held.recv().is_ok())).await });
    for _ in 0..50 {
        assert_eq!(house.get("/api/v1/summary", &token).await.status, 429);
    }
    release.send(()).expect("the store waits");
    assert!(busy.await.expect("it ends").expect("it ran"));
    house.close().await;
    play.end().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn while_one_hammers_no_page_check_is_late() {
    let play = Play::begin(16).await;
    play.add("waterveen").await;
    play.until_checked(1, 12).await;
    let house = House::open(play.engine(), Limits::default()).await;
    let token = client(play.engine(), "hammer", false, SMALL).await;
    let quiet = checks_within_ten_minutes(&play).await;
    let hammer = async {
        loop {
            house.get("/api/v1/listings?limit=200", &token).await;
        }
    };
    let hammered = tokio::select! {
        checks = checks_within_ten_minutes(&play) => checks,
        () = hammer => unreachable!("it never ends"),
    };
    // Every 90 s give or take the jitter, and the gap's own second.
    assert!(quiet >= 5, "{quiet} checks in ten quiet minutes");
    assert!(hammered >= 5, "{hammered} checks in ten minutes of hammering, {quiet} in quiet ones");
    house.close().await;
    play.end().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn no_page_check_waits_for_a_reader_or_for_one_that_looks_for_words() {
    let play = Play::begin(17).await;
    play.add("waterveen").await;
    play.until_checked(1, 12).await;
    let house = House::open(play.engine(), Limits::default()).await;
    let endless = Budget { per_minute: u32::MAX, per_day: u32::MAX };
    let token = client(play.engine(), "hammer", false, endless).await;
    let words = "/api/v1/listings?limit=200&text=gracht%20a";
    assert_eq!(house.get(words, &token).await.status, 200);
    // Every place of the readers is taken for as long as the test likes.
    let mut held = Vec::new();
    for _ in 0..8 {
        let (release, wait) = std::sync::mpsc::channel::<()>();
        let store = play.engine().store().clone();
        let read =
            async move { store.read_within(10 * MINUTE, move |_| Ok(wait.recv().is_ok())).await };
        held.push((release, tokio::spawn(read)));
    }
    let hammer = async {
        loop {
            let ask = || house.get(words, &token);
            tokio::join!(ask(), ask(), ask(), ask(), ask(), ask(), ask(), ask());
        }
    };
    let checks = tokio::select! {
        checks = checks_within_ten_minutes(&play) => checks,
        () = hammer => unreachable!("it never ends"),
    };
    assert!(checks >= 5, "{checks} checks in ten minutes without a reader");
    // All of them first: nobody knows whose turn it is, and those behind wait for those before.
    let (releases, reads): (Vec<_>, Vec<_>) = held.into_iter().unzip();
    drop(releases);
    for read in reads {
        // Two had a place; the others gave up waiting for one.
        let done = read.await.expect("it ends");
        assert!(matches!(done, Ok(false) | Err(StoreError::NoTurn)), "{done:?}");
    }
    assert_eq!(house.get(words, &token).await.status, 200);
    house.close().await;
    play.end().await;
}

async fn checks_within_ten_minutes(play: &Play) -> usize {
    play.site().forget_requests();
    play.pass(10 * MINUTE).await;
    play.site().requests().len()
}
