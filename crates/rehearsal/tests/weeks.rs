//! The claims about what the policy buys, to the number, whatever the dice.

use std::time::Duration;

use firstknock_rehearsal::weeks::{
    Contender, Measure, Ours, PerSearchLadder, Script, WALLS, all, hour_block, replay,
    splash_screen, stampede, week,
};

const SEEDS: std::ops::Range<u64> = 0..60;

fn ours_and_old(script: &Script, seed: u64) -> (Measure, Measure) {
    let mut ours = Ours::new(script, seed);
    let mut old = PerSearchLadder::new(script, seed);
    (replay(script, &mut ours as &mut dyn Contender), replay(script, &mut old))
}

#[test]
fn a_splash_screen_costs_a_fifth_of_the_requests_and_two_minutes_instead_of_ten() {
    let script = splash_screen();
    for seed in SEEDS {
        let (ours, old) = ours_and_old(&script, seed);
        assert!(ours.refused * 5 <= old.refused, "{} and {}", ours.refused, old.refused);
        assert!(ours.found[0] < Duration::from_secs(120), "{:?}", ours.found);
        assert!(old.found[0] > Duration::from_secs(590), "{:?}", old.found);
    }
}

#[test]
fn a_block_of_an_hour_costs_at_most_half_of_the_requests() {
    for kind in WALLS {
        let script = hour_block(kind);
        for seed in SEEDS {
            let (ours, old) = ours_and_old(&script, seed);
            assert!(
                ours.refused * 2 <= old.refused,
                "{kind:?}: {} and {}",
                ours.refused,
                old.refused
            );
        }
    }
}

#[test]
fn over_a_week_ours_finds_more_quickly_than_the_old_ladder_with_fewer_requests_into_walls() {
    let script = week(1);
    let (ours, old) = ours_and_old(&script, 1);
    assert_eq!((ours.missed, old.missed), (0, 0));
    assert!(ours.refused * 3 < old.refused * 2, "{} and {}", ours.refused, old.refused);
    let p95 = |measure: &Measure| Measure::part(&measure.found, 95);
    assert!(p95(&ours) < p95(&old), "{:?} and {:?}", p95(&ours), p95(&old));
    let recovery = |measure: &Measure| Measure::part(&measure.recovery, 50);
    assert!(recovery(&ours) < recovery(&old));
}

#[test]
fn everybody_else_asks_more_often_into_an_hour_long_block() {
    for kind in WALLS {
        let script = hour_block(kind);
        let refused: Vec<_> = all(&script, 3)
            .iter_mut()
            .map(|contender| replay(&script, contender.as_mut()).refused)
            .collect();
        assert!(refused[1..].iter().all(|other| *other > refused[0]), "{kind:?}: {refused:?}");
    }
}

#[test]
fn ten_thousand_clients_do_not_come_back_in_one_second() {
    let (with, without) = stampede(10_000, Duration::from_secs(300), 1);
    assert_eq!(without.peak(), 10_000);
    assert_eq!(without.span(), (300, 300));
    assert!(with.peak() < 420, "{}", with.peak());
    let (first, last) = with.span();
    assert!(first >= 300 && last <= 330, "{first} to {last}");
    assert_eq!(with.arrivals.values().sum::<usize>(), 10_000);
}

#[test]
fn the_same_seed_replays_the_same_week() {
    let script = week(5);
    let [one, two] = [(), ()].map(|()| replay(&script, &mut Ours::new(&script, 9)));
    assert_eq!((one.requests, one.refused, one.found), (two.requests, two.refused, two.found));
}
