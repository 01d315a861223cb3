//! Redirects, cookies, headers and connections, against real servers on loopback.
use std::time::Duration;

use crate::site::{Reply, Site, Then, asking, client, config, failure, html, page, raw, reply};
use firstknock_fetch::{Fetched, HttpFetch, Request, classify};
use firstknock_listing::{HostKey, PageSigns};
use firstknock_policy::{Outcome, Reason};

fn to(status: &str, location: &str, headers: &[&str]) -> Reply {
    let location = format!("location: {location}");
    let mut lines = vec![location.as_str()];
    lines.extend_from_slice(headers);
    reply(status, &lines, "moved")
}

fn verdict(request: &Request, fetched: &Fetched) -> Outcome {
    classify(&request.url, fetched, &PageSigns::default(), jiff::Timestamp::now()).outcome
}

#[tokio::test]
async fn the_headers_are_exactly_these_honest_ones_and_no_others() {
    let site = Site::new(|_, _| html("hello")).await;
    page(&client(), site.url("/rooms?max=900#top")).await;
    let version = env!("CARGO_PKG_VERSION");
    let want = format!(
        "GET /rooms?max=900 HTTP/1.1\r\n\
         user-agent: Firstknock/{version} (personal rental alert)\r\n\
         accept: text/html,application/xhtml+xml,application/xml;q=0.9,application/json;q=0.9,*/*;q=0.8\r\n\
         accept-language: nl, de;q=0.9, en;q=0.8\r\n\
         accept-encoding: zstd,gzip,deflate,br\r\n\
         host: {}\r\n\r\n",
        site.address
    );
    let mut want: Vec<&str> = want.split("\r\n").collect();
    let seen = site.seen();
    let mut seen: Vec<&str> = seen[0].split("\r\n").collect();
    want.sort_unstable();
    seen.sort_unstable();
    assert_eq!(seen, want);
}

#[tokio::test]
async fn a_circle_of_redirects_without_cookies_is_a_loop() {
    let site = Site::new(|n, _| match n % 2 {
        0 => to("302 Found", "/b", &[]),
        _ => to("302 Found", "/a", &[]),
    })
    .await;
    let request = asking(site.url("/a"));
    let fetched = Fetched::Failed(failure(&client(), &request).await);
    let Outcome::Trouble(trouble) = verdict(&request, &fetched) else { panic!("{fetched:?}") };
    assert_eq!(trouble.reason, Reason::RedirectLoop);
    assert!(site.seen().len() <= 11);
}

#[tokio::test]
async fn ever_new_addresses_end_after_ten_hops() {
    let site = Site::new(|n, _| to("302 Found", &format!("/{n}"), &[])).await;
    let failure = failure(&client(), &asking(site.url("/a"))).await;
    assert_eq!((failure.reason, failure.cookie_guard), (Reason::RedirectLoop, false));
    assert_eq!(site.seen().len(), 11, "the first request and ten hops");
}

#[tokio::test]
async fn a_circle_in_which_every_hop_sets_a_cookie_is_a_guards_check() {
    let site = Site::new(|n, _| to("302 Found", "/a", &[&format!("set-cookie: guard={n}")])).await;
    let request = asking(site.url("/a"));
    let fetched = Fetched::Failed(failure(&client(), &request).await);
    let outcome = verdict(&request, &fetched);
    assert_eq!((outcome.verdict(), outcome.reason()), ("challenge", Reason::BrowserCheck));
}

#[tokio::test]
async fn a_guard_that_is_content_with_its_cookie_is_passed_by_itself() {
    let site = Site::new(|_, head| match head.contains("cookie: seen=1") {
        true => html("24 homes"),
        false => to("302 Found", "/a", &["set-cookie: seen=1; Path=/"]),
    })
    .await;
    let page = page(&client(), site.url("/a")).await;
    assert_eq!((page.body.as_str(), page.hops.len()), ("24 homes", 1));
}

#[tokio::test]
async fn cookies_are_kept_per_host_exported_imported_and_cleared() {
    let site = Site::new(|_, _| {
        reply("200 OK", &["content-type: text/html", "set-cookie: id=tasty; Path=/; HttpOnly"], "x")
    })
    .await;
    let host = HostKey::of(&site.url("/")).unwrap();
    let first = client();
    page(&first, site.url("/")).await;
    page(&first, site.url("/")).await;
    assert!(site.seen()[1].contains("cookie: id=tasty\r\n"), "{}", site.seen()[1]);
    let saved = first.sessions().export_changed(&host).unwrap();
    assert_eq!(first.sessions().hosts(), std::slice::from_ref(&host));
    assert!(!format!("{first:?}").contains("tasty"), "a secret in Debug");

    let second = client();
    second.sessions().import(&host, &saved).unwrap();
    page(&second, site.url("/")).await;
    assert!(site.seen()[2].contains("cookie: id=tasty\r\n"), "a restart keeps the session");

    second.sessions().clear(&host);
    page(&second, site.url("/")).await;
    assert!(!site.seen()[3].contains("cookie:"), "the next request uses no old cookie");
    assert!(second.sessions().import(&host, "{nonsense").is_err());
}

#[tokio::test]
async fn a_cookie_never_crosses_to_another_asked_host() {
    let other = Site::new(|_, _| html("other")).await;
    let there = format!("http://other.example:{}/", other.address.port());
    let away = there.clone();
    let site =
        Site::new(move |_, _| to("302 Found", &away, &["set-cookie: id=tasty; Path=/"])).await;
    let mut names = config();
    names.fixed_names = vec![
        ("rooms.example".into(), vec![site.address]),
        ("other.example".into(), vec![other.address]),
    ];
    let client = HttpFetch::new(names).unwrap();
    let rooms: url::Url =
        format!("http://rooms.example:{}/a", site.address.port()).parse().unwrap();
    page(&client, rooms.clone()).await;
    page(&client, rooms).await;
    page(&client, there.parse().unwrap()).await;
    assert!(site.seen()[1].contains("tasty"));
    assert_eq!(other.seen().len(), 3);
    for head in other.seen() {
        assert!(!head.contains("tasty"), "{head}");
    }
}

#[tokio::test]
async fn a_cookie_for_a_whole_public_suffix_is_not_kept() {
    let mut names = config();
    let site = Site::new(|_, _| {
        reply(
            "200 OK",
            &[
                "content-type: text/html",
                "set-cookie: wide=1; Domain=co.uk",
                "set-cookie: fine=1; Domain=rooms.co.uk",
            ],
            "x",
        )
    })
    .await;
    names.fixed_names = vec![("www.rooms.co.uk".into(), vec![site.address])];
    let client = HttpFetch::new(names).unwrap();
    let url: url::Url = format!("http://www.rooms.co.uk:{}/", site.address.port()).parse().unwrap();
    page(&client, url.clone()).await;
    page(&client, url).await;
    assert!(site.seen()[1].contains("cookie: fine=1\r\n"), "{}", site.seen()[1]);
}

#[tokio::test]
async fn a_permanent_move_is_told_and_a_passing_one_is_not() {
    let site = Site::new(|_, head| match head.split(' ').nth(1) {
        Some("/old") => to("301 Moved Permanently", "/new", &[]),
        Some("/today") => to("302 Found", "/new", &[]),
        Some("/mixed") => to("308 Permanent Redirect", "/today", &[]),
        _ => html("here"),
    })
    .await;
    let client = client();
    assert_eq!(page(&client, site.url("/old")).await.moved_to, Some(site.url("/new")));
    assert_eq!(page(&client, site.url("/today")).await.moved_to, None);
    assert_eq!(page(&client, site.url("/mixed")).await.moved_to, None);
    assert_eq!(page(&client, site.url("/new")).await.moved_to, None);
}

#[tokio::test]
async fn a_stranger_who_answers_is_an_error_and_never_an_address() {
    let portal = Site::new(|_, _| html("Welcome to our hotel")).await;
    let there = portal.url("/welcome");
    let site = Site::new(move |_, _| to("301 Moved Permanently", there.as_str(), &[])).await;
    let request = asking(site.url("/rooms"));
    let fetched = Fetched::Page(page(&client(), site.url("/rooms")).await);
    assert_eq!(verdict(&request, &fetched).reason(), Reason::ForeignHost);
}

#[tokio::test]
async fn a_redirect_that_asks_for_a_long_pause_is_not_followed() {
    let site = Site::new(|_, _| to("307 Temporary Redirect", "/b", &["retry-after: 600"])).await;
    let request = asking(site.url("/a"));
    let fetched = Fetched::Page(page(&client(), site.url("/a")).await);
    assert_eq!(site.seen().len(), 1);
    let Outcome::Trouble(trouble) = verdict(&request, &fetched) else { panic!("{fetched:?}") };
    assert_eq!(trouble.retry_after, Some(Duration::from_secs(600)));
}

#[tokio::test]
async fn a_redirect_without_a_location_or_out_of_the_web_is_an_answer_of_its_own() {
    for location in ["x-none: 1", "location: mailto:someone@rooms.example", "location: intent://x"]
    {
        let site = Site::new(move |_, _| reply("307 Temporary Redirect", &[location], "")).await;
        assert_eq!(page(&client(), site.url("/")).await.status, Some(307), "{location}");
    }
}

#[tokio::test]
async fn one_connection_per_host_is_used_again() {
    let site = Site::new(|_, head| match head.starts_with("GET /a ") {
        true => to("302 Found", "/b", &[]),
        false => html("here"),
    })
    .await;
    let client = client();
    for path in ["/a", "/b", "/b"] {
        page(&client, site.url(path)).await;
    }
    assert_eq!((site.connections(), site.seen().len()), (1, 4));
}

#[tokio::test]
async fn a_status_is_never_tried_again() {
    for status in ["429 Too Many Requests", "503 Service Unavailable", "500 Oops", "403 Forbidden"]
    {
        let site = Site::new(move |_, _| reply(status, &["content-type: text/html"], "no")).await;
        page(&client(), site.url("/")).await;
        assert_eq!(site.seen().len(), 1, "{status}");
    }
}

#[tokio::test]
async fn a_server_that_closes_before_any_byte_is_asked_once_more_and_not_twice() {
    let site = Site::new(|n, _| match n {
        0 => raw("", Then::Close),
        _ => html("here"),
    })
    .await;
    let page = page(&client(), site.url("/")).await;
    assert!(page.retried && page.body == "here");

    let dead = Site::new(|_, _| raw("", Then::Close)).await;
    let failure = failure(&client(), &asking(dead.url("/"))).await;
    assert_eq!((failure.reason, failure.retried), (Reason::Network, true));
    assert_eq!(dead.seen().len(), 2);
}

#[tokio::test]
async fn the_quick_retry_serves_the_whole_check_and_not_each_hop() {
    let site = Site::new(|n, _| match n {
        0 => raw("", Then::Close),
        1 => to("302 Found", "/b", &[]),
        _ => raw("", Then::Close),
    })
    .await;
    let failure = failure(&client(), &asking(site.url("/a"))).await;
    assert_eq!(failure.reason, Reason::Network);
    assert_eq!(site.seen().len(), 3);
}
