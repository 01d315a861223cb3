//! Dates as servers write them: the three of RFC 9110, ISO 8601, and their misspellings.

use jiff::civil::DateTime;
use jiff::tz::Offset;
use jiff::{SignedDuration, Timestamp};

const MONTHS: [&str; 12] =
    ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];

/// Reads a date. Weekdays are not believed, case does not matter, `:60` is the last second of its
/// minute. A two-digit year more than 50 years ahead of `now` means the past (RFC 9110 5.6.7).
pub(crate) fn parse_date(text: &str, now: Timestamp) -> Option<Timestamp> {
    let text = text.trim();
    if text.len() > 64 {
        return None;
    }
    if text
        .get(..5)
        .is_some_and(|head| head.ends_with('-') && head[..4].bytes().all(|b| b.is_ascii_digit()))
    {
        return iso(text);
    }
    let (mut day, mut month, mut year, mut time) = (None, None, None, None);
    let mut offset = 0;
    for token in text.split([' ', ',', '\t']).filter(|token| !token.is_empty()) {
        let low = token.to_ascii_lowercase();
        if let Some(seconds) = zone(&low) {
            offset = seconds;
        } else if low.contains(':') {
            time = Some(clock(&low)?);
        } else if let Some((d, m, y)) = dashed(&low) {
            (day, month, year) = (Some(d), Some(m), Some(full_year(y, now)));
        } else if let Ok(number) = low.parse::<i16>() {
            if day.is_none() && low.len() <= 2 {
                day = Some(number);
            } else {
                year = Some(if low.len() == 2 { full_year(number, now) } else { number });
            }
        } else if let Some(found) = month_of(&low) {
            month = Some(found);
        } else if !is_weekday(&low) {
            return None;
        }
    }
    let (hour, minute, second) = time?;
    let day = i8::try_from(day?).ok()?;
    let at = DateTime::new(year?, month?, day, hour, minute, second, 0).ok()?;
    let utc = Offset::UTC.to_timestamp(at).ok()?;
    utc.checked_sub(SignedDuration::from_secs(offset)).ok()
}

fn iso(text: &str) -> Option<Timestamp> {
    if let Ok(at) = text.parse() {
        return Some(at);
    }
    let at: DateTime = text.replace(" UTC", "").replace(" GMT", "").parse().ok()?;
    Offset::UTC.to_timestamp(at).ok()
}

fn clock(text: &str) -> Option<(i8, i8, i8)> {
    let mut parts = text.split(':');
    let hour = parts.next()?.parse().ok()?;
    let minute = parts.next()?.parse().ok()?;
    let second: i8 = parts.next().map_or(Some(0), |s| s.parse().ok())?;
    Some((hour, minute, if second == 60 { 59 } else { second }))
}

/// `06-Nov-94`.
fn dashed(text: &str) -> Option<(i16, i8, i16)> {
    let mut parts = text.split('-');
    let day = parts.next()?.parse().ok()?;
    let month = month_of(parts.next()?)?;
    let year = parts.next()?.parse().ok()?;
    Some((day, month, year))
}

fn month_of(text: &str) -> Option<i8> {
    let head = text.get(..3)?;
    let at = MONTHS.iter().position(|month| *month == head)?;
    i8::try_from(at + 1).ok()
}

fn is_weekday(text: &str) -> bool {
    ["mon", "tue", "wed", "thu", "fri", "sat", "sun"].iter().any(|day| text.starts_with(day))
}

fn full_year(year: i16, now: Timestamp) -> i16 {
    if year >= 100 {
        return year;
    }
    let this = Offset::UTC.to_datetime(now).year();
    let guess = this - this % 100 + year;
    if guess > this + 50 { guess - 100 } else { guess }
}

/// Seconds east of UTC.
fn zone(text: &str) -> Option<i64> {
    if matches!(text, "gmt" | "utc" | "ut" | "z") {
        return Some(0);
    }
    let (sign, digits) = match text.split_at_checked(1)? {
        ("+", digits) => (1, digits.replace(':', "")),
        ("-", digits) => (-1, digits.replace(':', "")),
        _ => return None,
    };
    let number: i64 = (digits.len() == 4).then(|| digits.parse().ok())??;
    Some(sign * (number / 100 * 3600 + number % 100 * 60))
}
