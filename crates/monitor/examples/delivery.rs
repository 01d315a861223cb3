//! How fast a message leaves, on loopback, with TLS and a login: from the commit that writes it to
//! the server's 250, and 1,000 waiting messages drained. `cargo xtask bench delivery` builds and
//! runs it; the mail server is this process, the engine a child of its own.

use std::path::Path;
use std::process::{Command, ExitCode};
use std::sync::Arc;
use std::time::{Duration, Instant};

use base64::Engine as _;
use firstknock_fetch::{Config, HttpFetch};
use firstknock_monitor::store::{PostKind, Store};
use firstknock_monitor::{
    ChannelConfig, DataFolder, DeliveryStage, Dice, Engine, Login, Parts, Readers, Secret,
    Security, SmtpConfig, SystemClock,
};
use firstknock_notify::secrets::{Place, open};
use jiff::Timestamp;

#[expect(dead_code, reason = "aiosmtpd's certificate is a file")]
#[path = "../../notify/tests/notify/support/certificate.rs"]
mod certificate;
/// The scripted mail server, with nothing in its script.
#[expect(dead_code, reason = "the failure table of `notify` plays the rest")]
#[path = "../../notify/tests/notify/support/smtp.rs"]
mod smtp;

const SINGLE: usize = 200;
const WAITING: u32 = 1_000;

#[tokio::main]
async fn main() -> ExitCode {
    let args: Vec<String> = std::env::args().skip(1).collect();
    match args.iter().map(String::as_str).collect::<Vec<_>>().as_slice() {
        ["one-by-one", folder] => one_by_one(Path::new(folder)).await,
        ["drain", folder] => drain(Path::new(folder)).await,
        _ => {
            for what in ["one-by-one", "drain"] {
                let waiting = if what == "drain" { WAITING } else { 0 };
                if !measured(what, waiting).await {
                    return ExitCode::FAILURE;
                }
            }
        }
    }
    ExitCode::SUCCESS
}

/// Starts the server, fills a folder, lets the child measure.
async fn measured(what: &str, waiting: u32) -> bool {
    let server = smtp::Server::start(true, vec![smtp::Script::default()]).await;
    let folder = tempfile::tempdir().expect("a folder");
    fill(folder.path(), &server, waiting).await;
    let program = std::env::current_exe().expect("our own path");
    let mut child = Command::new(program);
    child.arg(what).arg(folder.path()).env("SSL_CERT_FILE", folder.path().join("cert.pem"));
    let ended = tokio::task::spawn_blocking(move || child.status()).await.expect("waited");
    let expected = if waiting == 0 { SINGLE } else { waiting as usize };
    let arrived = server.messages().len();
    if arrived != expected {
        eprintln!("{arrived} of {expected} messages arrived");
    }
    ended.is_ok_and(|status| status.success()) && arrived == expected
}

async fn fill(folder: &Path, server: &smtp::Server, waiting: u32) {
    let root = base64::engine::general_purpose::STANDARD.encode(&server.root);
    let pem = format!("-----BEGIN CERTIFICATE-----\n{root}\n-----END CERTIFICATE-----\n");
    std::fs::write(folder.join("cert.pem"), pem).expect("written");
    let account = SmtpConfig {
        server: "localhost".into(),
        port: server.address.port(),
        security: Security::ImplicitTls,
        user: "noor@mailhuis.example".into(),
        login: Login::Password,
        from: "noor@mailhuis.example".into(),
        to: "noor@mailhuis.example".into(),
    };
    let password = Secret::new("correct horse".into());
    open(Place::File, folder).set(&account.password(), password).await.expect("kept");
    let now = Timestamp::now();
    let (mut store, _) = Store::open(folder, now).expect("a database");
    let settings = serde_json::json!({ "keep_secret": "file", "daily_mail_cap": 1_000_000 });
    store.set_setting("app", &settings, now).expect("kept");
    let config = serde_json::to_value(ChannelConfig::Smtp(account)).expect("JSON");
    store.put_channel("mail", "smtp", true, &config, now).expect("kept");
    for _ in 0..waiting {
        store.post("mail", PostKind::Test, None, None, now).expect("kept");
    }
}

fn engine(folder: &Path) -> Engine {
    let data = DataFolder::choose(Some(folder)).expect("it is named");
    let (store, opened) = Store::open(data.path(), Timestamp::now()).expect("a database");
    let http = HttpFetch::new(Config::default()).expect("a client");
    Engine::begin(Parts {
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
    })
    .expect("an engine")
}

/// Each message alone, with a connection of its own: what a single find costs.
async fn one_by_one(folder: &Path) {
    let engine = engine(folder);
    let mut times = Vec::new();
    for _ in 0..SINGLE {
        let now = Timestamp::now();
        let post = move |store: &mut Store| store.post("mail", PostKind::Test, None, None, now);
        let id = engine.store().run(post).await.expect("kept");
        let committed = Instant::now();
        engine.ring();
        let mut sent = false;
        while !sent {
            tokio::time::sleep(Duration::from_millis(1)).await;
            let row = engine.store().run(move |store| store.delivery(id)).await.expect("read");
            sent = row.is_some_and(|row| row.state == DeliveryStage::Sent);
        }
        times.push(committed.elapsed());
        // The connection is closed before the next one begins.
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
    times.sort_unstable();
    let ms = |at: usize| times[at].as_secs_f64() * 1000.0;
    println!(
        "from commit to 250, {SINGLE} messages one by one: median {:.2} ms, p95 {:.2} ms",
        ms(SINGLE / 2),
        ms(SINGLE * 95 / 100),
    );
    engine.shut_down().await;
}

/// All that waits, from the engine's start.
async fn drain(folder: &Path) {
    let began = Instant::now();
    let engine = engine(folder);
    let dawn = Timestamp::UNIX_EPOCH;
    loop {
        let sent = engine.store().run(move |store| store.sent_since("mail", dawn)).await;
        if sent.expect("read").len() == WAITING as usize {
            break;
        }
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
    let took = began.elapsed();
    println!(
        "{WAITING} waiting messages drained in {:.2} s: {:.2} ms each",
        took.as_secs_f64(),
        took.as_secs_f64() * 1000.0 / f64::from(WAITING),
    );
    engine.shut_down().await;
}
