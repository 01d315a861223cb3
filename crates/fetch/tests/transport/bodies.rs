//! Bodies that are cut, bloated, endless or oddly encoded, from real servers on loopback.
use std::io::Write;
use std::time::Duration;

use crate::site::{Reply, Site, Then, asking, client, config, failure, html, page, raw, reply};
use firstknock_fetch::{Config, Fetched, HttpFetch};
use firstknock_policy::Reason;

fn gzip(text: &[u8]) -> Vec<u8> {
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::best());
    encoder.write_all(text).unwrap();
    encoder.finish().unwrap()
}

fn zipped(body: &[u8]) -> Reply {
    reply("200 OK", &["content-type: text/html", "content-encoding: gzip"], body)
}

#[tokio::test]
async fn a_gzip_body_is_decoded() {
    let site = Site::new(|_, _| zipped(&gzip(b"<p>24 homes</p>"))).await;
    let page = page(&client(), site.url("/")).await;
    assert_eq!(page.body, "<p>24 homes</p>");
    assert_eq!(page.bytes, 15);
}

#[tokio::test]
async fn a_gzip_body_cut_in_half_is_truncated_and_not_a_page() {
    let site = Site::new(|_, _| {
        let whole = gzip("<p>home</p>".repeat(999).as_bytes());
        zipped(&whole[..whole.len() / 2])
    })
    .await;
    let failure = failure(&client(), &asking(site.url("/"))).await;
    assert_eq!(failure.reason, Reason::Truncated);
    assert_eq!(failure.status, Some(200));
    assert_eq!(site.seen().len(), 1, "bytes that make no sense are not asked for again");
}

#[tokio::test]
async fn a_gzip_body_without_its_checksum_or_with_none_at_all_is_truncated() {
    let site = Site::new(|_, head| {
        let whole = gzip(b"<p>home</p>");
        match head.starts_with("GET /trailer") {
            true => zipped(&whole[..whole.len() - 8]),
            false => zipped(b"<p>not gzip at all</p>"),
        }
    })
    .await;
    for path in ["/trailer", "/plain"] {
        let failure = failure(&client(), &asking(site.url(path))).await;
        assert_eq!(failure.reason, Reason::Truncated, "{path}: {failure:?}");
    }
}

#[tokio::test]
async fn a_small_gzip_that_inflates_without_end_stops_at_the_cap() {
    let bomb = gzip(&vec![b' '; 20 * 1024 * 1024]);
    assert!(bomb.len() < 100_000);
    let site = Site::new(move |_, _| zipped(&bomb)).await;
    let failure = failure(&client(), &asking(site.url("/"))).await;
    assert_eq!(failure.reason, Reason::TooLarge);
}

#[tokio::test]
async fn a_bomb_on_a_refusal_does_not_hide_the_refusal() {
    let bomb = gzip(&vec![b' '; 20 * 1024 * 1024]);
    let site = Site::new(move |_, _| {
        reply("403 Forbidden", &["content-type: text/html", "content-encoding: gzip"], &bomb)
    })
    .await;
    let page = page(&client(), site.url("/")).await;
    assert_eq!(page.status, Some(403));
    assert!(page.bytes <= 1024 * 1024);
}

#[tokio::test]
async fn a_body_that_never_ends_stops_at_the_cap() {
    let site = Site::new(|_, _| {
        let head =
            "HTTP/1.1 200 OK\r\ncontent-type: text/html\r\ntransfer-encoding: chunked\r\n\r\n";
        let chunk = format!("8000\r\n{}\r\n", "x".repeat(0x8000));
        raw(format!("{head}{chunk}"), Then::RepeatFrom(head.len()))
    })
    .await;
    let small = HttpFetch::new(Config { largest_body: 1024 * 1024, ..config() }).unwrap();
    let failure = failure(&small, &asking(site.url("/"))).await;
    assert_eq!(failure.reason, Reason::TooLarge);
}

#[tokio::test]
async fn headers_and_then_nothing_end_at_the_deadline() {
    let site = Site::new(|_, _| {
        raw("HTTP/1.1 200 OK\r\ncontent-type: text/html\r\ncontent-length: 9\r\n\r\n", Then::Hang)
    })
    .await;
    let mut request = asking(site.url("/"));
    request.deadline = Duration::from_millis(300);
    let failure = failure(&client(), &request).await;
    assert_eq!((failure.reason, failure.status), (Reason::Timeout, Some(200)));
    assert_eq!(site.seen().len(), 1, "a deadline is not tried again");
}

#[tokio::test]
async fn a_server_that_says_nothing_ends_at_the_deadline() {
    let site = Site::new(|_, _| raw("", Then::Hang)).await;
    let mut request = asking(site.url("/"));
    request.deadline = Duration::from_millis(300);
    let failure = failure(&client(), &request).await;
    assert_eq!((failure.reason, failure.status), (Reason::Timeout, None));
}

#[tokio::test]
async fn a_body_shorter_than_promised_is_asked_for_once_more() {
    let site = Site::new(|n, _| match n {
        0 => raw(
            "HTTP/1.1 200 OK\r\ncontent-type: text/html\r\ncontent-length: 99\r\n\r\nhalf",
            Then::Close,
        ),
        _ => html("whole"),
    })
    .await;
    let page = page(&client(), site.url("/")).await;
    assert_eq!((page.body.as_str(), page.retried), ("whole", true));
    assert_eq!(site.seen().len(), 2);
}

#[tokio::test]
async fn a_body_that_is_always_cut_is_truncated_after_two_tries() {
    let cuts = [
        "HTTP/1.1 200 OK\r\ncontent-type: text/html\r\ncontent-length: 99\r\n\r\nhalf",
        "HTTP/1.1 200 OK\r\ncontent-type: text/html\r\ntransfer-encoding: chunked\r\n\r\n4\r\nhalf\r\n",
        "HTTP/1.1 200 OK\r\ncontent-type: text/html\r\ntransfer-encoding: chunked\r\n\r\nzz\r\nhalf\r\n",
        "HTTP/1.1 200 OK\r\ncontent-type: text/html\r\nconnection: close\r\n\r\n<html><body><p>ha",
        "HTTP/1.0 200 OK\r\ncontent-type: text/html\r\n\r\n<html><body><p>ha",
    ];
    for cut in cuts {
        let site = Site::new(move |_, _| raw(cut, Then::Close)).await;
        let failure = failure(&client(), &asking(site.url("/"))).await;
        assert_eq!(failure.reason, Reason::Truncated, "{cut}: {failure:?}");
        assert_eq!(site.seen().len(), 2, "{cut}");
    }
}

#[tokio::test]
async fn a_whole_page_that_only_the_closing_connection_ends_is_a_page() {
    let site = Site::new(|_, _| {
        raw(
            "HTTP/1.1 200 OK\r\ncontent-type: text/html\r\nconnection: close\r\n\r\n\
             <html><body><p>all</p></body></html>\n",
            Then::Close,
        )
    })
    .await;
    assert!(page(&client(), site.url("/")).await.body.contains("all"));
}

#[tokio::test]
async fn a_charset_that_only_the_page_itself_names_is_honoured() {
    let site =
        Site::new(|_, _| html(b"<meta charset=iso-8859-1><p>Stra\xdfe, 900 m\xb2</p>")).await;
    let page = page(&client(), site.url("/")).await;
    assert!(page.body.contains("Straße, 900 m²"), "{}", page.body);
}

#[tokio::test]
async fn a_picture_or_a_download_is_not_read_at_all() {
    let cases = [
        ("content-type: image/png", "picture"),
        ("content-type: application/pdf", "%PDF-1.4"),
        ("content-type: application/octet-stream", "bytes"),
        ("x-nothing: said", "%PDF-1.4 x"),
        ("x-nothing: said", "a\0b"),
    ];
    for (header, body) in cases {
        let site = Site::new(move |_, _| reply("200 OK", &[header], body)).await;
        let page = page(&client(), site.url("/")).await;
        assert!(!page.readable, "{header} {body}");
    }
    for kind in ["application/json", "text/plain", "application/rss+xml", "text/html"] {
        let header = format!("content-type: {kind}; charset=utf-8");
        let site = Site::new(move |_, _| reply("200 OK", &[&header], "{}")).await;
        let page = page(&client(), site.url("/")).await;
        assert!(page.readable && page.body == "{}", "{kind}");
    }
}

#[tokio::test]
async fn the_hash_is_of_the_body_and_nothing_else() {
    let site = Site::new(|n, head| {
        let count = format!("x-request: {n}");
        let body = if head.starts_with("GET /other") { "two" } else { "one" };
        reply("200 OK", &["content-type: text/html", &count], body)
    })
    .await;
    let client = client();
    let first = page(&client, site.url("/")).await;
    let again = page(&client, site.url("/")).await;
    let other = page(&client, site.url("/other")).await;
    assert_eq!(first.body_hash, again.body_hash);
    assert_ne!(first.body_hash, other.body_hash);
}

#[tokio::test]
async fn marks_of_a_version_are_sent_back_and_304_is_no_page() {
    let site = Site::new(|_, head| {
        let asked = head.to_ascii_lowercase();
        if asked.contains("if-none-match: \"v1\"")
            && asked.contains("if-modified-since: mon, 01 jun 2026 10:00:00 gmt")
        {
            return raw("HTTP/1.1 304 Not Modified\r\n\r\n", Then::KeepOpen);
        }
        let marks = [
            "content-type: text/html",
            "ETag: \"v1\"",
            "Last-Modified: Mon, 01 Jun 2026 10:00:00 GMT",
        ];
        reply("200 OK", &marks, "one")
    })
    .await;
    let client = client();
    let first = page(&client, site.url("/")).await;
    let mut request = asking(site.url("/"));
    request.validators = first.validators.clone();
    let Fetched::NotModified(page) = site_fetch(&client, &request).await else {
        panic!("the marks were not sent")
    };
    assert_eq!(page.status, Some(304));
    assert_eq!(page.validators, first.validators, "kept for the next request");
}

async fn site_fetch(client: &HttpFetch, request: &firstknock_fetch::Request) -> Fetched {
    firstknock_fetch::Fetch::fetch(client, request).await
}
