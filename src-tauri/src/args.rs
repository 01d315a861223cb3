//! What the app is told when it is started.

use std::path::PathBuf;

use clap::Parser;

/// Watches rental search pages and tells you first.
#[derive(Debug, Clone, Parser)]
#[command(name = "firstknock", version)]
pub(crate) struct Args {
    /// Keep searches, listings and settings in this folder.
    #[arg(long, value_name = "DIR", env = "FIRSTKNOCK_DATA")]
    pub(crate) data: Option<PathBuf>,
    /// Start into the tray, without a window. Where no tray can be seen, the window opens.
    #[arg(long)]
    pub(crate) hidden: bool,
    /// Run beside another instance (each needs a data folder of its own). For tests.
    #[arg(long)]
    pub(crate) multi: bool,
}

/// The process's own arguments.
pub(crate) fn read() -> Args {
    Args::parse()
}
