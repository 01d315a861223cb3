//! `knock check`: one look at one page, through plan, gap and ledger.

use anyhow::Result;
use firstknock_fetch::Config;
use firstknock_listing::SearchUrl;
use firstknock_listing::catalogue;
use firstknock_monitor::{Look, Purpose, Refusal};
use firstknock_policy::Outcome;
use serde_json::json;

use crate::say::language;
use crate::start::{DataArg, start};
use crate::{End, Usage, classify, extract};

#[derive(clap::Args)]
pub(crate) struct Args {
    /// The address of a search page.
    url: String,
    /// One JSON object on stdout.
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    data: DataArg,
}

pub(crate) async fn run(args: &Args, verbose: bool) -> Result<End> {
    // The address itself is not repeated: there may be a password in it.
    let url = SearchUrl::parse(&args.url)
        .map_err(|e| Usage(catalogue::say(language(), &format!("error_{}", e.code()), &[])))?;
    let running = start(&args.data, Config::default()).await?;
    let look = running.engine.look_once(url, Purpose::ByHand, None).await;
    running.engine.shut_down().await;
    match look {
        Ok(look) => Ok(show(&look, args.json, verbose)),
        Err(Refusal::NotBefore(at)) => {
            if args.json {
                println!("{}", json!({ "verdict": "waits", "not_before_ms": at.as_millisecond() }));
            } else {
                println!("This host waits; it is not asked before {at}.");
            }
            Ok(End::Wall)
        }
        Err(Refusal::Store(error)) => Err(error.into()),
        Err(other) => Err(Usage(format!("this address cannot be checked: {other:?}")).into()),
    }
}

fn show(look: &Look, as_json: bool, verbose: bool) -> End {
    let end = match &look.verdict.outcome {
        Outcome::Wall(_) => End::Wall,
        Outcome::Trouble(_) => End::Trouble,
        Outcome::Answer if look.extraction.listings.is_empty() => End::NoList,
        Outcome::Answer => End::Done,
    };
    if as_json {
        let mut out = extract::to_json(&look.extraction, false, false);
        let verdict = classify::to_json(&look.verdict);
        if let (Some(out), serde_json::Value::Object(verdict)) = (out.as_object_mut(), verdict) {
            out.extend(verdict);
            out.insert("status".into(), json!(look.status()));
            out.insert("took_ms".into(), json!(u64::try_from(look.took.as_millis()).unwrap_or(0)));
        }
        println!("{out}");
        return end;
    }
    println!("{} in {} ms", look.verdict.outcome.verdict(), look.took.as_millis());
    if look.verdict.outcome != Outcome::Answer {
        println!("{}", look.verdict.sentence(language()));
    }
    if verbose {
        for line in &look.verdict.evidence {
            println!("  {line}");
        }
        if let Some(page) = look.fetched.response() {
            println!("  body hash {:016x}, {} bytes", page.body_hash, page.bytes);
            println!("  validators {:?}", page.validators);
        }
    }
    if look.verdict.outcome == Outcome::Answer {
        extract::print_table(&look.extraction);
    }
    end
}
