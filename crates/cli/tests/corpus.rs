//! Real input: saved pages served over loopback, added as searches, read by the engine.
//! The targets belong to `cargo xtask corpus`; here the whole way is what is looked at.

use std::collections::HashSet;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Arc;
use std::time::Duration;

use firstknock_fetch::{Config, HttpFetch};
use firstknock_listing::{Criteria, SearchUrl};
use firstknock_monitor::store::{ListingFilter, ListingSort, Store};
use firstknock_monitor::{
    DataFolder, Dice, Engine, Parts, ReaderChoice, Readers, Rhythm, SearchWish, SystemClock, Tell,
};
use serde_json::Value;

struct Saved {
    name: String,
    html: PathBuf,
    ids: HashSet<String>,
}

/// One page per host whose truth names ids, at most fifteen.
fn saved(corpus: &Path) -> Vec<Saved> {
    let manifest = std::fs::read_to_string(corpus.join("manifest.tsv")).unwrap_or_default();
    let mut hosts = HashSet::new();
    let mut pages = Vec::new();
    for line in manifest.lines() {
        let cells: Vec<&str> = line.split('\t').collect();
        let [path, "listing", host, ..] = cells[..] else { continue };
        let truth = corpus.join("truth").join(path.trim_start_matches("pages/"));
        let truth = truth.with_extension("json");
        let Ok(text) = std::fs::read_to_string(truth) else { continue };
        let listings: Value = serde_json::from_str(&text).unwrap_or_default();
        let ids: HashSet<String> = listings
            .as_array()
            .into_iter()
            .flatten()
            .filter(|l| l["role"] == "result")
            .filter_map(|l| l["id"].as_str().map(str::to_owned))
            .collect();
        if path.ends_with(".html") && ids.len() >= 5 && pages.len() < 15 && hosts.insert(host) {
            pages.push(Saved { name: path.to_owned(), html: corpus.join(path), ids });
        }
    }
    pages
}

/// Serves one file for every path; its address.
async fn serve(file: &Path) -> String {
    let body = std::fs::read(file).expect("a saved page");
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.expect("a port");
    let address = listener.local_addr().expect("an address");
    let answer = move || {
        let body = body.clone();
        async move { ([("content-type", "text/html; charset=utf-8")], body) }
    };
    let router = axum::Router::new().fallback(answer);
    tokio::spawn(async move { axum::serve(listener, router).await });
    format!("http://{address}/huren")
}

fn matches(ids: &HashSet<String>, text: &str) -> bool {
    text.split(|c: char| !c.is_ascii_alphanumeric()).any(|token| ids.contains(token))
        || ids.iter().any(|id| id.len() >= 6 && text.contains(id.as_str()))
}

#[tokio::test(flavor = "multi_thread")]
async fn saved_pages_of_real_sites_become_searches_with_their_listings() {
    let corpus = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/corpus");
    let pages = saved(&corpus);
    if pages.is_empty() {
        println!("skipped: no corpus");
        return;
    }
    let folder = tempfile::tempdir().expect("a folder");
    let data = DataFolder::choose(Some(folder.path())).expect("it is named");
    let (store, opened) = Store::open(data.path(), jiff::Timestamp::now()).expect("a database");
    let http = HttpFetch::new(Config::default()).expect("a client");
    let engine = Engine::begin(Parts {
        folder: data,
        store,
        opened,
        readers: Readers { plain: Arc::new(http.clone()), browser: None },
        http: Some(http),
        clock: Arc::new(SystemClock::default()),
        dice: Dice::new(11),
        secrets: None,
        toaster: None,
        can_open_sites: false,
    })
    .expect("an engine");
    let mut searches = Vec::new();
    for page in &pages {
        let url = serve(&page.html).await;
        let wish = SearchWish {
            name: page.name.clone(),
            url: SearchUrl::parse(&url).expect("an address"),
            interval: Duration::from_secs(3600),
            muted: true,
            reader: ReaderChoice::Plain,
            criteria: Criteria::default(),
            tell: Tell { new: true, price_drops: true, relisted: true },
            quiet: None,
            rhythm: Rhythm::Instant,
        };
        searches.push(engine.add_search(wish, true, None).await.expect("it is taken"));
    }
    let mut board = engine.board();
    let all_answered = board.wait_for(|board| {
        board.rows.len() == pages.len() && board.rows.iter().all(|r| r.row.answered_at.is_some())
    });
    tokio::time::timeout(Duration::from_secs(120), all_answered)
        .await
        .expect("every page was read within two minutes")
        .expect("the engine runs");

    let (mut right, mut read, mut wanted) = (0, 0, 0);
    for (page, search) in pages.iter().zip(&searches) {
        let filter = ListingFilter { search: Some(search.id), ..ListingFilter::default() };
        let rows = engine
            .store()
            .run(move |store| store.list_listings(&filter, ListingSort::Newest, None, 200))
            .await
            .expect("a list")
            .rows;
        let hits = rows
            .iter()
            .filter(|row| {
                let keys = row.listing.keys.iter().map(|key| key.as_str());
                keys.chain([row.listing.url.as_str()]).any(|text| matches(&page.ids, text))
            })
            .count();
        println!("{:<60} {hits:>3} of {:>3}, {:>3} read", page.name, page.ids.len(), rows.len());
        right += hits;
        read += rows.len();
        wanted += page.ids.len();
    }
    engine.shut_down().await;
    #[expect(clippy::cast_precision_loss, reason = "a few hundred listings")]
    let f1 = 2.0 * right as f64 / (read + wanted) as f64;
    println!("{} pages, micro F1 {f1:.3}", pages.len());
    assert!(f1 >= 0.60, "micro F1 {f1:.3}");

    // The same by the command line, for one of them.
    let url = serve(&pages[0].html).await;
    let out = tokio::task::spawn_blocking(move || {
        let data = tempfile::tempdir().expect("a folder");
        Command::new(env!("CARGO_BIN_EXE_knock"))
            .args(["check", &url, "--json", "--data"])
            .arg(data.path())
            .output()
            .expect("knock runs")
    });
    let out: Value = serde_json::from_slice(&out.await.expect("it ran").stdout).expect("JSON");
    assert!(out["listings"].as_array().is_some_and(|l| l.len() >= 5), "{out}");
}
