//! Arguments of a request, refused as problem+json when they are not what was asked for.

use axum::extract::{FromRequest, FromRequestParts, Path, Query, Request};
use axum::response::{IntoResponse, Response};
use http::StatusCode;
use http::header::CONTENT_TYPE;
use http::request::Parts;
use serde::de::DeserializeOwned;

use crate::problem::Problem;

/// The number in the path.
pub(crate) struct Id(pub(crate) i64);
/// The part behind the question mark.
pub(crate) struct Wish<T>(pub(crate) T);
/// A body of JSON.
pub(crate) struct Sent<T>(pub(crate) T);

impl<S: Send + Sync> FromRequestParts<S> for Id {
    type Rejection = Response;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, Response> {
        match Path::<i64>::from_request_parts(parts, state).await {
            Ok(Path(id)) => Ok(Self(id)),
            Err(_) => Err(Problem::bad("The id in the path is a number.").into_response()),
        }
    }
}

impl<S: Send + Sync, T: DeserializeOwned> FromRequestParts<S> for Wish<T> {
    type Rejection = Response;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, Response> {
        match Query::<T>::from_request_parts(parts, state).await {
            Ok(Query(wish)) => Ok(Self(wish)),
            Err(error) => Err(Problem::bad("A parameter cannot be used.")
                .with("words", error.body_text())
                .into_response()),
        }
    }
}

impl<S: Send + Sync, T: DeserializeOwned> FromRequest<S> for Sent<T> {
    type Rejection = Response;

    async fn from_request(request: Request, state: &S) -> Result<Self, Response> {
        let kind = request.headers().get(CONTENT_TYPE).and_then(|kind| kind.to_str().ok());
        let kind = kind.and_then(|kind| kind.split(';').next()).map(str::trim);
        if !kind.is_some_and(|kind| kind.eq_ignore_ascii_case("application/json")) {
            let title = "The body is to be application/json.";
            return Err(
                Problem::new(StatusCode::UNSUPPORTED_MEDIA_TYPE, "not_json", title).into_response()
            );
        }
        let bytes = axum::body::Bytes::from_request(request, state)
            .await
            .map_err(|_| Problem::bad("The body cannot be read.").into_response())?;
        // An object: serde would take a list for its fields in their order, too.
        let fields = serde_json::from_slice::<serde_json::Map<_, _>>(&bytes);
        let read = |fields| serde_json::from_value(serde_json::Value::Object(fields));
        fields.and_then(read).map(Self).map_err(|error| {
            Problem::bad("The body is not what this path takes.")
                .with("words", error)
                .into_response()
        })
    }
}
