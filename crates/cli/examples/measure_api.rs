//! What `cargo xtask bench api` runs: the API over real HTTP on a store with many listings.
//! Prints one line per path: path, requests per second, p50 and p99 in µs as the client sees them,
//! then, counted inside the server while it served these very requests, what a request took there
//! and what admission (token, budget, settling) had of it, both in µs.

use std::sync::Arc;
use std::time::{Duration, Instant};

use anyhow::{Context, Result};
use firstknock_api::{Api, Budget, Limits, Server, Ui, add_client, bind};
use firstknock_fetch::{Config, HttpFetch};
use firstknock_listing::{Criteria, KeyKind, Listing, ListingKey, Money, SearchUrl, diff};
use firstknock_monitor::store::{CheckCommit, CheckMark, CheckResult, PageCommit, Store};
use firstknock_monitor::{
    DataFolder, Dice, Engine, Parts, ReaderChoice, Readers, Rhythm, SearchWish, SystemClock, Tell,
};
use firstknock_schedule::{Change, Check, CheckId, Why};
use jiff::Timestamp;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

const PATHS: [&str; 4] = [
    "/api/v1/summary",
    "/api/v1/listings?limit=50",
    "/api/v1/listings?limit=50&sort=cheapest",
    "/api/v1/listings?limit=50&text=lindenhof",
];
const CLIENTS: usize = 4;

#[tokio::main]
async fn main() -> Result<()> {
    let mut args = std::env::args().skip(1);
    let listings: usize = args.next().context("how many listings")?.parse()?;
    let requests: usize = args.next().context("how many requests")?.parse()?;
    let folder = tempfile::tempdir()?;
    let data = DataFolder::choose(Some(folder.path()))?;
    let now = Timestamp::now();
    let (mut store, opened) = Store::open(data.path(), now)?;
    fill(&mut store, listings, now)?;
    let budget = Budget { per_minute: u32::MAX, per_day: u32::MAX };
    let (_, token) = add_client(&mut store, "bench", false, budget, now)?;
    let token = token.reveal().to_owned();
    let http = HttpFetch::new(Config::default())?;
    let engine = Engine::begin(Parts {
        folder: data,
        store,
        opened,
        readers: Readers { plain: Arc::new(http), browser: None },
        http: None,
        clock: Arc::new(SystemClock::default()),
        dice: Dice::new(1),
        secrets: None,
        toaster: None,
        can_open_sites: false,
    })?;
    let listener = bind(0).await?;
    let port = listener.local_addr()?.port();
    let api = Api::open(engine.clone(), Ui::Missing, Limits::default(), port).await?;
    let server = tokio::spawn(Server::new(listener, api.clone()).run(std::future::pending()));
    for path in PATHS {
        let before = api.time_spent();
        let (per_second, took) = measure(port, &token, path, requests).await?;
        let spent = api.time_spent().since(before);
        anyhow::ensure!(spent.requests == took.len() as u64, "these requests and no others");
        let at = |share: f64| took[((took.len() - 1) as f64 * share) as usize].as_micros();
        let each = |time: Duration| time.as_secs_f64() * 1e6 / spent.requests as f64;
        let (whole, admission) = (each(spent.whole), each(spent.admission));
        println!("{path}\t{per_second:.0}\t{}\t{}\t{whole:.2}\t{admission:.2}", at(0.5), at(0.99));
    }
    server.abort();
    engine.shut_down().await;
    Ok(())
}

/// Requests over kept connections, as fast as they are answered; their times, sorted.
async fn measure(
    port: u16,
    token: &str,
    path: &str,
    requests: usize,
) -> Result<(f64, Vec<Duration>)> {
    let request = format!(
        "GET {path} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nAuthorization: Bearer {token}\r\n\r\n"
    );
    let start = Instant::now();
    let clients: Vec<_> = (0..CLIENTS)
        .map(|_| tokio::spawn(one(port, request.clone(), requests / CLIENTS)))
        .collect();
    let mut took = Vec::new();
    for client in clients {
        took.extend(client.await??);
    }
    let per_second = took.len() as f64 / start.elapsed().as_secs_f64();
    took.sort_unstable();
    Ok((per_second, took))
}

async fn one(port: u16, request: String, requests: usize) -> Result<Vec<Duration>> {
    let mut stream = TcpStream::connect(("127.0.0.1", port)).await?;
    stream.set_nodelay(true)?;
    let mut took = Vec::with_capacity(requests);
    let mut buffer = vec![0; 1 << 20];
    for _ in 0..requests {
        let start = Instant::now();
        stream.write_all(request.as_bytes()).await?;
        let mut filled = 0;
        loop {
            let n = stream.read(&mut buffer[filled..]).await?;
            anyhow::ensure!(n > 0, "the server hung up");
            filled += n;
            if whole(&buffer[..filled])? {
                break;
            }
        }
        took.push(start.elapsed());
    }
    Ok(took)
}

/// All of an answer with a Content-Length is there.
fn whole(answer: &[u8]) -> Result<bool> {
    let text = String::from_utf8_lossy(answer);
    let Some(head) = text.find("\r\n\r\n") else { return Ok(false) };
    anyhow::ensure!(text.starts_with("HTTP/1.1 200"), "{:.200}", text);
    let length = text[..head].lines().find_map(|l| l.strip_prefix("content-length: "));
    let length: usize = length.context("a length")?.parse()?;
    Ok(answer.len() >= head + 4 + length)
}

/// A paused search that has seen so many listings, page by page.
fn fill(store: &mut Store, listings: usize, now: Timestamp) -> Result<()> {
    const PAGE: usize = 500;
    let url = SearchUrl::parse("https://street.example/list")?;
    let wish = SearchWish {
        name: "bench".to_owned(),
        url: url.clone(),
        interval: Duration::from_secs(300),
        muted: true,
        reader: ReaderChoice::Auto,
        criteria: Criteria::default(),
        tell: Tell { new: true, price_drops: true, relisted: true },
        quiet: None,
        rhythm: Rhythm::Instant,
    };
    let search = store.add_search(&wish, false, now)?;
    let host = url.host().clone();
    for page in 0..listings.div_ceil(PAGE) {
        let page: Vec<Listing> =
            (page * PAGE..((page + 1) * PAGE).min(listings)).map(listing).collect();
        let check = Check {
            id: CheckId(1),
            search: Some(search.id),
            revision: search.revision,
            host: host.clone(),
            domain: host.domain(),
            url: url.clone(),
            why: Why::Due,
            at: now,
        };
        let run = store.reserve(&check, &Change::default(), now)?;
        let diff = diff(&page, &[]);
        let commit = CheckCommit {
            run,
            search: Some(search.id),
            revision: search.revision,
            host: host.clone(),
            result: result(page.len()),
            page: Some(PageCommit {
                listings: page,
                diff,
                baseline: true,
                complete: false,
                rekeyed: Vec::new(),
                news: Vec::new(),
                posts: Vec::new(),
                memory: None,
            }),
            notices: Vec::new(),
            change: Change::default(),
        };
        store.commit_check(&commit, now)?;
    }
    Ok(())
}

fn result(listings: usize) -> CheckResult {
    CheckResult {
        mark: CheckMark::Answered,
        verdict: "answer".to_owned(),
        reason: "answered".to_owned(),
        finding: None,
        status: Some(200),
        listings: u32::try_from(listings).ok(),
        bytes: None,
        took: Duration::from_millis(100),
        retry_after: None,
        evidence: Vec::new(),
        etag: None,
        last_modified: None,
        body_hash: None,
    }
}

fn listing(n: usize) -> Listing {
    let streets = ["Lindenhof", "Kuipersgracht", "Molenpad", "Zeilmakerstraat", "Havenkade"];
    let keys = vec![ListingKey::new(KeyKind::Url, &format!("https://street.example/home-{n}"))];
    let mut listing = Listing::new(keys, format!("https://street.example/home-{n}"));
    listing.title = Some(format!("{} {}", streets[n % streets.len()], n % 300));
    listing.price = Some(Money::of_cents(60_000 + (n as i64 * 7919) % 200_000));
    listing
}
