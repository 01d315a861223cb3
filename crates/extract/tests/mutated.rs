//! The fuzz targets on stable: our own fixtures, bent by a seeded mutator. What fails here is
//! reproduced by its seed and round.

use std::path::Path;

#[path = "../../../fuzz/targets.rs"]
mod targets;

/// Tokens that mean something to one of the readers.
const TOKENS: [&str; 40] = [
    "€",
    "£",
    "$",
    "kr",
    ",-",
    ".-",
    " - ",
    "½",
    "m²",
    "m 2",
    "\u{a0}",
    "’",
    "0",
    "9999999999",
    "1.000",
    "ab ",
    "Kaution",
    "/m²",
    "pcm",
    "{",
    "}",
    "[",
    "]",
    "\"",
    "'",
    "\\u",
    "\\",
    ":",
    "(function(a){return ",
    "}(1))",
    "<div>",
    "</div>",
    "<a href=\"/x/123\">",
    "<script>",
    "<!--",
    "-->",
    "<template>",
    "\u{202e}",
    "\0",
    "\u{feff}",
];

/// xorshift64*: small, seeded, the same everywhere.
struct Dice(u64);

impl Dice {
    fn below(&mut self, bound: usize) -> usize {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        let wide = u64::try_from(bound.max(1)).unwrap_or(1);
        usize::try_from(self.0.wrapping_mul(0x2545_F491_4F6C_DD1D) % wide).unwrap_or(0)
    }
}

fn mutate(dice: &mut Dice, input: &mut Vec<u8>, other: &[u8]) {
    for _ in 0..=dice.below(4) {
        let at = dice.below(input.len() + 1);
        match dice.below(7) {
            0 if at < input.len() => input[at] = u8::try_from(dice.below(256)).unwrap_or(0),
            1 => input.truncate(at),
            2 => {
                let end = (at + dice.below(24)).min(input.len());
                input.drain(at..end);
            }
            3 => {
                let end = (at + dice.below(64)).min(input.len());
                let piece = input[at..end].to_vec();
                let to = dice.below(input.len() + 1);
                input.splice(to..to, piece.iter().copied().cycle().take(piece.len() * 3));
            }
            4 => {
                let from = dice.below(other.len() + 1);
                let end = (from + dice.below(200)).min(other.len());
                input.splice(at..at, other[from..end].iter().copied());
            }
            _ => {
                let token = TOKENS[dice.below(TOKENS.len())];
                input.splice(at..at, token.bytes());
            }
        }
    }
    input.truncate(20_000);
}

fn seeds(name: &str) -> Vec<Vec<u8>> {
    let dir = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fuzz/seeds").join(name);
    let mut files: Vec<_> = std::fs::read_dir(dir)
        .expect("the seeds are part of the project")
        .map(|entry| entry.expect("a file").path())
        .collect();
    files.sort();
    files.iter().map(|file| std::fs::read(file).expect("a seed")).collect()
}

fn bend(name: &str, rounds: usize, target: fn(&[u8])) {
    let seeds = seeds(name);
    assert!(seeds.len() >= 4, "{name} has seeds");
    for seed in &seeds {
        target(seed);
    }
    let mut dice = Dice(0x9E37_79B9_7F4A_7C15);
    for round in 0..rounds {
        let mut input = seeds[dice.below(seeds.len())].clone();
        let other = seeds[dice.below(seeds.len())].clone();
        mutate(&mut dice, &mut input, &other);
        let result = std::panic::catch_unwind(|| target(&input));
        assert!(result.is_ok(), "{name}, round {round}: {:?}", String::from_utf8_lossy(&input));
    }
}

#[test]
fn bent_pages_are_read_without_a_panic() {
    bend("page", 400, targets::page);
}

#[test]
fn bent_data_is_read_without_a_panic() {
    bend("data", 3_000, targets::data);
}

#[test]
fn bent_texts_are_read_without_a_panic() {
    bend("values", 6_000, targets::values);
}
