//! The table of section 6, every status, and the three limits.

use std::time::Duration;

use firstknock_policy::retry::{
    Attempt, BACKGROUND, GaveUp, Happened, Method, Next, PAGE_CHECK, PERSON, next,
};
use proptest::prelude::*;

const METHODS: [Method; 3] = [Method::Safe, Method::Other, Method::OtherWithKey];

fn first(happened: Happened, method: Method) -> Attempt {
    Attempt {
        happened,
        method,
        attempt: 1,
        elapsed: Duration::ZERO,
        last_wait: None,
        suggested: None,
    }
}

fn again(happened: Happened, method: Method) -> bool {
    matches!(next(&first(happened, method), &BACKGROUND, 0.5), Next::Again(_))
}

#[test]
fn every_status_is_repeated_as_the_table_says_whatever_the_method() {
    for status in 100..=699 {
        let expected = status == 429 || (500..600).contains(&status);
        for method in METHODS {
            assert_eq!(again(Happened::Status(status), method), expected, "{status} {method:?}");
        }
        let done = next(&first(Happened::Status(status), Method::Safe), &BACKGROUND, 0.5);
        assert_eq!(done == Next::Done, (200..400).contains(&status), "{status}");
    }
}

#[test]
fn what_was_not_sent_may_be_repeated_and_what_may_have_arrived_only_when_it_is_harmless() {
    for (happened, expected) in [
        (Happened::NotSent, [true, true, true]),
        (Happened::Unknown, [true, false, true]),
        (Happened::Unparsable, [false, false, false]),
        (Happened::Cancelled, [false, false, false]),
    ] {
        assert_eq!(METHODS.map(|method| again(happened, method)), expected, "{happened:?}");
    }
    let post = next(&first(Happened::Unknown, Method::Other), &BACKGROUND, 0.5);
    assert_eq!(post, Next::GiveUp(GaveUp::MayHaveArrived));
}

#[test]
fn a_suggestion_is_a_lower_bound() {
    let mut attempt = first(Happened::Status(503), Method::Safe);
    attempt.suggested = Some(Duration::from_secs(2));
    assert_eq!(next(&attempt, &BACKGROUND, 0.5), Next::Again(Duration::from_secs(2)));
    attempt.suggested = Some(Duration::from_millis(1));
    assert_eq!(next(&attempt, &BACKGROUND, 0.5), Next::Again(Duration::from_millis(400)));
}

#[test]
fn a_suggestion_that_the_budget_cannot_hold_gives_up_at_once_and_says_so() {
    let suggested = Duration::from_secs(120);
    let attempt =
        Attempt { suggested: Some(suggested), ..first(Happened::Status(429), Method::Safe) };
    let expected = Next::GiveUp(GaveUp::SuggestedTooLong { suggested });
    assert_eq!(next(&attempt, &PERSON, 0.5), expected);
    assert_eq!(next(&attempt, &BACKGROUND, 0.5), Next::Again(suggested));
}

#[test]
fn a_suggestion_that_is_no_longer_than_our_own_wait_is_not_to_blame_for_the_budget() {
    let late = Attempt {
        elapsed: Duration::from_millis(2950),
        suggested: Some(Duration::from_millis(100)),
        ..first(Happened::Status(503), Method::Safe)
    };
    assert_eq!(next(&late, &PERSON, 0.5), Next::GiveUp(GaveUp::Budget), "100 ms is ours as well");
}

#[test]
fn attempts_and_budget_end_every_loop() {
    let attempt = first(Happened::NotSent, Method::Safe);
    let last = Attempt { attempt: 8, ..attempt };
    assert_eq!(next(&last, &BACKGROUND, 0.5), Next::GiveUp(GaveUp::Attempts));
    assert!(matches!(next(&Attempt { attempt: 7, ..attempt }, &BACKGROUND, 0.5), Next::Again(_)));
    let late = Attempt { elapsed: Duration::from_millis(2950), ..attempt };
    assert_eq!(next(&late, &PERSON, 0.9), Next::GiveUp(GaveUp::Budget));
    let exact = Attempt { elapsed: Duration::from_millis(2900), ..attempt };
    assert_eq!(next(&exact, &PERSON, 0.5), Next::Again(Duration::from_millis(100)));
}

#[test]
fn a_person_waits_for_two_tries_and_the_background_for_eight() {
    assert_eq!((PERSON.attempts, PERSON.budget), (2, Duration::from_secs(3)));
    assert_eq!((BACKGROUND.attempts, BACKGROUND.budget), (8, Duration::from_secs(600)));
}

#[test]
fn inside_a_page_check_only_a_network_error_is_tried_once_more() {
    for status in [403, 429, 500, 503] {
        let attempt = first(Happened::Status(status), Method::Safe);
        assert_eq!(next(&attempt, &PAGE_CHECK, 0.5), Next::GiveUp(GaveUp::LadderDecides));
    }
    for happened in [Happened::NotSent, Happened::Unknown] {
        let attempt = first(happened, Method::Safe);
        assert_eq!(next(&attempt, &PAGE_CHECK, 0.5), Next::Again(Duration::from_millis(100)));
        let second = Attempt { attempt: 2, ..attempt };
        assert_eq!(next(&second, &PAGE_CHECK, 0.5), Next::GiveUp(GaveUp::Attempts));
        let hung = Attempt { elapsed: Duration::from_millis(59_900), ..attempt };
        assert!(matches!(next(&hung, &PAGE_CHECK, 0.5), Next::Again(_)), "within the minute");
        let over = Attempt { elapsed: Duration::from_millis(59_901), ..attempt };
        assert_eq!(next(&over, &PAGE_CHECK, 0.5), Next::GiveUp(GaveUp::Budget));
    }
}

proptest! {
    #[test]
    fn no_loop_outlives_its_budget(draws in prop::collection::vec(0.0..1.0_f64, 20), asked in 0_u64..2000) {
        for limits in [PERSON, BACKGROUND, PAGE_CHECK] {
            let mut attempt = first(Happened::NotSent, Method::Safe);
            attempt.suggested = Some(Duration::from_millis(asked));
            for draw in &draws {
                let Next::Again(wait) = next(&attempt, &limits, *draw) else { break };
                prop_assert!(wait >= Duration::from_millis(asked));
                attempt.elapsed += wait;
                attempt.attempt += 1;
                attempt.last_wait = Some(wait);
                prop_assert!(attempt.elapsed <= limits.budget);
                prop_assert!(attempt.attempt <= limits.attempts);
            }
        }
    }
}
