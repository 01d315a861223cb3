//! Hundreds of made-up worlds, each of which must keep every promise; and each promise broken on
//! purpose, to see that it is noticed.
//!
//! `FIRSTKNOCK_SEEDS=5000` lives more of them, `FIRSTKNOCK_TURNS=3000` longer ones, and
//! `FIRSTKNOCK_SEED=n` replays one.

use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use firstknock_rehearsal::months::{Broken, Length, Lived, Rule, Sabotage, live};

const SEEDS: u64 = 200;
/// Enough for what one seed is about; the worlds differ more than their days do.
const SHORT: Length = Length { turns: 150, time: Duration::from_secs(30 * 24 * 3600) };

fn number(name: &str) -> Option<u64> {
    std::env::var(name).ok()?.parse().ok()
}

fn replay(seed: u64) -> String {
    format!(
        "seed {seed}; replay with FIRSTKNOCK_SEED={seed} cargo test -p firstknock-rehearsal --test months"
    )
}

/// Lives all seeds on as many threads as there are cores.
fn live_all(seeds: &[u64], length: &Length) -> (Lived, Vec<(u64, Broken)>) {
    let next = AtomicU64::new(0);
    let done = Mutex::new((Lived::default(), Vec::new()));
    let threads = std::thread::available_parallelism().map_or(1, usize::from).min(8);
    std::thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(|| {
                loop {
                    let at = next.fetch_add(1, Ordering::Relaxed);
                    let Some(seed) = usize::try_from(at).ok().and_then(|at| seeds.get(at)) else {
                        return;
                    };
                    let lived = live(*seed, length, None);
                    let mut done = done.lock().expect("no panic before");
                    match lived {
                        Ok(lived) => done.0 = done.0.and(&lived),
                        Err(broken) => done.1.push((*seed, broken)),
                    }
                }
            });
        }
    });
    done.into_inner().expect("no panic before")
}

#[test]
fn hundreds_of_worlds_keep_every_promise() {
    let seeds: Vec<u64> = match number("FIRSTKNOCK_SEED") {
        Some(seed) => vec![seed],
        None => (0..number("FIRSTKNOCK_SEEDS").unwrap_or(SEEDS)).collect(),
    };
    let turns = number("FIRSTKNOCK_TURNS").and_then(|turns| u32::try_from(turns).ok());
    let length = Length { turns: turns.unwrap_or(SHORT.turns), ..SHORT };
    let (lived, mut broken) = live_all(&seeds, &length);
    println!("{} worlds: {lived:#?}", seeds.len());
    broken.sort_by_key(|(seed, _)| *seed);
    for (seed, broken) in broken.iter().take(10) {
        println!("{broken}\n  {}", replay(*seed));
    }
    assert!(broken.is_empty(), "{} of {} worlds broke a promise", broken.len(), seeds.len());
    if seeds.len() >= 100 {
        // The worlds are rough enough to mean something.
        assert!(lived.refusals > 300 && lived.crashes > 300 && lived.storage_stops > 100);
        assert!(lived.told > 300 && lived.attempts > 300 && lived.presses > 60);
    }
}

/// Lives worlds of a careless app until one of them is caught; each must be caught for what it did.
fn caught(sabotage: Sabotage, rules: &[Rule]) {
    let length = Length { turns: 250, ..SHORT };
    for seed in 0..60 {
        if let Err(broken) = live(seed, &length, Some(sabotage)) {
            assert!(rules.contains(&broken.rule), "{sabotage:?} was taken for {broken}");
            return;
        }
    }
    panic!("{sabotage:?} was never noticed");
}

#[test]
fn an_app_that_asks_too_often_is_caught() {
    caught(Sabotage::NoGap, &[Rule::Gap]);
    caught(Sabotage::NoRate, &[Rule::Rate]);
    caught(Sabotage::TwoAtOnce, &[Rule::OneInFlight]);
    caught(Sabotage::TooEarly, &[Rule::Deadline]);
}

#[test]
fn an_app_that_counts_wrongly_is_caught() {
    caught(Sabotage::CountsEach, &[Rule::OneRefusal]);
    caught(Sabotage::BlamesOthers, &[Rule::OthersAlone]);
    caught(Sabotage::ClimbsOffline, &[Rule::StillOffline]);
    caught(Sabotage::SleepsADay, &[Rule::OneHour]);
}

#[test]
fn an_app_that_lies_or_forgets_is_caught() {
    caught(Sabotage::LyingRows, &[Rule::TrueRows]);
    caught(Sabotage::Forgets, &[Rule::Restart]);
    caught(Sabotage::Starves, &[Rule::Starving]);
    caught(Sabotage::AsksUnkept, &[Rule::Stopped]);
}

#[test]
fn an_app_that_loses_or_repeats_what_it_found_is_caught() {
    caught(Sabotage::StoresNothing, &[Rule::Stored]);
    caught(Sabotage::TellsNobody, &[Rule::MailedOnce]);
    caught(Sabotage::RepeatsFreely, &[Rule::MailedOnce]);
    caught(Sabotage::CallsItNotSent, &[Rule::MailedOnce]);
    caught(Sabotage::TellsNoDrops, &[Rule::MailedOnce]);
    caught(Sabotage::LoudAtNight, &[Rule::QuietHours]);
}

#[test]
fn a_seed_replays_the_same_world() {
    let [one, two] = [(), ()].map(|()| live(7, &SHORT, None).expect("kept"));
    assert_eq!(one, two);
    assert_ne!(one, live(8, &SHORT, None).expect("kept"));
}
