//! `knock policy`: the ladders, the checks of the policy with the values seen, and why a host
//! waits.

use anyhow::Result;
use firstknock_listing::HostKey;
use firstknock_monitor::DataFolder;
use firstknock_policy::reading;
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
    println!("{key}");
    let clock = |at: Timestamp| {
        let local = at.to_zoned_datetime(jiff::tz::TimeZone::system());
        local.strftime("%Y-%m-%d %H:%M:%S").to_string()
    };
    for fact in schedule.explain(&key, now) {
        println!("  {}", fact.say(say::language(), &clock));
    }
    Ok(End::Done)
}
