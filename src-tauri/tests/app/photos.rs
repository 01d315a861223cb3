//! Photos of listings in the real window: through the app's own scheme, and gone with their switch.

use firstknock_rehearsal::Dice;
use firstknock_rehearsal::street::{Markup, Site};
use serde_json::json;
use thirtyfour::prelude::*;

use crate::app::{Driven, PATIENCE};
use crate::stage::{Stage, until};

#[tokio::test]
async fn photos_come_into_the_list_by_themselves_and_only_the_app_asks_for_them() {
    let stage = Stage::new();
    let site = Site::open("grachtenhuur", Markup::Cards, Dice::new(9), 6).await.unwrap();
    let app = Driven::start(&stage).await;
    let id = app.add_search(&site.plain_url("utrecht"), "plain").await;
    app.row_in(id, &["ok"]).await;
    show_listings(&app, "light").await;
    let sources = until("two photos", PATIENCE * 2, async || {
        Some(photos(&app).await).filter(|sources| sources.len() >= 2)
    })
    .await;
    for source in &sources {
        assert!(source.starts_with("firstknock-image://"), "{source}");
        assert!(!source.contains("127.0.0.1") && !source.contains("foto"), "{source}");
    }
    app.picture("listings-photos-light").await;
    let asked: Vec<_> =
        site.requests().into_iter().filter(|r| r.path.starts_with("/foto/")).collect();
    assert!(asked.iter().all(|r| r.agent.starts_with("Firstknock/")), "{asked:?}");
    for (at, request) in asked.iter().enumerate() {
        assert!(asked[..at].iter().all(|r| r.path != request.path), "twice: {}", request.path);
    }

    // From the album, without the site.
    site.photos(firstknock_rehearsal::street::Photos::Other {
        status: 404,
        headers: Vec::new(),
        body: Vec::new(),
    });
    show_listings(&app, "dark").await;
    until("the same photos", PATIENCE, async || {
        Some(photos(&app).await).filter(|again| again.len() >= sources.len())
    })
    .await;
    app.picture("listings-photos-dark").await;

    let mut settings = app.call("get_settings", json!({})).await;
    settings["photos"] = json!(false);
    app.call("put_settings", settings).await;
    show_listings(&app, "off").await;
    app.element("listing-row").await;
    assert_eq!(photos(&app).await, Vec::<String>::new());
    app.end().await;
}

#[tokio::test]
async fn a_preview_shows_photos_before_anything_is_watched() {
    let stage = Stage::new();
    let site = Site::open("grachtenhuur", Markup::Cards, Dice::new(9), 6).await.unwrap();
    let app = Driven::start(&stage).await;
    let field = app.element("search-url").await;
    field.send_keys(site.plain_url("utrecht")).await.unwrap();
    field.send_keys(Key::Enter + "").await.unwrap();
    app.element_that_says("preview-count", "6").await;
    let sources = until("a photo in the preview", PATIENCE * 2, async || {
        Some(drawn(&app, ".sample").await).filter(|sources| !sources.is_empty())
    })
    .await;
    app.picture("preview-photos").await;
    assert!(sources.iter().all(|source| source.starts_with("firstknock-image://")), "{sources:?}");
    assert!(app.call("get_board", json!({})).await["rows"].as_array().unwrap().is_empty());
    app.end().await;
}

/// The addresses of the photos that are drawn in the list.
async fn photos(app: &Driven) -> Vec<String> {
    drawn(app, ".item").await
}

/// The addresses of the photos that are drawn inside such elements.
async fn drawn(app: &Driven, within: &str) -> Vec<String> {
    let script = "return [...document.querySelectorAll(`${arguments[0]} .photo img`)]
        .filter((image) => image.naturalWidth > 0).map((image) => image.currentSrc);";
    let drawn = app.window.execute(script, vec![json!(within)]).await.unwrap();
    drawn.convert().unwrap()
}

/// The list, as a page that is loaded anew.
async fn show_listings(app: &Driven, theme: &str) {
    if theme != "off" {
        let mut settings = app.call("get_settings", json!({})).await;
        settings["theme"] = json!(theme);
        app.call("put_settings", settings).await;
    }
    let address = format!("tauri://localhost/index.html?{theme}#/listings");
    app.window.goto(address).await.unwrap();
    app.element("listing-row").await;
}
