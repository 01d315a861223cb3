//! What a site asked for: Retry-After and its relatives, read leniently.

use std::time::Duration;

use jiff::Timestamp;

/// A wait that the site asked for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Asked {
    /// From receipt of the answer, at most 24 h.
    pub wait: Duration,
    /// The header that said it, as on the wire.
    pub evidence: String,
}

/// The wait that an answer's headers ask for; `None` for none, or nothing usable.
pub fn asked_wait(headers: &[(String, String)], now: Timestamp) -> Option<Asked> {
    let _ = (headers, now);
    None
}
