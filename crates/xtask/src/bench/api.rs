//! `cargo xtask bench api`: requests per second and the slowest of a hundred, over real HTTP with
//! 50,000 listings stored; and what the budget check has of it, counted in
//! the server while it serves them.

use anyhow::{Context, Result, bail};

use crate::sh::{cargo, sh, target};

#[derive(clap::Args)]
pub(crate) struct Args {
    /// Listings in the store.
    #[arg(long, default_value_t = 50_000)]
    listings: u32,
    /// Requests per path, over four connections.
    #[arg(long, default_value_t = 4_000)]
    requests: u32,
}

pub(crate) fn run(args: &Args) -> Result<()> {
    let example = ["--package", "firstknock-cli", "--example", "measure_api"];
    cargo(&[&["build", "--quiet", "--release"], &example[..]].concat()).run()?;
    let measure = target().join("release/examples/measure_api");
    let out = sh(&measure, &[&args.listings.to_string(), &args.requests.to_string()])
        .read()
        .context("the measuring program failed")?;
    println!(
        "{} listings stored, {} requests per path, 4 connections",
        args.listings, args.requests
    );
    println!(
        "{:<42} {:>7} {:>8} {:>8} {:>10} {:>12} {:>7}",
        "", "req/s", "p50 ms", "p99 ms", "inside µs", "admission µs", "share"
    );
    for line in out.lines() {
        let cells: Vec<&str> = line.split('\t').collect();
        let [path, per_second, p50, p99, inside, admission] = cells[..] else {
            bail!("the measuring program said {line:?}");
        };
        let (p50, p99): (f64, f64) = (p50.parse()?, p99.parse()?);
        let (inside, admission): (f64, f64) = (inside.parse()?, admission.parse()?);
        println!(
            "{path:<42} {per_second:>7} {:>8.2} {:>8.2} {inside:>10.1} {admission:>12.2} {:>6.2}%",
            p50 / 1000.0,
            p99 / 1000.0,
            admission / inside * 100.0,
        );
    }
    println!(
        "inside: from head to answer in the server; admission: token, budget and settling of it"
    );
    Ok(())
}
