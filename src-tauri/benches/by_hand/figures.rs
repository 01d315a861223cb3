//! What the app costs while it is left running: `cargo xtask bench window`.

use std::collections::BTreeMap;
use std::process::Child;
use std::time::{Duration, Instant};

use firstknock_rehearsal::Dice;
use firstknock_rehearsal::street::{Markup, Site};
use serde_json::json;

use crate::app::{Alone, Driven, PATIENCE};
use crate::bus::Panel;
use crate::stage::{Stage, until};

const SITES: [(&str, Markup); 3] =
    [("grachtenhuur", Markup::Cards), ("kieznest", Markup::Table), ("lanternlets", Markup::JsonLd)];
const TOWNS: [&str; 5] = ["utrecht", "leiden", "delft", "gouda", "zwolle"];
/// Between checks: none falls into a measurement.
const RARELY_MS: u64 = 86_400_000;

/// Prints start, and memory and CPU in each state for so many minutes, with fifteen searches.
pub(crate) async fn measure(minutes: u64) {
    let stage = Stage::with_window_manager();
    let panel = Panel::open(stage.bus()).await;
    let sites = fifteen_searches(&stage).await;

    let mut starts = Vec::new();
    for _ in 0..5 {
        let began = Instant::now();
        let app = Driven::start(&stage).await;
        app.element("search-row").await;
        starts.push(began.elapsed());
        app.end().await;
    }
    starts.sort_unstable();
    println!("start to rows on screen, warm, through WebDriver: median {:?}", starts[2]);

    let app = Alone::start(&stage, &["--multi", "--hidden"]);
    until("the tray", PATIENCE, async || panel.menu().await).await;
    watch("started into the tray", &app.0, minutes).await;
    panel.choose("Open Firstknock").await;
    visible(&stage, true).await;
    watch("window shown", &app.0, minutes).await;
    stage.run("xdotool", &["search", "--name", "^Firstknock$", "windowactivate", "--sync"]);
    stage.run("xdotool", &["key", "--clearmodifiers", "alt+F4"]);
    visible(&stage, false).await;
    watch("closed to the tray", &app.0, minutes).await;
    drop(sites);
}

async fn fifteen_searches(stage: &Stage) -> Vec<Site> {
    let mut sites = Vec::new();
    let app = Driven::start(stage).await;
    for (name, markup) in SITES {
        let site = Site::open(name, markup, Dice::new(11), 12).await.unwrap();
        for town in TOWNS {
            let alerts = json!({
                "new": true, "price_drops": true, "relisted": true, "pace": "instant",
                "quiet": null,
            });
            let search = json!({
                "url": site.plain_url(town), "name": format!("{name} {town}"), "filters": {},
                "alerts": alerts, "interval_ms": RARELY_MS, "reader": "plain", "enabled": true,
                "choice": null, "send_current": false,
            });
            app.call("add_search", search).await;
        }
        sites.push(site);
    }
    until("all were read once", PATIENCE * 3, async || {
        let board = app.call("get_board", json!({})).await;
        let read = board["rows"].as_array()?.iter().filter(|row| row["state"]["kind"] == "ok");
        (read.count() == SITES.len() * TOWNS.len()).then_some(())
    })
    .await;
    app.end().await;
    sites
}

async fn visible(stage: &Stage, there: bool) {
    until("the window", PATIENCE, async || {
        (stage.windows().iter().any(|title| title == "Firstknock") == there).then_some(())
    })
    .await;
}

/// Samples all processes of the app every ten seconds and prints the medians.
async fn watch(state: &str, app: &Child, minutes: u64) {
    tokio::time::sleep(Duration::from_secs(20)).await;
    let (began, ticks) = (Instant::now(), cpu_ticks(app.id()));
    let mut totals: BTreeMap<String, Vec<u64>> = BTreeMap::new();
    while began.elapsed() < Duration::from_secs(minutes * 60) {
        let mut sum = 0;
        for (name, kib) in memory(app.id()) {
            sum += kib;
            totals.entry(name).or_default().push(kib);
        }
        totals.entry("all".to_owned()).or_default().push(sum);
        tokio::time::sleep(Duration::from_secs(10)).await;
    }
    // A tick is a hundredth of a second on Linux.
    let busy = (cpu_ticks(app.id()) - ticks) as f64 / began.elapsed().as_secs_f64();
    let median = |(name, mut kib): (String, Vec<u64>)| {
        kib.sort_unstable();
        format!("{name} {} MiB", kib[kib.len() / 2] / 1024)
    };
    let parts: Vec<String> = totals.into_iter().map(median).collect();
    println!("{state}, {minutes} min: {busy:.2} % of a core; PSS {}", parts.join(", "));
}

/// The process and all below it.
fn family(id: u32) -> Vec<u32> {
    let mut members = vec![id];
    let mut at = 0;
    while at < members.len() {
        let tasks = std::fs::read_dir(format!("/proc/{}/task", members[at]));
        for task in tasks.into_iter().flatten().flatten() {
            let children = std::fs::read_to_string(task.path().join("children"));
            members.extend(
                children
                    .unwrap_or_default()
                    .split_whitespace()
                    .map(|id| id.parse::<u32>().unwrap()),
            );
        }
        at += 1;
    }
    members
}

fn memory(id: u32) -> Vec<(String, u64)> {
    let one = |id: u32| {
        let rollup = std::fs::read_to_string(format!("/proc/{id}/smaps_rollup")).ok()?;
        let kib = rollup.lines().find_map(|line| line.strip_prefix("Pss:"))?;
        let name = std::fs::read_to_string(format!("/proc/{id}/comm")).ok()?;
        Some((name.trim().to_owned(), kib.trim().trim_end_matches(" kB").parse().ok()?))
    };
    family(id).into_iter().filter_map(one).collect()
}

fn cpu_ticks(id: u32) -> u64 {
    let one = |id: u32| {
        let stat = std::fs::read_to_string(format!("/proc/{id}/stat")).ok()?;
        let rest: Vec<&str> = stat.rsplit_once(')')?.1.split_whitespace().collect();
        Some(rest.get(11)?.parse::<u64>().ok()? + rest.get(12)?.parse::<u64>().ok()?)
    };
    family(id).into_iter().filter_map(one).sum()
}
