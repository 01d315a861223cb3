//! What the policy buys, as tables: `cargo xtask bench policy` runs this.

use std::time::Duration;

use firstknock_policy::format_wait;
use firstknock_rehearsal::weeks::{
    Measure, Script, WALLS, all, hour_block, replay, splash_screen, stampede, week,
};

const SEED: u64 = 20_260_114;
const WEEKS: u64 = 4;

fn main() {
    println!(
        "{WEEKS} weeks, 8 searches on 3 hosts every 90 s, the same homes and walls for each\n"
    );
    let scripts: Vec<Script> = (0..WEEKS).map(|n| week(SEED + n)).collect();
    table(&scripts);
    println!("\n5 searches on one host at a start, a splash screen of 4 s\n");
    table(&[splash_screen()]);
    for kind in WALLS {
        println!("\n5 searches on one host, blocked for an hour ({})\n", kind.code());
        table(&[hour_block(kind)]);
    }
    println!("\n10000 clients refused in the same second with Retry-After 300\n");
    let (with, without) = stampede(10_000, Duration::from_secs(300), SEED);
    for (name, it) in [("with our spread", &with), ("without it", &without)] {
        let (first, last) = it.span();
        println!("{name:<22} at most {:>5} in one second, from {first} s to {last} s", it.peak());
    }
}

/// One line per contender, over all scripts together.
fn table(scripts: &[Script]) {
    println!(
        "{:<22} {:>9} {:>9} {:>9} {:>9} {:>7} {:>10} {:>10} {:>9}",
        "", "found", "found", "requests", "into", "missed", "recovery", "recovery", "longest"
    );
    println!(
        "{:<22} {:>9} {:>9} {:>9} {:>9} {:>7} {:>10} {:>10} {:>9}",
        "", "median", "p95", "", "walls", "", "median", "p95", "silence"
    );
    let many = all(&scripts[0], SEED).len();
    for contender in 0..many {
        let mut sum = Measure::default();
        for script in scripts {
            let one = replay(script, all(script, SEED)[contender].as_mut());
            sum.name = one.name;
            sum.found.extend(one.found);
            sum.recovery.extend(one.recovery);
            sum.missed += one.missed;
            sum.requests += one.requests;
            sum.refused += one.refused;
            sum.silence = sum.silence.max(one.silence);
        }
        sum.found.sort_unstable();
        sum.recovery.sort_unstable();
        println!(
            "{:<22} {:>9} {:>9} {:>9} {:>9} {:>7} {:>10} {:>10} {:>9}",
            sum.name,
            format_wait(Measure::part(&sum.found, 50)),
            format_wait(Measure::part(&sum.found, 95)),
            sum.requests,
            sum.refused,
            sum.missed,
            format_wait(Measure::part(&sum.recovery, 50)),
            format_wait(Measure::part(&sum.recovery, 95)),
            format_wait(sum.silence),
        );
    }
}
