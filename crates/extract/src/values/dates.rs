//! From when a home is free.

use std::sync::LazyLock;

use jiff::civil::Date;
use regex::Regex;

use super::{Country, MAX_TEXT, head, pattern as regex};

/// From when the home is free: an ISO date where day, month and year are given, else the words as
/// shown ("per direct", "ab sofort"). What "today" is, only the caller's clock knows.
pub fn availability(text: &str, country: Option<Country>) -> Option<String> {
    static NOW: LazyLock<Regex> = LazyLock::new(|| {
        regex(concat!(
            r"(?i)\b(?:per direct|per heden|direct beschikbaar|ab sofort|sofort(?: frei| verfügbar| bezugsfrei)?|available (?:now|immediately)|immediately|",
            r"disponible (?:de suite|immédiatement|inmediatamente|ya)|libre (?:de suite|immédiatement)|disponibile (?:subito|da subito)|od zaraz|omgående|snarest|disponível (?:já|imediatamente))\b",
        ))
    });
    static DATED: LazyLock<Regex> = LazyLock::new(|| {
        regex(concat!(
            r"(?i)\b(?:beschikbaar(?: per| vanaf)?|per|vanaf|ab|ab dem|frei ab|frei ab dem|verfügbar ab|bezugsfrei ab|einzugsdatum|available(?: from| on)?|move[- ]in|",
            r"disponible(?: à partir du| le| dès le| a partir del?)?|libre le|disponibile(?: dal)?|ledig(?: fra| från)?|inflyttning|tillträde|overtagelse|dostępne od|wolne od|od)[\s:]{1,3}",
            r"(?P<date>(?P<y>\d{4})-(?P<m>\d{2})-(?P<d>\d{2})|(?P<a>\d{1,2})[./-](?P<b>\d{1,2})[./-](?P<c>\d{4}|\d{2})\b|(?P<day>\d{1,2})\.?\s(?P<month>\p{L}+)\.?(?:\s(?P<year>\d{4}))?|",
            r"(?P<month2>\p{L}+)\.?\s(?P<day2>\d{1,2})(?:,?\s(?P<year2>\d{4}))?)",
        ))
    });
    let text = head(text, MAX_TEXT);
    if let Some(found) = DATED.captures(text) {
        let part = |name: &str| found.name(name).map(|m| m.as_str());
        let whole = |name: &str| part(name).and_then(|t| t.parse::<i16>().ok());
        let month = part("month").or(part("month2")).map(month_of);
        let date = if let Some(year) = whole("y") {
            civil(year, whole("m"), whole("d"))
        } else if let Some(year) = whole("c") {
            let american = country.is_some_and(|c| c.is_one_of(&["us", "ca"]))
                && part("date").is_some_and(|d| d.contains('/'));
            let (day, month) = if american { ("b", "a") } else { ("a", "b") };
            civil(if year < 100 { year + 2_000 } else { year }, whole(month), whole(day))
        } else if let Some(year) = whole("year").or(whole("year2")) {
            civil(year, month.flatten(), whole("day").or(whole("day2")))
        } else {
            None
        };
        // "per 2 personen": a word that is no month is no date.
        if date.is_some() || month.is_some_and(|m| m.is_some()) {
            return date.map(|d| d.to_string()).or_else(|| part("date").map(str::to_owned));
        }
    }
    NOW.find(text).map(|m| m.as_str().to_owned())
}

fn civil(year: i16, month: Option<i16>, day: Option<i16>) -> Option<Date> {
    let month = i8::try_from(month?).ok()?;
    let day = i8::try_from(day?).ok()?;
    Date::new(year, month, day).ok().filter(|_| (2_000..2_100).contains(&year))
}

/// The month that a word names in one of ten languages.
fn month_of(word: &str) -> Option<i16> {
    const MONTHS: [&[&str]; 12] = [
        &["jan", "ene", "gen", "sty", "led"],
        &["feb", "fév", "fev", "lut", "úno"],
        &["mar", "mär", "maa", "mrt", "bře"],
        &["apr", "avr", "abr", "kwi", "dub"],
        &["mai", "may", "mei", "maj", "mag", "kvě"],
        &["jun", "juin", "giu", "cze", "červen"],
        &["jul", "juil", "lug", "lip", "červenec"],
        &["aug", "ago", "aoû", "aou", "sie", "srp"],
        &["sep", "set", "wrz", "zář"],
        &["oct", "okt", "ott", "out", "paź", "říj"],
        &["nov", "lis"],
        &["dec", "dez", "dic", "déc", "des", "gru", "pro"],
    ];
    let low = word.to_lowercase();
    // The longest start wins: "juillet" is no June, "červenec" neither.
    let hits = MONTHS.iter().enumerate().flat_map(|(i, starts)| {
        starts.iter().filter(|start| low.starts_with(**start)).map(move |start| (start.len(), i))
    });
    hits.max().and_then(|(_, i)| i16::try_from(i + 1).ok())
}
