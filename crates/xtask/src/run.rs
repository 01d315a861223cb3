//! `cargo xtask run`: the app, or the same engine in the terminal where there is no display.

use anyhow::Result;

use crate::setup::{self, Need};
use crate::sh::{cargo, root, sh, target};
use crate::ui;

#[derive(clap::Args)]
pub(crate) struct Args {
    /// In the terminal, also where there is a display.
    #[arg(long)]
    terminal: bool,
    /// The data folder; a folder for development under `target` by default.
    #[arg(long)]
    data: Option<std::path::PathBuf>,
    /// Build only.
    #[arg(long)]
    build_only: bool,
}

pub(crate) fn run(args: &Args) -> Result<()> {
    let data = args.data.clone().unwrap_or_else(|| root().join("target/dev-data"));
    std::fs::create_dir_all(&data)?;
    if args.terminal || !has_display() {
        println!("No display: the engine runs here, in the terminal. Ctrl-C stops it.");
        cargo(&["build", "--package", "firstknock-cli"]).run()?;
        if args.build_only {
            return Ok(());
        }
        return sh(target().join("debug/knock"), &["watch", "--street-if-empty"])
            .env("FIRSTKNOCK_DATA", data)
            .run();
    }
    setup::packages(Need::Build)?;
    ui::build()?;
    cargo(&["build", "--package", "firstknock"]).run()?;
    if args.build_only {
        return Ok(());
    }
    sh(target().join("debug/firstknock"), &[]).env("FIRSTKNOCK_DATA", data).run()
}

fn has_display() -> bool {
    let set = |name| std::env::var_os(name).is_some_and(|v| !v.is_empty());
    !cfg!(target_os = "linux") || set("DISPLAY") || set("WAYLAND_DISPLAY")
}
