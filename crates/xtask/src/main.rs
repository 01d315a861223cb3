//! The project's own commands. `cargo xtask run` and `cargo xtask test` are all that a newcomer
//! needs; each does its own set-up and says what it does.

mod bench;
mod corpus;
mod mutants;
mod package;
mod pages;
mod pictures;
mod run;
mod setup;
mod sh;
mod soak;
mod test;
mod tidy;
mod ui;

use std::process::ExitCode;

use clap::{Parser, Subcommand};

#[derive(Parser)]
#[command(name = "cargo xtask", about = "Firstknock's own commands")]
struct Args {
    #[command(subcommand)]
    command: Task,
}

#[derive(Subcommand)]
enum Task {
    /// Opens the app (without a display: the same engine in the terminal).
    Run(run::Args),
    /// Runs everything that must hold.
    Test(test::Args),
    /// Checks who may use whom, the layout, and the habits that a compiler does not see.
    Tidy,
    /// Writes the TypeScript twins of the wire types.
    Bindings,
    /// Scores the built `knock` over a folder of saved pages.
    Corpus(corpus::Args),
    /// Measures, beside others.
    Bench(bench::Args),
    /// Runs what takes too long for `test`.
    Soak(soak::Args),
    /// Changes the policy one number at a time and says which change no test notices.
    Mutants(mutants::Args),
    /// Makes the installable packages; `--check` tries the .deb on a clean Debian.
    Package(package::Args),
    /// Takes the README's pictures from the real window.
    Pictures,
}

fn main() -> ExitCode {
    match dispatch() {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("xtask: {error:#}");
            ExitCode::FAILURE
        }
    }
}

fn dispatch() -> anyhow::Result<()> {
    match Args::parse().command {
        Task::Run(args) => run::run(&args),
        Task::Test(args) => test::run(&args),
        Task::Tidy => tidy::run(),
        Task::Bindings => sh::cargo(&["test", "--quiet", "--package", "firstknock-ipc"])
            .env("FIRSTKNOCK_WRITE_BINDINGS", "1")
            .run(),
        Task::Corpus(args) => corpus::run(&args),
        Task::Bench(args) => bench::run(&args),
        Task::Soak(args) => soak::run(&args),
        Task::Mutants(args) => mutants::run(&args),
        Task::Package(args) => package::run(&args),
        Task::Pictures => pictures::run(),
    }
}
