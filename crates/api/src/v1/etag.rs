//! An ETag on every whole answer to a GET; who has it already gets 304.

use axum::body::Body;
use axum::extract::Request;
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use http::{HeaderValue, Method, StatusCode, header};
use sha2::{Digest, Sha256};

pub(super) async fn tag(request: Request, next: Next) -> Response {
    let reads = matches!(*request.method(), Method::GET | Method::HEAD);
    let known = request.headers().get(header::IF_NONE_MATCH).cloned();
    let answer = next.run(request).await;
    let kind = answer.headers().get(header::CONTENT_TYPE).map(HeaderValue::as_bytes);
    let streams = kind.is_some_and(|kind| kind.starts_with(b"text/event-stream"));
    if !reads || streams || answer.status() != StatusCode::OK {
        return answer;
    }
    let (mut head, body) = answer.into_parts();
    let Ok(bytes) = axum::body::to_bytes(body, usize::MAX).await else {
        return StatusCode::INTERNAL_SERVER_ERROR.into_response();
    };
    let tag = format!("\"{}\"", hex::encode(&Sha256::digest(&bytes)[..12]));
    let same = known.as_ref().and_then(|known| known.to_str().ok()).is_some_and(|known| {
        known.split(',').any(|it| it.trim().trim_start_matches("W/") == tag || it.trim() == "*")
    });
    if let Ok(tag) = HeaderValue::from_str(&tag) {
        head.headers.insert(header::ETAG, tag);
    }
    // May be kept, but has to be asked for again.
    head.headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("private, no-cache"));
    if same {
        head.status = StatusCode::NOT_MODIFIED;
        head.headers.remove(header::CONTENT_LENGTH);
        return Response::from_parts(head, Body::empty());
    }
    Response::from_parts(head, Body::from(bytes))
}
