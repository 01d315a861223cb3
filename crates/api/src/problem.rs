//! What goes back when a request cannot be done: problem+json (RFC 9457).

use axum::response::{IntoResponse, Response};
use firstknock_ipc::{ErrorBody, ErrorCode};
use http::{HeaderValue, StatusCode, header};
use jiff::Timestamp;
use serde::Serialize;
use utoipa::ToSchema;

use std::collections::BTreeMap;

/// A refused request. `code` is what to branch on; `title` is for people who read logs.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub(crate) struct Problem {
    /// A name of the kind of problem, `urn:firstknock:problem:<code>`.
    #[serde(rename = "type")]
    pub(crate) kind: String,
    /// The same in words.
    pub(crate) title: String,
    /// The HTTP status.
    pub(crate) status: u16,
    /// The kind of problem as one word.
    pub(crate) code: String,
    /// Arguments of the sentence for it.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub(crate) args: BTreeMap<String, String>,
    /// Only with 429: when it ends and why.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) limit: Option<Box<LimitBody>>,
    /// For the header: seconds until it is worth another try.
    #[serde(skip)]
    pub(crate) come_again: Option<u16>,
}

/// What takes a place of the readers is done or cut off within a few seconds.
const BUSY_S: u16 = 2;

/// Why a client is locked out, and until when.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub(crate) struct LimitBody {
    /// The lock ends then (RFC 3339).
    pub(crate) until: String,
    /// The same in unix milliseconds.
    pub(crate) until_ms: i64,
    /// Which budget was overdrawn, `minute` or `day`; absent while a lock runs.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) overdrawn: Option<String>,
    /// Offences within the last 24 hours, this one included.
    pub(crate) offence: u32,
    /// Units of cost that may be spent within any 60 s.
    pub(crate) budget_per_minute: u64,
    /// Units of cost that may be spent within any 24 h.
    pub(crate) budget_per_day: u64,
    /// Spent within the last 60 s.
    pub(crate) spent_minute: u64,
    /// Spent within the last 24 h.
    pub(crate) spent_day: u64,
}

impl Problem {
    pub(crate) fn new(status: StatusCode, code: &str, title: &str) -> Self {
        Self {
            kind: format!("urn:firstknock:problem:{code}"),
            title: title.to_owned(),
            status: status.as_u16(),
            code: code.to_owned(),
            args: BTreeMap::new(),
            limit: None,
            come_again: None,
        }
    }

    pub(crate) fn with(mut self, name: &str, value: impl ToString) -> Self {
        self.args.insert(name.to_owned(), value.to_string());
        self
    }

    pub(crate) fn bad(what: &str) -> Self {
        Self::new(StatusCode::BAD_REQUEST, "bad_request", what)
    }

    pub(crate) fn not_found() -> Self {
        Self::new(StatusCode::NOT_FOUND, "not_found", "There is nothing of that name here.")
    }

    pub(crate) fn of(error: ErrorBody) -> Self {
        let (status, title) = match error.code {
            ErrorCode::NotAnAddress
            | ErrorCode::NotHttp
            | ErrorCode::HasPassword
            | ErrorCode::AddressTooLong => {
                (StatusCode::UNPROCESSABLE_ENTITY, "That is no address of a search page.")
            }
            ErrorCode::OutOfRange => {
                (StatusCode::UNPROCESSABLE_ENTITY, "A value is outside its range.")
            }
            ErrorCode::BadImport => (
                StatusCode::UNPROCESSABLE_ENTITY,
                "An entry of this file cannot be read; nothing was added.",
            ),
            ErrorCode::BadBackup => {
                (StatusCode::UNPROCESSABLE_ENTITY, "This backup cannot be used.")
            }
            ErrorCode::BadEmail => (StatusCode::UNPROCESSABLE_ENTITY, "That is no e-mail address."),
            ErrorCode::Duplicate => (StatusCode::CONFLICT, "This address is a search already."),
            ErrorCode::TooMany => (StatusCode::CONFLICT, "No more searches can be enabled."),
            ErrorCode::Locked => (StatusCode::CONFLICT, "The button of this search is locked."),
            ErrorCode::HostWaits => (StatusCode::CONFLICT, "The site is left alone for now."),
            ErrorCode::NotFound => (StatusCode::NOT_FOUND, "It is not there any more."),
            ErrorCode::ShownOnce => {
                (StatusCode::GONE, "It was done, but its answer is given only once.")
            }
            ErrorCode::Storage => (StatusCode::INSUFFICIENT_STORAGE, "It could not be kept."),
            ErrorCode::MailLogin | ErrorCode::MailServer | ErrorCode::Secrets => {
                (StatusCode::UNPROCESSABLE_ENTITY, "The mail account cannot be used like this.")
            }
            ErrorCode::TookTooLong => {
                (StatusCode::SERVICE_UNAVAILABLE, "The answer was not found in time.")
            }
            ErrorCode::Busy => {
                (StatusCode::SERVICE_UNAVAILABLE, "Too much is being read at once; come again.")
            }
            ErrorCode::Stopping => (StatusCode::SERVICE_UNAVAILABLE, "The app is shutting down."),
            ErrorCode::Unsupported => (StatusCode::NOT_IMPLEMENTED, "Not possible here."),
            ErrorCode::Internal => (StatusCode::INTERNAL_SERVER_ERROR, "We broke."),
        };
        let code = serde_json::to_value(error.code)
            .ok()
            .and_then(|value| value.as_str().map(str::to_owned))
            .unwrap_or_default();
        let come_again = (error.code == ErrorCode::Busy).then_some(BUSY_S);
        Self { args: error.args, come_again, ..Self::new(status, &code, title) }
    }

    /// When a client may come again, as the header wants it: whole seconds, never too few.
    fn retry_after(&self, now: Timestamp) -> Option<u16> {
        let left = self.limit.as_ref()?.until_ms - now.as_millisecond();
        let seconds = u64::try_from(left).unwrap_or_default().div_ceil(1000).max(1);
        Some(u16::try_from(seconds).unwrap_or(u16::MAX))
    }

    pub(crate) fn answer_at(self, now: Timestamp) -> Response {
        let come_again = self.retry_after(now).or(self.come_again);
        Self { come_again, ..self }.into_response()
    }
}

pub(crate) const PROBLEM_JSON: HeaderValue = HeaderValue::from_static("application/problem+json");

impl IntoResponse for Problem {
    fn into_response(self) -> Response {
        let status = StatusCode::from_u16(self.status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
        let mut answer = (status, axum::Json(&self)).into_response();
        answer.headers_mut().insert(header::CONTENT_TYPE, PROBLEM_JSON);
        if let Some(seconds) = self.come_again {
            answer.headers_mut().insert(header::RETRY_AFTER, HeaderValue::from(seconds));
        }
        if status == StatusCode::UNAUTHORIZED {
            let asked = HeaderValue::from_static("Bearer realm=\"firstknock\"");
            answer.headers_mut().insert(header::WWW_AUTHENTICATE, asked);
        }
        answer
    }
}

impl From<ErrorBody> for Problem {
    fn from(error: ErrorBody) -> Self {
        Self::of(error)
    }
}

impl From<firstknock_monitor::StoreError> for Problem {
    fn from(error: firstknock_monitor::StoreError) -> Self {
        use firstknock_monitor::StoreError;
        Self::of(ErrorBody::new(match error {
            StoreError::NotFound => ErrorCode::NotFound,
            StoreError::Stopped(_) => ErrorCode::Storage,
            StoreError::TookTooLong => ErrorCode::TookTooLong,
            StoreError::NoTurn => ErrorCode::Busy,
            StoreError::Closed => ErrorCode::Stopping,
            _ => ErrorCode::Internal,
        }))
    }
}
