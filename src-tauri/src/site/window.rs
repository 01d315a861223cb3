//! The visible window, and the windows that its page opens.

use std::cell::RefCell;
use std::collections::HashMap;
use std::rc::Rc;

use gtk::glib;
use gtk::prelude::*;
use tauri::{AppHandle, Manager};
use webkit2gtk::{LoadEvent, NetworkError, PolicyError, WebView, WebViewExt};

use super::Place;
use super::bar::Bar;
use crate::engine::Engine;
use crate::webview::{Guest, Session, put_up_rails};
use crate::words::Words;

thread_local! {
    /// One window for each host.
    static OPEN: RefCell<HashMap<String, gtk::Window>> = RefCell::default();
}

/// Shows the window of a place. Main thread only.
pub(super) async fn show(app: AppHandle, place: Place) {
    let host = place.host.as_str().to_owned();
    if let Some(window) = open_one(&host) {
        return window.present();
    }
    let session = match Session::open(&place.session).await {
        Ok(session) => session,
        Err(error) => return tracing::error!(%error, "a site's session folder cannot be used"),
    };
    if let Some(window) = open_one(&host) {
        return window.present();
    }
    let engine = app.state::<Engine>().inner().clone();
    let view = WebView::builder().web_context(session.context()).build();
    let window = frame(&app, &view);
    OPEN.with_borrow_mut(|open| open.insert(host.clone(), window.clone()));
    let opened = (engine.clone(), place.host.clone());
    tauri::async_runtime::spawn(async move { opened.0.site_opened(opened.1).await });
    view.load_uri(place.url.as_str());
    window.connect_delete_event(move |_, _| {
        OPEN.with_borrow_mut(|open| open.remove(&host));
        let (engine, place, session) = (engine.clone(), place.clone(), Rc::clone(&session));
        glib::MainContext::default().spawn_local(async move {
            // What the user earned is kept before anybody looks in with it.
            session.keep().await;
            drop(session);
            tauri::async_runtime::spawn(async move {
                engine.site_closed(place.host, place.search).await;
            });
        });
        glib::Propagation::Proceed
    });
    window.show_all();
    window.present();
}

fn open_one(host: &str) -> Option<gtk::Window> {
    OPEN.with_borrow(|open| open.get(host).cloned())
}

/// A window around a view: the bar, and the page below it.
fn frame(app: &AppHandle, view: &WebView) -> gtk::Window {
    put_up_rails(view, Guest::Person);
    let window = gtk::Window::new(gtk::WindowType::Toplevel);
    window.set_default_size(1100, 820);
    window.set_title("Firstknock");
    let bar = Rc::new(Bar::new(app, view));
    let all = gtk::Box::new(gtk::Orientation::Vertical, 0);
    all.pack_start(&bar.all, false, false, 0);
    all.pack_start(view, true, true, 0);
    window.add(&all);
    follow(app, view, &window, &bar);
    let (handle, parent) = (app.clone(), window.downgrade());
    view.connect_create(move |opener, _| {
        let parent = parent.upgrade()?;
        Some(pop_up(&handle, opener, &parent).upcast())
    });
    window
}

/// A window that the page opened (to log in elsewhere, say): of the same session, and gone with
/// its parent.
fn pop_up(app: &AppHandle, opener: &WebView, parent: &gtk::Window) -> WebView {
    let view = WebView::with_related_view(opener);
    let window = frame(app, &view);
    window.set_transient_for(Some(parent));
    window.set_destroy_with_parent(true);
    let shown = window.downgrade();
    view.connect_ready_to_show(move |_| {
        if let Some(window) = shown.upgrade() {
            window.show_all();
        }
    });
    view.connect_close(move |_| window.close());
    view
}

/// Keeps title and bar true to where the page really is.
fn follow(app: &AppHandle, view: &WebView, window: &gtk::Window, bar: &Rc<Bar>) {
    let (titled, b) = (window.downgrade(), Rc::clone(bar));
    view.connect_uri_notify(move |view| {
        let address = view.uri().unwrap_or_default();
        b.show_address(&address, view.can_go_back());
        if let Some(window) = titled.upgrade() {
            window.set_title(&address);
        }
    });
    let (handle, b) = (app.clone(), Rc::clone(bar));
    view.connect_load_changed(move |view, event| {
        if event == LoadEvent::Committed {
            b.show_address(&view.uri().unwrap_or_default(), view.can_go_back());
            b.say(&handle.state::<Words>().say("site_window_hint", &[]));
        }
    });
    let (handle, b) = (app.clone(), Rc::clone(bar));
    view.connect_load_failed(move |_, _, _, error| {
        let gave_way = error.kind::<PolicyError>().is_some()
            || matches!(error.kind::<NetworkError>(), Some(NetworkError::Cancelled));
        if !gave_way {
            let why = [("why", error.message())];
            b.say(&handle.state::<Words>().say("site_window_not_loaded", &why));
        }
        true
    });
    let (handle, b) = (app.clone(), Rc::clone(bar));
    view.connect_web_process_terminated(move |_, _| {
        b.say(&handle.state::<Words>().say("site_window_crashed", &[]));
    });
}
