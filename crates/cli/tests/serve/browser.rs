//! The built interface of a built `knock serve` in a real browser.

use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use firstknock_monitor::Dice;
use firstknock_rehearsal::street::{Markup, Site};

use crate::process::Served;

fn ui() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../ui")
}

fn chromium() -> PathBuf {
    std::env::var_os("FIRSTKNOCK_CHROMIUM")
        .map_or_else(|| "/usr/bin/chromium".into(), PathBuf::from)
}

#[tokio::test(flavor = "multi_thread")]
async fn in_a_browser_one_signs_in_adds_a_search_sees_homes_come_and_outlives_a_restart() {
    for needed in
        [chromium(), ui().join("dist/index.html"), ui().join("node_modules/@playwright/test")]
    {
        if !needed.exists() {
            println!("skipped: no {}", needed.display());
            return;
        }
    }
    let site = Site::open("grachtenhuur", Markup::Cards, Dice::new(71), 12).await.expect("a port");
    let driven = tokio::task::spawn_blocking(move || drive(&site));
    driven.await.expect("the browser sees what it should");
}

fn drive(site: &Site) {
    let folder = tempfile::tempdir().expect("a folder");
    let (data, home) = (folder.path().join("data"), folder.path().join("home"));
    std::fs::create_dir(&home).expect("made");
    let dist = ui().join("dist");
    let dist = dist.to_string_lossy();
    let start = |port: &str| Served::start_at(&data, port, &["--ui", &dist]);
    let mut served = start("0");
    let port = served.port;
    let mut node = Command::new("node")
        .arg(Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/serve/browser.mjs"))
        .env("UI", ui())
        .env("BASE", format!("http://127.0.0.1:{port}"))
        .env("TOKEN", served.token.clone().expect("the first start shows it"))
        .env("SEARCH", site.plain_url("waterveen"))
        .env("CHROMIUM", chromium())
        // What a browser leaves in a home is not the user's.
        .env("HOME", &home)
        .env("XDG_CONFIG_HOME", &home)
        .env("XDG_CACHE_HOME", &home)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("node runs");
    let mut answers = node.stdin.take().expect("piped");
    let asked = BufReader::new(node.stdout.take().expect("piped"));
    let mut done = false;
    for line in asked.lines() {
        match line.expect("text").as_str() {
            "HOME" => drop(site.add_home()),
            "RESTART" => {
                drop(served);
                served = start(&port.to_string());
                assert_eq!(served.token, None, "shown once");
            }
            "DONE" => done = true,
            other => println!("{other}"),
        }
        // It may have ended already.
        drop(writeln!(answers, "go on"));
    }
    assert!(node.wait().expect("our own child").success() && done, "the browser's part failed");
}
