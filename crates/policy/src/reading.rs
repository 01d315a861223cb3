//! Reading the policy: the ladders, a self-check and a simulation, as data that `knock policy`
//! prints.
//!
//! **Promises**: every check runs the very functions that the app uses, and ends with the value
//! seen. **Leaves out**: printing, exit codes.

mod checks;
mod simulate;

pub use checks::{Check, checks};
pub use simulate::{Histogram, Simulation, simulate};

use std::time::Duration;

use crate::{Kind, ladder};

/// The four ladders without jitter, one line each:
/// `challenge     1.0m → 3.0m → 8.0m → 15.0m → 30.0m`.
pub fn ladders() -> Vec<String> {
    Kind::ALL.into_iter().map(line).collect()
}

fn line(kind: Kind) -> String {
    let rungs = ladder::rungs(kind).iter().map(|s| short(Duration::from_secs(*s)));
    format!("{:<14}{}", kind.code(), rungs.collect::<Vec<_>>().join(" → "))
}

/// "30s" below a minute, "1.0m" from there on.
fn short(step: Duration) -> String {
    if step < Duration::from_secs(60) {
        format!("{}s", step.as_secs())
    } else {
        format!("{:.1}m", step.as_secs_f64() / 60.0)
    }
}
