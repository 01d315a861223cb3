//! Amounts, dates and counts as people write them in a language.

use firstknock_listing::catalogue::{Language, say};
use firstknock_listing::{Currency, Listing, Money, Period, RentKind};
use jiff::tz::TimeZone;
use jiff::{SignedDuration, Timestamp};

/// The whole price with its period: `€1,150`, `£180 a week`, `from €455`.
pub(super) fn price(language: Language, money: &Money) -> String {
    let mut text = amount(language, money.currency, money.cents);
    if let Some(upper) = money.upper_cents {
        text = format!("{text} – {}", amount(language, money.currency, upper));
    }
    let per = match money.period {
        Some(Period::Day) => Some("mail_per_day"),
        Some(Period::Week) => Some("mail_per_week"),
        Some(Period::Year) => Some("mail_per_year"),
        Some(Period::Month) | None => None,
    };
    if let Some(key) = per {
        text = say(language, key, &[("price", &text)]);
    }
    if money.from {
        text = say(language, "mail_price_from", &[("price", &text)]);
    }
    text
}

/// The price of a listing, or what stands in its place.
pub(super) fn price_of(language: Language, listing: &Listing) -> String {
    match &listing.price {
        Some(money) => price(language, money),
        None if listing.price_on_request => say(language, "mail_price_on_request", &[]),
        None => say(language, "mail_price_not_stated", &[]),
    }
}

/// How much less or more, as a bare amount.
pub(super) fn difference(language: Language, a: &Money, b: &Money) -> String {
    amount(language, a.currency.or(b.currency), (a.cents - b.cents).abs())
}

fn amount(language: Language, currency: Option<Currency>, cents: i64) -> String {
    let number = number(language, cents);
    let Some(currency) = currency else { return number };
    let symbol = match currency.code() {
        "EUR" => "€",
        "GBP" => "£",
        "USD" => "$",
        code => return format!("{code} {number}"),
    };
    match language {
        Language::En => format!("{symbol}{number}"),
        Language::Nl => format!("{symbol} {number}"),
        Language::De => format!("{number} {symbol}"),
    }
}

fn number(language: Language, cents: i64) -> String {
    let (group, point) = match language {
        Language::En => (',', '.'),
        Language::Nl | Language::De => ('.', ','),
    };
    let cents_abs = cents.unsigned_abs();
    let digits = (cents_abs / 100).to_string();
    let mut out = String::new();
    if cents < 0 {
        out.push('−');
    }
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            out.push(group);
        }
        out.push(digit);
    }
    if !cents_abs.is_multiple_of(100) {
        out.push(point);
        out.push_str(&format!("{:02}", cents_abs % 100));
    }
    out
}

/// Size, rooms, costs, availability: what stands under the price.
pub(super) fn facts(language: Language, listing: &Listing) -> Vec<String> {
    let mut facts = Vec::new();
    if let Some(size) = listing.size {
        facts.push(format!("{} m²", count(language, size.m2())));
    }
    if let Some(rooms) = listing.rooms {
        facts.push(say(language, "mail_rooms", &[("n", &count(language, rooms.count()))]));
    }
    if let Some(rooms) = listing.bedrooms {
        facts.push(say(language, "mail_bedrooms", &[("n", &count(language, rooms.count()))]));
    }
    match listing.price.as_ref().and_then(|price| price.kind) {
        Some(RentKind::Warm) => facts.push(say(language, "mail_warm", &[])),
        Some(RentKind::Cold) => facts.push(say(language, "mail_cold", &[])),
        None => {}
    }
    if let Some(when) = &listing.available_from {
        let when = super::view::line(when, 60);
        facts.push(say(language, "mail_available", &[("when", &when)]));
    }
    facts
}

fn count(language: Language, count: f64) -> String {
    let text = format!("{:.2}", count);
    let text = text.trim_end_matches('0').trim_end_matches('.');
    match language {
        Language::En => text.to_owned(),
        Language::Nl | Language::De => text.replace('.', ","),
    }
}

/// `3 November`, with the year where it is not this one.
pub(super) fn date(language: Language, at: Timestamp, now: Timestamp, zone: &TimeZone) -> String {
    let at = at.to_zoned_datetime(zone.clone());
    let this_year = now.to_zoned_datetime(zone.clone()).year();
    let months = say(language, "mail_months", &[]);
    let index = usize::try_from(at.month() - 1).unwrap_or_default();
    let month = months.split(' ').nth(index).unwrap_or_default();
    let (day, year) = (at.day().to_string(), at.year().to_string());
    let key = if at.year() == this_year { "mail_date" } else { "mail_date_year" };
    say(language, key, &[("day", &day), ("month", month), ("year", &year)])
}

/// `14:03:05`, or `14:03` where seconds do not matter.
pub(super) fn time(at: Timestamp, zone: &TimeZone, seconds: bool) -> String {
    let at = at.to_zoned_datetime(zone.clone());
    if seconds {
        format!("{:02}:{:02}:{:02}", at.hour(), at.minute(), at.second())
    } else {
        format!("{:02}:{:02}", at.hour(), at.minute())
    }
}

/// Date and time; today's date is left out.
pub(super) fn moment(language: Language, at: Timestamp, now: Timestamp, zone: &TimeZone) -> String {
    let clock = time(at, zone, false);
    if at.to_zoned_datetime(zone.clone()).date() == now.to_zoned_datetime(zone.clone()).date() {
        return clock;
    }
    let date = date(language, at, now, zone);
    say(language, "mail_date_time", &[("date", &date), ("time", &clock)])
}

/// `7 hours`, `40 minutes`, `3 days`.
pub(super) fn span(language: Language, from: Timestamp, to: Timestamp) -> String {
    let passed = to.duration_since(from).max(SignedDuration::ZERO);
    let (key, n) = match passed.as_hours() {
        0 => ("mail_minutes", passed.as_mins()),
        hours @ 1..48 => ("mail_hours", hours),
        hours => ("mail_days", hours / 24),
    };
    say(language, key, &[("n", &n.to_string())])
}
