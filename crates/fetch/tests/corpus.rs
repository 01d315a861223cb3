//! The classifier against saved real pages, where they are at hand.
//!
//! The pages are other people's and are not part of the project; without them nothing is tested
//! here. `classify.rs` holds the same rules on made-up pages.
#![expect(clippy::unwrap_used, reason = "a test that panics is a red test")]

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use firstknock_fetch::{Fetched, Response, Verdict, classify};
use firstknock_listing::{PageKind, PageSigns};
use jiff::Timestamp;
use url::Url;

fn corpus() -> Option<PathBuf> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/corpus");
    path.join("verdicts.tsv").is_file().then_some(path)
}

fn rows(path: &Path) -> Vec<BTreeMap<String, String>> {
    let text = fs::read_to_string(path).unwrap();
    let mut lines = text.lines();
    let heads: Vec<&str> = lines.next().unwrap().split('\t').collect();
    lines
        .map(|line| {
            heads.iter().map(|h| (*h).to_owned()).zip(line.split('\t').map(str::to_owned)).collect()
        })
        .collect()
}

fn read(path: &Path) -> String {
    String::from_utf8_lossy(&fs::read(path).unwrap()).into_owned()
}

fn look(url: &str, status: u16, body: String, signs: &PageSigns) -> Verdict {
    let url = Url::parse(url).unwrap_or_else(|_| Url::parse("https://site.example/a").unwrap());
    let page = Fetched::Page(Response::of_text(url.clone(), Some(status), body));
    classify(&url, &page, signs, Timestamp::from_second(1_790_000_000).unwrap())
}

/// What the extractor would say about a detail page; the others have no signs of their own.
fn signs_of(path: &str) -> PageSigns {
    let kind = if path.contains("/detail/") { PageKind::Detail } else { PageKind::Other };
    PageSigns { kind, ..PageSigns::default() }
}

#[test]
fn verdicts_are_right_on_97_of_100_pages_and_no_wall_is_read_as_an_answer() {
    let Some(corpus) = corpus() else { return };
    let rows = rows(&corpus.join("verdicts.tsv"));
    let (mut right, mut misses) = (0, Vec::new());
    for row in &rows {
        let (path, expected) = (&row["path"], &row["expected"]);
        let status = row["status"].parse().unwrap();
        let verdict = look(&row["url"], status, read(&corpus.join(path)), &signs_of(path));
        let word = verdict.outcome.verdict();
        if std::env::var_os("SHOW_VERDICTS").is_some() {
            println!(
                "{word:12} {:16} {path} {:?}",
                verdict.outcome.reason().code(),
                verdict.evidence
            );
        }
        if expected.split('|').any(|one| one == word) {
            right += 1;
        } else {
            misses.push(format!("{path}: {word}, not {expected} ({:?})", verdict.evidence));
        }
        assert!(
            word != "answer" || expected.contains("answer"),
            "a wall was read as an answer: {path}"
        );
    }
    println!("verdicts: {right} of {} right", rows.len());
    assert!(right * 100 >= rows.len() * 97, "{right} of {}: {misses:#?}", rows.len());
}

#[test]
fn no_marker_speaks_on_any_good_page_even_where_nothing_was_extracted() {
    let Some(corpus) = corpus() else { return };
    let mut seen = 0;
    for row in rows(&corpus.join("manifest.tsv")) {
        if !matches!(row["kind"].as_str(), "listing" | "empty" | "detail" | "control") {
            continue;
        }
        let path = &row["path"];
        let body = read(&corpus.join(path));
        let none = PageSigns::default();
        let verdict = look(&row["page_url"], 200, body.clone(), &none);
        assert_eq!(verdict.outcome.verdict(), "answer", "{path}: {:?}", verdict.evidence);
        let found = PageSigns { listings: 10, kind: PageKind::Results, ..PageSigns::default() };
        let verdict = look(&row["page_url"], 200, body, &found);
        assert_eq!(verdict.outcome.verdict(), "answer", "{path}: {:?}", verdict.evidence);
        seen += 1;
    }
    println!("good pages: {seen} answers of {seen}");
}
