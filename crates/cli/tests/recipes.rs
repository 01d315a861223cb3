//! The user's recipes, from the data folder to the listings.

use std::path::Path;
use std::process::{Command, Output};

use firstknock_monitor::Dice;
use firstknock_rehearsal::street::{Markup, Site};
use serde_json::Value;

const PAGE: &str = r#"<html lang="nl"><head><title>Huur in Waterveen</title></head><body><main>
<article><h2><a href="/woning/licht-480101">Lichte bovenwoning</a></h2><p>50 m² 2 kamers</p><p>€ 1.230</p></article>
<article><h2><a href="/woning/hoek-480108">Hoekwoning</a></h2><p>70 m² 3 kamers</p><p>€ 1.530</p></article>
<article><h2><a href="/woning/studio-480115">Studio</a></h2><p>24 m² 1 kamer</p><p>€ 795</p></article>
</main></body></html>"#;

/// Cards and ids of any page of this host, and a check that holds.
fn recipe(host: &str, item: &str, price: &str) -> String {
    format!(
        "schema = 1\nid = \"own\"\nmatch = {{ hosts = [\"{host}\"] }}\nitem = \"{item}\"\n[fields]\n\
         id = {{ css = \"a\", attr = \"href\", re = \"([0-9]+)\" }}\n\
         price = {{ css = \"{price}\" }}\n[check]\nmin_fields = {{ price = 0.8 }}\n"
    )
}

fn knock(args: &[&str], data: &Path) -> Output {
    Command::new(env!("CARGO_BIN_EXE_knock"))
        .args(args)
        .env("FIRSTKNOCK_DATA", data)
        .env("LANG", "C.UTF-8")
        .output()
        .expect("knock runs")
}

fn put(data: &Path, name: &str, text: &str) {
    std::fs::create_dir_all(data.join("recipes")).expect("a folder");
    std::fs::write(data.join("recipes").join(name), text).expect("a file");
}

fn by_recipe(out: &Output) -> usize {
    let out: Value = serde_json::from_slice(&out.stdout).expect("an object");
    let listings = out["listings"].as_array().expect("listings");
    listings.iter().filter(|l| l["key"].as_str().is_some_and(|k| k.contains(":recipe:"))).count()
}

#[test]
fn a_saved_page_is_read_with_the_recipes_and_a_broken_one_is_named() {
    let folder = tempfile::tempdir().expect("a folder");
    let data = folder.path();
    let file = data.join("page.html");
    std::fs::write(&file, PAGE).expect("written");
    let file = file.to_string_lossy();
    let page = ["extract", &file, "--url", "https://a.example/huur"];
    let as_json = [&page[..], &["--json"]].concat();
    assert_eq!(by_recipe(&knock(&as_json, data)), 0, "none is shipped");

    put(data, "own.toml", &recipe("a.example", "article", "p:last-child"));
    put(data, "torn.toml", "schema = 1\nid = ");
    let out = knock(&as_json, data);
    assert_eq!(by_recipe(&out), 3);
    let said = String::from_utf8_lossy(&out.stderr).into_owned();
    assert!(said.contains("torn.toml is left out: not a recipe"), "{said}");

    put(data, "own.toml", &recipe("a.example", "article", ".gone"));
    assert_eq!(by_recipe(&knock(&as_json, data)), 0);
    let text = knock(&page, data);
    let text = String::from_utf8_lossy(&text.stdout).into_owned();
    assert!(text.starts_with("results · 3 listings"), "the miner reads it: {text}");
    assert!(text.contains("The recipe own no longer fits"), "{text}");
}

#[tokio::test(flavor = "multi_thread")]
async fn the_engine_reads_a_site_with_its_recipe() {
    let folder = tempfile::tempdir().expect("a folder");
    let data = folder.path().to_owned();
    let site = Site::open("kieznest", Markup::Table, Dice::new(3), 9).await.expect("a port");
    let url = site.plain_url("lindow");
    let recipe = recipe("127.0.0.1", "tr:has(a)", "*");
    let (cards_and_ids, _) = recipe.split_once("price =").expect("the last fields");
    put(&data, "own.toml", cards_and_ids);
    let out = tokio::task::spawn_blocking(move || {
        let out = knock(&["check", &url, "--json"], &data);
        drop(folder);
        out
    });
    let out = out.await.expect("it ran");
    assert_eq!(by_recipe(&out), 9, "{}", String::from_utf8_lossy(&out.stdout));
}
