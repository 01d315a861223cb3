//! `cargo xtask bench delivery`: from the commit that writes a message to the server's 250 on
//! loopback, with TLS and a login, and 1,000 waiting messages drained. Printed by the measuring
//! program itself (`crates/monitor/examples/delivery.rs`).

use anyhow::Result;

use crate::sh::{cargo, sh, target};

pub(crate) fn run() -> Result<()> {
    cargo(&["build", "--quiet", "--release", "--package", "firstknock-monitor"])
        .arg("--example=delivery")
        // Nothing here is faster for it, and it takes minutes to link.
        .arg("--config=profile.release.lto=false")
        .run()?;
    sh(target().join("release/examples/delivery"), &[]).run()
}
