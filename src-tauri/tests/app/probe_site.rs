//! A site whose page looks for ways into the app and reports what it found.

use std::sync::{Arc, Mutex};

use axum::Router;
use axum::extract::State;
use axum::response::Html;
use axum::routing::{get, post};

/// The site, and what its page reported.
#[derive(Clone)]
pub(crate) struct ProbeSite {
    pub(crate) url: String,
    reports: Arc<Mutex<Vec<String>>>,
}

const PAGE: &str = r#"<!doctype html><title>Huren</title><h1>Huren</h1>
<article><h2><a href="/kamer/1">Kamer aan de gracht</a></h2><p>€ 700 per maand</p></article>
<article><h2><a href="/kamer/2">Kamer aan het park</a></h2><p>€ 650 per maand</p></article>
<script>
const say = (text) => fetch('/report', { method: 'POST', body: text });
const names = Object.getOwnPropertyNames(window).filter((n) => /tauri|ipc|wry|firstknock/i.test(n));
say('names:' + names.join(','));
say('handlers:' + (window.webkit && window.webkit.messageHandlers
  ? Object.keys(window.webkit.messageHandlers).join(',') : ''));
say('webdriver:' + navigator.webdriver);
for (const url of ['tauri://localhost/index.html', 'ipc://localhost/call', 'http://ipc.localhost/call',
    'firstknock-image://localhost/x', 'file:///etc/hostname'])
  fetch(url, { method: 'GET' }).then((r) => say('reached:' + url + ' ' + r.status), () => {});
try { window.__TAURI_INTERNALS__.invoke('quit'); say('invoked'); } catch (e) {}
say('size:' + innerWidth + 'x' + innerHeight + ' ' + document.visibilityState);
let frames = 0; (function f() { frames++; requestAnimationFrame(f); })();
setTimeout(() => { window.open('/opened'); location.href = 'tauri://localhost/index.html'; }, 200);
setTimeout(() => { location.href = 'file:///etc/hostname'; }, 300);
setTimeout(() => say(frames > 3 ? 'drawn' : 'not drawn'), 600);
</script>"#;

impl ProbeSite {
    /// Opens it on loopback.
    pub(crate) async fn open() -> Self {
        let listener = tokio::net::TcpListener::bind(("127.0.0.1", 0)).await.unwrap();
        let url = format!("http://{}/huren", listener.local_addr().unwrap());
        let site = Self { url, reports: Arc::default() };
        let router = Router::new()
            .route("/huren", get(|| async { Html(PAGE) }))
            .route("/report", post(report))
            .route("/opened", get(opened))
            .with_state(site.clone());
        tokio::spawn(async move { axum::serve(listener, router).await });
        site
    }

    /// What the page said so far.
    pub(crate) fn reports(&self) -> Vec<String> {
        self.reports.lock().unwrap().clone()
    }
}

async fn report(State(site): State<ProbeSite>, body: String) {
    site.reports.lock().unwrap().push(body);
}

async fn opened(State(site): State<ProbeSite>) -> &'static str {
    site.reports.lock().unwrap().push(String::from("opened a window"));
    ""
}
