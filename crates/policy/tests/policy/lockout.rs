//! Offences and lockouts.

use firstknock_policy::lockout::{Lockout, SavedLockout, lock_for};
use firstknock_policy::remaining;

use crate::after;

const MINUTE: u64 = 60_000;
const DAY: u64 = 24 * 60 * MINUTE;

#[test]
fn lockouts_grow_to_55_minutes_and_stay_there() {
    let mut lockout = Lockout::default();
    let mut now = after(0);
    let mut minutes = Vec::new();
    for _ in 0..11 {
        let offence = lockout.offend(now);
        minutes.push(remaining(now, offence.until).as_secs() / 60);
        now = offence.until;
    }
    assert_eq!(minutes, [1, 2, 3, 5, 8, 13, 21, 34, 55, 55, 55]);
}

#[test]
fn no_offence_counts_as_the_first() {
    assert_eq!(lock_for(0), lock_for(1));
}

#[test]
fn a_lockout_is_clean_when_the_lock_is_over_and_no_offence_counts_any_more() {
    let mut lockout = Lockout::default();
    assert!(lockout.is_clean(after(0)));
    lockout.offend(after(0));
    assert!(!lockout.is_clean(after(0)));
    assert!(!lockout.is_clean(after(2 * MINUTE)), "the lock is over, the offence still counts");
}

#[test]
fn a_request_during_a_lockout_is_no_new_offence() {
    let mut lockout = Lockout::default();
    let first = lockout.offend(after(0));
    let again = lockout.offend(after(59_999));
    assert_eq!((again.number, again.until), (1, first.until));
    assert_eq!(lockout.offend(after(60_000)).number, 2);
}

#[test]
fn offences_age_out_one_by_one_a_day_after_each() {
    let mut lockout = Lockout::default();
    lockout.offend(after(0));
    lockout.offend(after(60 * MINUTE));
    assert_eq!(lockout.count(after(DAY - 1)), 2);
    assert_eq!(lockout.count(after(DAY)), 1);
    assert_eq!(lockout.count(after(DAY + 60 * MINUTE)), 0);
    assert!(lockout.is_clean(after(DAY + 60 * MINUTE)));
    assert_eq!(lockout.offend(after(DAY + 30 * MINUTE)).number, 2, "one of them still counts");
}

#[test]
fn the_owner_is_told_at_the_fifth_offence_and_only_then() {
    let mut lockout = Lockout::default();
    let told: Vec<_> = (0..8).map(|i| lockout.offend(after(i * 60 * MINUTE)).tell_owner).collect();
    assert_eq!(told, [false, false, false, false, true, false, false, false]);
    let mut lockout = Lockout::default();
    for i in 0..5 {
        lockout.offend(after(i * 60 * MINUTE));
    }
    assert!(!lockout.offend(after(4 * 60 * MINUTE + 1)).tell_owner, "not twice for the fifth");
}

#[test]
fn a_lockout_survives_a_restart_and_cannot_be_stored_for_ever() {
    let mut lockout = Lockout::default();
    lockout.offend(after(0));
    lockout.offend(after(MINUTE));
    let saved = SavedLockout::from(&lockout);
    assert_eq!(saved.read(after(2 * MINUTE)), lockout);
    let absurd = SavedLockout { offences_ms: vec![i64::MAX, -5], until_ms: Some(i64::MAX) };
    let read = absurd.read(after(0));
    let until = read.locked_until(after(0)).expect("locked");
    assert_eq!(remaining(after(0), until).as_secs(), 55 * 60);
}

#[test]
fn a_clock_that_was_set_back_leaves_the_rest_of_the_lock() {
    let mut lockout = Lockout::default();
    lockout.offend(after(DAY));
    lockout.set_back(std::time::Duration::from_millis(DAY));
    assert_eq!(lockout.locked_until(after(0)), Some(after(MINUTE)));
    assert_eq!(lockout.count(after(DAY)), 0);
}
