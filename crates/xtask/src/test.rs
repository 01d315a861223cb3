//! `cargo xtask test`: everything that must hold, step by step, with one summary at the end.

use std::time::Instant;

use anyhow::{Result, bail};

use crate::setup::{self, Need};
use crate::sh::{cargo, target};
use crate::{package, pages, tidy, ui};

#[derive(clap::Args)]
pub(crate) struct Args {
    /// Only the steps whose name contains this.
    #[arg(long)]
    only: Option<String>,
    /// Without the steps that need a display or a browser.
    #[arg(long)]
    headless: bool,
}

struct Step {
    name: &'static str,
    /// Needs a display, a browser or the webview libraries.
    screen: bool,
    run: fn() -> Result<()>,
}

const STEPS: &[Step] = &[
    Step { name: "format", screen: false, run: format },
    Step { name: "tidy", screen: false, run: tidy::run },
    Step { name: "ui-build", screen: false, run: ui_build },
    Step { name: "lint", screen: false, run: lint },
    Step { name: "crates", screen: false, run: crates },
    Step { name: "corpus", screen: false, run: corpus_score },
    Step { name: "ui", screen: false, run: ui_unit },
    Step { name: "ui-pages", screen: true, run: ui_pages },
    Step { name: "app", screen: true, run: app },
    Step { name: "package", screen: true, run: package::test },
    Step { name: "deny", screen: false, run: deny },
];

pub(crate) fn run(args: &Args) -> Result<()> {
    let wanted = |step: &&Step| {
        args.only.as_ref().is_none_or(|only| step.name.contains(only.as_str()))
            && !(args.headless && step.screen)
    };
    let steps: Vec<&Step> = STEPS.iter().filter(wanted).collect();
    if steps.iter().any(|step| step.screen) {
        setup::packages(Need::Test)?;
    }
    let mut failed = Vec::new();
    let mut lines = Vec::new();
    for step in &steps {
        println!("\n=== {} ===", step.name);
        let start = Instant::now();
        let result = (step.run)();
        let seconds = start.elapsed().as_secs();
        match result {
            Ok(()) => lines.push(format!("ok      {:<10} {seconds:>5} s", step.name)),
            Err(error) => {
                println!("{error:#}");
                lines.push(format!("FAILED  {:<10} {seconds:>5} s  {error:#}", step.name));
                failed.push(step.name);
            }
        }
    }
    println!("\n=== summary ===");
    for line in &lines {
        println!("{line}");
    }
    println!("{} passed, {} failed", steps.len() - failed.len(), failed.len());
    if !failed.is_empty() {
        bail!("failed: {}", failed.join(", "));
    }
    Ok(())
}

fn format() -> Result<()> {
    cargo(&["fmt", "--all", "--check"]).run()
}

fn lint() -> Result<()> {
    cargo(&["clippy", "--all-targets", "--", "--deny", "warnings"]).run()
}

/// All crates but the window, with nothing of the user's in reach: home and data folders point at
/// an empty place, which must be empty afterwards.
fn crates() -> Result<()> {
    let python = setup::python()?;
    cargo(&["build", "--package", "firstknock-cli"]).run()?;
    let home = target().join("test-home");
    if home.exists() {
        std::fs::remove_dir_all(&home)?;
    }
    std::fs::create_dir_all(&home)?;
    let inherited = |name: &str, folder: &str| {
        std::env::var_os(name).unwrap_or_else(|| {
            std::env::home_dir().unwrap_or_default().join(folder).into_os_string()
        })
    };
    cargo(&["test", "--no-fail-fast"])
        .env("FIRSTKNOCK_TEST_PYTHON", python)
        .env("CARGO_HOME", inherited("CARGO_HOME", ".cargo"))
        .env("RUSTUP_HOME", inherited("RUSTUP_HOME", ".rustup"))
        .env("HOME", &home)
        .env("XDG_DATA_HOME", home.join("data"))
        .env("XDG_CONFIG_HOME", home.join("config"))
        .run()?;
    let left: Vec<String> = std::fs::read_dir(&home)?
        .flatten()
        .map(|entry| entry.file_name().to_string_lossy().into_owned())
        .collect();
    if !left.is_empty() {
        bail!("the tests wrote into the user's home: {}", left.join(", "));
    }
    Ok(())
}

/// The score over saved pages, where they are there; without them it says so and passes.
fn corpus_score() -> Result<()> {
    cargo(&["build", "--package", "firstknock-cli"]).run()?;
    cargo(&["xtask", "corpus", "--check"]).run()
}

fn ui_build() -> Result<()> {
    ui::build()
}

fn ui_unit() -> Result<()> {
    ui::install()?;
    ui::npm(&["run", "check"]).run()?;
    ui::npm(&["run", "test"]).run()
}

fn ui_pages() -> Result<()> {
    ui::build()?;
    pages::run()
}

/// The real window, on a display of its own.
fn app() -> Result<()> {
    ui::build()?;
    cargo(&["clippy", "--package", "firstknock", "--all-targets", "--", "--deny", "warnings"])
        .run()?;
    cargo(&["test", "--package", "firstknock"]).run()
}

fn deny() -> Result<()> {
    setup::cargo_deny()?;
    cargo(&["deny", "--all-features", "check", "bans", "licenses", "sources"]).run()
}
