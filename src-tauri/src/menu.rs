//! The menu bar, on desktops whose people look for one.
//!
//! **Promises**: an entry does what the window's own button or key does, once per press: where
//! there is a bar the desktop takes the key and the page does not see it. **Leaves out**: what an
//! entry means; the window knows.

mod entries;
mod place;

use std::sync::Mutex;

use firstknock_ipc::MenuPick;
use firstknock_monitor::catalogue::Language;
use tauri::ipc::Channel;
use tauri::menu::{Menu, MenuItem, PredefinedMenuItem, Submenu};
use tauri::{AppHandle, Manager, Wry};

use crate::window::{self, MAIN};
use crate::words::Words;
use entries::{BAR, Entry, Pane, QUIT};
use place::{System, has_menu_bar};

/// The way to the window, and the language that the bar speaks.
#[derive(Default)]
pub(crate) struct MenuBar {
    way: Mutex<Way>,
    speaks: Mutex<Option<Language>>,
}

#[derive(Default)]
struct Way {
    window: Option<Channel<MenuPick>>,
    /// Chosen while no window listened: on macOS the bar stays without one.
    unheard: Option<MenuPick>,
}

/// Entries of other menus (the tray's) come by the same way; ours begin so.
const OURS: &str = "menu:";
const QUITS: &str = "menu:quit";

/// The main window is there: its bar is put up.
pub(crate) fn put_up(app: &AppHandle) -> tauri::Result<()> {
    let desktop = std::env::var("XDG_CURRENT_DESKTOP").ok();
    if !has_menu_bar(System::here(), desktop.as_deref()) {
        return Ok(());
    }
    set(app)?;
    let language = app.state::<Words>().language();
    *app.state::<MenuBar>().speaks.lock().expect(NO_PANIC) = Some(language);
    Ok(())
}

/// Settings came in: the bar speaks the chosen language.
pub(crate) fn follow(app: &AppHandle) {
    let language = app.state::<Words>().language();
    {
        let bar = app.state::<MenuBar>();
        let mut speaks = bar.speaks.lock().expect(NO_PANIC);
        let Some(before) = speaks.as_mut().filter(|before| **before != language) else { return };
        *before = language;
    }
    // A new one: the title of a GTK menu cannot be changed.
    if let Err(error) = set(app) {
        tracing::warn!(%error, "the menu bar keeps its old language");
    }
}

/// The window listens from now on.
pub(crate) fn watch(app: &AppHandle, channel: Channel<MenuPick>) {
    let bar = app.state::<MenuBar>();
    let mut way = bar.way.lock().expect(NO_PANIC);
    if let Some(pick) = way.unheard.take() {
        channel.send(pick).ok();
    }
    way.window = Some(channel);
}

/// The window is gone.
pub(crate) fn stop(app: &AppHandle) {
    app.state::<MenuBar>().way.lock().expect(NO_PANIC).window = None;
}

/// An entry was chosen, by mouse or by its key.
pub(crate) fn chosen(app: &AppHandle, id: &str) {
    if id == QUITS {
        return app.exit(0);
    }
    let Some(name) = id.strip_prefix(OURS) else { return };
    let Ok(pick) = serde_json::from_value(name.into()) else { return };
    let heard = {
        let bar = app.state::<MenuBar>();
        let mut way = bar.way.lock().expect(NO_PANIC);
        let heard = way.window.as_ref().is_some_and(|window| window.send(pick).is_ok());
        if !heard {
            way.unheard = Some(pick);
        }
        heard
    };
    if !heard {
        window::show(app);
    }
}

/// On macOS the bar is the app's; elsewhere it stands in the main window alone.
fn set(app: &AppHandle) -> tauri::Result<()> {
    let menu = build(app)?;
    if cfg!(target_os = "macos") {
        app.set_menu(menu)?;
    } else if let Some(window) = app.get_webview_window(MAIN) {
        window.set_menu(menu)?;
    }
    Ok(())
}

fn build(app: &AppHandle) -> tauri::Result<Menu<Wry>> {
    let menu = Menu::new(app)?;
    if cfg!(target_os = "macos") {
        let hide = PredefinedMenuItem::hide(app, None)?;
        let line = PredefinedMenuItem::separator(app)?;
        let quit = item(app, QUITS, QUIT, Some("Cmd+Q"))?;
        menu.append(&Submenu::with_items(app, "Firstknock", true, &[&hide, &line, &quit])?)?;
    }
    for (at, pane) in BAR.iter().enumerate() {
        menu.append(&submenu(app, pane)?)?;
        if at == 0 && cfg!(target_os = "macos") {
            menu.append(&edit(app)?)?;
        }
    }
    Ok(menu)
}

fn submenu(app: &AppHandle, pane: &Pane) -> tauri::Result<Submenu<Wry>> {
    let submenu = Submenu::new(app, app.state::<Words>().say(pane.title, &[]), true)?;
    for entry in pane.entries {
        match *entry {
            Entry::Pick(pick, code, key) => submenu.append(&item(app, &id(pick), code, key)?)?,
            Entry::Line => submenu.append(&PredefinedMenuItem::separator(app)?)?,
            // There it stands in the app's own menu.
            Entry::Quit if cfg!(target_os = "macos") => {}
            // Without a key: beside W and A it would end the watching by a slip.
            Entry::Quit => submenu.append(&item(app, QUITS, QUIT, None)?)?,
        }
    }
    Ok(submenu)
}

fn item(app: &AppHandle, id: &str, code: &str, key: Option<&str>) -> tauri::Result<MenuItem<Wry>> {
    MenuItem::with_id(app, id, app.state::<Words>().say(code, &[]), true, key)
}

/// Without it Cmd+C and Cmd+V do nothing on macOS. No undo: Cmd+Z is the window's own.
fn edit(app: &AppHandle) -> tauri::Result<Submenu<Wry>> {
    let title = app.state::<Words>().say("menu_edit", &[]);
    let cut = PredefinedMenuItem::cut(app, None)?;
    let copy = PredefinedMenuItem::copy(app, None)?;
    let paste = PredefinedMenuItem::paste(app, None)?;
    let all = PredefinedMenuItem::select_all(app, None)?;
    Submenu::with_items(app, title, true, &[&cut, &copy, &paste, &all])
}

fn id(pick: MenuPick) -> String {
    let name = serde_json::to_value(pick).expect("BUG: a pick is a word");
    format!("{OURS}{}", name.as_str().expect("BUG: a pick is a word"))
}

const NO_PANIC: &str = "BUG: no thread panics with this lock";
