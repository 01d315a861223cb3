//! Reading a body: bounded while it is decoded, and known to be whole as far as that can be told.

use firstknock_policy::Reason;
use reqwest::{Response, Version};
use tokio::time::{Instant, timeout_at};

use super::failure::Fault;

/// Of a redirect's body nothing is used; this much is read to keep the connection.
const DRAINED: usize = 64 * 1024;
/// Of a refusal's body this much is enough to know whose it is.
const REFUSAL: usize = 1024 * 1024;

/// Reads the whole decoded body. For a refusing status what came is enough: the status is the
/// fact, and neither an endless nor a broken body may hide it.
pub(super) async fn read(
    response: &mut Response,
    largest: usize,
    deadline: Instant,
) -> Result<Vec<u8>, Fault> {
    let refusal = response.status().as_u16() >= 400;
    let largest = if refusal { largest.min(REFUSAL) } else { largest };
    let closed_by_end = ends_with_connection(response);
    let mut body = Vec::new();
    loop {
        let fault = match timeout_at(deadline, response.chunk()).await {
            Ok(Ok(Some(chunk))) if body.len() + chunk.len() <= largest => {
                body.extend_from_slice(&chunk);
                continue;
            }
            Ok(Ok(Some(_))) => Fault::new(Reason::TooLarge, format!("more than {largest} bytes")),
            Ok(Ok(None)) if closed_by_end && is_cut_short(&body) => {
                let mut fault = Fault::new(Reason::Truncated, "answer broke off: no </html>");
                fault.passing = true;
                fault
            }
            Ok(Ok(None)) => return Ok(body),
            Ok(Err(error)) => Fault::of(error),
            Err(_) => Fault::new(Reason::Timeout, "timeout: the answer did not end"),
        };
        return if refusal { Ok(body) } else { Err(fault) };
    }
}

/// Reads a redirect's body away, as far as it is worth it.
pub(super) async fn drain(response: &mut Response, deadline: Instant) {
    let mut left = DRAINED;
    while let Ok(Ok(Some(chunk))) = timeout_at(deadline, response.chunk()).await {
        let Some(rest) = left.checked_sub(chunk.len()) else { return };
        left = rest;
    }
}

/// Only the end of the connection ends the body, so a cut is no error to HTTP.
fn ends_with_connection(response: &Response) -> bool {
    let has = |name: &str| response.headers().contains_key(name);
    let closes = response
        .headers()
        .get("connection")
        .and_then(|value| value.to_str().ok())
        .is_some_and(|value| value.eq_ignore_ascii_case("close"));
    let old = response.version() == Version::HTTP_10 || response.version() == Version::HTTP_09;
    let plain = response.version() == Version::HTTP_11 && closes || old;
    plain && !has("content-length") && !has("transfer-encoding")
}

fn is_cut_short(body: &[u8]) -> bool {
    let holds = |part: &[u8], needle: &[u8]| {
        part.windows(needle.len()).any(|window| window.eq_ignore_ascii_case(needle))
    };
    let head = &body[..body.len().min(2048)];
    let tail = &body[body.len().saturating_sub(4096)..];
    holds(head, b"<html") && !holds(tail, b"</html") && !holds(tail, b"</body")
}
