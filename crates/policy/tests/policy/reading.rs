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
    assert_eq!(lines.len(), 15);
    assert!(lines.iter().all(|line| line.starts_with("ok ")), "{lines:#?}");
    let ends = |end: &str| lines.iter().any(|line| line.ends_with(end));
    assert!(ends("40 distinct of 40"), "{lines:#?}");
    assert!(ends("1 2 3 5 8 13 21 34 55, 0 left a day later"), "{lines:#?}");
    assert!(ends("6 sent, 3 not, closed"), "{lines:#?}");
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
