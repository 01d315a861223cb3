//! `knock extract`: a saved page in, its listings out.

use anyhow::Result;
use firstknock_extract::{Extraction, Page};
use firstknock_listing::{Listing, Role};
use firstknock_monitor::{DataFolder, Recipes};
use serde_json::{Value, json};

use crate::page_file::PageFile;
use crate::start::{DataArg, name_broken};
use crate::{End, Usage};

#[derive(clap::Args)]
pub(crate) struct Args {
    #[command(flatten)]
    page: PageFile,
    /// One JSON object on stdout.
    #[arg(long)]
    json: bool,
    /// With where each field was found (in `--json`).
    #[arg(long)]
    evidence: bool,
    /// Up to three sets of cards that may be the list, with samples.
    #[arg(long)]
    candidates: bool,
    /// Use the Nth set of `--candidates` (from 1).
    #[arg(long)]
    choose: Option<usize>,
    #[command(flatten)]
    data: DataArg,
}

pub(crate) fn run(args: &Args) -> Result<End> {
    let text = args.page.text()?;
    let url = args.page.address()?;
    let page = Page { html: &text, url: &url, content_type: None };
    let folder = DataFolder::choose(args.data.data.as_deref()).ok();
    let recipes = folder.map(|folder| Recipes::read(&folder.recipes())).unwrap_or_default();
    name_broken(&recipes);
    let read = |choice| firstknock_extract::extract_with(&page, None, choice, recipes.good());
    let mut extraction = read(None);
    if let Some(n) = args.choose {
        let picked = n.checked_sub(1).and_then(|at| extraction.candidates.get(at));
        let Some(picked) = picked else {
            let have = extraction.candidates.len();
            return Err(Usage(format!("--choose {n}: this page offers {have} sets")).into());
        };
        extraction = read(Some(&picked.choice.clone()));
    }
    if args.json {
        println!("{}", to_json(&extraction, args.evidence, args.candidates));
    } else {
        print_table(&extraction);
        if args.candidates {
            print_candidates(&extraction);
        }
    }
    Ok(End::Done)
}

/// The documented shape of `--json`.
pub(crate) fn to_json(extraction: &Extraction, evidence: bool, candidates: bool) -> Value {
    let mut out = json!({
        "page_kind": extraction.kind.code(),
        "confidence": extraction.confidence,
        "result_count": extraction.result_count,
        "next_page": extraction.next_page.as_ref().map(url::Url::as_str),
        "name": extraction.name,
        "finding": extraction.finding.code(),
        "listings": extraction.listings.iter().map(|l| listing_json(l, evidence)).collect::<Vec<_>>(),
        "problems": extraction.problems,
    });
    if candidates {
        out["candidates"] = extraction
            .candidates
            .iter()
            .map(|c| {
                let sample: Vec<Value> = c.sample.iter().map(|l| listing_json(l, false)).collect();
                json!({ "count": c.count, "score": c.score, "sample": sample })
            })
            .collect();
    }
    out
}

/// One listing in the documented shape.
pub(crate) fn listing_json(listing: &Listing, evidence: bool) -> Value {
    let mut out = json!({
        "key": listing.key().as_str(),
        "keys": listing.keys,
        "url": listing.url,
        "title": listing.title,
        "address": listing.address.as_ref().map(|a| a.raw.as_str()),
        "price": listing.price.as_ref().map(|p| json!({
            "amount": p.amount(),
            "upper": p.upper(),
            "currency": p.currency,
            "period": p.period,
            "kind": p.kind,
        })),
        "price_on_request": listing.price_on_request,
        "size_m2": listing.size.map(|s| s.m2()),
        "rooms": listing.rooms.map(|r| r.count()),
        "bedrooms": listing.bedrooms.map(|r| r.count()),
        "image": listing.image,
        "available_from": listing.available_from,
        "role": listing.role,
        "flags": listing.flags,
    });
    if evidence {
        out["evidence"] = json!(listing.evidence);
    }
    out
}

/// A table for people.
pub(crate) fn print_table(extraction: &Extraction) {
    println!(
        "{} · {} listings · confidence {:.2}",
        extraction.kind.code(),
        extraction.listings.len(),
        extraction.confidence
    );
    for listing in &extraction.listings {
        println!("{}", line(listing));
    }
    for problem in &extraction.problems {
        let args = problem.args();
        let args: Vec<(&str, &str)> = args.iter().map(|(k, v)| (*k, v.as_str())).collect();
        let code = format!("page_problem_{}", problem.code());
        println!(
            "note: {}",
            firstknock_listing::catalogue::say(crate::say::language(), &code, &args)
        );
    }
}

fn print_candidates(extraction: &Extraction) {
    for (at, candidate) in extraction.candidates.iter().enumerate() {
        println!("set {}: {} cards", at + 1, candidate.count);
        for listing in &candidate.sample {
            println!("  {}", line(listing));
        }
    }
}

pub(crate) fn line(listing: &Listing) -> String {
    let price = match &listing.price {
        Some(price) => {
            let currency = price.currency.map_or(String::new(), |c| format!(" {}", c.code()));
            let upper = price.upper().map_or(String::new(), |u| format!("–{u}"));
            format!("{}{upper}{currency}", price.amount())
        }
        None if listing.price_on_request => "on request".into(),
        None => "–".into(),
    };
    let size = listing.size.map_or("–".into(), |s| format!("{} m²", s.m2()));
    let rooms = match (listing.rooms, listing.bedrooms) {
        (Some(rooms), _) => format!("{} r", rooms.count()),
        (None, Some(bedrooms)) => format!("{} bd", bedrooms.count()),
        (None, None) => "–".into(),
    };
    let role = match listing.role {
        Role::Result => "",
        Role::Promoted => " [promoted]",
        Role::Recommendation => " [recommendation]",
    };
    let headline = firstknock_listing::truncate_chars(listing.headline(), 60);
    format!("{price:>16}  {size:>10}  {rooms:>6}  {headline}{role}\n{:>38}{}", "", listing.url)
}
