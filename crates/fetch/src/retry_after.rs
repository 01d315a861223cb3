//! What a site asked for: Retry-After and its relatives, read leniently.
//!
//! Promises a wait from receipt of the answer, above zero and at most a day, and never a panic on
//! what the wild sends. Leaves out what the wait is then; `policy` takes it as a floor.

mod date;
mod span;
#[cfg(test)]
mod tests;

use std::time::Duration;

use jiff::Timestamp;

pub(crate) use date::parse_date;
use span::{parse_number, parse_span};

/// A wait that the site asked for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Asked {
    /// From receipt of the answer, above zero and at most 24 h.
    pub wait: Duration,
    /// The header that said it, as on the wire.
    pub evidence: String,
}

/// The longest wait believed: what a header says beyond it is a mistake.
const LONGEST: Duration = Duration::from_secs(24 * 3600);

/// How a header's numbers are meant.
#[derive(Clone, Copy)]
enum Unit {
    /// Seconds, a span with units, or a date.
    SecondsOrDate,
    /// Milliseconds.
    Millis,
    /// Seconds from now or since 1970, in s, ms or µs: told apart by size.
    Guess,
    /// `"name";r=0;t=30`, or `limit=10, remaining=0, reset=30` of an older draft.
    Fields,
}

/// In the order in which they are believed. The draft says that Retry-After must win.
const HEADERS: &[(&str, Unit)] = &[
    ("retry-after", Unit::SecondsOrDate),
    ("retry-after-ms", Unit::Millis),
    ("ratelimit", Unit::Fields),
    ("ratelimit-reset", Unit::Guess),
    ("x-ratelimit-retry-after", Unit::Guess),
    ("x-ratelimit-reset-after", Unit::Guess),
    ("x-ratelimit-reset", Unit::Guess),
    ("x-rate-limit-reset", Unit::Guess),
    ("x-ratelimit-next", Unit::Guess),
];
/// Those that mean a wait on any refusal; the others tell quotas, also on good pages.
const PLAIN: usize = 2;

/// The wait that a rate-limiting answer's headers ask for; `None` for none, or nothing usable.
///
/// ```
/// use firstknock_fetch::asked_wait;
/// let headers = [("retry-after".to_owned(), "292.05".to_owned())];
/// let now = "2026-11-01T12:00:00Z".parse().expect("a time");
/// assert_eq!(asked_wait(&headers, now).expect("usable").wait.as_secs(), 293);
/// ```
pub fn asked_wait(headers: &[(String, String)], now: Timestamp) -> Option<Asked> {
    first_of(HEADERS, headers, now)
}

/// Retry-After alone.
pub(crate) fn plain_retry_after(headers: &[(String, String)], now: Timestamp) -> Option<Asked> {
    first_of(&HEADERS[..PLAIN], headers, now)
}

fn first_of(known: &[(&str, Unit)], headers: &[(String, String)], now: Timestamp) -> Option<Asked> {
    let base = server_now(headers, now);
    known.iter().find_map(|(name, unit)| {
        // Several lines are a sender's error: the longest is the safe one.
        headers
            .iter()
            .filter(|(given, _)| given == name)
            .filter_map(|(_, value)| {
                let wait = read(*unit, value.trim().trim_matches(['"', '\'']).trim(), base)?;
                (wait > Duration::ZERO).then(|| Asked {
                    wait: wait.min(LONGEST),
                    evidence: format!("header {name}: {}", value.trim()),
                })
            })
            .max_by_key(|asked| asked.wait)
    })
}

/// The server's clock where it is fresh, so that ours cancels out. A cached `Date` is stale
/// (smithy-rs#4800), so an `Age` rules it out.
fn server_now(headers: &[(String, String)], now: Timestamp) -> Timestamp {
    let get = |name| headers.iter().find(|(given, _)| given == name).map(|(_, value)| value);
    if get("age").is_some() {
        return now;
    }
    get("date").and_then(|date| parse_date(date, now)).unwrap_or(now)
}

fn read(unit: Unit, value: &str, base: Timestamp) -> Option<Duration> {
    match unit {
        Unit::SecondsOrDate => seconds_or_date(value, base),
        Unit::Millis => seconds(parse_number(value)? / 1000.0),
        Unit::Guess => match parse_number(value) {
            Some(number) => guess(number, base),
            None => seconds_or_date(value, base),
        },
        Unit::Fields => fields(value),
    }
}

fn seconds_or_date(value: &str, base: Timestamp) -> Option<Duration> {
    if let Some(number) = parse_number(value) {
        return seconds(number.ceil());
    }
    if let Some(span) = parse_span(value) {
        return Some(span);
    }
    if let Some(at) = parse_date(value, base) {
        return until(at, base);
    }
    // A proxy may join two lines by a comma; a date was read above, so these are numbers.
    let joined = value.split(',').map(|part| parse_number(part.trim()));
    seconds(joined.collect::<Option<Vec<_>>>()?.into_iter().fold(0.0, f64::max).ceil())
}

/// A moment in the past asks for nothing: our own wait applies, never "no wait".
fn until(at: Timestamp, base: Timestamp) -> Option<Duration> {
    Duration::try_from(at.duration_since(base)).ok()
}

fn seconds(seconds: f64) -> Option<Duration> {
    Duration::try_from_secs_f64(seconds.min(LONGEST.as_secs_f64() * 2.0)).ok()
}

/// Below 10^8 a span in seconds, else a moment: about 10^9 s, 10^12 ms, 10^15 µs, 10^18 ns.
fn guess(number: f64, base: Timestamp) -> Option<Duration> {
    let scale = match number {
        n if n < 1e8 => return seconds(n.ceil()),
        n if n < 1e11 => 1.0,
        n if n < 1e14 => 1e3,
        n if n < 1e17 => 1e6,
        _ => 1e9,
    };
    let now = base.as_millisecond() as f64 / 1000.0;
    let wait = (number / scale - now).ceil();
    (wait > 0.0).then(|| seconds(wait)).flatten()
}

fn fields(value: &str) -> Option<Duration> {
    let number_after = |part: &str, name: &str| {
        part.split([';', ',']).find_map(|field| {
            let (key, number) = field.split_once('=')?;
            (key.trim() == name).then(|| parse_number(number.trim()))?
        })
    };
    if let Some(reset) = number_after(value, "reset") {
        return seconds(reset.ceil());
    }
    // One item per policy; only a used-up one asks for a wait.
    let spans = value.split(',').filter_map(|item| {
        let left = number_after(item, "r").unwrap_or(0.0);
        (left <= 0.0).then(|| number_after(item, "t")).flatten()
    });
    seconds(spans.fold(0.0, f64::max).ceil())
}
