//! The HTTP side of a site.

use std::time::{Duration, Instant};

use axum::Router;
use axum::body::Body;
use axum::extract::{Request, State};
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};

use super::{Asked, Photos, Site, Wall, markup, picture};

/// Serves a site until the process ends.
pub(super) fn serve(listener: tokio::net::TcpListener, site: Site) {
    let router = Router::new().fallback(answer).with_state(site);
    tokio::spawn(async move {
        if let Err(error) = axum::serve(listener, router).await {
            tracing::error!(%error, "a site of the street closed");
        }
    });
}

async fn answer(State(site): State<Site>, request: Request) -> Response {
    let cookies = request
        .headers()
        .get(header::COOKIE)
        .and_then(|value| value.to_str().ok())
        .unwrap_or_default()
        .to_owned();
    let wall = site.lock().wall.clone().filter(|wall| !wall.lets_in(&cookies));
    let response = match wall {
        Some(Wall::Silent { ms }) => {
            write_down(&site, &request, 0);
            tokio::time::sleep(Duration::from_millis(ms)).await;
            return page(String::new());
        }
        Some(Wall::BreaksOff) => {
            write_down(&site, &request, 200);
            return broken_off();
        }
        Some(wall) => walled(&wall),
        None => match photo_of(request.uri().path()) {
            // Written down as it comes: a photo takes its time.
            Some(id) => {
                let photos = site.lock().photos.clone();
                write_down(&site, &request, photos.status());
                return photo(&site, id, photos).await;
            }
            None => content(&site, request.uri().path()),
        },
    };
    write_down(&site, &request, response.status().as_u16());
    response
}

/// The home whose photo is asked for.
fn photo_of(path: &str) -> Option<u64> {
    let name = path.strip_prefix("/foto/").or_else(|| path.strip_prefix("/photo/"))?;
    name.split('.').next()?.parse().ok()
}

async fn photo(site: &Site, id: u64, photos: Photos) -> Response {
    let markup = site.markup();
    if let Photos::Other { status, headers, body } = photos {
        let mut response = Response::new(Body::from(body));
        *response.status_mut() = StatusCode::from_u16(status).unwrap_or(StatusCode::IM_A_TEAPOT);
        for (name, value) in headers {
            if let Ok(value) = value.parse() {
                response.headers_mut().insert(name, value);
            }
        }
        return response;
    }
    if let Photos::Slow { ms } = photos {
        tokio::time::sleep(Duration::from_millis(ms)).await;
    }
    let (kind, name) = match markup {
        markup::Markup::Table => (picture::Kind::WebP, "image/webp"),
        _ => (picture::Kind::Jpeg, "image/jpeg"),
    };
    let drawn = tokio::task::spawn_blocking(move || picture::of(id, kind)).await;
    let headers = [(header::CONTENT_TYPE, name), (header::CACHE_CONTROL, "max-age=86400")];
    (headers, drawn.unwrap_or_default()).into_response()
}

fn write_down(site: &Site, request: &Request, status: u16) {
    let text = |value: &axum::http::HeaderValue| value.to_str().unwrap_or_default().to_owned();
    let headers: Vec<(String, String)> =
        request.headers().iter().map(|(name, value)| (name.to_string(), text(value))).collect();
    let agent = request.headers().get(header::USER_AGENT).map(text).unwrap_or_default();
    let path = request.uri().path_and_query().map(ToString::to_string).unwrap_or_default();
    site.lock().requests.push(Asked { at: Instant::now(), path, agent, status, headers });
}

fn content(site: &Site, path: &str) -> Response {
    let inner = site.lock();
    let last = path.rsplit('/').next().unwrap_or_default();
    if path == "/" {
        return page(
            "<html><head><title>Welkom</title></head><body><h1>Welkom</h1></body></html>".into(),
        );
    }
    if path == "/data.json" {
        let json = [(header::CONTENT_TYPE, "application/json")];
        return (json, markup::data(&inner.homes)).into_response();
    }
    if path.starts_with("/huren/") {
        return page(inner.markup.list(&inner.homes, last));
    }
    let digits = last.rsplit('-').next().unwrap_or_default();
    let home = inner.homes.iter().find(|home| digits.parse() == Ok(home.id));
    match home {
        Some(home) => page(inner.markup.detail(home)),
        None => (StatusCode::NOT_FOUND, "niet gevonden").into_response(),
    }
}

fn page(html: String) -> Response {
    ([(header::CONTENT_TYPE, "text/html; charset=utf-8")], html).into_response()
}

fn walled(wall: &Wall) -> Response {
    let answer = wall.answer();
    let mut response = page(answer.body);
    *response.status_mut() =
        StatusCode::from_u16(answer.status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
    for (name, value) in answer.headers {
        if let Ok(value) = value.parse() {
            response.headers_mut().insert(name, value);
        }
    }
    response
}

/// Half a page, then the connection closes in the middle of a chunk.
fn broken_off() -> Response {
    let half = futures_util::stream::iter([
        Ok::<_, std::io::Error>("<html><body><article>"),
        Err(std::io::Error::other("the street breaks off here")),
    ]);
    let mut response = Response::new(Body::from_stream(half));
    response
        .headers_mut()
        .insert(header::CONTENT_TYPE, header::HeaderValue::from_static("text/html"));
    response
}
