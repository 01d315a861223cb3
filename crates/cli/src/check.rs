//! `knock check`: one look at one page, through plan, gap and ledger.

use anyhow::Result;
use firstknock_listing::SearchUrl;
use firstknock_listing::catalogue;
use firstknock_monitor::store::SearchFacts;
use firstknock_monitor::{Engine, Look, Purpose, Refusal};
use firstknock_policy::Outcome;
use serde_json::json;

use crate::say::language;
use crate::start::{DataArg, start_by_hand};
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
    let running = start_by_hand(&args.data)?;
    let before = last_time(&running.engine, url.clone()).await?;
    let look = running.engine.look_once(url, Purpose::ByHand, None).await;
    running.engine.shut_down().await;
    match look {
        Ok(look) => {
            let end = show(&look, args.json, verbose);
            if verbose && !args.json {
                show_marks(&look, before.as_ref());
            }
            Ok(end)
        }
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
    }
    if look.verdict.outcome == Outcome::Answer {
        extract::print_table(&look.extraction);
    }
    end
}

/// What is kept of the last look, if this address is a saved search.
async fn last_time(engine: &Engine, url: SearchUrl) -> Result<Option<SearchFacts>> {
    Ok(engine
        .store()
        .run(move |store| match store.search_with_url(&url)? {
            Some(search) => store.search_facts(search.id).map(Some),
            None => Ok(None),
        })
        .await?)
}

/// The marks of this version of the page: what the next check of a saved search sends along, and
/// whether that check would read the page again.
fn show_marks(look: &Look, before: Option<&SearchFacts>) {
    let Some(page) = look.fetched.response() else { return };
    for (header, value) in [
        ("If-None-Match", &page.validators.etag),
        ("If-Modified-Since", &page.validators.last_modified),
    ] {
        match value {
            Some(value) => println!("  the next check of a saved search sends {header}: {value}"),
            None => println!("  no {header}: the site gave nothing for it"),
        }
    }
    let hash = format!("{:016x}", page.body_hash);
    let known = before.and_then(|facts| facts.body_hash.as_ref());
    let same = match known {
        Some(known) if *known == hash => ", the same as last time: a check skips the extraction",
        Some(_) => ", another than last time: a check extracts it",
        None => "",
    };
    println!("  body hash {hash}, {} bytes{same}", page.bytes);
}
