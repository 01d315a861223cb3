//! Passing a check by hand: the site's own window, a click, and what comes of it.

use firstknock_rehearsal::Dice;
use firstknock_rehearsal::street::{Markup, Site, Wall};
use serde_json::json;

use crate::app::{Driven, PATIENCE};
use crate::stage::{Stage, until};

#[tokio::test]
async fn a_check_that_a_click_passes_opens_the_host_again() {
    let stage = Stage::with_window_manager();
    let site = Site::open("kamerplein", Markup::Cards, Dice::new(3), 12).await.unwrap();
    site.wall(Some(Wall::NeedsClick));
    let app = Driven::start(&stage).await;
    let url = site.plain_url("utrecht");
    let id = app.add_search(&url, "auto").await;
    app.row_in(id, &["needs_you"]).await;

    app.invoke("open_site", json!({ "search": id })).await.unwrap();
    until("the site's window shows the real address", PATIENCE, async || {
        stage.windows().contains(&url).then_some(())
    })
    .await;
    until("the engine knows", PATIENCE, async || {
        (app.host().await["state"]["kind"] == "site_open").then_some(())
    })
    .await;
    // The button fills the upper left of the page, below the bar.
    let window = stage.run("xdotool", &["search", "--onlyvisible", "--name", &url]);
    let window = window.lines().next().unwrap().to_owned();
    until("the click is let in", PATIENCE, async || {
        stage.run("xdotool", &["windowactivate", "--sync", &window]);
        stage.run("xdotool", &["mousemove", "--window", &window, "200", "170", "click", "1"]);
        site.requests().iter().any(|r| r.status == 200).then_some(())
    })
    .await;
    stage.picture("open-site");

    site.forget_requests();
    stage.run("xdotool", &["windowactivate", "--sync", &window]);
    stage.run("xdotool", &["key", "--clearmodifiers", "alt+F4"]);
    until("the site's window goes", PATIENCE, async || {
        (!stage.windows().contains(&url)).then_some(())
    })
    .await;
    let row = app.row_in(id, &["ok"]).await;
    assert_eq!(row["state"]["listings"], 12, "{row:#}");
    let mut requests = site.requests();
    requests.retain(|asked| asked.path.starts_with("/huren/"));
    assert_eq!(requests.len(), 1, "one probe goes out by itself: {requests:?}");
    assert!(requests[0].agent.contains("AppleWebKit"), "through the webview, with that session");
    assert_eq!(app.host().await["state"]["kind"], "answers");
    assert_ne!(app.row(id).await["retry"]["kind"], "locked", "free of charge");

    let session = async || app.host().await["has_session"].as_bool();
    assert_eq!(session().await, Some(true), "what the window earned can be forgotten");
    let host = app.host().await["host"].clone();
    app.call("clear_session", json!({ "host": host })).await;
    until("it is forgotten", PATIENCE, async || (session().await == Some(false)).then_some(()))
        .await;
    app.end().await;
}
