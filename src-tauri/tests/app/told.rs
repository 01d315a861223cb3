//! What the desktop is told: a new listing, and settings that concern it.

use firstknock_rehearsal::Dice;
use firstknock_rehearsal::street::{Markup, Site};
use serde_json::json;

use crate::app::{Driven, PATIENCE};
use crate::bus::{Notices, Panel};
use crate::stage::{Stage, until};

#[tokio::test]
async fn a_new_listing_is_a_notification_whose_button_opens_it() {
    let stage = Stage::new();
    let notices = Notices::open(stage.bus()).await;
    let site = Site::open("grachtenhuur", Markup::Cards, Dice::new(5), 12).await.unwrap();
    let app = Driven::start(&stage).await;
    let id = app.add_search(&site.plain_url("utrecht"), "plain").await;
    app.row_in(id, &["ok"]).await;
    assert!(notices.shown().is_empty(), "the baseline alerts nobody");

    let home = site.add_home();
    app.call("check_now", json!({ "id": id })).await;
    let shown = until("a notification", PATIENCE, async || notices.shown().pop()).await;
    let said = format!("{} {}", shown.title, shown.body);
    assert!(said.contains(&home.title), "{shown:?}");
    assert!(shown.actions.contains(&String::from("Open listing")), "{shown:?}");
    assert!(shown.actions.contains(&String::from("Mute this search")), "{shown:?}");

    notices.press("open").await;
    until("the listing opens outside", PATIENCE, async || {
        let opened = stage.opened_outside();
        opened.iter().any(|url| url.ends_with(&home.id.to_string())).then_some(())
    })
    .await;
    notices.press("mute").await;
    until("the search is muted", PATIENCE, async || {
        app.row(id).await["muted"].as_bool()?.then_some(())
    })
    .await;
    app.end().await;
}

#[tokio::test]
async fn settings_reach_tray_and_autostart() {
    let stage = Stage::new();
    let panel = Panel::open(stage.bus()).await;
    let app = Driven::start(&stage).await;
    let says = async |label: &str| {
        until(label, PATIENCE, async || {
            panel.menu().await?.iter().any(|(_, text)| text == label).then_some(())
        })
        .await;
    };
    says("Open Firstknock").await;
    let mut settings = app.call("get_settings", json!({})).await;
    settings["language"] = json!("nl");
    settings["start_with_system"] = json!(true);
    app.call("put_settings", settings.clone()).await;
    says("Firstknock openen").await;
    let entry = stage.run("sh", &["-c", "cat \"$HOME\"/.config/autostart/*.desktop"]);
    assert!(entry.contains("--hidden"), "started with the system it stays out of sight: {entry}");

    settings["start_with_system"] = json!(false);
    app.call("put_settings", settings).await;
    let left = stage.run("sh", &["-c", "ls \"$HOME\"/.config/autostart"]);
    assert_eq!(left.trim(), "");
    app.end().await;
}
