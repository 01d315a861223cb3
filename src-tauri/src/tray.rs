//! The tray: what the app is doing in one line, the last findings, and the way back in.
//!
//! It speaks StatusNotifierItem itself (no library to load). Where nobody shows such icons there
//! is no tray, and the app behaves accordingly ([`Desktop::has_tray`]).

mod model;

use std::sync::Mutex;
use std::time::Duration;

use firstknock_ipc::{Command, ListingOnly, ListingPage, ListingQuery, ListingSort, Nothing};
use futures_util::StreamExt;
use tauri::image::Image;
use tauri::menu::{Menu, MenuBuilder, MenuItemBuilder};
use tauri::tray::{TrayIcon, TrayIconBuilder};
use tauri::{AppHandle, Manager, Wry};
use tokio::sync::Notify;

use crate::desktop::{Desktop, somebody_shows_trays};
use crate::engine::Engine;
use crate::words::Words;
use crate::{external, window};
use model::{Model, Sight};

/// The icon, once somebody shows it, and what it shows.
#[derive(Default)]
pub(crate) struct Tray {
    shown: Mutex<Option<(TrayIcon, Model)>>,
    /// Its words are to be said again, in another language.
    again: Notify,
}

/// How many findings the menu names.
const FINDINGS: u32 = 3;

/// Puts the icon up as soon as somebody shows icons, then keeps its menu true.
pub(crate) async fn keep(app: AppHandle) {
    let mut tries = 0_u32;
    while !put_up(&app).await {
        tries += 1;
        // A session's panel may start after us; later somebody may install one.
        tokio::time::sleep(Duration::from_secs(if tries < 20 { 2 } else { 60 })).await;
    }
    let mut events = app.state::<Engine>().subscribe();
    let mut sight = Sight::default();
    loop {
        tokio::select! {
            event = events.next() => match event {
                Some(event) => {
                    if sight.take(event) {
                        sight.findings = findings(&app).await;
                    }
                }
                None => break,
            },
            () = app.state::<Tray>().inner().again.notified() => {}
        }
        let model = Model::of(&sight, &app.state::<Words>());
        show(&app, model);
        tokio::time::sleep(Duration::from_millis(500)).await;
    }
}

/// The language changed: the same menu in other words.
pub(crate) fn say_again(app: &AppHandle) {
    let tray = app.state::<Tray>();
    let mut shown = tray.shown.lock().expect("BUG: no thread panics with this lock");
    if let Some((_, model)) = shown.as_mut() {
        *model = Model::default();
    }
    tray.again.notify_one();
}

async fn put_up(app: &AppHandle) -> bool {
    if !somebody_shows_trays().await {
        return false;
    }
    let (tell, told) = tokio::sync::oneshot::channel();
    let handle = app.clone();
    let sent = app.run_on_main_thread(move || {
        let built = build(&handle);
        if let Err(error) = &built {
            tracing::info!(%error, "nobody shows tray icons");
        }
        tell.send(built.is_ok()).ok();
    });
    let there = sent.is_ok() && told.await.unwrap_or(false);
    app.state::<Desktop>().set_tray(there);
    there
}

fn build(app: &AppHandle) -> tauri::Result<()> {
    let model = Model::default();
    let icon = TrayIconBuilder::with_id("firstknock")
        .icon(Image::from_bytes(include_bytes!("../../icons/64x64.png"))?)
        .title("Firstknock")
        .tooltip("Firstknock")
        .menu(&menu(app, &model)?)
        .on_menu_event(|app, event| chosen(app, event.id().as_ref()))
        .on_tray_icon_event(|tray, event| {
            if let tauri::tray::TrayIconEvent::Click { .. } = event {
                window::show(tray.app_handle());
            }
        })
        .build(app)?;
    let tray = app.state::<Tray>();
    *tray.shown.lock().expect("BUG: no thread panics with this lock") = Some((icon, model));
    Ok(())
}

fn show(app: &AppHandle, model: Model) {
    let tray = app.state::<Tray>();
    let mut slot = tray.shown.lock().expect("BUG: no thread panics with this lock");
    let Some((icon, shown)) = slot.as_mut() else { return };
    if *shown == model {
        return;
    }
    let changed = menu(app, &model)
        .and_then(|menu| icon.set_menu(Some(menu)))
        .and_then(|()| icon.set_tooltip(Some(&model.status)));
    if let Err(error) = changed {
        tracing::warn!(%error, "the tray's menu could not be changed");
    }
    *shown = model;
}

fn menu(app: &AppHandle, model: &Model) -> tauri::Result<Menu<Wry>> {
    let words = app.state::<Words>();
    let item = |id: &str, text: &str| MenuItemBuilder::with_id(id, text).build(app);
    let mut menu = MenuBuilder::new(app)
        .item(&MenuItemBuilder::with_id("status", &model.status).enabled(false).build(app)?);
    if !model.findings.is_empty() {
        menu = menu.separator();
    }
    for finding in &model.findings {
        menu = menu.item(&item(&format!("found:{}", finding.url), &finding.text)?);
    }
    menu.separator()
        .item(&item("open", &words.say("tray_open", &[]))?)
        .item(&match model.stopped {
            true => item("start", &words.say("tray_start", &[]))?,
            false => item("stop", &words.say("tray_stop", &[]))?,
        })
        .separator()
        .item(&item("quit", &words.say("tray_quit", &[]))?)
        .build()
}

fn chosen(app: &AppHandle, id: &str) {
    match id {
        "open" => window::show(app),
        "start" => send(app, Command::Start(Nothing {})),
        "stop" => send(app, Command::Stop(Nothing {})),
        "quit" => app.exit(0),
        _ => {
            if let Some(url) = id.strip_prefix("found:")
                && external::open(app, url).is_err()
            {
                window::show(app);
            }
        }
    }
}

fn send(app: &AppHandle, command: Command) {
    let app = app.clone();
    tauri::async_runtime::spawn(async move {
        if let Err(refused) = app.state::<Engine>().call(&app, command).await {
            tracing::warn!(code = ?refused.code, "the tray's command was refused");
        }
    });
}

async fn findings(app: &AppHandle) -> Vec<model::Finding> {
    let newest = Command::ListListings(ListingQuery {
        search: None,
        text: String::new(),
        only: ListingOnly::Unread,
        sort: ListingSort::Newest,
        cursor: None,
        limit: FINDINGS,
    });
    let Ok(page) = app.state::<Engine>().call(app, newest).await else { return Vec::new() };
    serde_json::from_value::<ListingPage>(page)
        .map(|page| page.rows.iter().map(model::Finding::of).collect())
        .unwrap_or_default()
}
