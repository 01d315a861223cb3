//! A stage for the engine: one site of the street, a data folder, a clock of our own.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use firstknock_fetch::{BoxFuture, Config, Failure, Fetch, Fetched, HttpFetch, Request};
use firstknock_listing::{Criteria, SearchId, SearchUrl};
use firstknock_monitor::store::{CheckMark, Store};
use firstknock_monitor::{
    DataFolder, Dice, Engine, Parts, ReaderChoice, Readers, Rhythm, SearchWish, Tell,
};
use firstknock_notify::secrets::{Place, open};
use firstknock_notify::{Secrets, Toaster};
use firstknock_policy::Reason;
use firstknock_rehearsal::FakeClock;
use firstknock_rehearsal::street::{Markup, Site};
use firstknock_schedule::{AppStatus, Row};
use jiff::Timestamp;
use tempfile::TempDir;

pub(crate) struct Play {
    pub(crate) clock: Arc<FakeClock>,
    engine: Engine,
    site: Site,
    folder: TempDir,
    seed: u64,
    props: Props,
}

/// What a stage may have instead of the usual.
#[derive(Clone, Default)]
pub(crate) struct Props {
    /// Passwords in memory otherwise.
    pub(crate) secrets: Option<Arc<dyn Secrets>>,
    /// Nobody shows notifications otherwise.
    pub(crate) toaster: Option<Arc<dyn Toaster>>,
}

/// Who looks at this host breaks: for tests of what a bug of ours does to others.
pub(crate) const BROKEN: &str = "broken.example";

/// The real reader for the one site of the stage; whoever else is asked for has no address, so that
/// a test with made-up addresses touches nobody.
struct Fence {
    http: HttpFetch,
    site: String,
}

impl Fetch for Fence {
    fn fetch<'a>(&'a self, request: &'a Request) -> BoxFuture<'a, Fetched> {
        if request.url.host_str() == Some(&self.site) {
            return self.http.fetch(request);
        }
        assert!(request.url.host_str() != Some(BROKEN), "broken on purpose");
        let failure = Failure {
            reason: Reason::Dns,
            detail: "outside the fence".to_owned(),
            cookie_guard: false,
            final_url: None,
            status: None,
            server_date: None,
            retried: false,
        };
        Box::pin(async move { Fetched::Failed(failure) })
    }
}

impl Play {
    /// A site with twelve homes and an engine without searches. The seed is printed if a test
    /// fails, since cargo prints what a failing test printed.
    pub(crate) async fn begin(seed: u64) -> Self {
        Self::begin_with(seed, Props::default()).await
    }

    pub(crate) async fn begin_with(seed: u64, props: Props) -> Self {
        println!("seed {seed}");
        let site = Site::open("grachtenhuur", Markup::Cards, Dice::new(seed), 12)
            .await
            .expect("a port on loopback");
        let folder = tempfile::tempdir().expect("a folder");
        let start: Timestamp = "2026-03-02T08:00:00Z".parse().expect("a time");
        Self::raise(Arc::new(FakeClock::at(start)), site, folder, seed, props)
    }

    fn raise(clock: Arc<FakeClock>, site: Site, folder: TempDir, seed: u64, props: Props) -> Self {
        let data = DataFolder::choose(Some(folder.path())).expect("it is named");
        let now = firstknock_monitor::Clock::now(clock.as_ref());
        let (store, opened) = Store::open(data.path(), now).expect("a new database");
        let names = vec![(site.host_name(), vec![site.address()])];
        let http =
            HttpFetch::new(Config { fixed_names: names, ..Config::default() }).expect("a client");
        let engine = Engine::begin(Parts {
            secrets: Some(props.secrets.clone().unwrap_or(open(Place::Session, data.path()))),
            folder: data,
            store,
            opened,
            readers: Readers {
                plain: Arc::new(Fence { http: http.clone(), site: site.host_name() }),
                browser: None,
            },
            http: Some(http),
            clock: Arc::clone(&clock) as Arc<dyn firstknock_monitor::Clock>,
            dice: Dice::new(seed),
            toaster: props.toaster.clone(),
            can_open_sites: false,
        })
        .expect("an engine");
        Self { clock, engine, site, folder, seed, props }
    }

    /// Ends the engine and starts another on the same folder.
    pub(crate) async fn restart(self) -> Self {
        self.engine.shut_down().await;
        let Self { clock, site, folder, seed, props, .. } = self;
        Self::raise(clock, site, folder, seed, props)
    }

    pub(crate) async fn end(self) {
        self.engine.shut_down().await;
    }

    pub(crate) async fn add(&self, town: &str) -> SearchId {
        let wish = SearchWish {
            name: format!("homes in {town}"),
            url: SearchUrl::parse(&self.site.search_url(town)).expect("an address"),
            interval: Duration::from_secs(90),
            muted: false,
            reader: ReaderChoice::Auto,
            criteria: Criteria::default(),
            tell: Tell { new: true, price_drops: true, relisted: true },
            quiet: None,
            rhythm: Rhythm::Instant,
        };
        self.engine.add_search(wish, true, None).await.expect("it is taken").id
    }

    /// Waits until so many rows were answered with so many listings.
    pub(crate) async fn until_checked(&self, rows: usize, listings: u32) {
        let well = |row: &Row| row.listings == Some(listings);
        self.clock
            .until("the first checks", Duration::from_secs(300), || {
                self.rows().iter().filter(|row| well(row)).count() == rows
            })
            .await;
    }

    /// Lets time pass.
    pub(crate) async fn pass(&self, time: Duration) {
        let until = self.now().saturating_add(time).expect("a time");
        self.clock.until("time", time + Duration::from_secs(60), || self.now() >= until).await;
    }

    pub(crate) fn now(&self) -> Timestamp {
        firstknock_monitor::Clock::now(self.clock.as_ref())
    }

    /// Nothing is in flight and nothing is due for a while.
    pub(crate) fn is_quiet(&self) -> bool {
        let soon = self.now().saturating_add(Duration::from_secs(10)).expect("a time");
        let app = self.engine.board().borrow().app;
        matches!(app, AppStatus::Idle { next_at: Some(at), .. } if at > soon)
    }

    pub(crate) fn engine(&self) -> &Engine {
        &self.engine
    }

    pub(crate) fn site(&self) -> &Site {
        &self.site
    }

    pub(crate) fn rows(&self) -> Vec<Row> {
        self.engine.board().borrow().rows.iter().map(|row| row.row.clone()).collect()
    }

    pub(crate) fn marks(&self) -> Vec<CheckMark> {
        self.engine.board().borrow().rows.iter().flat_map(|row| row.marks.clone()).collect()
    }

    /// The mails in the folder, as raw text.
    pub(crate) fn mails(&self) -> Vec<String> {
        let folder: PathBuf = self.folder.path().join("mail");
        let Ok(entries) = std::fs::read_dir(folder) else { return Vec::new() };
        entries
            .flatten()
            .filter(|entry| entry.path().extension().is_some_and(|e| e == "eml"))
            .filter_map(|entry| std::fs::read_to_string(entry.path()).ok())
            .collect()
    }
}

/// A mail with its quoted-printable parts unfolded, so that a test can look for words.
pub(crate) fn decoded(mail: &str) -> String {
    let joined = mail.replace("=\r\n", "").replace("=\n", "");
    let bytes = joined.as_bytes();
    let mut out = Vec::with_capacity(bytes.len());
    let mut at = 0;
    while at < bytes.len() {
        let hex = bytes.get(at + 1..at + 3).and_then(|h| std::str::from_utf8(h).ok());
        match (bytes[at], hex.and_then(|h| u8::from_str_radix(h, 16).ok())) {
            (b'=', Some(byte)) => {
                out.push(byte);
                at += 3;
            }
            (byte, _) => {
                out.push(byte);
                at += 1;
            }
        }
    }
    String::from_utf8_lossy(&out).into_owned()
}
