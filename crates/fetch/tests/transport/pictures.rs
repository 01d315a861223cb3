//! Pictures: what is asked, what is refused before and after asking.

use std::time::Duration;

use firstknock_fetch::{Config, HttpFetch, LARGEST_PICTURE, NoPicture, Picture, PictureRequest};
use firstknock_listing::HostKey;
use firstknock_policy::{Kind, Outcome, Reason};
use jiff::Timestamp;
use url::Url;

use crate::site::{Reply, Site, Then, client, config, html, raw, reply};

/// The first bytes of a JPEG are enough here: nobody draws it.
const JPEG: &[u8] = b"\xff\xd8\xff\xe0 a picture";

fn picture() -> Reply {
    reply("200 OK", &["content-type: image/jpeg", "set-cookie: id=1; Path=/"], JPEG)
}

async fn ask(client: &HttpFetch, page: &str, url: Url) -> Picture {
    let page = HostKey::of(&page.parse().unwrap()).unwrap();
    let request = PictureRequest { url, page, deadline: Duration::from_millis(800) };
    client.picture(&request, Timestamp::UNIX_EPOCH).await
}

/// From a page of the user's own machine.
async fn at_home(site: &Site, path: &str) -> Picture {
    ask(&client(), "http://localhost:1/", site.url(path)).await
}

fn nothing(picture: &Picture) -> Option<NoPicture> {
    match picture {
        Picture::None(why) => Some(*why),
        Picture::Bytes(_) | Picture::Failed(_) => None,
    }
}

#[tokio::test]
async fn a_picture_is_asked_without_cookies_and_referer_and_says_what_it_can_draw() {
    let site = Site::new(|_, _| picture()).await;
    let client = client();
    for _ in 0..2 {
        let page = "http://localhost:1/";
        let Picture::Bytes(bytes) = ask(&client, page, site.url("/a.jpg")).await else {
            panic!("a picture")
        };
        assert_eq!(bytes, JPEG);
    }
    for head in site.seen() {
        let head = head.to_lowercase();
        assert!(head.contains("user-agent: firstknock/"), "{head}");
        assert!(head.contains("accept: image/jpeg, image/webp"), "{head}");
        assert!(!head.contains("cookie:") && !head.contains("referer:"), "{head}");
    }
}

#[tokio::test]
async fn a_public_page_has_no_pictures_at_private_addresses() {
    let site = Site::new(|_, _| picture()).await;
    let names = vec![("pictures.example".to_owned(), vec![site.address])];
    let client = HttpFetch::new(Config { fixed_names: names, ..config() }).unwrap();
    let port = site.address.port();
    for url in [format!("http://127.0.0.1:{port}/"), format!("http://pictures.example:{port}/")] {
        let got = ask(&client, "https://rooms.example/list", url.parse().unwrap()).await;
        assert_eq!(nothing(&got), Some(NoPicture::NotOurs), "{url}: {got:?}");
    }
    assert_eq!(site.connections(), 0, "nobody was asked");
    let home = ask(&client, "http://kamers.localhost:5/", site.url("/a.jpg")).await;
    assert!(matches!(home, Picture::Bytes(_)), "a page at home may: {home:?}");
}

#[tokio::test]
async fn redirects_are_followed_as_long_as_they_stay_on_the_web() {
    let site = Site::new(|_, head| {
        let to = |place: &str| reply("302 Found", &[&format!("location: {place}")], "");
        match head.split(' ').nth(1).unwrap() {
            "/two" => to("/one"),
            "/one" => to("/a.jpg"),
            "/file" => to("file:///etc/hostname"),
            "/data" => to("data:image/gif;base64,R0lGODlhAQABAAAAACw="),
            "/ftp" => to("ftp://127.0.0.1/a.jpg"),
            "/round" => to("/round"),
            _ => picture(),
        }
    })
    .await;
    assert!(matches!(at_home(&site, "/two").await, Picture::Bytes(_)));
    for path in ["/file", "/data", "/ftp"] {
        assert_eq!(nothing(&at_home(&site, path).await), Some(NoPicture::NotOurs), "{path}");
    }
    assert_eq!(nothing(&at_home(&site, "/round").await), Some(NoPicture::Gone));
}

#[tokio::test]
async fn what_is_no_picture_is_known_without_blame_for_the_host() {
    let site = Site::new(|_, head| match head.split(' ').nth(1).unwrap() {
        "/gone" => reply("404 Not Found", &["content-type: text/html"], "<h1>no</h1>"),
        "/left" => reply("410 Gone", &[], ""),
        "/page" => html("<html><body><p>Our homes</p></body></html>"),
        "/svg" => reply("200 OK", &["content-type: image/svg+xml"], "<svg/>"),
        "/film" => reply("200 OK", &["content-type: video/mp4"], "film"),
        "/huge" => {
            let size = format!("content-length: {}", LARGEST_PICTURE + 1);
            raw(
                format!("HTTP/1.1 200 OK\r\ncontent-type: image/jpeg\r\n{size}\r\n\r\n"),
                Then::Hang,
            )
        }
        "/endless" => {
            let head = "HTTP/1.1 200 OK\r\ncontent-type: image/jpeg\r\n\r\n";
            let block = "x".repeat(64 * 1024);
            raw(format!("{head}{block}"), Then::RepeatFrom(head.len()))
        }
        path => panic!("{path}"),
    })
    .await;
    for (path, why) in [
        ("/gone", NoPicture::Gone),
        ("/left", NoPicture::Gone),
        ("/page", NoPicture::NotAPicture),
        ("/svg", NoPicture::NotAPicture),
        ("/film", NoPicture::NotAPicture),
        ("/huge", NoPicture::TooLarge),
        ("/endless", NoPicture::TooLarge),
    ] {
        assert_eq!(nothing(&at_home(&site, path).await), Some(why), "{path}");
    }
}

#[tokio::test]
async fn a_wall_in_a_pictures_place_is_a_wall_and_silence_is_trouble() {
    let site = Site::new(|_, head| match head.split(' ').nth(1).unwrap() {
        "/denied" => reply("403 Forbidden", &["content-type: image/jpeg"], ""),
        "/slower" => reply("429 Too Many Requests", &["retry-after: 30"], ""),
        "/broken" => reply("503 Service Unavailable", &[], ""),
        _ => raw("", Then::Hang),
    })
    .await;
    let kind = |picture: Picture| match picture {
        Picture::Failed(Outcome::Wall(wall)) => Some(wall.kind),
        _ => None,
    };
    assert_eq!(kind(at_home(&site, "/denied").await), Some(Kind::Denied));
    assert_eq!(kind(at_home(&site, "/slower").await), Some(Kind::RateLimited));
    for path in ["/broken", "/silent"] {
        let before = site.seen().len();
        let got = at_home(&site, path).await;
        assert!(matches!(got, Picture::Failed(_)), "{path}: {got:?}");
        assert_eq!(site.seen().len(), before + 1, "{path}: one try");
    }
    let Picture::Failed(Outcome::Trouble(trouble)) = at_home(&site, "/silent").await else {
        panic!("trouble")
    };
    assert_eq!(trouble.reason, Reason::Timeout);
}
