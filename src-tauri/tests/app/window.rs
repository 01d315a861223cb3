//! The main window's path: add a search, watch it, see what it finds.

use firstknock_rehearsal::Dice;
use firstknock_rehearsal::street::{Markup, Site, Wall};
use serde_json::json;
use thirtyfour::prelude::*;

use crate::app::{Driven, PATIENCE};
use crate::stage::{Stage, until};

async fn site(markup: Markup) -> Site {
    Site::open("grachtenhuur", markup, Dice::new(7), 12).await.unwrap()
}

#[tokio::test]
async fn a_pasted_address_becomes_a_row_that_finds_what_is_new() {
    let stage = Stage::new();
    let site = site(Markup::Cards).await;
    let app = Driven::start(&stage).await;

    let field = app.element("search-url").await;
    field.send_keys(site.plain_url("utrecht")).await.unwrap();
    field.send_keys(Key::Enter + "").await.unwrap();
    app.element_that_says("preview-count", "12").await;
    app.picture("add").await;
    app.element("start-watching").await.click().await.unwrap();

    app.element_that_says("row-state", "12").await;
    let timer = app.window.find(By::Css("[role='timer']")).await.unwrap();
    let first = timer.text().await.unwrap();
    until("the countdown falls", PATIENCE, async || {
        (timer.text().await.ok()? != first).then_some(())
    })
    .await;

    let home = site.add_home();
    let id = app.call("get_board", json!({})).await["rows"][0]["id"].as_i64().unwrap();
    app.call("check_now", json!({ "id": id })).await;
    let found = until("the new home is listed", PATIENCE, async || {
        let query = json!({
            "search": null, "text": "", "only": "unread", "sort": "newest", "cursor": null,
            "limit": 10,
        });
        let page = app.call("list_listings", query).await;
        (page["total"] == 1).then(|| page["rows"][0].clone())
    })
    .await;
    let url = found["card"]["url"].as_str().unwrap();
    assert!(url.ends_with(&home.id.to_string()), "{url} is not home {}", home.id);

    app.window.goto("tauri://localhost/index.html#/listings").await.unwrap();
    app.element("listing-row").await;
    app.picture("listings").await;
    app.invoke("open_external", json!({ "url": url })).await.unwrap();
    until("the listing opens outside", PATIENCE, async || {
        stage.opened_outside().contains(&url.to_owned()).then_some(())
    })
    .await;
    let refused = app.invoke("open_external", json!({ "url": "file:///etc/passwd" })).await;
    assert_eq!(refused.unwrap_err()["code"], "not_http");
    app.end().await;
}

#[tokio::test]
async fn a_blocked_row_counts_down_and_its_button_sends_one_probe() {
    let stage = Stage::new();
    let site = site(Markup::Cards).await;
    site.wall(Some(Wall::Denied));
    let app = Driven::start(&stage).await;
    let id = app.add_search(&site.plain_url("utrecht"), "plain").await;
    let row = app.row_in(id, &["needs_you"]).await;
    assert_eq!(row["retry"]["kind"], "ready", "{row:#}");
    app.element("host-card").await;
    app.picture("blocked").await;

    let timer = app.window.find(By::Css("[role='timer']")).await.unwrap();
    let first = timer.text().await.unwrap();
    until("the countdown falls", PATIENCE, async || {
        (timer.text().await.ok()? != first).then_some(())
    })
    .await;

    site.wall(None);
    site.forget_requests();
    app.element("retry").await.click().await.unwrap();
    app.row_in(id, &["ok"]).await;
    assert_eq!(site.requests().len(), 1, "one probe, and nothing else");
    app.end().await;
}

#[tokio::test]
async fn the_window_cannot_be_led_away_from_the_app() {
    let stage = Stage::new();
    let site = site(Markup::Cards).await;
    let app = Driven::start(&stage).await;
    app.element("search-url").await;
    let away = format!("location.href = '{}'; window.open('{0}');", site.plain_url("utrecht"));
    app.window.execute(away, vec![]).await.unwrap();
    // A command still answers, so the app's page is still there.
    app.call("get_about", json!({})).await;
    assert!(app.window.current_url().await.unwrap().as_str().starts_with("tauri://"));
    assert_eq!(app.window.windows().await.unwrap().len(), 1);
    assert!(site.requests().is_empty(), "the window asked a site by itself");
    app.end().await;
}

#[tokio::test]
async fn the_street_is_one_click_away_and_gone_at_the_next_start() {
    let stage = Stage::new();
    let app = Driven::start(&stage).await;
    app.element("try-street").await.click().await.unwrap();
    let rows = until("rows of the street with listings", PATIENCE, async || {
        let board = app.call("get_board", json!({})).await;
        let rows = board["rows"].as_array()?.clone();
        let read = rows.iter().filter(|row| row["last_listings"].as_u64() > Some(0)).count();
        (rows.len() == 4 && read == 4).then_some(rows)
    })
    .await;
    assert!(rows.iter().all(|row| row["host"].as_str().unwrap().contains(".localhost:")));
    app.element("search-row").await;
    app.picture("street").await;
    app.end().await;

    let app = Driven::start(&stage).await;
    until("the street's searches are gone", PATIENCE, async || {
        let board = app.call("get_board", json!({})).await;
        board["rows"].as_array()?.is_empty().then_some(())
    })
    .await;
    app.end().await;
}
