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
