//! Seeded dice: the same seed throws the same numbers, on every machine.

/// splitmix64 by Steele, Lea and Flood; in the public domain.
#[derive(Debug, Clone)]
pub struct Dice(u64);

impl Dice {
    /// Dice that start at a seed.
    pub const fn new(seed: u64) -> Self {
        Self(seed)
    }

    /// Dice that nobody can foresee, for the app itself: every `RandomState` has its own keys.
    pub fn unforeseen() -> Self {
        use std::hash::{BuildHasher, RandomState};
        Self(RandomState::new().hash_one(std::process::id()))
    }

    /// The next 64 bits.
    pub const fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// A number in [0, 1).
    #[expect(clippy::cast_precision_loss, reason = "53 bits fit")]
    pub fn roll(&mut self) -> f64 {
        (self.bits() >> 11) as f64 / (1_u64 << 53) as f64
    }

    /// A number from `low` to `high`, both included; for small ranges.
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        clippy::cast_precision_loss,
        reason = "small ranges only"
    )]
    pub fn between(&mut self, low: u64, high: u64) -> u64 {
        low + (self.roll() * (high - low + 1) as f64) as u64
    }

    /// One of several.
    pub fn pick<'a, T>(&mut self, items: &'a [T]) -> &'a T {
        let at = self.between(0, items.len() as u64 - 1);
        &items[usize::try_from(at).unwrap_or_default()]
    }
}
