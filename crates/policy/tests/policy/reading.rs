//! `knock policy` as data.

use firstknock_policy::reading::{checks, ladders, simulate};

#[test]
fn the_ladders_print_as_the_paper_shows_them() {
    let expected = "\
challenge     1.0m → 3.0m → 8.0m → 15.0m → 30.0m
rate_limited  2.0m → 5.0m → 15.0m → 30.0m
denied        5.0m → 15.0m → 30.0m → 60.0m
error         30s → 2.0m → 5.0m";
    assert_eq!(ladders().join("\n"), expected);
}

#[test]
fn all_fifteen_checks_pass_and_end_with_the_value_seen() {
    let lines: Vec<_> = checks().iter().map(firstknock_policy::reading::Check::line).collect();
    let expected = "\
ok   first challenge retry is one minute: 1.0m
ok   challenge tops out at 30 minutes: 30.0m
ok   a first error waits half a minute: 30s
ok   a refusal waits longer than a challenge, rung by rung: 5.0m > 1.0m, 15.0m > 3.0m, 30.0m > 8.0m, 60.0m > 15.0m, 60.0m > 30.0m
ok   waits never shrink with failures: 6 failures of each of 4 kinds
ok   40 draws of jitter give 40 values: 40 distinct of 40
ok   each within 15 % of its step: 52.5s to 68.6s
ok   longer Retry-After wins: 10.0m
ok   shorter Retry-After does not shorten: 2.0m
ok   absurd Retry-After is capped at an hour: 60.0m
ok   a recorded host waits, an unrelated one does not: refuses.example waits, other.example goes out
ok   same kind accumulates, another kind starts its own ladder: challenge 1, 2, 3, then error 1
ok   `soonest()` finds the host due first: b.example
ok   lockouts are 1 2 3 5 8 13 21 34 55 and age out: 1 2 3 5 8 13 21 34 55, 0 left a day later
ok   breaker replays the nine events of section 9: 6 sent, 3 not, closed";
    assert_eq!(lines.join("\n"), expected);
}

#[test]
fn a_simulation_of_any_size_counts_everybody() {
    for (clients, attempt) in [(0, 0), (1, 1), (24, 3), (10_000, 40)] {
        let seen = simulate(clients, attempt);
        assert_eq!(seen.with_jitter.values().sum::<u32>(), clients);
        assert_eq!(seen.without_jitter.values().sum::<u32>(), clients);
    }
    let lines = simulate(24, 3).lines().join("\n");
    assert!(lines.contains("   800 ms  ######################## 24"), "{lines}");
    assert!(lines.contains("   400 ms  ####### 7"), "{lines}");
}

#[test]
fn a_bar_is_as_long_as_its_clients_are_many_or_scaled_to_sixty_and_never_empty() {
    let longest = |clients| {
        let lines = simulate(clients, 1).lines();
        lines[1].matches('#').count()
    };
    assert_eq!([24, 59, 60, 61, 5000].map(longest), [24, 59, 60, 60, 60]);
    let seen = simulate(10_000, 3);
    let most = seen.with_jitter.values().max().expect("somebody");
    let lines = seen.lines();
    let bars = &lines[lines.len() - seen.with_jitter.len()..];
    for ((from, n), bar) in seen.with_jitter.iter().zip(bars) {
        let width = usize::try_from(n * 60 / most).expect("short").max(1);
        assert_eq!(bar, &format!("{from:>6} ms  {} {n}", "#".repeat(width)));
    }
    assert_eq!(bars.last().map(|bar| bar.matches('#').count()), Some(1), "a handful of 10,000");
}
