//! `cargo xtask package`: the installable app, and its trial on a Debian that knows nothing of us.

mod debian;
mod trial;

use std::path::{Path, PathBuf};

use anyhow::{Context, Result};

use crate::setup::{self, Need};
use crate::sh::{Sh, cargo, root, sh, target};
use crate::ui;

#[derive(clap::Args)]
pub(crate) struct Args {
    /// Without link-time optimisation, in more pieces and optimised only a little: minutes quicker,
    /// a larger and slower binary, for trials.
    #[arg(long)]
    quick: bool,
    /// Then install the .deb on a clean Debian, start it from its menu entry, upgrade an older
    /// version, uninstall it. Needs root and debootstrap.
    #[arg(long)]
    check: bool,
}

pub(crate) fn run(args: &Args) -> Result<()> {
    setup::packages(Need::Build)?;
    let made = make(args.quick)?;
    for file in &made {
        let size = std::fs::metadata(file)?.len() as f64 / 1_048_576.0;
        println!("{}  {size:.1} MiB", file.display());
    }
    if args.check { trial::run(deb(&made)?) } else { Ok(()) }
}

/// What `cargo xtask test` asks: the packages can be made, and the .deb passes its trial.
pub(crate) fn test() -> Result<()> {
    if !cfg!(target_os = "linux") {
        println!("skipped: packages are only tried on Linux");
        return Ok(());
    }
    trial::run(deb(&make(true)?)?)
}

/// The kinds of package that this system has; only Linux's are tried.
fn kinds() -> &'static [&'static str] {
    match std::env::consts::OS {
        "windows" => &["nsis"],
        "macos" => &["dmg"],
        _ => &["deb", "rpm"],
    }
}

fn make(quick: bool) -> Result<Vec<PathBuf>> {
    ui::build()?;
    // What the profile says, or what takes minutes less.
    let pace = |command: Sh| match quick {
        true => command
            .env("CARGO_PROFILE_RELEASE_LTO", "off")
            .env("CARGO_PROFILE_RELEASE_CODEGEN_UNITS", "16")
            .env("CARGO_PROFILE_RELEASE_OPT_LEVEL", "1"),
        false => command,
    };
    pace(cargo(&["build", "--release", "--package", "firstknock-cli"])).run()?;
    // The terminal's program goes along, from wherever cargo builds to.
    let files = serde_json::json!({ "/usr/bin/firstknock-cli": target().join("release/knock") });
    let along = serde_json::json!({
        "bundle": { "linux": { "deb": { "files": files }, "rpm": { "files": files } } }
    });
    let bundle =
        sh(root().join("ui/node_modules/.bin/tauri"), &["build", "--bundles", &kinds().join(",")])
            .arg("--config")
            .arg(&along.to_string())
            .env("CI", "true");
    pace(bundle).run()?;
    let bundles = target().join("release/bundle");
    kinds().iter().map(|kind| newest(&bundles.join(kind))).collect()
}

fn deb(made: &[PathBuf]) -> Result<&Path> {
    let deb = made.iter().find(|file| file.extension().is_some_and(|it| it == "deb"));
    deb.map(PathBuf::as_path).context("no .deb was made")
}

/// The file that was written last.
fn newest(folder: &Path) -> Result<PathBuf> {
    let files = std::fs::read_dir(folder).with_context(|| folder.display().to_string())?;
    files
        .flatten()
        .map(|entry| entry.path())
        .filter(|path| path.is_file())
        .max_by_key(|path| path.metadata().and_then(|it| it.modified()).ok())
        .with_context(|| format!("nothing was made in {}", folder.display()))
}
