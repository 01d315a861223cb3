//! `cargo xtask tidy`: the structure of the design, held as a test.

mod edges;
mod files;

use anyhow::{Result, bail};

/// Runs every check and lists what is wrong, all of it at once.
pub(crate) fn run() -> Result<()> {
    let mut wrong = edges::check()?;
    wrong.extend(files::check()?);
    if wrong.is_empty() {
        println!("tidy: edges, layout, texts and habits hold");
        return Ok(());
    }
    for line in &wrong {
        println!("tidy: {line}");
    }
    bail!("{} things are out of place", wrong.len())
}
