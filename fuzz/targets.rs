//! The readers of strangers' input as plain functions of bytes: for the fuzzer (nightly), and for
//! the short run with a seeded mutator in the extract crate's tests (stable).
//!
//! A target promises more than "no panic": it checks what callers rely on.
#![allow(dead_code, reason = "each fuzz binary uses one of them")]

use firstknock_extract::{Page, SourceMemory, extract, json, values};
use firstknock_listing::PageKind;

/// A page, read twice: without a memory, and with the one that the first reading left.
pub(crate) fn page(bytes: &[u8]) {
    let html = String::from_utf8_lossy(bytes);
    let url = "https://homes.example/te-huur/list?page=1".parse().expect("an address");
    let page = Page { html: &html, url: &url, content_type: None };
    let first = extract(&page, None, None);
    check(&first);
    let text = serde_json::to_string(&first.memory).expect("a memory is JSON");
    let memory: SourceMemory = serde_json::from_str(&text).expect("a memory reads itself");
    check(&extract(&page, Some(&memory), None));
    assert_eq!(extract(&page, None, None), first, "the same page reads the same");
}

fn check(extraction: &firstknock_extract::Extraction) {
    assert!(
        extraction.listings.is_empty() || extraction.kind == PageKind::Results,
        "only a result page has listings"
    );
    assert!((0.0..=1.0).contains(&extraction.confidence), "confidence is a share");
    for listing in &extraction.listings {
        assert!(!listing.keys.is_empty(), "a listing has a key");
        assert!(
            listing.url.starts_with("http://") || listing.url.starts_with("https://"),
            "a listing's address can be opened"
        );
        let lines = [listing.title.as_deref(), listing.address.as_ref().map(|a| a.raw.as_str())];
        for line in lines.into_iter().flatten() {
            assert!(!line.chars().any(char::is_control), "one line of plain text");
        }
    }
}

/// Embedded data: as a whole answer, as a script, as an attribute.
pub(crate) fn data(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    if let Some(read) = json::read(&text) {
        let again = read.value.to_string();
        assert!(read.used <= text.len(), "no more was used than there is");
        // Numbers may print shorter, but what we wrote is JSON.
        assert!(
            serde_json::from_str::<serde_json::Value>(&again).is_ok(),
            "a value prints as JSON"
        );
        drop(json::revive(&read.value));
    }
    drop(json::answer(&text, None));
    drop(json::flight_rows(&text));
    let script = json::ScriptText { kind: "", id: "", text: &text };
    let data = json::ScriptText { kind: "application/json", id: "a", text: &text };
    let attribute = json::AttributeText { element: "li", name: "data-x", text: &text, node: 1 };
    let blobs = json::blobs([script, data], [attribute]);
    for set in json::record_sets(&blobs.found, values::Country::parse("nl")) {
        assert!(set.score.is_finite() && !set.records.is_empty(), "a set is comparable");
    }
}

/// The short texts of a card, without a country and with several.
pub(crate) fn values(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    for code in ["", "de", "fr", "gb", "pt", "se", "us", "zz"] {
        let country = values::Country::parse(code);
        let reading = values::price(&text, country);
        if let Some(money) = &reading.money {
            assert!(money.cents > 0, "a price is more than nothing");
            assert!(money.upper_cents.is_none_or(|upper| upper > money.cents), "a range rises");
            assert!(!reading.on_request, "a price that is shown is not on request");
        }
        let rooms = values::rooms(&text, country);
        for count in [rooms.rooms, rooms.bedrooms].into_iter().flatten() {
            assert!(count.count() <= 100.0, "no home has more rooms");
        }
        if let Some(code) = values::postcode(&text, country) {
            assert!(text.contains(code) && code.len() <= 12, "a postcode stands in the text");
        }
        let address = values::address(&text, country);
        assert!(address.raw.len() <= 500, "an address line is bounded");
        drop(values::availability(&text, country));
    }
    if let Some(size) = values::size(&text) {
        assert!((1.0..=100_000.0).contains(&size.m2()), "a home is larger than a chair");
    }
    if let Some(number) = values::number(&text) {
        assert!(number.is_finite() && number >= 0.0, "a number is a number");
    }
}
