//! `firstknock-image`: listing photos for the window, read and cached by the engine.
//!
//! The window never asks a site for anything, so its photos come through here.

use firstknock_monitor::{Photo, PhotoKey};
use tauri::http::{Request, Response, StatusCode, header};
use tauri::{Manager, UriSchemeContext, UriSchemeResponder, Wry};

use crate::engine::Engine;
use crate::window::MAIN;

/// The scheme's name; the content policy and the user interface know it too.
pub(crate) const SCHEME: &str = "firstknock-image";

/// Answers with the photo of a key. One that has yet to come is no error: the board says when it
/// is there, and the window asks again.
pub(crate) fn serve(
    context: UriSchemeContext<'_, Wry>,
    request: Request<Vec<u8>>,
    responder: UriSchemeResponder,
) {
    if context.webview_label() != MAIN {
        return responder.respond(empty(StatusCode::FORBIDDEN));
    }
    let Ok(key) = request.uri().path().trim_start_matches('/').parse::<PhotoKey>() else {
        return responder.respond(empty(StatusCode::NOT_FOUND));
    };
    let app = context.app_handle().clone();
    tauri::async_runtime::spawn(async move {
        responder.respond(answer(app.state::<Engine>().photo(key).await));
    });
}

fn answer(photo: Photo) -> Response<Vec<u8>> {
    match photo {
        Photo::Here(jpeg) => Response::builder()
            .header(header::CONTENT_TYPE, "image/jpeg")
            .header(header::X_CONTENT_TYPE_OPTIONS, "nosniff")
            // A key stands for one photo for ever.
            .header(header::CACHE_CONTROL, "private, max-age=86400, immutable")
            .body(jpeg)
            .expect("BUG: these headers are valid"),
        Photo::Later => empty(StatusCode::ACCEPTED),
        Photo::None => empty(StatusCode::NOT_FOUND),
    }
}

fn empty(status: StatusCode) -> Response<Vec<u8>> {
    Response::builder()
        .status(status)
        .header(header::CONTENT_TYPE, "text/plain")
        .header(header::CACHE_CONTROL, "no-store")
        .body(Vec::new())
        .expect("BUG: these headers are valid")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_photo_may_be_kept_and_its_absence_may_not() {
        let kept = |answer: &Response<Vec<u8>>| {
            answer.headers()[header::CACHE_CONTROL].to_str().expect("text").to_owned()
        };
        let here = answer(Photo::Here(vec![0xff, 0xd8]));
        assert_eq!((here.status(), here.body().as_slice()), (StatusCode::OK, &[0xff, 0xd8][..]));
        assert_eq!(here.headers()[header::CONTENT_TYPE], "image/jpeg");
        assert!(kept(&here).contains("immutable"));
        for (photo, status) in
            [(Photo::Later, StatusCode::ACCEPTED), (Photo::None, StatusCode::NOT_FOUND)]
        {
            let absent = answer(photo);
            assert_eq!((absent.status(), kept(&absent)), (status, "no-store".to_owned()));
        }
    }
}
