//! The files of the user interface, and the page that asks for the token.

use std::path::{Component, Path};

use axum::extract::{Request, State};
use axum::response::{IntoResponse, Response};
use firstknock_monitor::catalogue::{Language, say};
use http::{HeaderMap, Method, StatusCode, header};

use crate::app::{Api, Ui};
use crate::problem::Problem;

const SIGN_IN: &str = include_str!("pages/sign-in.html");
const SIGN_IN_JS: &str = include_str!("pages/sign-in.js");
const GATE_JS: &str = include_str!("pages/gate.js");
const STYLE: &str = include_str!("pages/style.css");
/// Runs before the interface does: without a good token it goes to the page that asks for one.
const GATE: &str = "<script src=\"/gate.js\"></script>";

pub(crate) async fn page(State(api): State<Api>, request: Request) -> Response {
    let path = request.uri().path();
    if path.starts_with("/api/") || matches!(api.ui, Ui::None) {
        return Problem::not_found().into_response();
    }
    if !matches!(*request.method(), Method::GET | Method::HEAD) {
        let problem =
            Problem::new(StatusCode::METHOD_NOT_ALLOWED, "method_not_allowed", "Only GET.");
        return ([(header::ALLOW, "GET, HEAD")], problem).into_response();
    }
    let language = language(request.headers());
    match path {
        "/sign-in" => text("text/html; charset=utf-8", &sign_in(language)),
        "/sign-in.js" => text("text/javascript; charset=utf-8", SIGN_IN_JS),
        "/gate.js" => text("text/javascript; charset=utf-8", GATE_JS),
        "/serve.css" => text("text/css; charset=utf-8", STYLE),
        "/" | "/index.html" => match file(&api.ui, "index.html").await {
            Some(bytes) => text("text/html; charset=utf-8", &gated(&bytes)),
            None => text("text/html; charset=utf-8", &not_built(language)),
        },
        path => match file(&api.ui, path.trim_start_matches('/')).await {
            Some(bytes) => {
                let kept = if path.starts_with("/assets/") {
                    "max-age=31536000, immutable"
                } else {
                    "no-cache"
                };
                let headers = [(header::CONTENT_TYPE, kind(path)), (header::CACHE_CONTROL, kept)];
                (headers, bytes).into_response()
            }
            None => Problem::not_found().into_response(),
        },
    }
}

fn text(kind: &'static str, words: &str) -> Response {
    let headers = [(header::CONTENT_TYPE, kind), (header::CACHE_CONTROL, "no-cache")];
    (headers, words.to_owned()).into_response()
}

fn gated(index: &[u8]) -> String {
    let index = String::from_utf8_lossy(index);
    index.replacen("<head>", &format!("<head>\n    {GATE}"), 1)
}

fn sign_in(language: Language) -> String {
    let mut page = SIGN_IN.replace("{lang}", language.code());
    for key in
        ["serve_sign_in", "serve_why", "serve_token", "serve_open", "serve_wrong", "serve_gone"]
    {
        page = page.replace(&format!("{{{key}}}"), &escaped(&say(language, key, &[])));
    }
    page
}

fn not_built(language: Language) -> String {
    format!(
        "<!doctype html><html lang=\"{}\"><meta charset=\"utf-8\"><title>Firstknock</title>\
         <link rel=\"stylesheet\" href=\"/serve.css\"><main><h1>Firstknock</h1><p>{}</p>\
         <pre>npm --prefix ui ci\nnpm --prefix ui run build\nknock serve --ui ui/dist</pre></main></html>",
        language.code(),
        escaped(&say(language, "serve_not_built", &[])),
    )
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('"', "&quot;")
}

/// The first language of the browser that we speak.
fn language(headers: &HeaderMap) -> Language {
    let wished = headers.get(header::ACCEPT_LANGUAGE).and_then(|v| v.to_str().ok());
    wished
        .unwrap_or_default()
        .split(',')
        .find_map(|part| Language::from_code(part.split(';').next()?.trim()))
        .unwrap_or_default()
}

async fn file(ui: &Ui, path: &str) -> Option<Vec<u8>> {
    match ui {
        Ui::Built(files) => {
            files.iter().find(|(name, _)| *name == path).map(|(_, bytes)| bytes.to_vec())
        }
        Ui::Folder(folder) => {
            let path = Path::new(path);
            let plain = path.components().all(|part| matches!(part, Component::Normal(_)));
            if !plain || path.as_os_str().is_empty() {
                return None;
            }
            tokio::fs::read(folder.join(path)).await.ok()
        }
        Ui::Missing | Ui::None => None,
    }
}

fn kind(path: &str) -> &'static str {
    match path.rsplit('.').next() {
        Some("js") => "text/javascript; charset=utf-8",
        Some("css") => "text/css; charset=utf-8",
        Some("html") => "text/html; charset=utf-8",
        Some("svg") => "image/svg+xml",
        Some("png") => "image/png",
        Some("webp") => "image/webp",
        Some("woff2") => "font/woff2",
        Some("json") => "application/json",
        _ => "application/octet-stream",
    }
}
