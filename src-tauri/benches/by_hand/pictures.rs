//! The README's pictures: `cargo xtask pictures` takes them from the real window.

use std::path::Path;
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::app::{Driven, PATIENCE};
use crate::stage::{Stage, until};

/// The street's life decides when a site says no; half an hour without would be very odd.
const LIFE: Duration = Duration::from_secs(1800);
/// Photos of one view.
const PHOTOS: Duration = Duration::from_secs(90);

/// Takes them into a folder.
pub(crate) async fn take(folder: &Path) {
    let stage = Stage::new();
    let app = Driven::start(&stage).await;
    app.element("try-street").await.click().await.unwrap();
    until("a home that is new, and a site that says no", LIFE, async || {
        let board = app.call("get_board", json!({})).await;
        let waits = |host: &Value| host["state"]["kind"] == "waits";
        let rows = board["rows"].as_array()?;
        let read = rows.iter().all(|row| row["last_listings"].as_u64() > Some(0));
        let news = app.call("list_listings", query()).await["total"].as_u64()?;
        (read && news >= 3 && board["hosts"].as_array()?.iter().any(waits)).then_some(())
    })
    .await;
    let shots = [
        ("searches", "light", "searches", "search-row"),
        ("listings", "dark", "listings", "listing-row"),
        ("insight", "dark", "insight", "insight-search"),
        ("add", "light", "add", "preview-count"),
    ];
    for (name, theme, place, shows) in shots {
        show(&app, theme, place).await;
        if name == "add" {
            paste_a_search(&app).await;
        }
        app.element(shows).await;
        photos_came(&app).await;
        let file = folder.join(format!("{name}-{theme}.png"));
        app.window.screenshot(&file).await.unwrap();
    }
    app.end().await;
}

/// Photos give way to pages, so a list fills slowly. What is not there after a while is not waited
/// for: no site owes one.
async fn photos_came(app: &Driven) {
    let began = Instant::now();
    while began.elapsed() < PHOTOS {
        tokio::time::sleep(Duration::from_secs(2)).await;
        let shown = "return [...document.querySelectorAll('.photo')]
            .every((photo) => photo.querySelector('img') !== null);";
        let all = app.window.execute(shown, vec![]).await.unwrap();
        if all.json().as_bool() == Some(true) {
            return;
        }
    }
}

fn query() -> Value {
    json!({
        "search": null, "text": "", "only": "unread", "sort": "newest", "cursor": null,
        "limit": 10,
    })
}

async fn show(app: &Driven, theme: &str, place: &str) {
    let mut settings = app.call("get_settings", json!({})).await;
    settings["theme"] = json!(theme);
    app.call("put_settings", settings).await;
    // A page that is loaded anew starts in the theme.
    let address = format!("tauri://localhost/index.html?{theme}#/{place}");
    app.window.goto(address).await.unwrap();
}

async fn paste_a_search(app: &Driven) {
    let rows = app.call("get_board", json!({})).await["rows"].clone();
    let url = rows[0]["url"].as_str().unwrap().replace("utrecht", "leiden");
    let field = app.element("search-url").await;
    field.send_keys(url).await.unwrap();
    field.send_keys(thirtyfour::Key::Enter + "").await.unwrap();
    until("a preview", PATIENCE, async || {
        app.element("preview-count").await.text().await.ok().filter(|text| !text.is_empty())
    })
    .await;
}
