//! Many installs that one site turns away in the same second.

use std::collections::BTreeMap;
use std::time::Duration;

use firstknock_policy::Kind;
use firstknock_policy::ladder::delay_for;

use crate::Dice;

/// When they come back.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Stampede {
    /// Arrivals per second, by seconds after the refusal.
    pub arrivals: BTreeMap<u64, usize>,
}

impl Stampede {
    /// The most in one second.
    pub fn peak(&self) -> usize {
        self.arrivals.values().copied().max().unwrap_or_default()
    }

    /// The first and the last second.
    pub fn span(&self) -> (u64, u64) {
        let first = self.arrivals.keys().next().copied().unwrap_or_default();
        (first, self.arrivals.keys().next_back().copied().unwrap_or_default())
    }
}

/// So many clients, told to come back after so long: with our spread, and without.
pub fn stampede(clients: usize, asked: Duration, seed: u64) -> (Stampede, Stampede) {
    let mut dice = Dice::new(seed);
    let (mut with, mut without) = (Stampede::default(), Stampede::default());
    for _ in 0..clients {
        let random = dice.roll();
        let wait = delay_for(Kind::RateLimited, 1, Some(asked), random);
        *with.arrivals.entry(wait.as_secs()).or_default() += 1;
        // The plain formula: the longer of the jittered rung and what was asked.
        let plain = delay_for(Kind::RateLimited, 1, None, random).max(asked);
        *without.arrivals.entry(plain.as_secs()).or_default() += 1;
    }
    (with, without)
}
