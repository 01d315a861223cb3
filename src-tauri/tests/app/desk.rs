//! The app on the desktop: tray, second start, no tray at all, and who owns the data.

use std::io::Read;
use std::process::Stdio;

use crate::app::{Alone, PATIENCE};
use crate::bus::Panel;
use crate::stage::{Stage, until};

const TITLE: &str = "Firstknock";

async fn window_is(stage: &Stage, there: bool) {
    let what = if there { "the window opens" } else { "the window goes" };
    until(what, PATIENCE, async || {
        (stage.windows().iter().any(|title| title == TITLE) == there).then_some(())
    })
    .await;
}

#[tokio::test]
async fn started_hidden_it_lives_in_the_tray_and_ends_there() {
    let stage = Stage::with_window_manager();
    let panel = Panel::open(stage.bus()).await;
    let mut app = Alone::start(&stage, &["--multi", "--hidden"]);
    let entries = until("a menu in the tray", PATIENCE, async || {
        let entries = panel.menu().await?;
        entries.iter().any(|(_, label)| label == "No searches yet").then_some(entries)
    })
    .await;
    let labels: Vec<&str> =
        entries.iter().map(|(_, label)| label.as_str()).filter(|l| !l.is_empty()).collect();
    assert_eq!(labels, ["No searches yet", "Open Firstknock", "Stop", "Quit"]);
    assert!(!stage.windows().contains(&TITLE.to_owned()), "hidden means hidden");

    panel.choose("Open Firstknock").await;
    window_is(&stage, true).await;
    stage.run("xdotool", &["search", "--name", TITLE, "windowactivate", "--sync"]);
    stage.run("xdotool", &["key", "--clearmodifiers", "alt+F4"]);
    window_is(&stage, false).await;
    assert!(app.runs(), "closed to the tray, it goes on");

    panel.choose("Stop").await;
    until("the menu offers to start", PATIENCE, async || {
        panel.menu().await?.iter().any(|(_, label)| label == "Start").then_some(())
    })
    .await;
    panel.choose("Open Firstknock").await;
    window_is(&stage, true).await;
    panel.choose("Quit").await;
    assert!(app.ended().await.success());
}

#[tokio::test]
async fn where_no_tray_can_be_seen_it_neither_hides_nor_ends_silently() {
    let stage = Stage::with_window_manager();
    let mut app = Alone::start(&stage, &["--multi", "--hidden"]);
    window_is(&stage, true).await;
    stage.run("xdotool", &["search", "--name", TITLE, "windowactivate", "--sync"]);
    stage.run("xdotool", &["key", "--clearmodifiers", "alt+F4"]);
    until("it asks before it ends", PATIENCE, async || {
        (stage.windows().iter().filter(|title| *title == TITLE).count() > 1).then_some(())
    })
    .await;
    stage.picture("no-tray");
    assert!(app.runs());
    // Alt+Q or the mouse; the keyboard's way is Tab to "Quit" and Return.
    stage.run("xdotool", &["key", "--clearmodifiers", "Tab", "Return"]);
    assert!(app.ended().await.success());
}

#[tokio::test]
async fn a_second_start_shows_the_window_of_the_first() {
    let stage = Stage::new();
    let panel = Panel::open(stage.bus()).await;
    let mut first = Alone::start(&stage, &["--hidden"]);
    until("the first is in the tray", PATIENCE, async || panel.menu().await).await;
    let mut second = Alone::start(&stage, &[]);
    assert!(second.ended().await.success());
    window_is(&stage, true).await;
    assert!(first.runs());
}

#[tokio::test]
async fn a_second_process_on_the_same_data_says_who_has_them() {
    let stage = Stage::with_window_manager();
    let panel = Panel::open(stage.bus()).await;
    let mut first = Alone::start(&stage, &["--multi", "--hidden"]);
    until("the first is in the tray", PATIENCE, async || panel.menu().await).await;
    let mut command = stage.command(env!("CARGO_BIN_EXE_firstknock"));
    command.args(["--multi", "--data"]).arg(stage.data()).stderr(Stdio::piped());
    let mut second = Alone(command.spawn().unwrap());
    until("it says so in a window", PATIENCE, async || (!stage.windows().is_empty()).then_some(()))
        .await;
    stage.picture("data-in-use");
    stage.run("xdotool", &["key", "Escape"]);
    let status = second.ended().await;
    assert_eq!(status.code(), Some(1));
    let mut said = String::new();
    second.0.stderr.take().unwrap().read_to_string(&mut said).unwrap();
    assert!(said.contains(&first.0.id().to_string()), "who? {said}");
    assert!(first.runs());
}
