//! `cargo xtask bench policy`: what the policy buys, beside three others, over the same weeks.

use crate::sh::cargo;

pub(crate) fn run() -> anyhow::Result<()> {
    cargo(&[
        "run",
        "--release",
        "--config",
        "profile.release.lto=false",
        "--package",
        "firstknock-rehearsal",
        "--example",
        "policy_bench",
    ])
    .run()
}
