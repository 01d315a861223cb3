//! The refinements over the plain formula, and what must hold for every draw.

use std::collections::BTreeSet;
use std::time::Duration;

use firstknock_policy::Kind;
use firstknock_policy::ladder::{MAX_WAIT, delay_for, is_top, step};
use firstknock_policy::{Mulberry32, format_wait};
use proptest::prelude::*;

const fn secs(seconds: u64) -> Duration {
    Duration::from_secs(seconds)
}

#[test]
fn a_retry_after_that_wins_does_not_bring_everybody_back_in_the_same_second() {
    let mut dice = Mulberry32::new(1);
    let asked = Some(secs(300));
    let waits: Vec<_> =
        (0..1000).map(|_| delay_for(Kind::RateLimited, 1, asked, dice.draw())).collect();
    assert!(waits.iter().all(|wait| *wait >= secs(300)), "a Retry-After is a floor");
    assert!(waits.iter().all(|wait| *wait <= secs(330)), "the spread is 10 % of it");
    let seconds: BTreeSet<_> = waits.iter().map(Duration::as_secs).collect();
    assert!(seconds.len() >= 29, "spread over 30 s, seen {} distinct seconds", seconds.len());
}

#[test]
fn the_spread_of_a_long_retry_after_is_at_most_a_minute() {
    let wait = delay_for(Kind::RateLimited, 1, Some(secs(1800)), 0.999_999_9);
    assert_eq!(wait.as_secs(), 1860);
}

#[test]
fn the_cap_is_spread_downwards() {
    let mut dice = Mulberry32::new(2);
    let asked = Some(secs(86_400));
    let waits: BTreeSet<_> =
        (0..100).map(|_| delay_for(Kind::RateLimited, 1, asked, dice.draw())).collect();
    assert!(waits.len() > 90, "not all exactly one hour: {} distinct", waits.len());
    assert!(waits.iter().all(|wait| *wait <= MAX_WAIT && *wait >= secs(3240)));
    let top: Vec<_> = (0..100).map(|_| delay_for(Kind::Denied, 4, None, dice.draw())).collect();
    let full_hours = top.iter().filter(|wait| **wait == MAX_WAIT).count();
    assert!(full_hours <= 1, "{full_hours} of 100 top-rung waits are exactly one hour");
}

#[test]
fn a_retry_after_just_below_the_hour_stays_a_floor() {
    for random in [0.0, 0.2, 0.5, 0.9, 0.999] {
        let wait = delay_for(Kind::Challenge, 1, Some(secs(3590)), random);
        assert!((secs(3590)..=MAX_WAIT).contains(&wait), "{wait:?} at {random}");
    }
}

#[test]
fn a_shorter_retry_after_does_not_shorten_the_wait() {
    let plain = delay_for(Kind::Denied, 2, None, 0.25);
    assert_eq!(delay_for(Kind::Denied, 2, Some(secs(60)), 0.25), plain);
}

#[test]
fn a_retry_after_of_exactly_our_own_wait_does_not_win_and_gets_no_spread() {
    assert_eq!(delay_for(Kind::Challenge, 1, Some(secs(60)), 0.5), secs(60));
}

#[test]
fn a_retry_after_of_exactly_an_hour_is_spread_below_it_like_every_longer_one() {
    for asked in [3600, 3601, 86_400] {
        let wait = delay_for(Kind::Challenge, 1, Some(secs(asked)), 0.5);
        assert_eq!(wait, secs(3420), "{asked} s asked");
    }
}

#[test]
fn the_top_rung_is_reached_with_the_last_step_and_not_before() {
    for (kind, top) in
        [(Kind::Challenge, 5), (Kind::RateLimited, 4), (Kind::Denied, 4), (Kind::Error, 3)]
    {
        assert!(!is_top(kind, top - 1) && is_top(kind, top) && is_top(kind, top + 1), "{kind:?}");
    }
}

#[test]
fn draws_that_are_none_count_as_the_nearest() {
    let at = |random| delay_for(Kind::Challenge, 1, None, random);
    assert_eq!(at(f64::NAN), at(0.0));
    assert_eq!(at(-3.0), at(0.0));
    assert!(at(7.0) <= secs(69));
}

#[test]
fn a_wait_reads_as_people_write_it() {
    for (ms, text) in [
        (0, "0s"),
        (400, "1s"),
        (45_000, "45s"),
        (59_000, "59s"),
        (59_001, "1m 00s"),
        (60_000, "1m 00s"),
        (125_000, "2m 05s"),
        (599_000, "9m 59s"),
        (600_000, "10m"),
        (755_000, "12m"),
        (3_599_000, "59m"),
        (3_600_000, "1h 00m"),
        (3_900_000, "1h 05m"),
        (7_199_000, "1h 59m"),
        (90_000_000, "25h 00m"),
    ] {
        assert_eq!(format_wait(Duration::from_millis(ms)), text, "{ms} ms");
    }
    assert_eq!(format_wait(Duration::from_nanos(1)), "1s", "only nothing is 0s");
}

fn any_kind() -> impl Strategy<Value = Kind> {
    prop::sample::select(Kind::ALL.to_vec())
}

proptest! {
    #[test]
    fn a_wait_is_within_its_bounds(
        kind in any_kind(),
        failures in 0_u32..200,
        asked in prop::option::of(0_u64..1_000_000),
        random in 0.0..1.0_f64,
    ) {
        let wait = delay_for(kind, failures, asked.map(secs), random);
        prop_assert!(wait <= MAX_WAIT);
        prop_assert!(wait >= step(kind, failures).mul_f64(0.85).min(MAX_WAIT.mul_f64(0.9)));
        let floor = asked.map(secs).filter(|asked| *asked < MAX_WAIT).unwrap_or_default();
        prop_assert!(wait >= floor);
    }

    #[test]
    fn waits_never_shrink_with_failures(kind in any_kind(), n in 1_u32..20, random in 0.0..1.0_f64) {
        prop_assert!(delay_for(kind, n, None, random) <= delay_for(kind, n + 1, None, random));
    }
}
