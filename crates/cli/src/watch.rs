//! `knock watch` and `knock demo`: the engine in the terminal, with the same rows as the window.

use std::collections::HashMap;
use std::time::Duration;

use anyhow::{Context, Result};
use firstknock_fetch::Config;
use firstknock_ipc::{Board, wire};
use firstknock_listing::{Criteria, SearchUrl};
use firstknock_monitor::store::{ListingFilter, ListingOnly, ListingSort, NewsKind};
use firstknock_monitor::{Engine, ReaderChoice, Rhythm, SearchWish, Tell};
use firstknock_rehearsal::street::{Markup, Street, live};
use jiff::Timestamp;

use crate::say;
use crate::start::{DataArg, Running, start};
use crate::{End, extract};

#[derive(clap::Args)]
pub(crate) struct WatchArgs {
    #[command(flatten)]
    data: DataArg,
    /// Where no search is saved: the built-in rehearsal street.
    #[arg(long)]
    street_if_empty: bool,
    /// End after so many seconds.
    #[arg(long, value_name = "SECONDS")]
    run_for: Option<u64>,
}

#[derive(clap::Args)]
pub(crate) struct DemoArgs {
    /// The same seed tells the same story.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Something happens on the street about so often.
    #[arg(long, value_name = "SECONDS", default_value_t = 8)]
    pace: u64,
    /// End after so many seconds.
    #[arg(long, value_name = "SECONDS")]
    run_for: Option<u64>,
    #[command(flatten)]
    data: DataArg,
}

pub(crate) async fn watch(args: &WatchArgs) -> Result<End> {
    let running = start(&args.data, Config::default())?;
    let empty = running.engine.store().run(|store| store.searches()).await?.is_empty();
    if empty && args.street_if_empty {
        running.engine.shut_down().await;
        drop(running);
        println!("No search is saved yet, so here is the rehearsal street.");
        let demo =
            DemoArgs { seed: 1, pace: 8, run_for: args.run_for, data: DataArg { data: None } };
        return self::demo(&demo).await;
    }
    if empty {
        println!(
            "No search is saved in {}. `knock add URL` saves one.",
            running.folder.path().display()
        );
    }
    follow(&running, args.run_for, std::future::pending()).await
}

pub(crate) async fn demo(args: &DemoArgs) -> Result<End> {
    let street = Street::open(args.seed).await.context("the street needs a port on loopback")?;
    let config = Config { fixed_names: street.names(), ..Config::default() };
    let own = tempfile::tempdir()?;
    let data = args.data.data.clone().unwrap_or_else(|| own.path().to_owned());
    let running = start(&DataArg { data: Some(data) }, config)?;
    for site in street.sites().iter().filter(|site| site.markup() != Markup::Script) {
        let url = site.search_url("waterveen");
        add(&running.engine, &format!("Waterveen, {}", site.name()), &url).await?;
    }
    println!("The street is open: homes come and go, walls go up. Ctrl-C ends it.");
    let pace = Duration::from_secs(args.pace.max(1));
    follow(&running, args.run_for, live(&street, args.seed, pace)).await
}

/// A search with the usual choices, every 30 s.
async fn add(engine: &Engine, name: &str, url: &str) -> Result<()> {
    let wish = SearchWish {
        name: name.to_owned(),
        url: SearchUrl::parse(url)?,
        interval: Duration::from_secs(30),
        muted: false,
        reader: ReaderChoice::Auto,
        criteria: Criteria::default(),
        tell: Tell { new: true, price_drops: true, relisted: true },
        quiet: None,
        rhythm: Rhythm::Instant,
    };
    engine.add_search(wish, true, None).await?;
    Ok(())
}

/// Prints rows as they change until Ctrl-C, the time given, or the story's end.
async fn follow(
    running: &Running,
    run_for: Option<u64>,
    story: impl Future<Output = ()>,
) -> Result<End> {
    let mut board = running.engine.board();
    let mut printer = Printer::default();
    let ends = async {
        match run_for {
            Some(seconds) => tokio::time::sleep(Duration::from_secs(seconds)).await,
            None => std::future::pending().await,
        }
    };
    tokio::pin!(ends, story);
    loop {
        let drawn = board.borrow_and_update().clone();
        printer.print(&running.engine, &wire::board(&drawn)).await;
        tokio::select! {
            changed = board.changed() => if changed.is_err() { break },
            () = &mut ends => break,
            () = &mut story => {}
            signal = stopped() => { signal?; break }
        }
    }
    println!("{} closing", clock());
    running.engine.shut_down().await;
    Ok(End::Done)
}

/// Ctrl-C, or a polite request to end.
pub(crate) async fn stopped() -> Result<()> {
    #[cfg(unix)]
    {
        use tokio::signal::unix::{SignalKind, signal};
        let mut terminate = signal(SignalKind::terminate())?;
        tokio::select! {
            ctrl_c = tokio::signal::ctrl_c() => ctrl_c?,
            _ = terminate.recv() => {}
        }
        Ok(())
    }
    #[cfg(not(unix))]
    Ok(tokio::signal::ctrl_c().await?)
}

/// Remembers what it printed, so that a countdown alone prints nothing.
#[derive(Default)]
struct Printer {
    rows: HashMap<i64, String>,
    app: Option<std::mem::Discriminant<firstknock_ipc::AppStatus>>,
    unread: u32,
    mail: Option<firstknock_ipc::MailState>,
}

impl Printer {
    async fn print(&mut self, engine: &Engine, board: &Board) {
        let now = Timestamp::now();
        for row in &board.rows {
            let still = say::still(row);
            if self.rows.get(&row.id) != Some(&still) {
                self.rows.insert(row.id, still);
                println!("{} {:<28} {}", clock(), row.name, say::row(row, now));
            }
        }
        if board.facts.unread > self.unread {
            self.news(engine, board.facts.unread - self.unread).await;
        }
        self.unread = board.facts.unread;
        if self.mail.as_ref() != Some(&board.facts.mail) {
            if let Some(line) = say::mail(&board.facts.mail) {
                println!("{} {line}", clock());
            }
            self.mail = Some(board.facts.mail.clone());
        }
        let app = Some(std::mem::discriminant(&board.app));
        if self.app != app {
            self.app = app;
            println!("{} {}", clock(), say::app(&board.app, now));
        }
    }

    async fn news(&self, engine: &Engine, n: u32) {
        let filter = ListingFilter { only: ListingOnly::Unread, ..ListingFilter::default() };
        let newest = engine
            .store()
            .run(move |store| store.list_listings(&filter, ListingSort::LatestNews, None, n))
            .await;
        for stored in newest.map(|page| page.rows).unwrap_or_default() {
            let news = say::news(stored.news.unwrap_or(NewsKind::New));
            println!("{} {news}\n{}", clock(), extract::line(&stored.listing));
        }
    }
}

fn clock() -> String {
    jiff::ZonedDateTime::now().strftime("%H:%M:%S").to_string()
}
