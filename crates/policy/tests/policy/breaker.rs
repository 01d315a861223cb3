//! The circuit breaker beyond its nine events.

use std::time::Duration;

use firstknock_policy::breaker::{Answer, Breaker, Standing, Ticket};

use crate::after;

fn open_at(ms: u64) -> Breaker {
    let mut breaker = Breaker::new(3, Duration::from_secs(5), Duration::from_secs(60));
    for _ in 0..3 {
        let ticket = go(&mut breaker, ms);
        breaker.report(ticket, false, after(ms));
    }
    breaker
}

fn go(breaker: &mut Breaker, ms: u64) -> Ticket {
    match breaker.ask(after(ms)) {
        Answer::Go(ticket) => ticket,
        Answer::Open { until } => panic!("open until {until}"),
    }
}

#[test]
fn half_open_lets_exactly_one_trial_through_when_several_ask_at_once() {
    let mut breaker = open_at(0);
    let answers: Vec<_> = (0..5).map(|_| breaker.ask(after(5000))).collect();
    let sent = answers.iter().filter(|answer| matches!(answer, Answer::Go(_))).count();
    assert_eq!(sent, 1);
    assert!(matches!(answers[0], Answer::Go(_)));
}

#[test]
fn it_opens_for_five_seconds_and_says_until_when() {
    let mut breaker = open_at(100);
    assert_eq!(breaker.ask(after(101)), Answer::Open { until: after(5100) });
    assert_eq!(breaker.standing(after(5099)), Standing::Open);
    assert_eq!(breaker.standing(after(5100)), Standing::HalfOpen);
    assert!(matches!(breaker.ask(after(5100)), Answer::Go(_)));
}

#[test]
fn a_failed_trial_opens_with_a_fresh_cool_down() {
    let mut breaker = open_at(0);
    let trial = go(&mut breaker, 7000);
    breaker.report(trial, false, after(8000));
    assert_eq!(breaker.ask(after(12_999)), Answer::Open { until: after(13_000) });
}

#[test]
fn a_trial_that_is_never_reported_is_given_up_after_its_deadline() {
    let mut breaker = open_at(0);
    let lost = go(&mut breaker, 5000);
    assert_eq!(breaker.ask(after(64_999)), Answer::Open { until: after(65_000) });
    let trial = go(&mut breaker, 65_000);
    breaker.report(lost, false, after(65_001));
    assert_eq!(breaker.standing(after(65_001)), Standing::HalfOpen, "too late to count");
    breaker.report(trial, true, after(65_002));
    assert_eq!(breaker.standing(after(65_002)), Standing::Closed);
}

#[test]
fn a_success_resets_the_count() {
    let mut breaker = Breaker::default();
    for worked in [false, false, true, false, false] {
        let ticket = go(&mut breaker, 0);
        breaker.report(ticket, worked, after(0));
    }
    assert_eq!(breaker.standing(after(0)), Standing::Closed);
    let ticket = go(&mut breaker, 1);
    breaker.report(ticket, false, after(1));
    assert_eq!(breaker.standing(after(1)), Standing::Open);
}

#[test]
fn what_was_sent_before_it_opened_changes_nothing_any_more() {
    let mut breaker = Breaker::default();
    let tickets: Vec<_> = (0..5).map(|_| go(&mut breaker, 0)).collect();
    for ticket in &tickets[..3] {
        breaker.report(*ticket, false, after(0));
    }
    breaker.report(tickets[3], true, after(10));
    assert_eq!(breaker.standing(after(10)), Standing::Open, "an old success does not close it");
    breaker.report(tickets[4], false, after(4000));
    assert!(
        matches!(breaker.ask(after(5000)), Answer::Go(_)),
        "nor does an old failure prolong it"
    );
}

#[test]
fn a_clock_that_was_set_back_does_not_keep_the_circuit_open() {
    let hour = 3_600_000;
    let mut breaker = open_at(hour);
    assert_eq!(breaker.ask(after(hour)), Answer::Open { until: after(hour + 5000) });
    assert!(matches!(breaker.ask(after(0)), Answer::Go(_)));
}

#[test]
fn unless_somebody_says_otherwise_it_cools_down_for_5_s_and_a_trial_gets_two_minutes() {
    let mut breaker = Breaker::default();
    for _ in 0..3 {
        let ticket = go(&mut breaker, 0);
        breaker.report(ticket, false, after(0));
    }
    assert_eq!(breaker.ask(after(4999)), Answer::Open { until: after(5000) });
    go(&mut breaker, 5000);
    assert_eq!(breaker.ask(after(124_999)), Answer::Open { until: after(125_000) });
    assert!(matches!(breaker.ask(after(125_000)), Answer::Go(_)));
}

#[test]
fn a_threshold_of_nothing_opens_at_the_first_failure_and_not_before() {
    for threshold in [0, 1] {
        let mut breaker = Breaker::new(threshold, Duration::from_secs(5), Duration::from_secs(60));
        assert_eq!(breaker.standing(after(0)), Standing::Closed);
        let ticket = go(&mut breaker, 0);
        breaker.report(ticket, false, after(0));
        assert_eq!(breaker.standing(after(0)), Standing::Open, "threshold {threshold}");
    }
}
