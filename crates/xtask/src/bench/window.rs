//! `cargo xtask bench window`: start, memory and CPU of the real app with fifteen searches, shown,
//! in the tray and closed to the tray. Printed by `src-tauri/tests/app/figures.rs`.

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
    let test = "figures::what_the_app_costs_with_fifteen_searches";
    // The feature is what the bundler builds with: one build serves both.
    cargo(&["test", "--release", "--package", "firstknock", "--test", "app"])
        .arg("--features=tauri/custom-protocol")
        .arg("--config=profile.release.lto=false")
        .arg("--")
        .arg("--ignored")
        .arg("--exact")
        .arg(test)
        .arg("--nocapture")
        .env("FIRSTKNOCK_MINUTES", args.minutes.to_string())
        .run()
}
