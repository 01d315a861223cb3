//! `cargo xtask corpus`: the built `knock` over a folder of real saved pages, scored.
//!
//! **Promises**: the score of the folder's README, to the letter: gold HTML pages count, roles
//! other than `result` neither count nor hurt, a crash or a time-out is a false answer.
//! **Leaves out**: reading pages. Nothing of a page goes into the project.

mod diff;
mod knock;
mod manifest;
mod matching;
mod page;
mod report;
mod snapshots;
mod totals;
mod truth;
mod verdicts;

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

use anyhow::{Context, Result, bail};

pub(crate) use knock::Knock;
pub(crate) use manifest::{Entry, Kind, manifest};

#[derive(clap::Args)]
pub(crate) struct Args {
    /// The folder; `../shared/corpus` beside the checkout by default.
    dir: Option<PathBuf>,
    /// One JSON object on stdout.
    #[arg(long)]
    json: bool,
    /// Only pages whose host holds this.
    #[arg(long, value_name = "HOST")]
    only: Option<String>,
    /// For one page (a part of its path): what was missed, what was false, what was read wrong.
    #[arg(long, value_name = "PAGE")]
    diff: Option<String>,
    /// Ends with an error, and the lines that miss, where a target is not met.
    #[arg(long)]
    check: bool,
    /// The binary to run, also from FIRSTKNOCK_KNOCK; without either it is built first.
    #[arg(long)]
    knock: Option<PathBuf>,
    /// Pages at the same time.
    #[arg(long, default_value_t = 2)]
    threads: usize,
}

/// Where the corpus is looked for when no folder is given.
pub(crate) fn default_dir() -> PathBuf {
    crate::sh::root().join("../shared/corpus")
}

pub(crate) fn run(args: &Args) -> Result<()> {
    let dir = args.dir.clone().unwrap_or_else(default_dir);
    if !dir.join("manifest.tsv").is_file() {
        if args.dir.is_some() {
            bail!("{} holds no manifest.tsv", dir.display());
        }
        println!("skipped: no corpus");
        return Ok(());
    }
    let knock = Knock::new(args.knock.clone())?;
    let entries: Vec<Entry> = manifest(&dir)?
        .into_iter()
        .filter(|e| args.only.as_ref().is_none_or(|host| e.host.contains(host.as_str())))
        .collect();
    if let Some(part) = &args.diff {
        return diff::print(&dir, &entries, part, &knock);
    }
    let pages = in_parallel(&entries, args.threads, |entry| page::score(&dir, entry, &knock))?;
    let verdicts = verdicts::run(&dir, &entries, args.threads, &knock)?;
    let totals = totals::Totals::of(&pages, &verdicts);
    if args.json {
        println!("{}", report::json(&pages, &verdicts, &totals));
    } else {
        report::print(&pages, &verdicts, &totals);
    }
    let missed = totals.missed();
    if args.check && args.only.is_none() && !missed.is_empty() {
        bail!("the corpus misses {} targets:\n  {}", missed.len(), missed.join("\n  "));
    }
    Ok(())
}

/// Runs a job for every item on a few threads; results keep the order.
fn in_parallel<T: Sync, R: Send>(
    items: &[T],
    threads: usize,
    job: impl Fn(&T) -> Result<R> + Sync,
) -> Result<Vec<R>> {
    let next = AtomicUsize::new(0);
    let done: Mutex<Vec<(usize, Result<R>)>> = Mutex::new(Vec::new());
    std::thread::scope(|scope| {
        for _ in 0..threads.clamp(1, 16) {
            scope.spawn(|| {
                loop {
                    let i = next.fetch_add(1, Ordering::Relaxed);
                    let Some(item) = items.get(i) else { return };
                    let result = job(item);
                    done.lock().unwrap_or_else(PoisonError::into_inner).push((i, result));
                }
            });
        }
    });
    let mut done = done.into_inner().unwrap_or_else(PoisonError::into_inner);
    done.sort_by_key(|(i, _)| *i);
    done.into_iter().map(|(_, result)| result).collect()
}

/// Reads a text file of the corpus.
fn read_text(path: &Path) -> Result<String> {
    std::fs::read_to_string(path).with_context(|| format!("cannot read {}", path.display()))
}
