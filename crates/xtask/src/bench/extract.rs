//! `cargo xtask bench extract`: the whole pipeline over the corpus' result pages, and on the same
//! pages, one after the other, peers that do less: `scraper` merely parsing; BeautifulSoup (lxml,
//! html.parser), selectolax and cheerio selecting the cards and reading their text.
//!
//! Medians per page over the rounds, summed over the pages, as ratios; and per page the highest
//! growth of memory in a process of its own. Machines differ; ratios of one run stay comparable.

use std::collections::BTreeMap;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::{Context, Result, bail};
use serde_json::json;

use super::peers;
use crate::corpus::{Entry, Kind, default_dir, manifest};
use crate::sh::{root, target};

#[derive(clap::Args)]
pub(crate) struct Args {
    /// The corpus folder; `../shared/corpus` beside the checkout by default.
    dir: Option<PathBuf>,
    /// Rounds over all pages; the median of them counts.
    #[arg(long, default_value_t = 7)]
    rounds: usize,
    /// Without Python's and Node's parsers.
    #[arg(long)]
    no_peers: bool,
    /// A measuring program that is built already.
    #[arg(long, hide = true)]
    measure: Option<PathBuf>,
    /// One JSON object on stdout.
    #[arg(long)]
    json: bool,
    /// Ends with an error where a target is not met.
    #[arg(long)]
    check: bool,
}

/// One page as it was measured.
struct Row {
    file: String,
    name: String,
    bytes: u64,
    parse_ms: f64,
    extract_ms: f64,
    listings: u64,
    selector: String,
    peak_bytes: u64,
}

/// Sums and ratios.
struct Summary {
    mean_ms: f64,
    worst_ms: f64,
    worst_page: String,
    /// Whole pipeline ÷ bare parse.
    to_parse: f64,
    /// Name, and how many times as long it takes as we do.
    peers: Vec<(String, f64)>,
    /// The highest growth ÷ page size.
    worst_memory: f64,
    worst_memory_page: String,
}

pub(crate) fn run(args: &Args) -> Result<()> {
    let dir = args.dir.clone().unwrap_or_else(default_dir);
    if !dir.join("manifest.tsv").is_file() {
        println!("skipped: no corpus");
        return Ok(());
    }
    let pages: Vec<Entry> =
        manifest(&dir)?.into_iter().filter(|e| e.kind == Kind::Listing && !e.is_json()).collect();
    let measure = match &args.measure {
        Some(path) => path.clone(),
        None => build()?,
    };
    let mut rows = times(&measure, &dir, &pages, args.rounds)?;
    for (row, page) in rows.iter_mut().zip(&pages) {
        row.peak_bytes = memory(&measure, &row.file, &page.url)?;
    }
    let lines: Vec<(String, String)> =
        rows.iter().map(|r| (r.file.clone(), r.selector.clone())).collect();
    let peers = if args.no_peers { BTreeMap::new() } else { peers::run(&lines)? };
    let summary = Summary::of(&rows, &peers);
    if args.json {
        println!("{}", summary.json(&rows));
    } else {
        summary.print(&rows);
    }
    let missed = summary.missed(args.no_peers);
    if args.check && !missed.is_empty() {
        bail!("the bench misses {} targets:\n  {}", missed.len(), missed.join("\n  "));
    }
    Ok(())
}

fn build() -> Result<PathBuf> {
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let built = Command::new(cargo)
        .args(["build", "--quiet", "--release", "--package", "firstknock-extract"])
        .args(["--example", "measure"])
        .current_dir(root())
        .stdout(Stdio::null())
        .status()
        .context("cannot start cargo")?;
    if !built.success() {
        bail!("the measuring program could not be built");
    }
    Ok(target().join("release/examples/measure"))
}

fn times(measure: &Path, dir: &Path, pages: &[Entry], rounds: usize) -> Result<Vec<Row>> {
    let lines: String =
        pages.iter().map(|p| format!("{}\t{}\n", dir.join(&p.path).display(), p.url)).collect();
    let out = feed(Command::new(measure).arg(rounds.to_string()), &lines)?;
    out.lines()
        .map(|line| {
            let cells: Vec<&str> = line.split('\t').collect();
            let [file, bytes, parse, extract, listings, selector] = cells[..] else {
                bail!("the measuring program said {line:?}");
            };
            Ok(Row {
                file: file.to_owned(),
                name: file.rsplit('/').take(2).collect::<Vec<_>>().join(" of "),
                bytes: bytes.parse()?,
                parse_ms: parse.parse::<f64>()? / 1000.0,
                extract_ms: extract.parse::<f64>()? / 1000.0,
                listings: listings.parse()?,
                selector: selector.to_owned(),
                peak_bytes: 0,
            })
        })
        .collect()
}

fn memory(measure: &Path, file: &str, url: &str) -> Result<u64> {
    let out = Command::new(measure).args(["memory", file, url]).output()?;
    if !out.status.success() {
        bail!("measuring the memory of {file} ended with {}", out.status);
    }
    Ok(String::from_utf8_lossy(&out.stdout).trim().parse()?)
}

/// Runs a program with a text on stdin and gives its stdout.
pub(super) fn feed(command: &mut Command, text: &str) -> Result<String> {
    let mut child = command
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .with_context(|| format!("cannot start {}", command.get_program().display()))?;
    let mut stdin = child.stdin.take().context("no pipe")?;
    stdin.write_all(text.as_bytes())?;
    drop(stdin);
    let out = child.wait_with_output()?;
    if !out.status.success() {
        bail!("{} ended with {}", command.get_program().display(), out.status);
    }
    Ok(String::from_utf8(out.stdout)?)
}

impl Summary {
    #[expect(clippy::cast_precision_loss, reason = "bytes of pages and counts of pages")]
    fn of(rows: &[Row], peers: &BTreeMap<String, BTreeMap<String, f64>>) -> Self {
        let ours: f64 = rows.iter().map(|r| r.extract_ms).sum();
        let parse: f64 = rows.iter().map(|r| r.parse_ms).sum();
        let worst = rows.iter().max_by(|a, b| a.extract_ms.total_cmp(&b.extract_ms));
        let memory = |r: &Row| r.peak_bytes as f64 / r.bytes.max(1) as f64;
        let hungry = rows.iter().max_by(|a, b| memory(a).total_cmp(&memory(b)));
        let peers = peers
            .iter()
            .map(|(name, pages)| {
                let theirs: f64 = rows.iter().filter_map(|r| pages.get(&r.file)).sum();
                (name.clone(), theirs * 1000.0 / ours)
            })
            .collect();
        Self {
            mean_ms: ours / rows.len().max(1) as f64,
            worst_ms: worst.map_or(0.0, |r| r.extract_ms),
            worst_page: worst.map_or(String::new(), |r| r.name.clone()),
            to_parse: ours / parse.max(f64::MIN_POSITIVE),
            peers,
            worst_memory: hungry.map_or(0.0, memory),
            worst_memory_page: hungry.map_or(String::new(), |r| r.name.clone()),
        }
    }

    #[expect(clippy::cast_precision_loss, reason = "bytes of pages")]
    fn print(&self, rows: &[Row]) {
        println!(
            "{:<60} {:>8} {:>8} {:>8} {:>6} {:>8}",
            "page", "KB", "parse", "all ms", "ratio", "mem/page"
        );
        for row in rows {
            println!(
                "{:<60} {:>8} {:>8.2} {:>8.2} {:>6.2} {:>8.1}  {} listings",
                row.name,
                row.bytes / 1024,
                row.parse_ms,
                row.extract_ms,
                row.extract_ms / row.parse_ms,
                row.peak_bytes as f64 / row.bytes.max(1) as f64,
                row.listings,
            );
        }
        println!(
            "whole pipeline: mean {:.2} ms a page, worst {:.2} ms ({})",
            self.mean_ms, self.worst_ms, self.worst_page
        );
        println!("to scraper's bare parse: {:.2} ×", self.to_parse);
        for (name, ratio) in &self.peers {
            println!(
                "{name}, which only selects the cards and reads their text: {ratio:.1} × as long as we"
            );
        }
        println!(
            "memory: at most {:.1} × the page ({})",
            self.worst_memory, self.worst_memory_page
        );
        for line in self.missed(self.peers.is_empty()) {
            println!("below target: {line}");
        }
    }

    fn json(&self, rows: &[Row]) -> serde_json::Value {
        json!({
            "pages": rows.iter().map(|r| json!({
                "page": r.name, "bytes": r.bytes, "parse_ms": r.parse_ms, "extract_ms": r.extract_ms,
                "listings": r.listings, "peak_bytes": r.peak_bytes,
            })).collect::<Vec<_>>(),
            "mean_ms": self.mean_ms,
            "worst_ms": self.worst_ms,
            "to_parse": self.to_parse,
            "peers": self.peers.iter().map(|(n, r)| (n.clone(), json!(r))).collect::<serde_json::Map<_, _>>(),
            "worst_memory": self.worst_memory,
            "missed": self.missed(self.peers.is_empty()),
        })
    }

    /// The targets of the specification that are not met. Milliseconds hold for a quiet machine.
    fn missed(&self, no_peers: bool) -> Vec<String> {
        let mut out = Vec::new();
        let mut at_most = |what: &str, got: f64, want: f64| {
            if got > want {
                out.push(format!("{what}: {got:.2}, target at most {want}"));
            }
        };
        at_most("ratio to scraper's bare parse", self.to_parse, 1.8);
        at_most("mean ms a page", self.mean_ms, 15.0);
        at_most("worst ms a page", self.worst_ms, 60.0);
        at_most("memory to page size", self.worst_memory, 20.0);
        for (name, want) in [("cheerio", 6.0), ("BeautifulSoup + lxml", 9.0)] {
            let got = self.peers.iter().find(|(n, _)| n == name).map(|(_, ratio)| *ratio);
            match got {
                Some(ratio) if ratio < want => {
                    out.push(format!("{name}: {ratio:.1} × as long as we, target at least {want}"));
                }
                None if !no_peers => out.push(format!("{name} was not measured")),
                _ => {}
            }
        }
        out
    }
}
