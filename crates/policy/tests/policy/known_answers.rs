//! The numbers of the fixture, to the millisecond.

use std::time::Duration;

use firstknock_policy::breaker::{Answer, Breaker, Standing};
use firstknock_policy::jitter::{self, DEFAULT_BACKOFF};
use firstknock_policy::ladder::{self, delay_for};
use firstknock_policy::retry::{
    Attempt, BACKGROUND, GaveUp, Happened, Limits, Method, Next, Spread, next,
};
use firstknock_policy::{Kind, Mulberry32, lockout, reading};
use serde_json::Value;

use crate::after;

fn fixture() -> Value {
    serde_json::from_str(include_str!("../fixtures/known_answers.json")).expect("JSON")
}

fn ms(value: &Value) -> Duration {
    Duration::from_millis(value.as_u64().expect("ms"))
}

fn numbers(value: &Value) -> Vec<u64> {
    value.as_array().expect("a list").iter().map(|n| n.as_u64().expect("a number")).collect()
}

#[test]
fn the_ladders_have_the_rungs_of_the_paper() {
    let all = fixture();
    for kind in Kind::ALL {
        let rungs: Vec<_> = ladder::rungs(kind).iter().map(|s| s * 1000).collect();
        assert_eq!(rungs, numbers(&all["ladders_ms"][kind.code()]), "{kind:?}");
    }
    assert_eq!(ladder::MAX_WAIT, ms(&all["max_wait_ms"]));
    assert_eq!(Some(u64::from(ladder::ERROR_GRACE)), all["error_grace"].as_u64());
    assert_eq!(Some(jitter::LOW), all["jitter"]["low"].as_f64());
    assert_eq!(Some(jitter::SPAN), all["jitter"]["span"].as_f64());
}

#[test]
fn every_wait_is_the_known_one() {
    for case in fixture()["delay_for"].as_array().expect("cases") {
        let kind = Kind::from_code(case["kind"].as_str().expect("a kind")).expect("a kind");
        let failures = u32::try_from(case["failures"].as_u64().expect("failures")).expect("small");
        let asked = case.get("retry_after_ms").map(ms);
        let random = case["random"].as_f64().expect("random");
        assert_eq!(delay_for(kind, failures, asked, random), ms(&case["wait_ms"]), "{case}");
    }
}

#[test]
fn the_generator_draws_the_known_numbers() {
    let all = fixture();
    let mut dice = Mulberry32::new(Mulberry32::SEED);
    assert_eq!(Some(u64::from(Mulberry32::SEED)), all["mulberry32"]["seed"].as_u64());
    for draw in all["mulberry32"]["draws"].as_array().expect("draws") {
        // A draw is a whole number of 2^-32; serde_json's quick reader is one bit off now and then.
        let steps = draw.as_f64().expect("a number") * 4_294_967_296.0;
        assert_eq!(dice.draw() * 4_294_967_296.0, steps.round());
    }
}

#[test]
fn the_backoff_table_is_the_known_one() {
    let table = &fixture()["backoff_table"];
    let (full, decorrelated) = (numbers(&table["full_jitter"]), numbers(&table["decorrelated"]));
    let mut dice = Mulberry32::new(Mulberry32::SEED);
    let mut previous = DEFAULT_BACKOFF.base;
    let exponential = [200, 400, 800, 1600, 3200, 5000];
    for (i, step) in (0_u32..).zip(exponential) {
        let at = usize::try_from(i).expect("small");
        assert_eq!(jitter::exponential(DEFAULT_BACKOFF, i), Duration::from_millis(step));
        let drawn = jitter::full(DEFAULT_BACKOFF, i, dice.draw());
        assert_eq!(drawn, Duration::from_millis(full[at]), "full, attempt {}", i + 1);
        previous = jitter::decorrelated(DEFAULT_BACKOFF, previous, dice.draw());
        assert_eq!(previous, Duration::from_millis(decorrelated[at]), "decorrelated {}", i + 1);
    }
}

#[test]
fn however_many_attempts_a_wait_ends_at_its_cap_and_an_absurd_cap_at_a_century() {
    let long = Duration::from_secs(u64::MAX / 2);
    let absurd = jitter::Backoff { base: Duration::from_millis(200), cap: long };
    for attempt in [63, 64, u32::MAX] {
        assert_eq!(jitter::exponential(DEFAULT_BACKOFF, attempt), Duration::from_secs(5));
        let century = Duration::from_secs(3_155_760_000);
        assert_eq!(jitter::exponential(absurd, attempt), century, "attempt {attempt}");
    }
}

#[test]
fn twenty_four_clients_spread_over_four_buckets() {
    let seen = reading::simulate(24, 3);
    assert_eq!(seen.without_jitter, [(800, 24)].into());
    assert_eq!(seen.with_jitter, [(0, 6), (200, 5), (400, 7), (600, 6)].into());
}

#[test]
fn the_retry_loop_waits_and_stops_as_known() {
    for case in fixture()["retry_loop"].as_array().expect("cases") {
        let mut dice = Mulberry32::new(Mulberry32::SEED);
        let attempts = u32::try_from(case["max_attempts"].as_u64().expect("n")).expect("small");
        let limits = Limits { attempts, spread: Spread::Full, ..BACKGROUND };
        let method = if case["method"] == "GET" { Method::Safe } else { Method::Other };
        let suggested =
            case.get("retry_after_s").map(|s| Duration::from_secs(s.as_u64().expect("s")));
        let mut waits = Vec::new();
        let mut made = 0;
        for status in numbers(&case["answers"]) {
            made += 1;
            let attempt = Attempt {
                happened: Happened::Status(u16::try_from(status).expect("a status")),
                method,
                attempt: made,
                elapsed: waits.iter().sum(),
                last_wait: waits.last().copied(),
                suggested: suggested.filter(|_| status == 429),
            };
            match next(&attempt, &limits, dice.draw()) {
                Next::Again(wait) => waits.push(wait),
                Next::Done | Next::GiveUp(GaveUp::Final | GaveUp::Attempts) => break,
                Next::GiveUp(why) => panic!("{case}: {why:?}"),
            }
        }
        assert_eq!(Some(u64::from(made)), case["attempts"].as_u64(), "{case}");
        let waits: Vec<_> =
            waits.iter().map(|w| u64::try_from(w.as_millis()).expect("ms")).collect();
        assert_eq!(waits, numbers(&case["waits"]), "{case}");
    }
}

#[test]
fn the_breaker_replays_its_nine_events() {
    let case = &fixture()["breaker"];
    let threshold = u32::try_from(case["threshold"].as_u64().expect("n")).expect("small");
    let mut breaker = Breaker::new(threshold, ms(&case["cooldown_ms"]), Duration::from_secs(60));
    let (mut sent, mut blocked) = (0, 0);
    for (i, event) in case["events"].as_array().expect("events").iter().enumerate() {
        let now = after(event[0].as_u64().expect("ms"));
        let allowed = match breaker.ask(now) {
            Answer::Go(ticket) => {
                breaker.report(ticket, event[1] == true, now);
                sent += 1;
                true
            }
            Answer::Open { .. } => {
                blocked += 1;
                false
            }
        };
        assert_eq!(allowed, case["allowed"][i] == true, "event {i}");
        let state = match breaker.standing(now) {
            Standing::Closed => "closed",
            Standing::Open => "open",
            Standing::HalfOpen => "half-open",
        };
        assert_eq!(state, case["state_after"][i], "event {i}");
    }
    assert_eq!((sent, blocked), (6, 3));
}

#[test]
fn the_lockouts_are_the_known_minutes() {
    assert_eq!(lockout::MINUTES.to_vec(), numbers(&fixture()["lockout_minutes"]));
}
