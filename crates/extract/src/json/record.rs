//! One object of a page's data, read as far as its keys tell.

use std::rc::Rc;

use firstknock_listing::{
    Area, Currency, Money, Period, PostalAddress, RentKind, Rooms, clean_line,
};
use serde_json::Value;

use super::flatten::{Leaves, Paths};
use super::pick::Picks;
use super::vocabulary::{Meaning, Segment};
use crate::values::{self, Country};

/// A record of embedded data. Addresses are as written: relative ones are the caller's to resolve.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Record {
    /// Ids, best first.
    pub ids: Vec<String>,
    /// An address, a path, or only a slug that one link of the page may hold.
    pub url: Option<String>,
    /// The title.
    pub title: Option<String>,
    /// The price.
    pub price: Option<Money>,
    /// The price is told on request.
    pub price_on_request: bool,
    /// Living area.
    pub size: Option<Area>,
    /// All rooms.
    pub rooms: Option<Rooms>,
    /// Bedrooms only.
    pub bedrooms: Option<Rooms>,
    /// A photo.
    pub image: Option<String>,
    /// Where it is.
    pub address: Option<PostalAddress>,
    /// From when it is free, as written.
    pub available_from: Option<String>,
    /// The element that carries it, for attributes.
    pub node: Option<u32>,
    /// Field, JSON pointer from the set, raw text.
    pub evidence: Vec<(&'static str, String, String)>,
}

/// Records of one array, map, or attribute.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct RecordSet {
    /// Where: the blob's place and a JSON pointer in it.
    pub place: String,
    /// In document order.
    pub records: Vec<Record>,
    /// Count × fields that are there; for comparing sets of one page.
    pub score: f32,
}

impl RecordSet {
    /// The share of records that have something.
    #[expect(clippy::cast_precision_loss, reason = "counts of at most a few thousand")]
    pub fn coverage(&self, has: impl Fn(&Record) -> bool) -> f32 {
        self.records.iter().filter(|r| has(r)).count() as f32 / self.records.len().max(1) as f32
    }

    /// Price, and an address or distinct ids: what makes records worth looking at.
    pub(crate) fn is_usable(&self) -> bool {
        let mut keys: Vec<&str> = self
            .records
            .iter()
            .filter_map(|r| r.ids.first().or(r.url.as_ref()).map(String::as_str))
            .collect();
        let total = keys.len();
        keys.sort_unstable();
        keys.dedup();
        total * 10 >= self.records.len() * 9
            && keys.len() * 10 >= total * 9
            && self.coverage(|r| r.price.is_some() || r.price_on_request) >= 0.3
    }
}

/// Reads one object by the picks of its set.
pub(crate) fn record(
    leaves: &Leaves<'_>,
    paths: &Paths,
    picks: &Picks,
    country: Option<Country>,
) -> Record {
    let read = Reading { leaves, picks };
    let mut out = Record::default();
    for path in picks.get(&Meaning::Id).into_iter().flatten() {
        if let Some(id) =
            read.at(*path).map(text_of).filter(|id| !id.is_empty() && !out.ids.contains(id))
        {
            out.ids.push(id);
        }
    }
    let line = |meaning| {
        read.first(meaning).map(|(_, v)| clean_line(&text_of(v))).filter(|t| !t.is_empty())
    };
    out.url = read.first(Meaning::Url).map(|(_, v)| text_of(v));
    out.title = line(Meaning::Title);
    out.image = read.first(Meaning::Image).map(|(_, v)| text_of(v));
    out.available_from = line(Meaning::Available);
    let currency =
        read.first(Meaning::Currency).and_then(|(_, v)| currency_of(&text_of(v), country));
    for (path, value) in read.all(Meaning::Price) {
        let (money, on_request) = money(value, &paths.segments[path], currency, country);
        out.price_on_request |= on_request;
        if money.is_some() {
            out.note("price", &paths.names[path], value);
            out.price = money;
            out.price_on_request = false;
            break;
        }
    }
    if let Some((path, value)) = read.first(Meaning::Size) {
        out.size = size(value, &paths.segments[path]);
        out.note("size", &paths.names[path], value);
    }
    for (meaning, field) in [(Meaning::Rooms, "rooms"), (Meaning::Bedrooms, "bedrooms")] {
        let Some((path, value)) = read.first(meaning) else { continue };
        let count = count(value);
        if meaning == Meaning::Rooms {
            out.rooms = count.filter(|c| c.tenths() > 0);
        } else {
            out.bedrooms = count;
        }
        out.note(field, &paths.names[path], value);
    }
    out.address = address(&read, country);
    out
}

impl Record {
    fn note(&mut self, field: &'static str, path: &str, value: &Value) {
        let raw = firstknock_listing::truncate_chars(&clean_line(&text_of(value)), 120);
        self.evidence.push((field, path.to_owned(), raw));
    }
}

struct Reading<'a, 'v> {
    leaves: &'a Leaves<'v>,
    picks: &'a Picks,
}

impl<'v> Reading<'_, 'v> {
    fn at(&self, path: usize) -> Option<&'v Value> {
        self.leaves.iter().find(|(p, _)| *p == path).map(|(_, v)| *v)
    }

    fn all(&self, meaning: Meaning) -> impl Iterator<Item = (usize, &'v Value)> {
        let picks = self.picks.get(&meaning).into_iter().flatten();
        picks.filter_map(|path| self.at(*path).map(|v| (*path, v)))
    }

    fn first(&self, meaning: Meaning) -> Option<(usize, &'v Value)> {
        self.all(meaning).next()
    }
}

fn text_of(value: &Value) -> String {
    match value {
        Value::String(text) => text.trim().to_owned(),
        Value::Number(number) => number.to_string(),
        _ => String::new(),
    }
}

fn currency_of(text: &str, country: Option<Country>) -> Option<Currency> {
    Currency::parse(text).or_else(|| values::price(&format!("{text} 100"), country).money?.currency)
}

fn has(segments: &[Rc<Segment>], words: &[&str]) -> bool {
    segments.iter().flat_map(|s| &s.tokens).any(|t| words.contains(&t.as_str()))
}

/// Whether a path names the rent with all extras.
pub(super) fn is_warm(segments: &[Rc<Segment>]) -> bool {
    has(segments, &["gross", "brutto", "warm", "warmmiete", "gesamtmiete", "totalrent", "incl"])
}

fn money(
    value: &Value,
    segments: &[Rc<Segment>],
    currency: Option<Currency>,
    country: Option<Country>,
) -> (Option<Money>, bool) {
    let (mut money, mut on_request) = (None, false);
    match value {
        Value::Number(number) => money = number.as_f64().and_then(of_units),
        Value::String(text) => {
            let reading = values::price(text, country);
            on_request = reading.on_request;
            let words = text.chars().filter(|c| c.is_alphabetic()).count();
            money = reading.money.or_else(|| {
                (words <= 4).then(|| values::number(text)).flatten().and_then(of_units)
            });
        }
        _ => {}
    }
    if let Some(money) = &mut money {
        if has(segments, &["cents", "cent"]) {
            money.cents /= 100;
        }
        money.currency =
            currency.or(money.currency).or_else(|| values::currency_of_country(country));
        let cold = has(
            segments,
            &[
                "net",
                "netto",
                "cold",
                "kalt",
                "kaltmiete",
                "nettokaltmiete",
                "nettomiete",
                "grundmiete",
                "baserent",
                "excl",
            ],
        );
        let warm = is_warm(segments);
        money.kind = money.kind.or(match (cold, warm) {
            (true, false) => Some(RentKind::Cold),
            (false, true) => Some(RentKind::Warm),
            _ => None,
        });
        let monthly = has(segments, &["month", "monthly", "pcm"]);
        let weekly = has(segments, &["week", "weekly"]);
        money.period = money.period.or(match (monthly, weekly) {
            (true, false) => Some(Period::Month),
            (false, true) => Some(Period::Week),
            _ => None,
        });
    }
    (money.filter(|m| m.cents >= 100), on_request)
}

/// An amount in whole units; `None` below 1 and from 10^11 on.
#[expect(clippy::cast_possible_truncation, reason = "the range is checked")]
pub(crate) fn of_units(amount: f64) -> Option<Money> {
    (1.0..1e11).contains(&amount).then(|| Money::of_cents((amount * 100.0).round() as i64))
}

fn size(value: &Value, segments: &[Rc<Segment>]) -> Option<Area> {
    let text = value.as_str();
    if let Some(area) = text.and_then(values::size) {
        return Some(area);
    }
    let number = value.as_f64().or_else(|| text.and_then(values::number))?;
    let feet = has(segments, &["sqft", "ft", "feet", "squarefeet"]);
    Area::from_m2(if feet { number * 0.092_903_04 } else { number })
}

fn count(value: &Value) -> Option<Rooms> {
    let number = value.as_f64().or_else(|| value.as_str().and_then(values::number))?;
    Rooms::from_count(number).filter(|_| number <= 100.0)
}

fn address(read: &Reading<'_, '_>, country: Option<Country>) -> Option<PostalAddress> {
    let line = |meaning| {
        let found = read.first(meaning).map(|(_, v)| clean_line(&text_of(v)));
        found.filter(|t| !t.is_empty())
    };
    let (street, city, postcode) =
        (line(Meaning::Street), line(Meaning::City), line(Meaning::Postcode));
    let whole = line(Meaning::Address).filter(|a| Some(a) != city.as_ref());
    let town = match (&postcode, &city) {
        (Some(code), Some(city)) => Some(format!("{code} {city}")),
        (code, city) => code.clone().or_else(|| city.clone()),
    };
    let composed: Vec<String> = street.clone().into_iter().chain(town).collect();
    let raw = whole
        .clone()
        .filter(|w| street.is_none() || w.len() > 12)
        .unwrap_or_else(|| composed.join(", "));
    if raw.is_empty() {
        return None;
    }
    let told = values::address(&raw, country);
    Some(PostalAddress {
        street: street.or(told.street),
        postcode: postcode.or(told.postcode),
        city: city.or(told.city),
        raw,
    })
}
