//! The bar above the page: back, reload, the real address, and the way into the user's browser.
//! It is the window's own, beside the page and never over it.

use gtk::pango::EllipsizeMode;
use gtk::prelude::*;
use tauri::{AppHandle, Manager};
use webkit2gtk::{WebView, WebViewExt};

use crate::words::Words;
use crate::{external, webview};

/// The bar, and the line below it that says what to do or what went wrong.
pub(super) struct Bar {
    pub(super) all: gtk::Box,
    address: gtk::Label,
    back: gtk::Button,
    line: gtk::Label,
}

impl Bar {
    /// A bar for a view. Its buttons do nothing to the page but load it.
    pub(super) fn new(app: &AppHandle, view: &WebView) -> Self {
        let words = app.state::<Words>();
        let button = |icon: &str, code: &str| {
            let button = gtk::Button::from_icon_name(Some(icon), gtk::IconSize::Button);
            button.set_tooltip_text(Some(&words.say(code, &[])));
            button.set_relief(gtk::ReliefStyle::None);
            if let Some(accessible) = button.accessible() {
                accessible.set_name(&words.say(code, &[]));
            }
            button
        };
        let back = button("go-previous-symbolic", "site_window_back");
        let reload = gtk::Button::with_label(&words.say("site_window_reload", &[]));
        let browser = gtk::Button::with_label(&words.say("site_window_browser", &[]));
        let address = gtk::Label::new(None);
        address.set_ellipsize(EllipsizeMode::End);
        address.set_xalign(0.0);
        address.set_selectable(true);
        let row = gtk::Box::new(gtk::Orientation::Horizontal, 6);
        row.set_border_width(6);
        row.pack_start(&back, false, false, 0);
        row.pack_start(&reload, false, false, 0);
        row.pack_start(&address, true, true, 6);
        row.pack_end(&browser, false, false, 0);
        let line = gtk::Label::new(Some(&words.say("site_window_hint", &[])));
        line.set_xalign(0.0);
        line.set_line_wrap(true);
        line.set_margin_start(12);
        line.set_margin_end(12);
        line.set_margin_bottom(6);
        let all = gtk::Box::new(gtk::Orientation::Vertical, 0);
        all.pack_start(&row, false, false, 0);
        all.pack_start(&line, false, false, 0);
        all.pack_start(&gtk::Separator::new(gtk::Orientation::Horizontal), false, false, 0);
        let page = view.downgrade();
        back.connect_clicked(move |_| {
            if let Some(page) = page.upgrade() {
                page.go_back();
            }
        });
        let page = view.downgrade();
        reload.connect_clicked(move |_| {
            if let Some(page) = page.upgrade() {
                page.reload();
            }
        });
        let page = view.downgrade();
        let app = app.clone();
        browser.connect_clicked(move |_| {
            let address = page.upgrade().and_then(|page| page.uri());
            if let Some(address) = address.filter(|address| webview::is_web(address)) {
                // Refused or without a browser: already logged, and the page is still here.
                external::open(&app, &address).ok();
            }
        });
        Self { all, address, back, line }
    }

    /// The page has another address.
    pub(super) fn show_address(&self, address: &str, can_go_back: bool) {
        self.address.set_text(address);
        self.address.set_tooltip_text(Some(address));
        self.back.set_sensitive(can_go_back);
    }

    /// Something that the user should know.
    pub(super) fn say(&self, text: &str) {
        self.line.set_text(text);
    }
}
