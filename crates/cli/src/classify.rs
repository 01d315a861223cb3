//! `knock classify`: a saved answer in, a verdict out.

use anyhow::Result;
use firstknock_extract::Page;
use firstknock_fetch::{Fetched, Response, Verdict, classify};
use firstknock_listing::catalogue::Language;
use firstknock_policy::Outcome;
use serde_json::{Value, json};

use crate::page_file::PageFile;
use crate::{End, Usage};

#[derive(clap::Args)]
pub(crate) struct Args {
    #[command(flatten)]
    page: PageFile,
    /// The status that came with it.
    #[arg(long, value_parser = clap::value_parser!(u16).range(100..=599))]
    status: u16,
    /// A header line, `name: value`; may be repeated.
    #[arg(long = "header", value_name = "LINE")]
    headers: Vec<String>,
    /// The address that answered, if redirects led elsewhere.
    #[arg(long)]
    final_url: Option<String>,
    /// One JSON object on stdout.
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(args: &Args) -> Result<End> {
    let text = args.page.text()?;
    let asked = args.page.address()?;
    let final_url = match &args.final_url {
        Some(text) => {
            url::Url::parse(text).map_err(|e| Usage(format!("--final-url {text}: {e}")))?
        }
        None => asked.clone(),
    };
    let headers = args.headers.iter().map(|line| header(line)).collect::<Result<Vec<_>>>()?;
    let response =
        Response::of_text(final_url.clone(), Some(args.status), text).with_headers(headers);
    let content_type = response.content_type.clone();
    let page =
        Page { html: &response.body, url: &final_url, content_type: content_type.as_deref() };
    let signs = firstknock_extract::extract(&page, None, None).signs;
    let verdict = classify(&asked, &Fetched::Page(response), &signs, jiff::Timestamp::now());
    if args.json {
        println!("{}", to_json(&verdict));
    } else {
        println!("{} ({})", verdict.outcome.verdict(), verdict.outcome.reason().code());
        println!("{}", verdict.sentence(Language::En));
        for line in &verdict.evidence {
            println!("  {line}");
        }
    }
    Ok(End::Done)
}

fn header(line: &str) -> Result<(String, String)> {
    let (name, value) = line
        .split_once(':')
        .ok_or_else(|| Usage(format!("--header {line}: write it as 'name: value'")))?;
    Ok((name.trim().to_owned(), value.trim().to_owned()))
}

/// The documented shape of `--json`.
pub(crate) fn to_json(verdict: &Verdict) -> Value {
    let retry_after = match &verdict.outcome {
        Outcome::Answer => None,
        Outcome::Wall(wall) => wall.retry_after,
        Outcome::Trouble(trouble) => trouble.retry_after,
    };
    json!({
        "verdict": verdict.outcome.verdict(),
        "reason": verdict.outcome.reason().code(),
        "text": verdict.sentence(Language::En),
        "evidence": verdict.evidence,
        "retry_after_ms": retry_after.map(|wait| u64::try_from(wait.as_millis()).unwrap_or(u64::MAX)),
    })
}
