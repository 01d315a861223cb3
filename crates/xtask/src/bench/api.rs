//! `cargo xtask bench api`: requests per second and the slowest of a hundred, over real HTTP with
//! 50,000 listings stored; and what the budget check has of it.

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
    println!("{:<44} {:>9} {:>10} {:>10}", "", "req/s", "p50 ms", "p99 ms");
    let mut cheapest_us: Option<f64> = None;
    for line in out.lines() {
        let cells: Vec<&str> = line.split('\t').collect();
        match cells[..] {
            [path, per_second, p50, p99] => {
                let (p50, p99): (f64, f64) = (p50.parse()?, p99.parse()?);
                cheapest_us = Some(cheapest_us.map_or(p50, |least| least.min(p50)));
                let (p50, p99) = (p50 / 1000.0, p99 / 1000.0);
                println!("{path:<44} {per_second:>9} {p50:>10.2} {p99:>10.2}");
            }
            ["admission", each] => {
                let each: f64 = each.parse()?;
                let of = cheapest_us.context("paths come first")?;
                println!(
                    "token, budget and settling: {each:.2} µs a request, {:.1} % of the cheapest one",
                    each / of * 100.0
                );
            }
            _ => bail!("the measuring program said {line:?}"),
        }
    }
    Ok(())
}
