//! Recipes: strict data that pins what it knows and steps aside when it no longer fits.

use crate::page::SEARCH;
use firstknock_extract::{Extraction, Page, Problem, Recipe, RecipeError, extract_with};

const PLAIN: &str = include_str!("../pages/plain-list.html");

const RECIPE: &str = r#"
schema = 1
id = "voorbeeld"
match = { hosts = ["voorbeeldwonen.example"], path = "^/huren/" }
kind = "html"
item = "ul.results > li.card"
skip_if = ".gesponsord"
[fields]
url = { css = "h3 a", attr = "href" }
id = { from = "url", re = "/([0-9]{5})/" }
price = { css = ".prijs", parse = "price" }
size = { css = ".kenmerken li:first-child", parse = "size" }
[empty]
css = ".leeg"
[count]
css = "h1"
[check]
min_fields = { price = 0.8, url = 1.0 }
"#;

fn read(html: &str, recipe: &str) -> Extraction {
    let recipe = Recipe::parse(recipe).expect("a good recipe");
    let url = SEARCH.parse().expect("an address");
    extract_with(&Page { html, url: &url, content_type: None }, None, None, &[recipe])
}

#[test]
fn a_recipe_pins_cards_and_fields() {
    let out = read(PLAIN, RECIPE);
    assert_eq!(out.listings.len(), 8);
    assert_eq!(out.listings[0].key().as_str(), "id:voorbeeldwonen.example:recipe:40210");
    assert_eq!(out.listings[0].price.as_ref().map(|p| p.cents), Some(90_000));
    assert_eq!(
        out.listings[0].rooms.map(|r| r.count()),
        Some(2.0),
        "what it leaves out is the miner's"
    );
    assert_eq!(out.result_count, Some(24));
}

#[test]
fn a_recipe_that_fails_its_own_check_steps_aside_and_says_so() {
    let out = read(PLAIN, &RECIPE.replace(".prijs", ".huurprijs"));
    assert_eq!(out.listings.len(), 8);
    assert_eq!(
        out.listings[0].key().as_str(),
        "id:voorbeeldwonen.example:p2:40210",
        "the miner's key"
    );
    assert!(out.problems.contains(&Problem::RecipeFailed { recipe: "voorbeeld".into() }));
}

#[test]
fn a_recipe_is_only_for_its_own_addresses() {
    let recipe = Recipe::parse(RECIPE).expect("a good recipe");
    let is_for = |url: &str| recipe.is_for(&url.parse().expect("an address"));
    assert!(is_for("https://www.voorbeeldwonen.example/huren/x"));
    assert!(!is_for("https://www.voorbeeldwonen.example/kopen/x"));
    assert!(!is_for("https://elders.example/huren/x"));
}

#[test]
fn a_recipe_with_a_mistake_is_refused_as_a_whole() {
    let cases = [
        (RECIPE.replace("kind =", "kinds ="), "an unknown key"),
        (RECIPE.replace("attr =", "attribute ="), "an unknown key of a field"),
        (RECIPE.replace("schema = 1", "schema = 2"), "another schema"),
        (RECIPE.replace("h3 a", "h3 >> a["), "no selector"),
        (RECIPE.replace("([0-9]{5})", "([0-9]{5}"), "no pattern"),
        (RECIPE.replace("([0-9]{5})", "(\\\\p{L}{900}){900}"), "too big a pattern"),
        (RECIPE.replace("price = 0.8", "price = 8.0"), "no share"),
        (RECIPE.replace("price = { css", "rent = { css"), "an unknown field"),
    ];
    for (toml, why) in cases {
        assert!(Recipe::parse(&toml).is_err(), "{why}");
    }
    let schema = Recipe::parse(&RECIPE.replace("schema = 1", "schema = 2"));
    assert_eq!(schema.err(), Some(RecipeError::Schema(2)));
}

const EMBEDDED: &str = r##"
schema = 1
id = "gegevens"
match = { hosts = ["voorbeeldwonen.example"] }
kind = "embedded"
embedded = { script = "#__DATA__", items = "/props/results", attrs = { list = "facts", name = "name", value = "values/0" } }
[fields]
url = { path = "link" }
id = { from = "url", re = "/([0-9]{5})$" }
title = { path = "/text/title" }
price = { path = "rent" }
size = { path = "@AREA" }
rooms = { path = "@ROOMS" }
[check]
min_fields = { price = 1.0, url = 1.0 }
"##;

/// Three homes as a site's script might hold them, under names that tell the miner nothing.
const DATA: &str = r#"{"props":{"results":[
 {"link":"/w/40210","text":{"title":"Berkenpad 1"},"rent":900,"facts":[{"name":"AREA","values":["61"]},{"name":"ROOMS","values":["2"]}]},
 {"link":"/w/40211","text":{"title":"Berkenpad 2"},"rent":"€ 1.250 per maand","facts":[{"name":"AREA","values":["70 m²"]}]},
 {"link":"/w/40212","text":{"title":"Berkenpad\u202e 3"},"rent":1100,"facts":[]}
]}}"#;

fn in_script(data: &str) -> String {
    format!("<p>Huren</p><script id=__DATA__ type=application/json>{data}</script>")
}

#[test]
fn a_recipe_reads_items_out_of_a_script_with_the_same_value_parsers() {
    let out = read(&in_script(DATA), EMBEDDED);
    assert!(out.problems.iter().all(|p| p.code() != "recipe_failed"), "{:?}", out.problems);
    assert_eq!(out.listings.len(), 3);
    let [first, second, third] = &out.listings[..] else { panic!("three homes") };
    assert_eq!(second.key().as_str(), "id:voorbeeldwonen.example:recipe:40211");
    assert_eq!(second.url, "https://www.voorbeeldwonen.example/w/40211");
    let price = |l: &firstknock_listing::Listing| l.price.as_ref().map(|p| p.cents);
    assert_eq!([price(first), price(second)], [Some(90_000), Some(125_000)]);
    let m2 = |l: &firstknock_listing::Listing| l.size.map(|s| s.m2());
    assert_eq!([m2(first), m2(second), m2(third)], [Some(61.0), Some(70.0), None]);
    assert_eq!(first.rooms.map(|r| r.count()), Some(2.0));
    assert!(first.evidence.iter().any(|e| e.found_at.ends_with("/props/results/0/rent")));
    assert_eq!(third.title.as_deref(), Some("Berkenpad 3"), "one line of plain text");
}

#[test]
fn a_recipe_reads_items_out_of_a_whole_answer() {
    let recipe = EMBEDDED
        .replace("kind = \"embedded\"", "kind = \"json\"")
        .replace("embedded = { script = \"#__DATA__\", ", "json = { ");
    let out = read(DATA, &recipe);
    assert_eq!(out.listings.len(), 3, "{:?}", out.problems);
    assert_eq!(out.listings[2].key().as_str(), "id:voorbeeldwonen.example:recipe:40212");
    let empty = read(r#"{"props":{"results":[]}}"#, &recipe);
    assert_eq!((empty.listings.len(), empty.problems.len()), (0, 0), "an honest empty list");
}

#[test]
fn a_recipe_on_data_that_no_longer_fits_steps_aside_and_says_so() {
    let failed = Problem::RecipeFailed { recipe: "gegevens".into() };
    let elsewhere = read(&in_script(&DATA.replace("results", "found")), EMBEDDED);
    assert!(elsewhere.problems.contains(&failed), "{:?}", elsewhere.problems);
    let unpriced = read(&in_script(&DATA.replace("rent", "huur")), EMBEDDED);
    assert!(unpriced.problems.contains(&failed), "{:?}", unpriced.problems);
    let cards = read(PLAIN, EMBEDDED);
    assert!(cards.problems.contains(&failed));
    assert_eq!(cards.listings.len(), 8, "the miner reads the page");
}

#[test]
fn a_recipe_on_data_is_strict_about_its_kind() {
    let cases = [
        (EMBEDDED.replace("kind = \"embedded\"", "kind = \"json\""), "embedded data of kind json"),
        (EMBEDDED.replace("script = \"#__DATA__\", ", ""), "no script"),
        (EMBEDDED.replace("path = \"rent\"", "css = \".rent\""), "an element's field"),
        (EMBEDDED.replace("items =", "rows ="), "an unknown key"),
        (EMBEDDED.replace("[fields]", "item = \"li\"\n[fields]"), "items that are elements"),
        (RECIPE.replace("css = \".prijs\"", "path = \"price\""), "a path into an element"),
    ];
    for (toml, why) in cases {
        assert!(Recipe::parse(&toml).is_err(), "{why}");
    }
}
