//! Times and memory of the reader, for `cargo xtask bench extract`.
//!
//! `measure ROUNDS` reads `file TAB address` lines from stdin and prints one line per page: file,
//! bytes, median µs of `scraper`'s bare parse, median µs of the whole pipeline, listings, and a CSS
//! selector of the cards for the peers. `measure memory FILE ADDRESS` prints how many bytes the
//! process grew at its highest while it read one page (Linux).
#![expect(clippy::disallowed_methods, reason = "a measurement asks the clock")]

use std::io::BufRead;
use std::time::{Duration, Instant};

use firstknock_extract::{Extraction, Page, extract};
use url::Url;

fn main() {
    let args: Vec<String> = std::env::args().skip(1).collect();
    match args.as_slice() {
        [word, file, address] if word == "memory" => memory(file, address),
        [rounds] => times(rounds.parse().expect("a number of rounds")),
        _ => panic!("measure ROUNDS | measure memory FILE ADDRESS"),
    }
}

struct Measured {
    file: String,
    html: String,
    url: Url,
    parse: Vec<Duration>,
    extract: Vec<Duration>,
    last: Option<Extraction>,
}

fn times(rounds: usize) {
    let mut pages: Vec<Measured> = std::io::stdin()
        .lock()
        .lines()
        .map(|line| {
            let line = line.expect("a line");
            let (file, address) = line.split_once('\t').expect("file TAB address");
            Measured {
                file: file.to_owned(),
                html: text(file),
                url: address.parse().expect("an address"),
                parse: Vec::new(),
                extract: Vec::new(),
                last: None,
            }
        })
        .collect();
    // Round by round, so that a busy moment of the machine falls on all alike.
    for _ in 0..rounds.max(1) {
        for page in &mut pages {
            // Whoever parses also lets go of the tree; so do we, inside `extract`.
            let started = Instant::now();
            drop(scraper::Html::parse_document(&page.html));
            page.parse.push(started.elapsed());
            let input = Page { html: &page.html, url: &page.url, content_type: None };
            let started = Instant::now();
            let extraction = extract(&input, None, None);
            page.extract.push(started.elapsed());
            page.last = Some(extraction);
        }
    }
    for page in &mut pages {
        let last = page.last.as_ref().expect("at least one round");
        println!(
            "{}\t{}\t{}\t{}\t{}\t{}",
            page.file,
            page.html.len(),
            median(&mut page.parse).as_micros(),
            median(&mut page.extract).as_micros(),
            last.listings.len(),
            selector(&last.memory.cards.stable),
        );
    }
}

fn memory(file: &str, address: &str) {
    let html = text(file);
    let url: Url = address.parse().expect("an address");
    // Patterns are compiled, and the table of names that HTML does not know is made, once per
    // process; that is not the page's memory. What this frees is used again: a heap profile of the
    // smallest page of the corpus (16 KB) shows 240 KB of its own, 15 times the page.
    let small = "<ul><li data-home-no=1><a href='/a/1234'><h2>Kade 1</h2></a> 1234 AB Dorp € 900 p/m 50 m² \
                 2 kamers <img src='/1.jpg'> per direct <p>Beschikbaar per 1 juli 2026</p><p>Borg: € 900, \
                 incl. servicekosten € 50</p></li><li><a href='/a/1235'><h2>Kade 2</h2></a> € 950 p/m \
                 60 m² 3 kamers <p>Studio, one bedroom, T2</p><p>Prijs op aanvraag</p></li></ul>\
                 <script type='application/json'>[{\"id\":1,\"price\":900,\"url\":\"/a/1\"},\
                 {\"id\":2,\"price\":\"€ 950 p/m\",\"url\":\"/a/2\"}]</script>";
    drop(extract(&Page { html: small, url: &url, content_type: None }, None, None));
    let before = peak_bytes();
    let extraction = extract(&Page { html: &html, url: &url, content_type: None }, None, None);
    println!("{}", peak_bytes().saturating_sub(before));
    drop(extraction);
}

/// The highest resident size of this process so far; 0 where the system does not tell.
fn peak_bytes() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|l| l.strip_prefix("VmHWM:")).unwrap_or_default();
    let kib: u64 = line.trim().trim_end_matches("kB").trim().parse().unwrap_or(0);
    kib * 1024
}

fn text(file: &str) -> String {
    String::from_utf8_lossy(&std::fs::read(file).expect("a file")).into_owned()
}

fn median(times: &mut [Duration]) -> Duration {
    times.sort_unstable();
    times[times.len() / 2]
}

/// The last two steps of a tag path as CSS; classes that would need escaping are left out.
fn selector(path: &str) -> String {
    let steps: Vec<String> = path.rsplit('>').take(2).map(step).collect();
    let named = steps.first().is_some_and(|s| s.contains('.') || matches!(&**s, "li" | "article"));
    let steps: Vec<&str> = steps.iter().rev().map(String::as_str).collect();
    // A bare `div` would make the peers read the same text at every level.
    if named { steps.join(" > ") } else { "article, li".into() }
}

fn step(step: &str) -> String {
    let (tag, class) = step.split_once('.').unwrap_or((step, ""));
    let plain = class.starts_with(|c: char| c.is_ascii_alphabetic())
        && class.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '-' | '_'));
    let tag: String = tag.chars().filter(|c| c.is_ascii_alphanumeric()).collect();
    let tag = if tag.is_empty() { "*" } else { &tag };
    if plain { format!("{tag}.{class}") } else { tag.to_owned() }
}
