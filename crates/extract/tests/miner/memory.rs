//! What a page means against the memory of its source.

use crate::page::{SEARCH, read, read_with};
use firstknock_extract::{Field, Finding, SourceMemory};
use firstknock_listing::PageKind;

const PLAIN: &str = include_str!("../pages/plain-list.html");

fn after_plain() -> SourceMemory {
    let memory = read(PLAIN).memory;
    // The memory is stored as text between checks.
    let text = serde_json::to_string(&memory).expect("a memory is JSON");
    serde_json::from_str(&text).expect("and reads back")
}

#[track_caller]
fn check(html: &str, want: &Finding) -> firstknock_extract::Extraction {
    let out = read_with(html, SEARCH, Some(&after_plain()), None);
    assert_eq!(&out.finding, want, "{:?}", out.problems);
    out
}

#[test]
fn the_first_page_and_the_same_page_again_are_fine() {
    assert_eq!(read(PLAIN).finding, Finding::Fine);
    check(PLAIN, &Finding::Fine);
    check(include_str!("../pages/shuffled.html"), &Finding::Fine);
}

#[test]
fn a_new_listing_and_a_changed_price_are_fine() {
    let out = check(include_str!("../pages/later.html"), &Finding::Fine);
    assert_eq!(out.listings.len(), 8);
}

#[test]
fn one_result_is_a_list_once_its_cards_are_known() {
    assert_eq!(read(include_str!("../pages/one-result.html")).kind, PageKind::Other);
    let out = check(include_str!("../pages/one-result.html"), &Finding::Fine);
    assert_eq!((out.kind, out.listings.len()), (PageKind::Results, 1));
    assert_eq!(out.listings[0].key().as_str(), "id:voorbeeldwonen.example:p2:40321");
}

#[test]
fn a_field_that_vanished_from_most_cards_is_a_degraded_page() {
    let out = check(
        include_str!("../pages/without-prices.html"),
        &Finding::Degraded { fields: vec![Field::Price] },
    );
    assert_eq!(out.listings.len(), 8, "a missing field is not a missing listing");
}

#[test]
fn only_new_ids_at_the_usual_count_are_a_renumbered_site() {
    let out = check(include_str!("../pages/rekeyed.html"), &Finding::ReKeyed { n: 8 });
    assert!(out.finding.is_silent() && out.finding.keeps_known());
    let again = read_with(include_str!("../pages/rekeyed.html"), SEARCH, Some(&out.memory), None);
    assert_eq!(again.finding, Finding::Fine, "the new keys are known now");
}

#[test]
fn a_page_that_says_it_is_empty_and_holds_nothing_of_ours_is_empty() {
    check(include_str!("../pages/empty.html"), &Finding::Empty);
}

#[test]
fn remembered_links_and_prices_without_cards_are_a_rebuilt_page() {
    let out = check(include_str!("../pages/rebuilt.html"), &Finding::Broken);
    assert!(out.listings.is_empty() && out.finding.keeps_known());
}

#[test]
fn a_page_without_anything_is_unsure_and_counts_how_often() {
    let out = check(include_str!("../pages/blank.html"), &Finding::Unsure { times: 1 });
    let again = read_with(include_str!("../pages/blank.html"), SEARCH, Some(&out.memory), None);
    assert_eq!(again.finding, Finding::Unsure { times: 2 });
    let good = read_with(PLAIN, SEARCH, Some(&again.memory), None);
    assert_eq!((good.finding, good.memory.unsure), (Finding::Fine, 0));
}

#[test]
fn the_usual_count_is_the_median_and_the_memory_stays_small() {
    let mut memory = after_plain();
    for _ in 0..40 {
        memory = read_with(PLAIN, SEARCH, Some(&memory), None).memory;
    }
    assert_eq!(memory.usual_count(), Some(8));
    assert!(memory.counts.len() <= 9 && memory.seen.len() <= 800);
}

#[test]
fn what_a_person_chose_is_used_from_then_on() {
    let html = include_str!("../pages/wanted-ads.html");
    let first = read(html);
    assert!(first.candidates.len() >= 2 && first.candidates.len() <= 3);
    let other = first
        .candidates
        .iter()
        .find(|c| c.count != first.listings.len() || c.choice != first.candidates[0].choice);
    let choice = &other.expect("a second set is offered").choice;
    let chosen = read_with(html, SEARCH, Some(&first.memory), Some(choice));
    assert_ne!(chosen.listings[0].url, first.listings[0].url);
    let later = read_with(html, SEARCH, Some(&chosen.memory), None);
    assert_eq!(later.listings, chosen.listings, "the choice is in the memory");
}
