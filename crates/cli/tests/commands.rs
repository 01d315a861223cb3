//! The command line as others call it: shapes, exit codes, and what it says to bad input.

use std::path::Path;
use std::process::{Command, Output, Stdio};

use firstknock_monitor::Dice;
use firstknock_rehearsal::street::{Markup, Site, Wall};
use serde_json::Value;

const PAGE: &str = r#"<html lang="nl"><head><title>Huur in Waterveen</title></head><body><main>
<article><h2><a href="/woning/licht-480101">Lichte bovenwoning</a></h2><p>Lindenhof 4, Waterveen</p><p>50 m² 2 kamers</p><p>€ 1.230 per maand</p></article>
<article><h2><a href="/woning/hoek-480108">Hoekwoning</a></h2><p>Lindenhof 9, Waterveen</p><p>70 m² 3 kamers</p><p>€ 1.530 per maand</p></article>
<article><h2><a href="/woning/studio-480115">Studio</a></h2><p>Kuipersgracht 2, Waterveen</p><p>24 m² 1 kamer</p><p>€ 795 per maand</p></article>
</main></body></html>"#;

fn knock(args: &[&str], data: &Path) -> Output {
    Command::new(env!("CARGO_BIN_EXE_knock"))
        .args(args)
        .env("FIRSTKNOCK_DATA", data)
        .env("LANG", "C.UTF-8")
        .output()
        .expect("knock runs")
}

fn json(output: &Output) -> Value {
    serde_json::from_slice(&output.stdout)
        .unwrap_or_else(|e| panic!("{e}: {}", String::from_utf8_lossy(&output.stdout)))
}

#[test]
fn extract_prints_the_documented_object() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("page.html");
    std::fs::write(&file, PAGE).expect("written");
    let file = file.to_string_lossy();
    let out = json(&knock(
        &["extract", &file, "--url", "https://a.example/huur", "--json"],
        folder.path(),
    ));
    assert_eq!(out["page_kind"], "results");
    let listings = out["listings"].as_array().expect("listings");
    assert_eq!(listings.len(), 3);
    let first = &listings[0];
    assert_eq!(first["url"], "https://a.example/woning/licht-480101", "absolute");
    assert_eq!(first["price"]["amount"], 1230.0);
    assert_eq!(first["price"]["currency"], "EUR");
    assert_eq!(first["price"]["period"], "month");
    assert_eq!(first["size_m2"], 50.0);
    assert_eq!(first["rooms"], 2.0);
    assert_eq!(first["role"], "result");
    assert!(first["key"].is_string() && first["bedrooms"].is_null());
}

#[test]
fn classify_prints_the_documented_object() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("wall.html");
    std::fs::write(&file, "<html><title>Just a moment...</title></html>").expect("written");
    let file = file.to_string_lossy();
    let args = [
        "classify",
        &file,
        "--status",
        "429",
        "--header",
        "cf-mitigated: challenge",
        "--header",
        "Retry-After: 120",
        "--url",
        "https://a.example/",
        "--json",
    ];
    let out = json(&knock(&args, folder.path()));
    assert_eq!(out["verdict"], "challenge", "a header that states a mitigation outranks 429");
    assert_eq!(out["retry_after_ms"], 120_000);
    assert!(out["text"].as_str().is_some_and(|text| text.contains("Cloudflare")), "{out}");
    assert!(out["evidence"].as_array().is_some_and(|e| !e.is_empty()));
}

#[test]
fn bad_input_ends_with_2_and_says_what_to_do() {
    let folder = tempfile::tempdir().expect("a folder");
    let cases: [(&[&str], &str); 5] = [
        (&["check", "https://me:secret@a.example/"], "password"),
        (&["check", "ftp://a.example/"], "http"),
        (&["check", "rooms in delft"], "web address"),
        (&["extract", "missing.html", "--url", "https://a.example/"], "missing.html"),
        (&["policy", "--simulate", "many"], "24x3"),
    ];
    for (args, words) in cases {
        let out = knock(args, folder.path());
        let said = String::from_utf8_lossy(&out.stderr).into_owned();
        assert_eq!(out.status.code(), Some(2), "{args:?}: {said}");
        assert!(said.contains(words), "{args:?}: {said}");
        assert!(!said.contains("secret@"), "a password is not repeated: {said}");
    }
}

#[test]
fn the_policy_holds_and_says_what_it_saw() {
    let folder = tempfile::tempdir().expect("a folder");
    let out = knock(&["policy"], folder.path());
    let text = String::from_utf8_lossy(&out.stdout).into_owned();
    assert!(out.status.success(), "{text}");
    assert!(text.starts_with("challenge     1.0m → 3.0m → 8.0m → 15.0m → 30.0m\n"), "{text}");
    assert!(text.contains("40 distinct of 40"));
    assert!(!text.contains("FAIL"));
}

#[tokio::test(flavor = "multi_thread")]
async fn check_finds_listings_names_a_wall_and_remembers_it() {
    let folder = tempfile::tempdir().expect("a folder");
    let site = Site::open("kieznest", Markup::Table, Dice::new(3), 9).await.expect("a port");
    let url = site.plain_url("lindow");
    let run = |args: Vec<String>| {
        let data = folder.path().to_owned();
        tokio::task::spawn_blocking(move || {
            let args: Vec<&str> = args.iter().map(String::as_str).collect();
            knock(&args, &data)
        })
    };
    let check = || run(vec!["check".into(), url.clone(), "--json".into()]);

    let found = check().await.expect("it ran");
    assert_eq!(found.status.code(), Some(0));
    let found = json(&found);
    assert_eq!(found["verdict"], "answer");
    assert_eq!(found["listings"].as_array().map(Vec::len), Some(9));

    site.wall(Some(Wall::RateLimited { retry_after: Some("300".into()) }));
    let walled = check().await.expect("it ran");
    assert_eq!(walled.status.code(), Some(4));
    let walled = json(&walled);
    assert_eq!(
        (&walled["verdict"], &walled["retry_after_ms"]),
        (&"rate_limited".into(), &300_000.into())
    );

    // The next process knows, and asks nobody.
    site.forget_requests();
    let waits = check().await.expect("it ran");
    assert_eq!(waits.status.code(), Some(4));
    assert!(json(&waits)["not_before_ms"].is_i64());
    assert!(site.requests().is_empty(), "the host was not asked");

    let explained = run(vec!["policy".into(), "--explain".into(), site.address().to_string()]);
    let explained = explained.await.expect("it ran");
    let text = String::from_utf8_lossy(&explained.stdout).into_owned();
    assert!(text.contains("rate limited") && text.contains("5m"), "{text}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_dead_host_is_trouble_and_a_page_without_a_list_is_said_to_be_one() {
    let folder = tempfile::tempdir().expect("a folder");
    let site = Site::open("kieznest", Markup::Table, Dice::new(3), 9).await.expect("a port");
    let data = folder.path().to_owned();
    let home = format!("http://{}/", site.address());
    let codes = tokio::task::spawn_blocking(move || {
        let no_list = knock(&["check", &home], &data);
        let dead = knock(&["check", "http://127.0.0.1:9/"], &data);
        (no_list.status.code(), dead.status.code())
    });
    assert_eq!(codes.await.expect("it ran"), (Some(3), Some(5)));
}

#[tokio::test(flavor = "multi_thread")]
async fn add_shows_what_was_found_and_explains_duplicates_and_the_sixteenth() {
    let folder = tempfile::tempdir().expect("a folder");
    let data = folder.path().to_owned();
    let site = Site::open("kieznest", Markup::Table, Dice::new(3), 9).await.expect("a port");
    let url = site.plain_url("lindow");
    let done = tokio::task::spawn_blocking(move || {
        let added = knock(&["add", &url], &data);
        let text = String::from_utf8_lossy(&added.stdout).into_owned();
        assert!(added.status.success() && text.starts_with("9 listings"), "{text}");

        let again = knock(&["add", &url], &data);
        let said = String::from_utf8_lossy(&again.stderr).into_owned();
        assert_eq!(again.status.code(), Some(2));
        assert!(said.contains("You watch this page already"), "{said}");

        for n in 2..=15 {
            let one = knock(&["add", "--unseen", &format!("https://a{n}.example/huren")], &data);
            assert!(one.status.success(), "{}", String::from_utf8_lossy(&one.stderr));
        }
        let sixteenth = knock(&["add", "--unseen", "https://a16.example/huren"], &data);
        let said = String::from_utf8_lossy(&sixteenth.stderr).into_owned();
        assert_eq!(sixteenth.status.code(), Some(2));
        assert!(said.contains("15 searches run already"), "{said}");
        let listed = knock(&["list"], &data);
        let lines = String::from_utf8_lossy(&listed.stdout).lines().count();
        assert_eq!(lines, 30, "fifteen searches, two lines each: nothing was half-saved");
    });
    done.await.expect("it ran");
}

#[tokio::test(flavor = "multi_thread")]
async fn check_asks_nobody_else_and_shows_the_marks_of_a_version() {
    let folder = tempfile::tempdir().expect("a folder");
    let data = folder.path().to_owned();
    let saved = Site::open("kieznest", Markup::Table, Dice::new(3), 9).await.expect("a port");
    let other = Site::open("lanternlets", Markup::JsonLd, Dice::new(4), 9).await.expect("a port");
    let (saved_url, other_url) = (saved.plain_url("lindow"), other.plain_url("fairwell"));
    let said = tokio::task::spawn_blocking(move || {
        let added = knock(&["add", "--unseen", &saved_url], &data);
        assert!(added.status.success());
        let checked = knock(&["-v", "check", &other_url], &data);
        assert_eq!(checked.status.code(), Some(0));
        String::from_utf8_lossy(&checked.stdout).into_owned()
    });
    let said = said.await.expect("it ran");
    assert!(said.contains("If-None-Match") && said.contains("body hash"), "{said}");
    assert_eq!(other.requests().len(), 1);
    assert!(saved.requests().is_empty(), "a due search waits for `knock watch`");
}

#[test]
fn backup_restore_export_and_import_say_what_they_did_and_lose_nothing() {
    let folder = tempfile::tempdir().expect("a folder");
    let (data, file) = (folder.path().join("data"), folder.path().join("searches.txt"));
    let out = |args: &[&str]| {
        let done = knock(args, &data);
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        (done.status.code(), text(&done.stdout), text(&done.stderr))
    };
    std::fs::write(&file, "one.example/rent\nhttps://two.example/rent\none.example/rent\n")
        .expect("");
    let file = file.to_str().expect("UTF-8");
    let (code, said, _) = out(&["import", file]);
    assert_eq!(code, Some(0));
    assert_eq!(
        said,
        "1  one.example  added as 1\n2  two.example  added as 2\n\
         3  one.example  left out: it is the search \"one.example\" already\n"
    );
    let (_, made, _) = out(&["backup"]);
    assert!(made.trim().ends_with("-by-hand.db"), "{made}");
    std::fs::write(file, "three.example\nrooms in delft\n").expect("written");
    let (code, _, why) = out(&["import", file]);
    assert_eq!(code, Some(2));
    assert!(why.contains("entry 2") && why.contains("nothing was added"), "{why}");
    std::fs::write(file, "three.example\n").expect("written");
    assert_eq!(out(&["import", file]).0, Some(0));
    let searches = |text: &str| serde_json::from_str::<Vec<Value>>(text).expect("JSON").len();
    assert_eq!(searches(&out(&["export", "searches"]).1), 3);

    let (_, list, _) = out(&["backup", "--list"]);
    let name = list.split_whitespace().next().expect("one");
    assert_eq!(out(&["restore", name]).0, Some(0));
    assert_eq!(searches(&out(&["export", "searches"]).1), 2);
    assert_eq!(out(&["backup", "--list"]).1.lines().count(), 2, "what was there before is kept");
    assert_eq!(out(&["restore", "nothing.db"]).0, Some(2));
    assert!(out(&["export", "csv"]).1.starts_with("id,host,url,title,"));
}

#[test]
fn a_reader_that_has_seen_enough_ends_the_command_without_a_word() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut child = Command::new(env!("CARGO_BIN_EXE_knock"))
        .arg("policy")
        .env("FIRSTKNOCK_DATA", folder.path())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("knock runs");
    drop(child.stdout.take());
    let out = child.wait_with_output().expect("it ends");
    assert_eq!(String::from_utf8_lossy(&out.stderr), "");
    assert_eq!(out.status.code(), Some(0));
}
