//! The score of one page.

use std::path::Path;
use std::time::Duration;

use anyhow::{Context, Result};

use super::knock::{Extracted, Knock, Predicted};
use super::truth::{self, Truth};
use super::{Entry, Kind, matching};

/// How often a field was right, of how often the truth has it.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Hits {
    pub(crate) right: usize,
    pub(crate) of: usize,
}

/// The fields that are scored, in the order of [`PageScore::fields`].
pub(crate) const FIELDS: [&str; 6] =
    ["price", "currency", "size", "rooms", "image", "title or address"];

/// One page, scored.
#[derive(Debug)]
pub(crate) struct PageScore {
    pub(crate) entry: Entry,
    /// Why there is no answer, if there is none.
    pub(crate) failure: Option<String>,
    pub(crate) page_kind: String,
    pub(crate) confidence: f64,
    /// Listings of role `result` in the truth.
    pub(crate) truths: usize,
    /// Predicted listings that count.
    pub(crate) counted: usize,
    pub(crate) matched: usize,
    pub(crate) fields: [Hits; FIELDS.len()],
    /// Keys that no other listing of the page has.
    pub(crate) distinct_keys: Hits,
    /// Id of the truth and the best key, for pages of the same search.
    pub(crate) keys: Vec<(String, String)>,
    /// On a page that is no result list: listings of role `result` that were read.
    pub(crate) false_listings: usize,
    pub(crate) took: Duration,
}

impl PageScore {
    pub(crate) fn precision(&self) -> f64 {
        share(self.matched, self.counted)
    }

    pub(crate) fn recall(&self) -> f64 {
        share(self.matched, self.truths)
    }

    pub(crate) fn f1(&self) -> f64 {
        f1(self.matched, self.counted, self.truths)
    }

    /// Every listing right and none false.
    pub(crate) fn is_perfect(&self) -> bool {
        self.failure.is_none() && self.matched == self.truths && self.matched == self.counted
    }
}

#[expect(clippy::cast_precision_loss, reason = "counts of at most a few thousand")]
pub(crate) fn share(part: usize, of: usize) -> f64 {
    if of == 0 { if part == 0 { 1.0 } else { 0.0 } } else { part as f64 / of as f64 }
}

#[expect(clippy::cast_precision_loss, reason = "counts of at most a few thousand")]
pub(crate) fn f1(matched: usize, counted: usize, truths: usize) -> f64 {
    if counted + truths == 0 { 1.0 } else { 2.0 * matched as f64 / (counted + truths) as f64 }
}

/// Runs `knock` on a page and scores what it says.
pub(crate) fn score(dir: &Path, entry: &Entry, knock: &Knock) -> Result<PageScore> {
    let (extracted, took) = knock.extract(&dir.join(&entry.path), entry);
    let truths = match (&entry.truth, entry.kind) {
        (Some(file), Kind::Listing) => truth::read(&dir.join(file)).context("a truth file")?,
        _ => Vec::new(),
    };
    let mut page = match extracted {
        Ok(extracted) => rate(entry, &extracted, &truths),
        Err(error) => failed(entry, &truths, &format!("{error:#}")),
    };
    page.took = took;
    Ok(page)
}

fn failed(entry: &Entry, truths: &[Truth], why: &str) -> PageScore {
    let mut page = empty(entry, truths);
    page.failure = Some(why.to_owned());
    // A crash on a page without listings is a false answer too.
    page.false_listings = usize::from(entry.kind != Kind::Listing);
    page
}

fn empty(entry: &Entry, truths: &[Truth]) -> PageScore {
    PageScore {
        entry: entry.clone(),
        failure: None,
        page_kind: String::new(),
        confidence: 0.0,
        truths: truths.iter().filter(|t| t.is_result()).count(),
        counted: 0,
        matched: 0,
        fields: [Hits::default(); FIELDS.len()],
        distinct_keys: Hits::default(),
        keys: Vec::new(),
        false_listings: 0,
        took: Duration::ZERO,
    }
}

/// Scores an answer against the truth.
pub(crate) fn rate(entry: &Entry, extracted: &Extracted, truths: &[Truth]) -> PageScore {
    let mut page = empty(entry, truths);
    page.page_kind.clone_from(&extracted.page_kind);
    page.confidence = extracted.confidence;
    if entry.kind != Kind::Listing {
        page.false_listings = extracted.listings.iter().filter(|l| l.role == "result").count();
        return page;
    }
    let predicted: Vec<Predicted> =
        extracted.listings.iter().filter(|l| l.role != "recommendation").cloned().collect();
    let mut keys: Vec<&str> = predicted.iter().map(|p| p.key.as_str()).collect();
    keys.sort_unstable();
    keys.dedup();
    page.distinct_keys = Hits { right: keys.len(), of: predicted.len() };
    let pairs = matching::pair(&entry.url, &predicted, truths);
    for (listing, pair) in predicted.iter().zip(pairs) {
        let truth = pair.map(|i| &truths[i]);
        // What the truth calls promoted or recommended neither counts nor hurts.
        if truth.is_some_and(|t| !t.is_result()) {
            continue;
        }
        page.counted += 1;
        let Some(truth) = truth else { continue };
        page.matched += 1;
        if let Some(id) = truth.id.as_ref().or(truth.id_or_url.as_ref()) {
            page.keys.push((id.clone(), listing.key.clone()));
        }
        for (hits, right) in page.fields.iter_mut().zip(fields(listing, truth)) {
            hits.of += usize::from(right.is_some());
            hits.right += usize::from(right == Some(true));
        }
    }
    page
}

/// For each field whether it is right; `None` where the truth has no value.
pub(crate) fn fields(listing: &Predicted, truth: &Truth) -> [Option<bool>; FIELDS.len()] {
    let near =
        |got: Option<f64>, want: f64| got.is_some_and(|g| (g - want).abs() <= 0.01 * want.abs());
    let equal = |got: Option<f64>, want: f64| got.is_some_and(|g| (g - want).abs() < 0.01);
    let amount = listing.price.as_ref().map(|p| p.amount);
    let currency = listing.price.as_ref().and_then(|p| p.currency.as_deref());
    let filled = |text: &Option<String>| text.as_ref().is_some_and(|t| !t.trim().is_empty());
    [
        truth.price.map(|want| near(amount, want)),
        truth.price.and(truth.currency.as_deref()).map(|want| currency == Some(want)),
        truth.size_m2.map(|want| near(listing.size_m2, want)),
        truth
            .rooms
            .map(|want| equal(listing.rooms, want))
            .or_else(|| truth.bedrooms.map(|want| equal(listing.bedrooms, want))),
        filled(&truth.image).then(|| filled(&listing.image)),
        (filled(&truth.title) || filled(&truth.address))
            .then(|| filled(&listing.title) || filled(&listing.address)),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entry(kind: Kind) -> Entry {
        Entry {
            path: "pages/a.example/x.html".into(),
            kind,
            kind_word: String::new(),
            host: "a.example".into(),
            bytes: 1,
            url: "https://a.example/list".into(),
            gold: true,
            truth: None,
        }
    }

    fn answer(listings: serde_json::Value) -> Extracted {
        let value = serde_json::json!({
            "page_kind": "results", "confidence": 1.0, "listings": listings, "problems": [],
        });
        serde_json::from_value(value).expect("the documented shape")
    }

    fn truths(value: serde_json::Value) -> Vec<Truth> {
        serde_json::from_value(value).expect("truths")
    }

    #[test]
    fn other_roles_neither_count_nor_hurt_and_recommendations_are_left_out() {
        let truths = truths(serde_json::json!([
            { "id": "1", "role": "result" },
            { "id": "2", "role": "result" },
            { "id": "3", "role": "promoted" },
            { "id": "4", "role": "recommendation" },
        ]));
        let found = answer(serde_json::json!([
            { "key": "id:1", "url": "https://a.example/1", "role": "result" },
            { "key": "id:3", "url": "https://a.example/3", "role": "result" },
            { "key": "id:4", "url": "https://a.example/4", "role": "result" },
            { "key": "id:8", "url": "https://a.example/8", "role": "recommendation" },
            { "key": "id:9", "url": "https://a.example/9", "role": "result" },
        ]));
        let page = rate(&entry(Kind::Listing), &found, &truths);
        assert_eq!((page.truths, page.counted, page.matched), (2, 2, 1));
        assert!(!page.is_perfect());
        assert!((page.f1() - 0.5).abs() < 1e-9);
        assert_eq!(page.keys, [("1".to_owned(), "id:1".to_owned())]);
    }

    #[test]
    fn the_same_listing_read_twice_is_false_once() {
        let truths = truths(serde_json::json!([{ "id": "1", "role": "result" }]));
        let twice =
            serde_json::json!({ "key": "id:1", "url": "https://a.example/1", "role": "result" });
        let page = rate(&entry(Kind::Listing), &answer(serde_json::json!([twice, twice])), &truths);
        assert_eq!((page.counted, page.matched), (2, 1));
        assert_eq!(page.distinct_keys, Hits { right: 1, of: 2 });
    }

    #[test]
    fn fields_are_scored_only_where_the_truth_has_a_value() {
        let truth = truths(serde_json::json!([{
            "id": "1", "price": 1000, "currency": "EUR", "size_m2": 50, "bedrooms": 2, "title": "A",
        }]));
        let listing = |value: serde_json::Value| -> Predicted {
            serde_json::from_value(value).expect("a listing")
        };
        let near = listing(serde_json::json!({
            "price": { "amount": 1009.0, "currency": "EUR" }, "size_m2": 51.0, "rooms": 2.0,
            "bedrooms": 2.0, "address": "B",
        }));
        assert_eq!(
            fields(&near, &truth[0]),
            [Some(true), Some(true), Some(false), Some(true), None, Some(true)]
        );
        let empty = listing(serde_json::json!({ "price": null }));
        assert_eq!(
            fields(&empty, &truth[0]),
            [Some(false), Some(false), Some(false), Some(false), None, Some(false)]
        );
    }

    #[test]
    fn a_listing_or_a_crash_on_a_page_that_is_no_list_is_false() {
        let found = answer(serde_json::json!([
            { "key": "id:1", "url": "https://a.example/1", "role": "result" },
            { "key": "id:2", "url": "https://a.example/2", "role": "promoted" },
        ]));
        assert_eq!(rate(&entry(Kind::Other), &found, &[]).false_listings, 1);
        assert_eq!(failed(&entry(Kind::Detail), &[], "crashed").false_listings, 1);
        assert!(!failed(&entry(Kind::Listing), &[], "crashed").is_perfect());
    }
}
