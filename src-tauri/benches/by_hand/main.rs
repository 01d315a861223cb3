//! Programs with the real window that people start by hand: they take minutes.
//!
//! `cargo xtask bench window` measures, `cargo xtask pictures` photographs. They stand on the same
//! stage as the tests and are linted with them; `cargo test` neither builds nor runs them.
#![expect(clippy::unwrap_used, reason = "what goes wrong ends the program")]
#![cfg_attr(target_os = "linux", expect(dead_code, reason = "the tests use the rest of the stage"))]

#[cfg(target_os = "linux")]
#[path = "../../tests/app/app.rs"]
mod app;
#[cfg(target_os = "linux")]
#[path = "../../tests/app/bus.rs"]
mod bus;
#[cfg(target_os = "linux")]
mod figures;
#[cfg(target_os = "linux")]
mod pictures;
#[cfg(target_os = "linux")]
#[path = "../../tests/app/stage.rs"]
mod stage;

use std::path::PathBuf;

use clap::Parser;

#[derive(Parser)]
enum Program {
    /// Start, memory and CPU with fifteen searches.
    Window {
        /// How long each state is watched.
        #[arg(long, default_value_t = 10)]
        minutes: u64,
    },
    /// The README's pictures.
    Pictures {
        /// Where they go.
        folder: PathBuf,
    },
}

#[tokio::main]
async fn main() {
    // Cargo adds `--bench` to what a bench target is given.
    let given = std::env::args().filter(|arg| arg != "--bench");
    run(Program::parse_from(given)).await;
}

#[cfg(target_os = "linux")]
async fn run(program: Program) {
    match program {
        Program::Window { minutes } => figures::measure(minutes).await,
        Program::Pictures { folder } => pictures::take(&folder).await,
    }
}

#[cfg(not(target_os = "linux"))]
#[expect(clippy::unused_async, reason = "the same call as on Linux")]
async fn run(program: Program) {
    let (Program::Window { .. } | Program::Pictures { .. }) = program;
    eprintln!("the window is only driven on Linux");
}
