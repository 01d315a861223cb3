//! The library's errors to reasons. The flags were measured (walls.md section 6).

use std::error::Error;

use firstknock_policy::Reason;
use rustls::CertificateError;

use super::resolver::{NoAddress, Private};

/// What went wrong with one request.
#[derive(Debug)]
pub(super) struct Fault {
    pub(super) reason: Reason,
    pub(super) detail: String,
    /// The network failed, as opposed to a deadline or bytes that make no sense: one more try may
    /// help (policy.md section 6).
    pub(super) passing: bool,
    /// It failed before anything was sent.
    pub(super) connecting: bool,
}

impl Fault {
    pub(super) fn new(reason: Reason, detail: impl Into<String>) -> Self {
        Self { reason, detail: detail.into(), passing: false, connecting: false }
    }

    /// A name that stands for a private address was not asked.
    pub(super) fn is_private(error: &reqwest::Error) -> bool {
        chain(error).any(|e| e.is::<Private>())
    }

    pub(super) fn of(error: reqwest::Error) -> Self {
        // An address may hold a token; the host is known anyway.
        let error = error.without_url();
        let detail = chain(&error).map(ToString::to_string).collect::<Vec<_>>().join(": ");
        let connecting = error.is_connect();
        let (reason, passing) = if error.is_timeout() {
            (Reason::Timeout, connecting)
        } else if detail.contains("proxy authorization required") {
            (Reason::Proxy, false)
        } else if chain(&error).any(|e| e.is::<NoAddress>()) {
            (Reason::Dns, true)
        } else if let Some(problem) = certificate(&error) {
            let detail = format!("certificate {problem}");
            return Self { reason: Reason::Certificate, detail, passing: false, connecting };
        } else if connecting {
            (Reason::Connect, true)
        } else if error.is_decode() || error.is_body() {
            // Broken off by the network, or bytes that do not decode: only the first may pass.
            (Reason::Truncated, chain(&error).any(|e| e.is::<hyper::Error>()))
        } else {
            (Reason::Network, true)
        };
        Self { reason, detail: words(reason, detail), passing, connecting }
    }
}

/// A short word first, so that a row need not show a library's sentence.
fn words(reason: Reason, detail: String) -> String {
    let head = match reason {
        Reason::Timeout => "timeout",
        Reason::Proxy => "status 407",
        Reason::Dns => "no address for this name",
        Reason::Connect => "no connection",
        Reason::Truncated => "answer broke off",
        _ => "connection failed",
    };
    let deepest = detail.rsplit(": ").next().unwrap_or_default();
    if deepest.is_empty() || deepest == head { head.into() } else { format!("{head}: {deepest}") }
}

fn chain(error: &reqwest::Error) -> impl Iterator<Item = &(dyn Error + 'static)> {
    let first: &(dyn Error + 'static) = error;
    std::iter::successors(Some(first), |error| inner(*error))
}

/// The error behind an error. An `io::Error` that wraps one shows only that one's source.
fn inner<'a>(error: &'a (dyn Error + 'static)) -> Option<&'a (dyn Error + 'static)> {
    match error.downcast_ref::<std::io::Error>().and_then(std::io::Error::get_ref) {
        Some(wrapped) => Some(wrapped),
        None => error.source(),
    }
}

/// What is wrong with the certificate, in a word or two.
fn certificate(error: &reqwest::Error) -> Option<String> {
    let tls = chain(error).find_map(|e| e.downcast_ref::<rustls::Error>())?;
    let problem = match tls {
        rustls::Error::InvalidCertificate(problem) => problem,
        rustls::Error::NoCertificatesPresented => return Some("missing".into()),
        _ => return None,
    };
    Some(match problem {
        CertificateError::Expired | CertificateError::ExpiredContext { .. } => "expired".into(),
        CertificateError::NotValidYet | CertificateError::NotValidYetContext { .. } => {
            "not valid yet".into()
        }
        CertificateError::UnknownIssuer => "of an unknown issuer".into(),
        CertificateError::NotValidForName | CertificateError::NotValidForNameContext { .. } => {
            "of another name".into()
        }
        CertificateError::Revoked => "revoked".into(),
        CertificateError::Other(other) => format!("not accepted ({other})"),
        other => format!("not accepted ({other:?})"),
    })
}
