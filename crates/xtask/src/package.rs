//! `cargo xtask package`: the installable app.

use anyhow::Result;

use crate::setup::{self, Need};
use crate::sh::{root, sh};
use crate::ui;

#[derive(clap::Args)]
pub(crate) struct Args {
    /// Without link-time optimisation: minutes quicker, a larger binary.
    #[arg(long)]
    quick: bool,
}

pub(crate) fn run(args: &Args) -> Result<()> {
    setup::packages(Need::Build)?;
    ui::build()?;
    crate::sh::cargo(&["build", "--release", "--package", "firstknock-cli"])
        .env("CARGO_PROFILE_RELEASE_LTO", if args.quick { "off" } else { "thin" })
        .run()?;
    sh(root().join("ui/node_modules/.bin/tauri"), &["build", "--bundles", "deb,rpm"])
        .env("CI", "true")
        .env("CARGO_PROFILE_RELEASE_LTO", if args.quick { "off" } else { "thin" })
        .run()
}
