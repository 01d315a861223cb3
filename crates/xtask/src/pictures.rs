//! `cargo xtask pictures`: the README's pictures, taken anew from the real window.

use anyhow::Result;

use crate::setup::{self, Need};
use crate::sh::{cargo, root};
use crate::ui;

pub(crate) fn run() -> Result<()> {
    setup::packages(Need::Test)?;
    ui::build()?;
    cargo(&["test", "--package", "firstknock", "--test", "app", "--", "--ignored", "--exact"])
        .arg("pictures::the_pictures_of_the_readme")
        .env("FIRSTKNOCK_PICTURES", root().join("docs"))
        .run()
}
