//! When a message that could not be sent goes again: to the second, per channel.

use std::time::Duration;

use firstknock_policy::delivery::{
    Attempt, GaveUp, Hold, Next, NotSent, Pace, Repeat, Tried, after_crash, next,
};

use crate::{after, start};

const SECOND: u64 = 1000;
const MINUTE: u64 = 60 * SECOND;
const HOUR: u64 = 60 * MINUTE;

fn refused(reason: NotSent, retry_after: Option<u64>) -> Attempt {
    let retry_after = retry_after.map(Duration::from_millis);
    Attempt::NotSent { reason, retry_after, words: String::new() }
}

/// `attempts` before this one, the first of them `spent` ms ago.
fn step(attempt: &Attempt, pace: &Pace, attempts: u32, spent: u64, random: f64) -> Next {
    let tried = Tried { attempts, unknowns: 0, first_tried: start(), last_wait: None };
    next(attempt, &tried, pace, after(spent), random)
}

fn wait(step: &Next) -> u64 {
    match step {
        Next::RetryAt { wait, .. } => u64::try_from(wait.as_millis()).expect("ms"),
        other => panic!("{other:?}"),
    }
}

#[test]
fn after_the_quick_tries_each_channel_has_its_own_schedule_and_the_last_step_repeats() {
    let down = refused(NotSent::Server, None);
    let mail = [(10, 15), (25, 30), (55, 60), (115, 60), (600, 60)];
    let post = [(10, 5), (15, 15), (30, 60), (90, 60), (600, 60)];
    for (pace, steps) in [(Pace::MAIL, mail), (Pace::POST, post)] {
        for (i, (from, minutes)) in steps.into_iter().enumerate() {
            let to = steps.get(i + 1).map_or(from, |(next, _)| *next);
            for spent in [from * MINUTE, (to * MINUTE - 1).max(from * MINUTE)] {
                let seen = wait(&step(&down, &pace, 20, spent, 0.5));
                assert_eq!(seen, minutes * MINUTE, "{pace:?} after {spent} ms");
            }
        }
    }
}

#[test]
fn eight_tries_in_all_are_quick_and_they_end_within_ten_minutes() {
    let down = refused(NotSent::Server, None);
    let quick = |attempts, spent| wait(&step(&down, &Pace::MAIL, attempts, spent, 0.0));
    assert_eq!(quick(6, 0), 5 * SECOND, "the eighth try may still be quick");
    assert!(quick(7, 0) > 10 * MINUTE, "the ninth is not");
    assert_eq!(quick(3, 10 * MINUTE - 5 * SECOND), 5 * SECOND, "it ends with the ten minutes");
    assert!(quick(3, 10 * MINUTE - 5 * SECOND + 1) > 10 * MINUTE, "it would end after them");
}

#[test]
fn quick_tries_begin_and_end_as_the_channel_wants() {
    let down = refused(NotSent::Server, None);
    for (pace, base, cap) in [(Pace::MAIL, 5000, 120_000), (Pace::POST, 200, 5000)] {
        assert_eq!(wait(&step(&down, &pace, 0, 0, 0.0)), base);
        let high = wait(&step(&down, &pace, 0, 0, 0.999_999_999));
        assert_eq!(high, 3 * base, "up to three times the one before");
        let long = Some(Duration::from_secs(3600));
        let tried = Tried { attempts: 3, unknowns: 0, first_tried: start(), last_wait: long };
        let most = wait(&next(&down, &tried, &pace, start(), 0.999_999));
        assert_eq!(most, cap, "no quick wait is longer");
    }
}

#[test]
fn the_last_try_is_at_the_end_of_the_forty_eighth_hour() {
    let busy = Attempt::Busy { reply: String::new() };
    let last = 48 * HOUR - 15 * MINUTE;
    assert_eq!(step(&busy, &Pace::MAIL, 9, last, 0.0).at(), Some(after(48 * HOUR)));
    let late = step(&busy, &Pace::MAIL, 9, last + 1, 0.0);
    assert_eq!(late, Next::GivenUp { why: GaveUp::TooOld });
}

#[test]
fn a_server_may_ask_for_the_forty_eight_hours_and_no_longer() {
    let asked = |ms| step(&refused(NotSent::TooMany, Some(ms)), &Pace::POST, 0, 0, 0.5);
    assert_eq!(asked(48 * HOUR).at(), Some(after(48 * HOUR)));
    assert_eq!(asked(48 * HOUR + 1), Next::GivenUp { why: GaveUp::AskedTooLong });
}

#[test]
fn only_what_the_network_kept_back_may_go_earlier_when_the_network_is_back() {
    let text = String::new;
    let until = after(MINUTE);
    let cases = [
        (refused(NotSent::Offline, None), true),
        (refused(NotSent::Dns, None), true),
        (refused(NotSent::Connect, None), true),
        (refused(NotSent::Dropped, None), true),
        (refused(NotSent::Timeout, None), true),
        (refused(NotSent::Tls, None), false),
        (refused(NotSent::Protocol, None), false),
        (refused(NotSent::TooMany, None), false),
        (refused(NotSent::Server, None), false),
        (refused(NotSent::Local, None), false),
        (Attempt::Unknown { repeat: Repeat::OnceOrTwice, words: text() }, false),
        (Attempt::Unknown { repeat: Repeat::Freely, words: text() }, false),
        (Attempt::CircuitOpen { until }, false),
        (Attempt::Greylisted { reply: text() }, false),
        (Attempt::Busy { reply: text() }, false),
    ];
    for (attempt, earlier) in cases {
        let Next::RetryAt { network_first, .. } = step(&attempt, &Pace::MAIL, 0, 0, 0.5) else {
            panic!("{attempt:?} goes again");
        };
        assert_eq!(network_first, earlier, "{attempt:?}");
    }
    let tried = Tried { attempts: 1, unknowns: 0, first_tried: start(), last_wait: None };
    let Next::RetryAt { network_first, .. } = after_crash(Repeat::Freely, &tried, start()) else {
        panic!("it goes again");
    };
    assert!(!network_first);
}

#[test]
fn the_breaker_counts_trouble_of_the_channel_and_no_answer_to_one_message() {
    let text = String::new;
    let until = after(MINUTE);
    for (attempt, works) in [
        (Attempt::Sent { reply: text() }, Some(true)),
        (Attempt::Greylisted { reply: text() }, Some(true)),
        (Attempt::RecipientRefused { reply: text() }, Some(true)),
        (Attempt::Rejected { reply: text() }, Some(true)),
        (refused(NotSent::Connect, None), Some(false)),
        (Attempt::Busy { reply: text() }, Some(false)),
        (Attempt::Unknown { repeat: Repeat::Freely, words: text() }, Some(false)),
        (Attempt::AccountHeld { hold: Hold::Auth, reply: text() }, None),
        (Attempt::CircuitOpen { until }, None),
    ] {
        assert_eq!(attempt.channel_works(), works, "{attempt:?}");
    }
}

#[test]
fn an_unknown_outcome_is_repeated_after_two_to_four_and_fifteen_to_thirty_minutes() {
    let unknown = Attempt::Unknown { repeat: Repeat::OnceOrTwice, words: String::new() };
    for (unknowns, from, to) in [(0, 2, 4), (1, 15, 30)] {
        let tried = Tried { attempts: unknowns, unknowns, first_tried: start(), last_wait: None };
        let at = |random| wait(&next(&unknown, &tried, &Pace::MAIL, start(), random));
        assert_eq!((at(0.0), at(0.5)), (from * MINUTE, (from + to) * MINUTE / 2));
        assert_eq!(at(7.0), to * MINUTE, "a draw outside counts as the nearest");
    }
}
