//! `cargo xtask pictures`: the README's pictures, taken anew from the real window.

use anyhow::Result;

use crate::setup::{self, Need};
use crate::sh::{cargo, root};
use crate::ui;

pub(crate) fn run() -> Result<()> {
    setup::packages(Need::Test)?;
    ui::build()?;
    let folder = root().join("docs").to_string_lossy().into_owned();
    cargo(&["bench", "--profile", "dev", "--package", "firstknock", "--bench", "by_hand", "--"])
        .arg("pictures")
        .arg(&folder)
        .run()
}
