//! Alerts about invented listings.

use firstknock_listing::catalogue::Language;
use firstknock_listing::{
    Area, Currency, KeyKind, Listing, ListingKey, Money, Period, PostalAddress, Rooms, SearchId,
};
use firstknock_notify::render::Context;
use firstknock_notify::{Alert, Finding, Found, News, SearchName, SeenPrice};
use jiff::Timestamp;
use jiff::tz::TimeZone;

pub(crate) fn at(text: &str) -> Timestamp {
    text.parse().expect("a timestamp")
}

pub(crate) fn euros(amount: i64) -> Money {
    Money {
        currency: Some(Currency::EUR),
        period: Some(Period::Month),
        ..Money::of_cents(amount * 100)
    }
}

pub(crate) fn listing(
    id: &str,
    title: &str,
    place: &str,
    price: Option<i64>,
    size: f64,
) -> Listing {
    let url = format!("https://kamers.example/aanbod/{id}");
    let mut listing = Listing::new(vec![ListingKey::new(KeyKind::Url, &url)], url);
    listing.title = Some(title.to_owned());
    listing.address = Some(PostalAddress {
        raw: place.to_owned(),
        city: place.split(',').next().map(str::to_owned),
        ..PostalAddress::default()
    });
    listing.price = price.map(euros);
    listing.size = Area::from_m2(size);
    listing.rooms = Rooms::from_count(1.0);
    listing
}

pub(crate) fn finding(listing: Listing, news: News) -> Finding {
    Finding {
        listing,
        news,
        first_seen: at("2026-11-29T13:03:05Z"),
        also_in: Vec::new(),
        seen_before: Vec::new(),
    }
}

pub(crate) fn alert(findings: Vec<Finding>) -> Alert {
    Alert {
        kind: Found::Listings,
        searches: vec![SearchName {
            id: SearchId(7), name: "Kamers in Utrecht tot € 750".into()
        }],
        findings,
        seen_at: at("2026-11-29T13:03:05Z"),
        not_there_at: Some(at("2026-11-29T12:58:00Z")),
        language: Language::En,
    }
}

pub(crate) fn one() -> Alert {
    let title = "Zonnige kamer met balkon, vrij per 1 januari";
    alert(vec![finding(listing("1", title, "Utrecht, Lombok", Some(745), 18.0), News::New)])
}

pub(crate) fn price_drop() -> Alert {
    let mut flat =
        listing("2", "Appartement aan het water", "Utrecht, Vogelenbuurt", Some(1150), 54.0);
    flat.rooms = Rooms::from_count(2.0);
    let mut finding = finding(flat, News::PriceDrop { was: euros(1195) });
    finding.first_seen = at("2026-11-03T08:00:00Z");
    finding.also_in = vec!["Utrecht, alles".into()];
    finding.seen_before = vec![
        SeenPrice { price: euros(1250), at: at("2026-11-03T08:00:00Z") },
        SeenPrice { price: euros(1195), at: at("2026-11-14T08:00:00Z") },
    ];
    let mut alert = alert(vec![finding]);
    alert.searches.push(SearchName { id: SearchId(8), name: "Utrecht, alles".into() });
    alert
}

pub(crate) fn many(count: usize) -> Alert {
    let findings = (0..count).map(|n| {
        let title = format!("Helles Zimmer Nummer {n} im Altbau, Dielenboden");
        let listing =
            listing(&n.to_string(), &title, "Münster, Kreuzviertel", Some(455 + n as i64), 17.0);
        finding(listing, News::New)
    });
    alert(findings.collect())
}

pub(crate) fn context() -> Context {
    let zone = TimeZone::fixed(jiff::tz::offset(1));
    Context {
        from: Some("noor@mailhuis.example".into()),
        to: Some("noor@mailhuis.example".into()),
        ..Context::new("k3yOfThisRow".into(), at("2026-11-29T13:03:07Z"), zone)
    }
}
