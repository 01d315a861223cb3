//! The menu bar: there where the desktop has the habit, and one action per press.

use serde_json::{Value, json};

use crate::app::{Driven, PATIENCE};
use crate::stage::{Stage, until};

/// The app on a desktop of this name, in front, and listening for keys that reach the page.
async fn in_front(stage: &Stage) -> Driven {
    let app = Driven::start(stage).await;
    app.element("search-url").await;
    run(&app, "window.seen = []; addEventListener('keydown', (e) => seen.push(e.key), true)").await;
    stage.run("xdotool", &["search", "--name", "Firstknock", "windowactivate", "--sync"]);
    app
}

async fn run(app: &Driven, script: &str) -> Value {
    app.window.execute(script, vec![]).await.unwrap().json().clone()
}

fn press(stage: &Stage, keys: &[&str]) {
    for key in keys {
        stage.run("xdotool", &["key", "--clearmodifiers", key]);
    }
}

/// Waits until the window's address ends so.
async fn view_is(app: &Driven, view: &str) {
    until(&format!("the window shows {view}"), PATIENCE, async || {
        let address = run(app, "return location.hash").await;
        (address.as_str() == Some(view)).then_some(())
    })
    .await;
}

/// How many lines of the window are not the page's.
async fn lines_above_the_page(app: &Driven) -> i64 {
    let inner = run(app, "return innerHeight").await.as_i64().unwrap();
    let outer = app.window.get_window_rect().await.unwrap().height;
    outer - inner
}

async fn settings(app: &Driven, change: Value) {
    let mut settings = app.call("get_settings", json!({})).await;
    settings.as_object_mut().unwrap().extend(change.as_object().unwrap().clone());
    app.call("put_settings", settings).await;
}

#[tokio::test]
async fn on_xfce_a_menu_bar_does_what_the_windows_buttons_do() {
    let stage = Stage::with_window_manager().on_desktop("XFCE");
    let app = in_front(&stage).await;
    stage.picture("menu-bar-light");

    press(&stage, &["ctrl+2"]);
    view_is(&app, "#/listings").await;
    assert_eq!(run(&app, "return seen.filter((key) => key === '2').length").await, 0, "done twice");

    press(&stage, &["alt+f"]);
    stage.picture("menu-file-light");
    press(&stage, &["End", "Up", "Return"]);
    view_is(&app, "#/settings").await;

    settings(&app, json!({ "theme": "dark", "language": "nl" })).await;
    // As the window's own switches do: the page takes the settings up as well.
    app.window.goto("tauri://localhost/index.html?again#/insight").await.unwrap();
    app.element("nav-insight").await;
    press(&stage, &["alt+b"]);
    stage.picture("menu-file-dark");
    press(&stage, &["Down", "Return"]);
    view_is(&app, "#/settings/data").await;
    until("the backup is made", PATIENCE, async || {
        let kept = app.call("get_data", json!({})).await;
        (!kept["backups"].as_array()?.is_empty()).then_some(())
    })
    .await;
    app.element("export-searches").await;
    // A picture of the display is worth looking at once the page is on it.
    let drawn = "const done = arguments[0];
        requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(done, 1000)));";
    app.window.execute_async(drawn, vec![]).await.unwrap();
    stage.picture("menu-bar-dark");
    assert!(lines_above_the_page(&app).await > 15, "where is the bar?");

    press(&stage, &["alt+b", "End", "Return"]);
    until("it ends", PATIENCE, async || {
        (!stage.windows().contains(&"Firstknock".to_owned())).then_some(())
    })
    .await;
    // Nobody is there to end.
    app.window.clone().leak().unwrap();
}

#[tokio::test]
async fn on_gnome_there_is_no_menu_bar_and_the_keys_are_the_windows_own() {
    let stage = Stage::with_window_manager().on_desktop("ubuntu:GNOME");
    let app = in_front(&stage).await;
    stage.picture("no-menu-bar");
    press(&stage, &["ctrl+2"]);
    view_is(&app, "#/listings").await;
    assert_eq!(run(&app, "return seen.filter((key) => key === '2').length").await, 1);
    assert!(lines_above_the_page(&app).await <= 15, "a bar on GNOME");
    app.end().await;
}
