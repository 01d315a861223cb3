//! `--diff PAGE`: what was missed, what was false, what was read wrong.

use std::path::Path;

use anyhow::{Context, Result, bail};

use super::knock::{Knock, Predicted};
use super::page::{FIELDS, fields};
use super::{Entry, matching, truth};

/// Prints the differences of one page, or of all whose path holds the part.
pub(crate) fn print(dir: &Path, entries: &[Entry], part: &str, knock: &Knock) -> Result<()> {
    let chosen: Vec<&Entry> = entries.iter().filter(|e| e.path.contains(part)).collect();
    if chosen.is_empty() {
        bail!("no page of the corpus holds {part:?} in its path");
    }
    for entry in chosen {
        println!("# {}", entry.path);
        let (extracted, _) = knock.extract(&dir.join(&entry.path), entry);
        let extracted = match extracted {
            Ok(extracted) => extracted,
            Err(error) => {
                println!("  failed: {error:#}");
                continue;
            }
        };
        let truths = match &entry.truth {
            Some(file) => truth::read(&dir.join(file)).context("a truth file")?,
            None => Vec::new(),
        };
        let predicted: Vec<Predicted> =
            extracted.listings.into_iter().filter(|l| l.role != "recommendation").collect();
        let pairs = matching::pair(&entry.url, &predicted, &truths);
        println!("  kind {}, confidence {:.2}", extracted.page_kind, extracted.confidence);
        for (i, truth) in truths.iter().enumerate().filter(|(_, t)| t.is_result()) {
            if !pairs.contains(&Some(i)) {
                println!("  missed: {} {:?}", truth.name(), truth.title);
            }
        }
        for (listing, pair) in predicted.iter().zip(&pairs) {
            match pair {
                None => println!("  false: {} {} {:?}", listing.role, listing.url, listing.title),
                Some(i) if truths[*i].is_result() => wrong_fields(listing, &truths[*i]),
                Some(_) => {}
            }
        }
    }
    Ok(())
}

fn wrong_fields(listing: &Predicted, truth: &truth::Truth) {
    for (name, right) in FIELDS.iter().zip(fields(listing, truth)) {
        if right != Some(false) {
            continue;
        }
        let (got, want) = match *name {
            "price" => (
                format!("{:?}", listing.price.as_ref().map(|p| p.amount)),
                format!("{:?}", truth.price),
            ),
            "currency" => (
                format!("{:?}", listing.price.as_ref().map(|p| &p.currency)),
                format!("{:?}", truth.currency),
            ),
            "size" => (format!("{:?}", listing.size_m2), format!("{:?}", truth.size_m2)),
            "rooms" => (
                format!("{:?} rooms, {:?} bedrooms", listing.rooms, listing.bedrooms),
                format!("{:?} rooms, {:?} bedrooms", truth.rooms, truth.bedrooms),
            ),
            "image" => (format!("{:?}", listing.image), format!("{:?}", truth.image)),
            _ => (format!("{:?}", listing.title), format!("{:?}", truth.title)),
        };
        println!("  {name} of {}: {got}, not {want}", truth.name());
    }
}
