//! Budgets of clients.

use std::time::Duration;

use firstknock_policy::budget::{Account, Allowance, Hold, SavedAccount, Verdict, Which};
use firstknock_policy::remaining;
use proptest::prelude::*;

use crate::after;

const SMALL: Allowance = Allowance { per_minute: 10, per_day: 25 };
const MINUTE: u64 = 60_000;
const DAY: u64 = 24 * 60 * MINUTE;

fn go(account: &mut Account, cost: u64, ms: u64) -> Hold {
    match account.ask(cost, SMALL, after(ms)) {
        Verdict::Go(hold) => hold,
        other @ (Verdict::LockedOut { .. } | Verdict::Overdrawn { .. }) => panic!("{other:?}"),
    }
}

#[test]
fn a_request_that_would_overdraw_is_refused_before_the_work_and_is_an_offence() {
    let mut account = Account::default();
    go(&mut account, 10, 0);
    let Verdict::Overdrawn { which, offence } = account.ask(1, SMALL, after(1)) else {
        panic!("it is spent");
    };
    assert_eq!((which, offence.number), (Which::Minute, 1));
    assert_eq!(remaining(after(1), offence.until), Duration::from_secs(60));
    assert_eq!(account.spent(after(1)), (10, 10), "what was refused is not charged");
}

#[test]
fn exactly_the_budget_is_not_too_much() {
    let mut account = Account::default();
    for _ in 0..10 {
        go(&mut account, 1, 0);
    }
    assert_eq!(account.lockout().count(after(0)), 0);
}

#[test]
fn during_a_lockout_requests_are_refused_without_a_new_offence() {
    let mut account = Account::default();
    account.ask(11, SMALL, after(0));
    for ms in [1, 1000, 59_999] {
        let verdict = account.ask(1, SMALL, after(ms));
        assert_eq!(verdict, Verdict::LockedOut { until: after(MINUTE), offences: 1 });
    }
    go(&mut account, 1, MINUTE);
}

#[test]
fn the_minute_rolls_and_the_day_is_a_budget_of_its_own() {
    let mut account = Account::default();
    go(&mut account, 10, 0);
    go(&mut account, 10, MINUTE);
    go(&mut account, 5, 2 * MINUTE);
    let Verdict::Overdrawn { which, .. } = account.ask(1, SMALL, after(3 * MINUTE)) else {
        panic!("the day is spent");
    };
    assert_eq!(which, Which::Day);
    go(&mut account, 10, DAY + 5 * MINUTE);
}

#[test]
fn a_spending_counts_for_a_whole_minute_and_a_whole_day() {
    let mut account = Account::default();
    go(&mut account, 10, 0);
    assert_eq!(account.spent(after(MINUTE - 1)), (10, 10));
    assert_eq!(account.spent(after(MINUTE)), (0, 10));
    assert_eq!(account.spent(after(DAY - 1)), (0, 10));
    assert_eq!(account.spent(after(DAY)), (0, 0));
}

#[test]
fn the_true_cost_is_settled_afterwards_in_both_directions() {
    let mut account = Account::default();
    let hold = go(&mut account, 8, 0);
    account.settle(hold, 2);
    assert_eq!(account.spent(after(0)), (2, 2));
    let hold = go(&mut account, 8, 1);
    account.settle(hold, 14);
    assert_eq!(account.spent(after(1)), (16, 16), "what was dearer than it looked counts in full");
    assert!(matches!(account.ask(1, SMALL, after(2)), Verdict::Overdrawn { .. }));
}

#[test]
fn nothing_is_free() {
    let mut account = Account::default();
    for ms in 0..10 {
        go(&mut account, 0, ms);
    }
    assert!(matches!(account.ask(0, SMALL, after(11)), Verdict::Overdrawn { .. }));
}

#[test]
fn one_clients_limit_is_nobody_elses() {
    let (mut one, mut other) = (Account::default(), Account::default());
    one.ask(99, SMALL, after(0));
    go(&mut other, 10, 0);
}

#[test]
fn an_account_survives_a_restart() {
    let mut account = Account::default();
    go(&mut account, 7, 0);
    account.ask(9, SMALL, after(10));
    let json = serde_json::to_string(&account.save()).expect("JSON");
    let saved: SavedAccount = serde_json::from_str(&json).expect("it");
    let mut read = saved.read(after(20));
    assert_eq!(read.spent(after(20)), (7, 7));
    assert_eq!(read.ask(1, SMALL, after(20)), account.ask(1, SMALL, after(20)));
}

#[test]
fn what_is_spent_within_five_minutes_ages_out_of_the_day_with_its_last_spending() {
    let five = 5 * MINUTE;
    let mut together = Account::default();
    go(&mut together, 1, 0);
    go(&mut together, 2, five - 1);
    assert_eq!(together.spent(after(DAY)).1, 3);
    assert_eq!(together.spent(after(DAY + five - 1)).1, 0);
    let mut apart = Account::default();
    go(&mut apart, 1, 0);
    go(&mut apart, 2, five);
    assert_eq!(apart.spent(after(DAY)).1, 2);
}

#[test]
fn what_no_longer_counts_is_not_kept() {
    let mut account = Account::default();
    for at in [0, MINUTE, DAY + MINUTE] {
        go(&mut account, 1, at);
    }
    let saved = account.save();
    assert_eq!((saved.minute.len(), saved.day.len()), (1, 1));
}

#[test]
fn the_true_cost_replaces_the_estimate_of_its_own_request() {
    let mut account = Account::default();
    let first = go(&mut account, 5, 0);
    go(&mut account, 5, 10 * MINUTE);
    account.settle(first, 1);
    assert_eq!(account.spent(after(10 * MINUTE)), (5, 6));
    assert_eq!(account.spent(after(DAY)), (0, 5), "the first is a day old, the second is not");
}

#[test]
fn a_spending_of_the_future_counts_as_spent_now() {
    let saved = SavedAccount {
        minute: vec![(after(DAY).as_millisecond(), 4)],
        day: vec![(i64::MAX, 4)],
        ..SavedAccount::default()
    };
    let account = saved.read(after(0));
    assert_eq!(account.spent(after(0)), (4, 4));
    assert_eq!(account.spent(after(MINUTE)), (0, 4));
    assert_eq!(account.spent(after(DAY)), (0, 0));
}

proptest! {
    #[test]
    fn a_minutes_spendings_are_the_sum_of_what_is_younger_than_a_minute(
        steps in prop::collection::vec((0_u64..40_000, 1_u64..50, 0_u64..80), 1..80),
    ) {
        const WIDE: Allowance = Allowance { per_minute: u64::MAX, per_day: u64::MAX };
        let mut account = Account::default();
        let (mut now, mut spent) = (0, Vec::new());
        for (pause, estimate, cost) in steps {
            // Several in one moment, too.
            now += pause.saturating_sub(10_000);
            let Verdict::Go(hold) = account.ask(estimate, WIDE, after(now)) else {
                panic!("nothing is over that");
            };
            account.settle(hold, cost);
            spent.push((now, cost));
            for at in [now, now + MINUTE / 2, now + MINUTE] {
                let young = spent.iter().filter(|(of, _)| at < of + MINUTE);
                let sum: u64 = young.map(|(_, cost)| cost).sum();
                prop_assert_eq!(account.spent(after(at)).0, sum, "at {}", at);
            }
            let again = account.save().read(after(now));
            prop_assert_eq!(again.spent(after(now)), account.spent(after(now)));
        }
    }
}

#[test]
fn one_that_is_let_in_again_begins_with_all_of_its_budget_and_keeps_its_offences() {
    let mut account = Account::default();
    go(&mut account, 10, 0);
    go(&mut account, 10, MINUTE);
    account.ask(6, SMALL, after(2 * MINUTE));
    assert!(account.lockout().locked_until(after(2 * MINUTE)).is_some(), "the day is spent");
    account.let_in(after(2 * MINUTE));
    assert_eq!(account.spent(after(2 * MINUTE)), (0, 0));
    go(&mut account, 10, 2 * MINUTE + 1);
    assert_eq!(account.lockout().count(after(2 * MINUTE + 1)), 1, "nobody forgave");
    // Said again, it takes back nothing of what came after.
    account.let_in(after(2 * MINUTE));
    assert_eq!(account.spent(after(2 * MINUTE + 1)), (10, 10));
    account.ask(1, SMALL, after(2 * MINUTE + 2));
    account.let_in(after(2 * MINUTE + 1));
    assert_eq!(account.spent(after(2 * MINUTE + 2)), (0, 0), "up to that very moment");
    let locked = account.lockout().locked_until(after(2 * MINUTE + 2));
    assert_eq!(locked, Some(after(4 * MINUTE + 2)), "the second offence's own two minutes");
    assert_eq!(account.lockout().last(), Some(after(2 * MINUTE + 2)));
}

#[test]
fn a_lock_without_an_offence_that_explains_it_ends_too() {
    let mut saved = SavedAccount::default();
    saved.lockout.until_ms = Some(after(MINUTE).as_millisecond());
    let mut account = saved.read(after(0));
    assert!(account.lockout().locked_until(after(1)).is_some());
    account.let_in(after(0));
    assert_eq!(account.lockout().locked_until(after(1)), None);
}
