//! `cargo xtask bench window`: start, memory and CPU of the real app with fifteen searches, shown,
//! in the tray and closed to the tray. Printed by `src-tauri/benches/by_hand/figures.rs`.

use anyhow::Result;

use crate::setup::{self, Need};
use crate::sh::cargo;
use crate::ui;

#[derive(clap::Args)]
pub(crate) struct Args {
    /// How long each state is watched.
    #[arg(long, default_value_t = 10)]
    minutes: u64,
}

pub(crate) fn run(args: &Args) -> Result<()> {
    setup::packages(Need::Test)?;
    ui::build()?;
    // The feature is what the bundler builds with: one build serves both.
    cargo(&["bench", "--package", "firstknock", "--bench", "by_hand"])
        .arg("--features=tauri/custom-protocol")
        .arg("--config=profile.release.lto=false")
        .arg("--")
        .arg("window")
        .arg("--minutes")
        .arg(&args.minutes.to_string())
        .run()
}
