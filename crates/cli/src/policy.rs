//! `knock policy`: the ladders, the checks of the policy with the values seen, and why a host
//! waits.

use anyhow::Result;
use firstknock_ipc::{HostState, wire};
use firstknock_listing::HostKey;
use firstknock_listing::catalogue;
use firstknock_monitor::DataFolder;
use firstknock_policy::{format_wait, reading};
use firstknock_schedule::Schedule;
use firstknock_store::Store;
use jiff::Timestamp;

use crate::start::DataArg;
use crate::{End, Usage, say};

#[derive(clap::Args)]
pub(crate) struct Args {
    /// So many clients, waiting for such an attempt: when they wake up (`24x3`).
    #[arg(long, value_name = "CLIENTSxATTEMPT", conflicts_with = "explain")]
    simulate: Option<String>,
    /// Why this host waits, since when, what it asked for and what happens next.
    #[arg(long, value_name = "HOST")]
    explain: Option<String>,
    #[command(flatten)]
    data: DataArg,
}

pub(crate) fn run(args: &Args) -> Result<End> {
    if let Some(text) = &args.simulate {
        return simulate(text);
    }
    if let Some(host) = &args.explain {
        return explain(host, &args.data);
    }
    for line in reading::ladders() {
        println!("{line}");
    }
    println!();
    let checks = reading::checks();
    for check in &checks {
        println!("{}", check.line());
    }
    Ok(if checks.iter().all(|check| check.ok) { End::Done } else { End::Failed })
}

fn simulate(text: &str) -> Result<End> {
    let parsed = text.split_once('x').and_then(|(clients, attempt)| {
        Some((clients.parse::<u32>().ok()?, attempt.parse::<u32>().ok()?))
    });
    let Some((clients @ 1..=100_000, attempt @ 1..=60)) = parsed else {
        return Err(
            Usage(format!("--simulate {text}: write clients and attempt, like 24x3")).into()
        );
    };
    for line in reading::simulate(clients, attempt).lines() {
        println!("{line}");
    }
    Ok(End::Done)
}

/// Reads the user's data as they are on disk; a running app is not disturbed.
fn explain(host: &str, data: &DataArg) -> Result<End> {
    let folder = DataFolder::choose(data.data.as_deref()).map_err(|e| Usage(e.to_string()))?;
    if !folder.path().join(firstknock_store::DB_FILE).is_file() {
        return Err(Usage(format!("there are no data in {}", folder.path().display())).into());
    }
    let now = Timestamp::now();
    let (store, _) = Store::open(folder.path(), now)?;
    let address = if host.contains("://") { host.to_owned() } else { format!("https://{host}/") };
    let key = url::Url::parse(&address).ok().as_ref().and_then(HostKey::of);
    let Some(key) = key else {
        return Err(Usage(format!("{host} is no host")).into());
    };
    let (schedule, _) = Schedule::restore(store.load_schedule()?, now, &mut || 0.5);
    let card = schedule.host_cards(now).into_iter().find(|card| card.host == key);
    let Some(card) = card else {
        println!("{key}: no search asks this host, and nothing is kept about it.");
        return Ok(End::Done);
    };
    let answered = card.answered_at;
    match wire::host_card(&card).state {
        HostState::Waits { wall, reason, since, failures, asked_ms, retry_at, evidence } => {
            let l = say::language();
            let time = |ms: i64| {
                Timestamp::from_millisecond(ms).map(|t| t.to_string()).unwrap_or_default()
            };
            println!("{key}: {}", catalogue::say(l, &format!("wall_{}", say::code(wall)), &[]));
            println!("  why        {reason}");
            println!("  since      {} ({failures} in a row)", time(since));
            match asked_ms.and_then(|ms| u64::try_from(ms).ok()) {
                Some(ms) => println!(
                    "  it asked   for {}; that is the least we wait, up to an hour",
                    format_wait(std::time::Duration::from_millis(ms))
                ),
                None => println!("  it asked   for nothing in particular"),
            }
            println!("  next       one request at {}", time(retry_at));
            for line in evidence {
                println!("  seen       {line}");
            }
        }
        HostState::Answers { .. } | HostState::Probing { .. } | HostState::SiteOpen { .. } => {
            println!("{key}: answers; nothing holds it back.");
        }
    }
    if let Some(at) = answered {
        println!("  answered   last at {at}");
    }
    Ok(End::Done)
}
