//! `firstknock-image`: listing photos for the window, read and cached by the engine.
//!
//! The window never asks a site for anything, so its photos come through here.

use tauri::http::{Request, Response, StatusCode, header};
use tauri::{Manager, UriSchemeContext, UriSchemeResponder, Wry};

use crate::engine::Engine;
use crate::window::MAIN;

/// The scheme's name; the content policy and the user interface know it too.
pub(crate) const SCHEME: &str = "firstknock-image";

/// Answers with the photo of a key, or with 404.
pub(crate) fn serve(
    context: UriSchemeContext<'_, Wry>,
    request: Request<Vec<u8>>,
    responder: UriSchemeResponder,
) {
    let key = key_of(request.uri().path());
    if context.webview_label() != MAIN {
        return responder.respond(answer(StatusCode::FORBIDDEN, "text/plain", Vec::new()));
    }
    let app = context.app_handle().clone();
    tauri::async_runtime::spawn(async move {
        let found = app.state::<Engine>().photo(&key);
        responder.respond(match found {
            Some((kind, bytes)) => answer(StatusCode::OK, kind, bytes),
            None => answer(StatusCode::NOT_FOUND, "text/plain", Vec::new()),
        });
    });
}

/// The key in an address's path; keys may hold anything, so they are percent-coded.
fn key_of(path: &str) -> String {
    percent_decode(path.trim_start_matches('/'))
}

fn percent_decode(text: &str) -> String {
    let bytes = text.as_bytes();
    let mut out = Vec::with_capacity(bytes.len());
    let mut at = 0;
    while at < bytes.len() {
        let coded = (bytes[at] == b'%')
            .then(|| text.get(at + 1..at + 3))
            .flatten()
            .and_then(|pair| u8::from_str_radix(pair, 16).ok());
        out.push(coded.unwrap_or(bytes[at]));
        at += if coded.is_some() { 3 } else { 1 };
    }
    String::from_utf8_lossy(&out).into_owned()
}

fn answer(status: StatusCode, kind: &str, body: Vec<u8>) -> Response<Vec<u8>> {
    Response::builder()
        .status(status)
        .header(header::CONTENT_TYPE, kind)
        .header(header::X_CONTENT_TYPE_OPTIONS, "nosniff")
        .header(header::CACHE_CONTROL, "private, max-age=86400")
        .body(body)
        .expect("BUG: these headers are valid")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_comes_out_of_the_address_as_it_went_in() {
        assert_eq!(key_of("/abc123"), "abc123");
        assert_eq!(key_of("/a%2Fb%3Fc%20d"), "a/b?c d");
        assert_eq!(key_of("/100%"), "100%");
        assert_eq!(key_of("/%zz%C3%A9"), "%zzé");
    }
}
