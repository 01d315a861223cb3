//! The shapes of HTTP: what is refused says so in one form, what two readers could read in two ways
//! is read in one, and nothing outside the interface's folder is given away.

use firstknock_api::{Limits, Ui};
use firstknock_monitor::store::ListingMarks;
use tokio::io::AsyncReadExt;

use crate::house::{Answer, House, bearer, owner, rich};
use crate::play::Play;

#[tokio::test(flavor = "multi_thread")]
async fn whatever_is_refused_is_problem_json_and_a_405_says_what_is_allowed() {
    let play = Play::begin(61).await;
    let token = owner(play.engine()).await;
    let house = House::open(play.engine(), Limits::default()).await;
    for (method, path, wanted) in [
        ("POST", "/healthz", 405),
        ("POST", "/metrics", 405),
        ("POST", "/", 405),
        ("DELETE", "/sign-in", 405),
        ("POST", "/api/v1/healthz", 405),
        ("PUT", "/api/v1/openapi.json", 405),
        ("OPTIONS", "/api/v1/summary", 405),
        ("TRACE", "/api/v1/summary", 405),
        ("PUT", "/api/v1/searches/1", 405),
        ("GET", "/api/v1/searches/1/check", 405),
        ("GET", "/api/ui/call", 405),
        ("POST", "/api/ui/events", 405),
        ("GET", "/api/ui/nothing", 404),
        ("GET", "/api/v1/searches/", 404),
        ("GET", "/api/v1//summary", 404),
        ("GET", "/api/v1/%73ummary", 404),
        ("GET", "/api", 404),
        ("GET", "/api/", 404),
        ("GET", "/nothing", 404),
        ("GET", "/assets/", 404),
        ("POST", "/api/ui/call", 400),
        ("GET", "/api/v1/searches/99999999999999999999", 400),
        ("GET", "/api/v1/listings?limit=1&limit=2", 400),
        ("GET", "/api/v1/listings?text=%ff%fe", 200),
    ] {
        let answer = house.send(method, path, &token, None, "").await;
        assert_eq!(answer.status, wanted, "{method} {path}: {}", answer.body);
        if wanted >= 400 {
            assert!(!answer.code().is_empty(), "{method} {path}");
        }
        if wanted == 405 {
            let allowed = answer.header("allow").unwrap_or_default();
            assert!(!allowed.is_empty(), "{method} {path}: {}", answer.head);
        }
    }
    let refused = house.ask("GET", "/metrics", &[], "").await;
    assert_eq!((refused.status, refused.code().as_str()), (401, "no_token"));
    house.close().await;
    play.end().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_head_is_the_get_without_its_body() {
    let play = Play::begin(62).await;
    let house = House::open(play.engine(), Limits::default()).await;
    let token = bearer(&rich(play.engine()).await);
    for path in ["/api/v1/searches", "/api/v1/listings", "/api/v1/openapi.json", "/healthz", "/"] {
        let get = house.ask("GET", path, &[&token], "").await;
        let head = house.ask("HEAD", path, &[&token], "").await;
        assert_eq!((head.status, head.body.as_str()), (get.status, ""), "{path}");
        for name in ["content-type", "content-length", "etag", "cache-control"] {
            assert_eq!(head.header(name), get.header(name), "{path} {name}");
        }
        let tag = get.header("etag");
        assert_eq!(tag.is_some(), path.starts_with("/api/v1/"), "{path}");
        let Some(tag) = tag else { continue };
        for (known, status) in [
            (tag.to_owned(), 304),
            (format!("W/{tag}"), 304),
            (format!("\"other\", {tag}"), 304),
            ("*".to_owned(), 304),
            (tag.trim_matches('"').to_owned(), 200),
            ("\"other\"".to_owned(), 200),
        ] {
            let line = format!("If-None-Match: {known}");
            let answer = house.ask("GET", path, &[&token, &line], "").await;
            assert_eq!(answer.status, status, "{path} {known}");
            assert_eq!(answer.header("etag"), Some(tag), "{path} {known}");
        }
    }
    house.close().await;
    play.end().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_request_in_the_body_of_another_is_never_served() {
    let play = Play::begin(63).await;
    let house = House::open(play.engine(), Limits::default()).await;
    let token = bearer(&rich(play.engine()).await);
    let host = format!("Host: 127.0.0.1:{}\r\n{token}\r\n", house.port);
    let inner = format!("DELETE /api/v1/searches/1 HTTP/1.1\r\n{host}\r\n");
    let length = format!("Content-Length: {}\r\n", inner.len());
    let chunks = "Transfer-Encoding: chunked\r\n";
    let chunked = format!("{:x}\r\n{inner}\r\n0\r\n\r\n", inner.len());
    for (name, raw) in [
        ("a body of a GET", format!("GET /healthz HTTP/1.1\r\n{host}{length}\r\n{inner}")),
        (
            "both lengths",
            format!("POST /healthz HTTP/1.1\r\n{host}Content-Length: 5\r\n{chunks}\r\n{chunked}"),
        ),
        (
            "chunks of another name",
            format!("POST /healthz HTTP/1.1\r\n{host}Transfer-Encoding: xchunked\r\n\r\n{chunked}"),
        ),
        (
            "chunked not last",
            format!(
                "POST /healthz HTTP/1.1\r\n{host}Transfer-Encoding: chunked, identity\r\n\r\n{chunked}"
            ),
        ),
        (
            "a length with a sign",
            format!(
                "POST /healthz HTTP/1.1\r\n{host}Content-Length: +{}\r\n\r\n{inner}",
                inner.len()
            ),
        ),
        (
            "a space before the colon",
            format!(
                "POST /healthz HTTP/1.1\r\n{host}Content-Length : {}\r\n\r\n{inner}",
                inner.len()
            ),
        ),
        (
            "a folded line",
            format!("POST /healthz HTTP/1.1\r\n{host}X: a\r\n Content-Length: 5\r\n\r\n{inner}"),
        ),
        (
            "a wrong host, then more",
            format!("GET /healthz HTTP/1.1\r\nHost: evil.example\r\n\r\n{inner}"),
        ),
        (
            "a foreign page, then more",
            format!("GET /healthz HTTP/1.1\r\n{host}Origin: http://evil.example\r\n\r\n{inner}"),
        ),
    ] {
        let mut stream = house.raw(&raw).await;
        drop(tokio::io::AsyncWriteExt::shutdown(&mut stream).await);
        let mut text = String::new();
        drop(stream.read_to_string(&mut text).await);
        let answers = text.matches("HTTP/1.1 ").count();
        assert!(answers <= 1, "{name}: {text}");
        // There is no search 1: a DELETE that got through is 404 with these words.
        assert!(!text.contains("not_found"), "{name}: {text}");
    }
    for raw in ["CONNECT 127.0.0.1:1 HTTP/1.1\r\n", "OPTIONS * HTTP/1.1\r\n", "GET * HTTP/1.1\r\n"]
    {
        let stream = house.raw(&format!("{raw}{host}Connection: close\r\n\r\n")).await;
        let answer = Answer::read(stream).await;
        assert!((400..500).contains(&answer.status), "{raw} {}", answer.head);
    }
    assert_eq!(house.ask("GET", "/healthz", &[], "").await.status, 200);
    house.close().await;
    play.end().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn only_what_is_in_the_folder_of_the_interface_is_given() {
    let play = Play::begin(64).await;
    let folder = tempfile::tempdir().expect("a folder");
    let ui = folder.path().join("ui");
    std::fs::create_dir_all(ui.join("assets")).expect("made");
    for (name, text) in
        [("secret", "SECRET"), ("ui/index.html", "<head></head>"), ("ui/assets/a.js", "1")]
    {
        std::fs::write(folder.path().join(name), text).expect("written");
    }
    let house = House::open_with(play.engine(), Limits::default(), Ui::Folder(ui)).await;
    let script = house.ask("GET", "/assets/a.js", &[], "").await;
    assert_eq!((script.status, script.body.as_str()), (200, "1"));
    let outside = folder.path().join("secret");
    for path in [
        "/../secret",
        "/assets/../../secret",
        "/assets/..%2f..%2fsecret",
        "/%2e%2e/secret",
        "/..\\secret",
        "/./../secret",
        "//../secret",
        "/assets/",
        "/assets",
        "/secret%00.js",
        outside.to_str().expect("text"),
        &format!("/{}", outside.display()),
    ] {
        let answer = house.ask("GET", path, &[], "").await;
        assert_eq!(answer.status, 404, "{path}");
        assert!(!answer.body.contains("SECRET"), "{path}");
    }
    house.close().await;
    play.end().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_forged_cursor_gives_some_of_ones_own_list_and_never_what_is_left_out() {
    let play = Play::begin(65).await;
    play.add("waterveen").await;
    play.until_checked(1, 12).await;
    let hide = ListingMarks { hidden: Some(true), ..Default::default() };
    let hidden = firstknock_listing::ListingId(5);
    play.engine()
        .store()
        .run(move |store| store.mark_listing(hidden, &hide))
        .await
        .expect("hidden");
    let house = House::open(play.engine(), Limits::default()).await;
    let token = rich(play.engine()).await;
    for cursor in [
        "n.7",
        "7.7",
        "-1.-1",
        "0.0",
        "9223372036854775807.9223372036854775807",
        "-9223372036854775808.-9223372036854775808",
        "n.0",
        "%2B5.7",
        "9223372036854775808.1",
        "n",
        ".",
        "1.",
        ".1",
        "1.2.3",
        "x.1",
        "1.x",
        "' OR 1=1",
        "%00",
    ] {
        for sort in ["newest", "cheapest", "largest"] {
            let path =
                format!("/api/v1/listings?sort={sort}&cursor={}", cursor.replace(' ', "%20"));
            let answer = house.get(&path, &token).await;
            if answer.status == 422 {
                assert_eq!(answer.code(), "out_of_range");
                continue;
            }
            assert_eq!(answer.status, 200, "{path}: {}", answer.body);
            let page = answer.json();
            let rows = page["listings"].as_array().expect("rows");
            assert!(rows.iter().all(|row| row["id"] != 5), "{path}");
            assert_eq!(page["total"], 11);
        }
    }
    house.close().await;
    play.end().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_metrics_are_read_by_the_parser_of_prometheus() {
    let Some(python) = std::env::var_os("FIRSTKNOCK_TEST_PYTHON") else {
        println!("skipped: no Python of the tests (FIRSTKNOCK_TEST_PYTHON)");
        return;
    };
    let play = Play::begin(66).await;
    play.add("waterveen").await;
    play.until_checked(1, 12).await;
    let house = House::open(play.engine(), Limits::default()).await;
    let token = rich(play.engine()).await;
    let folder = tempfile::tempdir().expect("a folder");
    for path in ["/metrics", "/api/v1/metrics"] {
        let answer = house.get(path, &token).await;
        let kind = "text/plain; version=0.0.4; charset=utf-8";
        assert_eq!((answer.status, answer.header("content-type")), (200, Some(kind)));
        let file = folder.path().join("metrics.txt");
        std::fs::write(&file, &answer.body).expect("written");
        let python = python.clone();
        let read = tokio::task::spawn_blocking(move || {
            let program = "import sys\n\
                from prometheus_client.parser import text_string_to_metric_families as read\n\
                for it in read(open(sys.argv[1]).read()):\n\
                \x20   assert it.documentation and len(it.samples) == 1, it\n\
                \x20   print(it.name, it.type, it.samples[0].value)\n";
            std::process::Command::new(python).args(["-c", program]).arg(file).output()
        });
        let read = read.await.expect("it ends").expect("Python runs");
        let said = String::from_utf8_lossy(&read.stdout).into_owned();
        assert!(read.status.success(), "{}", String::from_utf8_lossy(&read.stderr));
        assert_eq!(said.lines().count(), answer.body.matches("# TYPE").count());
        assert!(said.contains("firstknock_searches gauge 1\n"), "{said}");
        assert!(said.contains("firstknock_watching gauge 1\n"), "{said}");
    }
    house.close().await;
    play.end().await;
}
