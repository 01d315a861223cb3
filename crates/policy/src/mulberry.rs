//! mulberry32, a public-domain generator of 32 bits of state: the dice of tests and simulations.
//! The same seed replays the same month. Not for anything secret.

/// The generator. Every draw is in [0, 1).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Mulberry32 {
    state: u32,
}

impl Mulberry32 {
    /// The seed of all known answers.
    pub const SEED: u32 = 20_260_114;

    /// Starts from a seed.
    pub const fn new(seed: u32) -> Self {
        Self { state: seed }
    }

    /// The next number in [0, 1).
    pub fn draw(&mut self) -> f64 {
        self.state = self.state.wrapping_add(0x6D2B_79F5);
        let mut t = self.state;
        t = (t ^ (t >> 15)).wrapping_mul(1 | t);
        t = t.wrapping_add((t ^ (t >> 7)).wrapping_mul(61 | t)) ^ t;
        f64::from(t ^ (t >> 14)) / 4_294_967_296.0
    }
}
