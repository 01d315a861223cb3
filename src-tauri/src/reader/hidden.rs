//! A webview that nobody sees but that thinks it is seen: on an offscreen window of the size of
//! an ordinary one, so that pages which wait to be looked at do render.

use std::cell::{Cell, RefCell};
use std::rc::Rc;
use std::time::Duration;

use firstknock_fetch::Failure;
use firstknock_monitor::Reason;
use gtk::glib;
use gtk::prelude::*;
use javascriptcore::ValueExt;
use url::Url;
use webkit2gtk::{
    LoadEvent, URIRequest, URIRequestExt, URIResponseExt, WebResourceExt, WebView, WebViewExt,
};

use super::failure;
use super::settle::Look;
use crate::webview::{Guest, Session, is_web, put_up_rails};

/// What the server said about the document that is shown.
#[derive(Clone, Default)]
pub(super) struct Answer {
    pub(super) status: Option<u16>,
    pub(super) headers: Vec<(String, String)>,
}

/// What the engine told, as it told it.
#[derive(Default)]
pub(super) struct Told {
    /// Documents shown so far.
    pub(super) documents: Cell<u32>,
    pub(super) answer: RefCell<Answer>,
    pub(super) failure: RefCell<Option<Failure>>,
    /// Requests under way for the document.
    pub(super) under_way: Cell<u32>,
    /// Requests of an older document no longer count.
    era: Cell<u32>,
}

/// The view, its window, and the session that it lives in. Gone when dropped.
pub(super) struct Hidden {
    view: WebView,
    window: gtk::OffscreenWindow,
    session: Rc<Session>,
    pub(super) told: Rc<Told>,
}

/// The web process answers no question for this long: it hangs.
const ANSWERS_WITHIN: Duration = Duration::from_secs(10);
/// Our looks run beside the page's scripts, not among them: a page cannot see or change them.
const WORLD: &str = "firstknock";
const LOOK: &str = r"(() => {
  const body = document.body;
  return JSON.stringify({
    parsed: document.readyState !== 'loading',
    links: document.links.length,
    text: body ? body.innerText.length : 0,
    nodes: document.getElementsByTagName('*').length,
    title: document.title.slice(0, 300),
  });
})()";
/// At most 16 Mi characters, as for any other reading.
const HTML: &str =
    "document.documentElement ? document.documentElement.outerHTML.slice(0, 16777216) : ''";

/// Why a question got no answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Mute {
    /// The document changed in between: ask again.
    Between,
    /// The web process hangs; it was ended.
    Hung,
}

impl Hidden {
    /// A fresh view in a session.
    pub(super) fn new(session: Rc<Session>) -> Self {
        let view = WebView::builder().web_context(session.context()).build();
        put_up_rails(&view, Guest::Reader);
        let told = Rc::new(Told::default());
        listen(&view, &told);
        let window = gtk::OffscreenWindow::new();
        window.set_default_size(1280, 900);
        view.set_size_request(1280, 900);
        window.add(&view);
        window.show_all();
        Self { view, window, session, told }
    }

    /// Goes to a page as a reload does: whatever was kept of it is asked for again.
    pub(super) fn go(&self, url: &Url) {
        let request = URIRequest::new(url.as_str());
        if let Some(headers) = request.http_headers() {
            headers.replace("Cache-Control", "max-age=0");
        }
        self.view.load_request(&request);
    }

    /// The address of the document that is shown.
    pub(super) fn address(&self) -> Option<Url> {
        self.view.uri().and_then(|uri| Url::parse(&uri).ok())
    }

    /// One look at the document.
    pub(super) async fn look(&self) -> Result<Look, Mute> {
        let text = self.ask(LOOK).await?;
        serde_json::from_str(&text).map_err(|_| Mute::Between)
    }

    /// The document as it stands.
    pub(super) async fn html(&self) -> Result<String, Mute> {
        self.ask(HTML).await
    }

    /// Keeps what the page earned.
    pub(super) async fn keep_session(&self) {
        self.session.keep().await;
    }

    async fn ask(&self, question: &str) -> Result<String, Mute> {
        let answer = Box::pin(self.view.evaluate_javascript_future(question, Some(WORLD), None));
        let patience = glib::timeout_future(ANSWERS_WITHIN);
        match futures_util::future::select(answer, patience).await {
            futures_util::future::Either::Left((Ok(value), _)) if value.is_string() => {
                Ok(value.to_str().into())
            }
            futures_util::future::Either::Left(_) => Err(Mute::Between),
            futures_util::future::Either::Right(_) => {
                self.view.terminate_web_process();
                Err(Mute::Hung)
            }
        }
    }
}

impl Drop for Hidden {
    fn drop(&mut self) {
        self.view.stop_loading();
        self.window.remove(&self.view);
        self.window.close();
    }
}

fn listen(view: &WebView, told: &Rc<Told>) {
    let t = Rc::clone(told);
    view.connect_load_changed(move |view, event| match event {
        LoadEvent::Started => {
            t.era.set(t.era.get() + 1);
            t.under_way.set(0);
        }
        // An address that the engine itself refuses (a mail server's port) ends on a blank page.
        LoadEvent::Committed if view.uri().is_some_and(|uri| is_web(&uri)) => {
            *t.answer.borrow_mut() = answer_of(view);
            *t.failure.borrow_mut() = None;
            t.documents.set(t.documents.get() + 1);
        }
        _ => {}
    });
    let t = Rc::clone(told);
    view.connect_load_failed(move |_, _, _, error| {
        if let Some(failure) = failure::of_load(error, t.documents.get() > 0) {
            *t.failure.borrow_mut() = Some(failure);
        }
        true
    });
    let t = Rc::clone(told);
    view.connect_load_failed_with_tls_errors(move |_, _, _, flags| {
        let detail = format!("the certificate is not trusted ({flags:?})");
        *t.failure.borrow_mut() = Some(failure::what(Reason::Certificate, &detail));
        true
    });
    let t = Rc::clone(told);
    view.connect_web_process_terminated(move |_, why| {
        let detail = format!("the web process ended ({why:?})");
        *t.failure.borrow_mut() = Some(failure::what(Reason::Browser, &detail));
    });
    let t = Rc::clone(told);
    view.connect_resource_load_started(move |_, resource, _| {
        let era = t.era.get();
        t.under_way.set(t.under_way.get() + 1);
        let t = Rc::clone(&t);
        resource.connect_finished(move |_| {
            if t.era.get() == era {
                t.under_way.set(t.under_way.get().saturating_sub(1));
            }
        });
    });
}

/// Status and headers of the document; cookies stay where they are.
fn answer_of(view: &WebView) -> Answer {
    let Some(response) = view.main_resource().and_then(|resource| resource.response()) else {
        return Answer::default();
    };
    let mut headers = Vec::new();
    if let Some(list) = response.http_headers() {
        list.foreach(|name, value| {
            let value = if name.eq_ignore_ascii_case("set-cookie") { "" } else { value };
            headers.push((name.to_owned(), value.to_owned()));
        });
    }
    Answer { status: u16::try_from(response.status_code()).ok().filter(|s| *s != 0), headers }
}
