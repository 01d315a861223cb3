//! Numbers and spans as they occur in headers.

use std::time::Duration;

/// A plain number at or above zero: digits and at most one point. No sign but `+`, no exponent,
/// no `inf` or `nan` (Rust's own parser takes those).
pub(super) fn parse_number(text: &str) -> Option<f64> {
    let digits = text.strip_prefix('+').unwrap_or(text);
    let points = digits.bytes().filter(|b| *b == b'.').count();
    let plain = digits.bytes().all(|b| b.is_ascii_digit() || b == b'.')
        && digits.bytes().any(|b| b.is_ascii_digit())
        && points <= 1;
    let number: f64 = plain.then(|| digits.parse().ok())??;
    number.is_finite().then_some(number).or(Some(f64::MAX))
}

/// `2m59.56s`, `370ms`, `1h 30m`, `120 seconds`: every number has a unit.
pub(super) fn parse_span(text: &str) -> Option<Duration> {
    let text = text.to_ascii_lowercase();
    let mut rest = text.trim();
    let mut total = 0.0_f64;
    if rest.is_empty() {
        return None;
    }
    while !rest.is_empty() {
        let end = rest.find(|c: char| !c.is_ascii_digit() && c != '.')?;
        let number = parse_number(&rest[..end])?;
        rest = rest[end..].trim_start();
        let end = rest.find(|c: char| !c.is_ascii_alphabetic() && c != 'µ').unwrap_or(rest.len());
        total += number * unit(&rest[..end])?;
        rest = rest[end..].trim_start();
    }
    Duration::try_from_secs_f64(total.min(1e9)).ok()
}

fn unit(name: &str) -> Option<f64> {
    Some(match name {
        "us" | "µs" => 1e-6,
        "ms" | "msec" | "millis" | "milliseconds" => 1e-3,
        "s" | "sec" | "secs" | "second" | "seconds" => 1.0,
        "m" | "min" | "mins" | "minute" | "minutes" => 60.0,
        "h" | "hr" | "hrs" | "hour" | "hours" => 3600.0,
        "d" | "day" | "days" => 86_400.0,
        _ => return None,
    })
}
