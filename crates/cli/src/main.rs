//! `knock`: everything of Firstknock that needs no window.
//!
//! Results go to stdout, words about them to stderr; with `--json` exactly one JSON object is
//! printed on stdout. Exit codes: see `knock --help`.

mod check;
mod classify;
mod clients;
mod data;
mod extract;
mod page_file;
mod policy;
mod say;
mod searches;
mod serve;
mod start;
mod watch;

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
    /// Looks at a page once, through plan, gap and ledger, and prints its listings.
    Check(check::Args),
    /// Prints the waiting policy and checks it.
    Policy(policy::Args),
    /// Looks at a page and saves it as a search.
    Add(searches::AddArgs),
    /// Lists the saved searches.
    List(searches::ListArgs),
    /// Deletes a saved search.
    Remove(searches::RemoveArgs),
    /// Watches the saved searches, in the terminal.
    Watch(watch::WatchArgs),
    /// Watches the saved searches; the window is a page in the browser, with a local API.
    Serve(serve::ServeArgs),
    /// Who may call the local API of `knock serve`.
    Clients(clients::ClientsArgs),
    /// Makes a backup of the data, or lists those that there are.
    Backup(data::BackupArgs),
    /// Goes back to a backup; what is there now is backed up first.
    Restore(data::RestoreArgs),
    /// Writes listings (CSV, JSON) or searches to a file.
    Export(data::ExportArgs),
    /// Adds searches from a file.
    Import(data::ImportArgs),
    /// The rehearsal street: the whole app at work, without account or internet.
    Demo(watch::DemoArgs),
}

/// How a command ended, as an exit code.
pub(crate) enum End {
    /// 0.
    Done,
    /// 1: a check of the policy failed.
    Failed,
    /// 3: answered, but no list.
    NoList,
    /// 4: a wall, or the host waits.
    Wall,
    /// 5: trouble on the way.
    Trouble,
}

impl From<End> for ExitCode {
    fn from(end: End) -> Self {
        match end {
            End::Done => Self::SUCCESS,
            End::Failed => Self::from(1),
            End::NoList => Self::from(3),
            End::Wall => Self::from(4),
            End::Trouble => Self::from(5),
        }
    }
}

/// Whoever read what we print has gone (`knock list | head`): we end without a word, as others do.
fn end_with_the_reader() {
    let usual = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |panic| {
        let words = panic.payload_as_str().unwrap_or_default();
        if words.starts_with("failed printing to stdout") && words.contains("Broken pipe") {
            std::process::exit(0);
        }
        usual(panic);
    }));
}

fn main() -> ExitCode {
    end_with_the_reader();
    let args = Args::parse();
    log_to_stderr(args.verbose);
    let result = match args.command {
        Task::Extract(args) => extract::run(&args),
        Task::Classify(args) => classify::run(&args),
        Task::Policy(args) => policy::run(&args),
        Task::Check(it) => in_tokio(check::run(&it, args.verbose > 0)),
        Task::Add(args) => in_tokio(searches::add(&args)),
        Task::List(args) => in_tokio(searches::list(&args)),
        Task::Remove(args) => in_tokio(searches::remove(&args)),
        Task::Watch(args) => in_tokio(watch::watch(&args)),
        Task::Serve(args) => in_tokio(serve::serve(&args)),
        Task::Clients(args) => clients::run(&args),
        Task::Backup(args) => data::backup(&args),
        Task::Restore(args) => data::restore(&args),
        Task::Export(args) => data::export(&args),
        Task::Import(args) => data::import(&args),
        Task::Demo(args) => in_tokio(watch::demo(&args)),
    };
    match result {
        Ok(end) => end.into(),
        Err(error) => {
            eprintln!("knock: {error:#}");
            ExitCode::from(if error.is::<Usage>() {
                2
            } else if error.is::<start::Taken>() {
                6
            } else {
                1
            })
        }
    }
}

fn in_tokio<T>(work: impl Future<Output = anyhow::Result<T>>) -> anyhow::Result<T> {
    tokio::runtime::Builder::new_multi_thread().enable_all().build()?.block_on(work)
}

/// Log lines go to stderr; the mail library's own would print logins, so they never do.
fn log_to_stderr(verbose: u8) {
    use tracing_subscriber::EnvFilter;
    let level = match verbose {
        0 => "warn",
        1 => "info,lettre=off",
        _ => "debug,lettre=off,hyper_util=info,reqwest=info,html5ever=info,selectors=info",
    };
    let filter =
        EnvFilter::try_from_env("FIRSTKNOCK_LOG").unwrap_or_else(|_| EnvFilter::new(level));
    tracing_subscriber::fmt().with_env_filter(filter).with_writer(std::io::stderr).init();
}

/// Something that the caller has to change: exit code 2.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub(crate) struct Usage(pub(crate) String);
