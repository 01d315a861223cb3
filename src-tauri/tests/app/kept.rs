//! What is kept, from the window: back to a backup, an export under a chosen name, the folder.

use firstknock_rehearsal::Dice;
use firstknock_rehearsal::street::{Markup, Site};
use serde_json::json;

use crate::app::{Driven, PATIENCE};
use crate::stage::{Stage, until};

#[tokio::test]
async fn the_window_goes_back_to_a_backup_and_exports_where_the_user_says() {
    let stage = Stage::with_window_manager();
    let site = Site::open("grachtenhuur", Markup::Cards, Dice::new(7), 12).await.unwrap();
    let app = Driven::start(&stage).await;
    let first = app.add_search(&site.plain_url("utrecht"), "plain").await;
    app.row_in(first, &["ok"]).await;
    app.window.goto("tauri://localhost/index.html#/settings/data").await.unwrap();
    app.element("back-up").await.click().await.unwrap();
    app.element("go-back").await;
    app.add_search(&site.plain_url("delft"), "plain").await;

    app.element("go-back").await.click().await.unwrap();
    app.element("restore").await.click().await.unwrap();
    app.picture("restore").await;
    app.element("restore-now").await.click().await.unwrap();
    until("one search, as it was then", PATIENCE, async || {
        let board = app.call("get_board", json!({})).await;
        (board["rows"].as_array().unwrap().len() == 1).then_some(())
    })
    .await;
    app.row_in(first, &["ok"]).await;
    let data = app.call("get_data", json!({})).await;
    assert_eq!(data["backups"].as_array().unwrap().len(), 3, "daily, by hand, today's: {data:#}");

    let file = stage.data().join("my homes.csv");
    // The button rests until the way back is over, which the board shows a moment sooner.
    let dialog = || stage.windows().iter().any(|title| title == "Save the file");
    until("the dialog asks where to", PATIENCE, async || {
        if !dialog() {
            app.element("export-listings_csv").await.click().await.unwrap();
        }
        dialog().then_some(())
    })
    .await;
    stage.picture("export");
    stage.run("xdotool", &["search", "--name", "Save the file", "windowactivate", "--sync"]);
    stage.run("xdotool", &["key", "--clearmodifiers", "ctrl+a"]);
    stage.run("xdotool", &["type", file.to_str().unwrap()]);
    stage.run("xdotool", &["key", "Return"]);
    let text = until("the file", PATIENCE, async || std::fs::read_to_string(&file).ok()).await;
    assert_eq!(text.lines().count(), 13, "a head and twelve homes: {text}");

    app.element("open-folder").await.click().await.unwrap();
    until("the folder is shown", PATIENCE, async || {
        let folder = stage.data().to_string_lossy().into_owned();
        stage.opened_outside().contains(&folder).then_some(())
    })
    .await;
    app.end().await;
}
