//! `knock`: everything of Firstknock that needs no window.
//!
//! Results go to stdout, words about them to stderr; with `--json` exactly one JSON object is
//! printed on stdout. Exit codes: see `knock --help`.

mod classify;
mod extract;
mod page_file;

use std::process::ExitCode;

use clap::{Parser, Subcommand};

const AFTER_HELP: &str = "\
Exit codes:
  0  done; for `check`: the page was answered and listings were found
  1  we broke: a bug, or the disk
  2  the command line or a file cannot be used; the message says what to do
  3  `check`: the page was answered, but there is no list of listings on it
  4  `check`: a wall (challenge, rate_limited, denied), or the host still waits
  5  `check`: trouble on the way (no connection, certificate, time-out, page gone)
  6  another process owns the data folder

The data folder is the app's own; --data DIR or FIRSTKNOCK_DATA chooses another.";

#[derive(Parser)]
#[command(name = "knock", version, about = "Watches rental search pages and mails what is new.", after_help = AFTER_HELP)]
struct Args {
    /// Debug lines on stderr (-v, -vv).
    #[arg(short, long, global = true, action = clap::ArgAction::Count)]
    verbose: u8,
    #[command(subcommand)]
    command: Task,
}

#[derive(Subcommand)]
enum Task {
    /// Reads a saved page and prints its listings.
    Extract(extract::Args),
    /// Says what a saved answer is: an answer, a wall, or trouble.
    Classify(classify::Args),
}

/// How a command ended, as an exit code.
pub(crate) enum End {
    /// 0.
    Done,
}

impl From<End> for ExitCode {
    fn from(end: End) -> Self {
        match end {
            End::Done => Self::SUCCESS,
        }
    }
}

fn main() -> ExitCode {
    let args = Args::parse();
    let result = match args.command {
        Task::Extract(args) => extract::run(&args),
        Task::Classify(args) => classify::run(&args),
    };
    match result {
        Ok(end) => end.into(),
        Err(error) => {
            eprintln!("knock: {error:#}");
            ExitCode::from(error.downcast_ref::<Usage>().map_or(1, |_| 2))
        }
    }
}

/// Something that the caller has to change: exit code 2.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub(crate) struct Usage(pub(crate) String);
