//! `knock add`, `knock list`, `knock remove`: saved searches without a window.

use std::time::Duration;

use anyhow::Result;
use firstknock_listing::{Criteria, Role, SearchId, SearchUrl, catalogue};
use firstknock_monitor::store::StoreError;
use firstknock_monitor::{Preview, ReaderChoice, Refusal, Rhythm, SearchWish, Tell};
use firstknock_schedule::DEFAULT_INTERVAL;

use crate::say::language;
use crate::start::{DataArg, start_by_hand};
use crate::{End, Usage, extract};

#[derive(clap::Args)]
pub(crate) struct AddArgs {
    /// The address of a search page; it is looked at once first.
    url: String,
    /// What to call it; else what the page calls itself.
    #[arg(long)]
    name: Option<String>,
    /// Seconds between two looks, 30 to 86400.
    #[arg(long, value_name = "SECONDS")]
    every: Option<u64>,
    /// Save it without looking, for a site that cannot be asked now.
    #[arg(long)]
    unseen: bool,
    #[command(flatten)]
    data: DataArg,
}

#[derive(clap::Args)]
pub(crate) struct ListArgs {
    #[command(flatten)]
    data: DataArg,
}

#[derive(clap::Args)]
pub(crate) struct RemoveArgs {
    /// The number that `knock list` shows.
    id: i64,
    #[command(flatten)]
    data: DataArg,
}

pub(crate) async fn add(args: &AddArgs) -> Result<End> {
    let url = SearchUrl::parse(&args.url).map_err(|e| said(&format!("error_{}", e.code()), &[]))?;
    let running = start_by_hand(&args.data)?;
    let result = async {
        let suggested = if args.unseen {
            None
        } else {
            preview(running.engine.preview(&args.url, None).await)?
        };
        let name = args.name.clone().or(suggested).unwrap_or_else(|| url.host().to_string());
        let wish = SearchWish {
            name,
            url,
            interval: args.every.map_or(DEFAULT_INTERVAL, Duration::from_secs),
            muted: false,
            reader: ReaderChoice::Auto,
            criteria: Criteria::default(),
            tell: Tell { new: true, price_drops: true, relisted: true },
            quiet: None,
            rhythm: Rhythm::Instant,
        };
        let search = running.engine.add_search(wish, true, None).await.map_err(refused)?;
        println!("{}  {}", search.id, search.wish.name);
        Ok(End::Done)
    };
    let result = result.await;
    running.engine.shut_down().await;
    result
}

pub(crate) async fn list(args: &ListArgs) -> Result<End> {
    let running = start_by_hand(&args.data)?;
    for search in running.engine.store().run(|store| store.searches()).await? {
        let paused = if search.enabled { "" } else { "  (paused)" };
        println!("{}  {}{paused}\n    {}", search.id, search.wish.name, search.wish.url.as_str());
    }
    running.engine.shut_down().await;
    Ok(End::Done)
}

pub(crate) async fn remove(args: &RemoveArgs) -> Result<End> {
    let running = start_by_hand(&args.data)?;
    let removed = running.engine.delete_search(SearchId(args.id)).await;
    running.engine.shut_down().await;
    removed.map_err(refused)?;
    Ok(End::Done)
}

/// What the page holds, and the name that it suggests.
fn preview(preview: Preview) -> Result<Option<String>> {
    match preview {
        Preview::Found(read) | Preview::Unsure(read) => {
            let shown: Vec<_> =
                read.extraction.listings.iter().filter(|l| l.role != Role::Recommendation).collect();
            println!("{} listings; the first are:", shown.len());
            for listing in shown.into_iter().take(3) {
                println!("{}", extract::line(listing));
            }
            Ok(read.extraction.name)
        }
        Preview::Refused(refusal) => Err(match refusal {
            Refusal::Address(error) => said(&format!("error_{}", error.code()), &[]),
            Refusal::Duplicate(same) => said("error_duplicate", &[("name", &same.wish.name)]),
            Refusal::Sixteenth => said("error_too_many", &[("max", "15")]),
            Refusal::OneHome => said("page_problem_one_listing", &[]),
            Refusal::NoList { .. } => said("page_problem_no_list", &[]),
            Refusal::Wall(_) | Refusal::Dead(_) | Refusal::PageGone(_) | Refusal::NotBefore(_) => {
                Usage("the page could not be read now (`knock check` says why); --unseen saves it all the same".into())
            }
            Refusal::Store(error) => return Err(refused(error)),
        }
        .into()),
    }
}

fn refused(error: StoreError) -> anyhow::Error {
    match error {
        StoreError::Duplicate { name, .. } => said("error_duplicate", &[("name", &name)]).into(),
        StoreError::TooManyEnabled { max } => {
            said("error_too_many", &[("max", &max.to_string())]).into()
        }
        StoreError::OutOfRange { .. } => Usage(error.to_string()).into(),
        StoreError::NotFound => said("error_not_found", &[]).into(),
        other => other.into(),
    }
}

fn said(code: &str, args: &[(&str, &str)]) -> Usage {
    Usage(catalogue::say(language(), code, args))
}
