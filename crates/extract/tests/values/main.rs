//! Every row of the three value tables of the extraction spec, and numbers from public reports.
//! `$` and `KR` are the signs before the country is known.

mod tables;

use firstknock_extract::values::{self, Country, CurrencySign};
use tables::{PRICES, PriceRow, ROOMS, SIZES};

fn country(code: &str) -> Option<Country> {
    Country::parse(code)
}

fn sign_code(sign: Option<CurrencySign>) -> String {
    match sign {
        None => String::new(),
        Some(CurrencySign::Dollar) => "$".into(),
        Some(CurrencySign::Krone) => "KR".into(),
        Some(CurrencySign::Code(currency)) => currency.code().into(),
    }
}

fn row_of(number: u16, text: &'static str) -> PriceRow {
    let got = values::price(text, None);
    let money = got.money.as_ref();
    (
        number,
        text,
        money.map(firstknock_listing::Money::amount),
        money.and_then(firstknock_listing::Money::upper),
        Box::leak(sign_code(got.sign).into_boxed_str()),
        money.and_then(|m| m.period).map_or("", |p| p.code()),
        money.and_then(|m| m.kind).map_or("", |k| k.code()),
        got.on_request,
    )
}

#[test]
fn every_row_of_the_price_table_reads_as_a_person_reads_it() {
    let wrong: Vec<String> = PRICES
        .iter()
        .map(|row| (*row, row_of(row.0, row.1)))
        .filter(|(want, got)| want != got)
        .map(|(want, got)| format!("want {want:?}\n got {got:?}"))
        .collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn every_row_of_the_size_table_reads_as_a_person_reads_it() {
    let wrong: Vec<String> = SIZES
        .iter()
        .map(|(text, want)| (text, want, values::size(text).map(|a| a.m2())))
        .filter(|(_, want, got)| match (want, got) {
            (Some(want), Some(got)) => (want - got).abs() > 0.05,
            (want, got) => want.is_some() != got.is_some(),
        })
        .map(|(text, want, got)| format!("{text:?} is {got:?}, not {want:?}"))
        .collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn every_row_of_the_rooms_table_goes_to_rooms_or_bedrooms_as_its_word_says() {
    let wrong: Vec<String> = ROOMS
        .iter()
        .map(|(text, want)| {
            let got = values::rooms(text, None);
            let got = (got.rooms.map(|r| r.count()), got.bedrooms.map(|r| r.count()));
            (text, want.unwrap_or((None, None)), got)
        })
        .filter(|(_, want, got)| want != got)
        .map(|(text, want, got)| format!("{text:?} is {got:?}, not {want:?}"))
        .collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn shared_signs_take_their_currency_from_the_country() {
    let cases = [
        ("$650 per week", "au", "AUD"),
        ("1 650 $ / mois", "ca", "CAD"),
        ("$2,195/mo", "us", "USD"),
        ("12 500 kr/mån", "se", "SEK"),
        ("11.500 kr. pr. md.", "dk", "DKK"),
        ("16 900 kr per måned", "no", "NOK"),
        ("15 000,-", "no", "NOK"),
        ("$3,499", "zz", "USD"),
        ("€ 900", "se", "EUR"),
    ];
    for (text, code, want) in cases {
        let got = values::price(text, country(code)).money.and_then(|m| m.currency);
        assert_eq!(got.as_ref().map(|c| c.code()), Some(want), "{text} in {code}");
    }
    let unknown = values::price("$650", None).money.expect("an amount");
    assert_eq!((unknown.cents, unknown.currency), (65_000, None));
}

#[test]
fn numbers_from_public_reports_are_read_in_every_notation() {
    // fredy extractNumber, flathunter ExposeHelper.
    let prices = [
        ("€ 1.250,50", 125_050),
        ("€ 1,250.50", 125_050),
        ("€ 1 250", 125_000),
        ("1 250 EUR", 125_000),
        ("Kaltmiete: 1 250 €", 125_000),
        ("ab 1 250 €", 125_000),
        ("€ 1'250", 125_000),
        ("£1,250 pcm", 125_000),
        ("GBP1,250 pcm", 125_000),
        ("EUR ab 700", 70_000),
        ("WM 480", 48_000),
        ("KM400", 40_000),
        ("340,- Euro", 34_000),
        ("450,-€", 45_000),
        ("Huurprijs: 1.250", 125_000),
        ("455.700 € - 855.000 €", 45_570_000),
        ("3 Zimmer, 80 m², 950 €", 95_000),
        ("3 € 950", 95_000),
        ("650 € 2 Zimmer", 65_000),
        ("Kaution 2.400 € Miete 800 €", 80_000),
        ("Warmmiete 900 € Kaltmiete 700 €", 70_000),
        ("20 m 2 650 €", 65_000),
        ("Hauptstraße 12 950 €", 95_000),
        ("JUNIOR 1 BR NO FEE $3,045", 304_500),
        ("ohne Provision 700 €", 70_000),
    ];
    for (text, cents) in prices {
        let got = values::price(text, country("de")).money.map(|m| m.cents);
        assert_eq!(got, Some(cents), "{text}");
    }
    assert_eq!(values::rooms("2.5 Zimmer", None).rooms.map(|r| r.count()), Some(2.5));
    assert_eq!(values::rooms("2,5 Zimmer", None).rooms.map(|r| r.count()), Some(2.5));
    assert_eq!(values::size("1.200 m2").map(|a| a.m2()), Some(1200.0));
}

#[test]
fn what_is_no_rent_is_no_price() {
    let cases = [
        "Nebenkosten: 183,08 €",
        "2.400 € Kaution",
        "Borg € 1.500",
        "servicekosten € 75",
        "£1,000 deposit",
        "12,50 €/m²",
        "€ 47,30/m2/mnd",
        "statt 950 €",
        "01.12.2026",
        "06-12345678",
        "80 m²",
        "3 km",
        "Fr. 12.06.2026",
        "€ 0",
        "2 kamers",
        "(123) 456-7890",
    ];
    for text in cases {
        assert_eq!(values::price(text, None).money, None, "{text}");
    }
}

#[test]
fn from_is_said_by_a_word_or_by_a_plus() {
    for text in
        ["ab 499 €", "v.a. € 875 p.m.", "From £900 per month", "$1,450+ /mo", "da € 900/mese"]
    {
        assert!(values::price(text, None).money.is_some_and(|m| m.from), "{text}");
    }
    assert!(values::price("€ 900", None).money.is_some_and(|m| !m.from));
}

#[test]
fn a_superscript_that_lost_its_height_is_no_count() {
    let got = values::rooms("56m 2 - 3 kamers", None);
    assert_eq!(got.rooms.map(|r| r.count()), Some(3.0));
    let got = values::rooms("62 m 2 2 kamers", None);
    assert_eq!(got.rooms.map(|r| r.count()), Some(2.0));
    assert_eq!(values::size("62 m 2 2 kamers").map(|a| a.m2()), Some(62.0));
}

#[test]
fn rooms_and_bedrooms_of_one_card_are_kept_apart() {
    let got = values::rooms("4 kamers, 2 slaapkamers, 1 badkamer", None);
    assert_eq!(
        (got.rooms.map(|r| r.count()), got.bedrooms.map(|r| r.count())),
        (Some(4.0), Some(2.0))
    );
    let got = values::rooms("T2 45 m²", country("pt"));
    assert_eq!((got.rooms, got.bedrooms.map(|r| r.count())), (None, Some(2.0)));
    let got = values::rooms("T2 45 m²", country("nl"));
    assert_eq!((got.rooms, got.bedrooms), (None, None));
    for text in
        ["WG-Zimmer 20 m²", "Zimmer 450 €", "Rooms 10:30", "3er WG", "Fitnessstudio", "2 badkamers"]
    {
        assert_eq!(values::rooms(text, None), values::RoomsReading::default(), "{text}");
    }
}

#[test]
fn the_living_area_is_taken_and_not_the_plot() {
    let cases = [
        ("Grundstück 500 m², Wohnfläche 120 m²", Some(120.0)),
        ("120 m² Wohnfläche 500 m² Grundstück", Some(120.0)),
        ("153 m² · Tomt 900 m²", Some(153.0)),
        ("balkon 6 m²", None),
        ("70,1 - 177,73 m 2", Some(70.1)),
        ("3 - 80 m²", Some(80.0)),
        ("in Deutschland 80 m²", Some(80.0)),
    ];
    for (text, want) in cases {
        assert_eq!(values::size(text).map(|a| a.m2()), want, "{text}");
    }
}

#[test]
fn postcodes_of_ten_countries_are_spotted() {
    let cases = [
        ("2611 KS Delft (Centrum-Oost)", "nl", Some("2611 KS")),
        ("10115 Berlin", "de", Some("10115")),
        ("1050 Wien, Margareten", "at", Some("1050")),
        ("8005 Zürich", "ch", Some("8005")),
        ("London SW1A 1AA", "gb", Some("SW1A 1AA")),
        ("00-950 Warszawa", "pl", Some("00-950")),
        ("1250-096 Lisboa", "pt", Some("1250-096")),
        ("San Francisco, CA 94110", "us", Some("94110")),
        ("75011 Paris", "fr", Some("75011")),
        ("114 55 Stockholm", "se", Some("114 55")),
        ("€ 1250 Kale huur", "nl", None),
        ("2026 Nieuw", "nl", None),
        ("4 Zimmer", "de", None),
    ];
    for (text, code, want) in cases {
        assert_eq!(values::postcode(text, country(code)), want, "{text}");
    }
}

#[test]
fn an_address_line_gives_street_postcode_and_town() {
    let got = values::address("Vlamingstraat 33, 2611 KS Delft (Centrum-Oost)", country("nl"));
    assert_eq!(got.street.as_deref(), Some("Vlamingstraat 33"));
    assert_eq!(got.postcode.as_deref(), Some("2611 KS"));
    assert_eq!(got.city.as_deref(), Some("Delft"));
    let got = values::address("12 High Street, London SW1A 1AA", country("gb"));
    assert_eq!((got.city.as_deref(), got.postcode.as_deref()), (Some("London"), Some("SW1A 1AA")));
    let got = values::address("ruhige Lage", country("de"));
    assert_eq!((got.street, got.city, got.raw.as_str()), (None, None, "ruhige Lage"));
}

#[test]
fn the_day_of_moving_in_is_a_date_or_the_words_as_shown() {
    let cases = [
        ("Beschikbaar per 01-12-2026", "nl", Some("2026-12-01")),
        ("frei ab 01.03.2027", "de", Some("2027-03-01")),
        ("Available 10/01/2026", "us", Some("2026-10-01")),
        ("Available 10/01/2026", "gb", Some("2026-01-10")),
        ("Available from 1 December 2026", "gb", Some("2026-12-01")),
        ("disponible le 15 août 2026", "fr", Some("2026-08-15")),
        ("ab sofort", "de", Some("ab sofort")),
        ("Per direct", "nl", Some("Per direct")),
        ("available from 1 May", "gb", Some("1 May")),
        ("ab 499 €", "de", None),
        ("per 2 personen", "nl", None),
    ];
    for (text, code, want) in cases {
        let got = values::availability(text, country(code));
        assert_eq!(got.as_deref(), want, "{text} in {code}");
    }
}

#[test]
fn the_country_comes_from_the_host_then_from_the_language() {
    let cases = [
        ("https://www.kamer.nl/x", None, Some("nl")),
        ("https://a.co.uk/", Some("en"), Some("gb")),
        ("https://a.com/", Some("sv"), Some("se")),
        ("https://a.com/", Some("en-GB"), Some("gb")),
        ("https://a.com/", Some("en"), Some("us")),
        ("https://a.com/", None, Some("zz")),
        ("https://a.museum/", None, None),
        ("http://127.0.0.1:80/", None, None),
        ("http://127.0.0.1:80/", Some("nl-NL"), Some("nl")),
    ];
    for (url, lang, want) in cases {
        let got = Country::of(&url.parse().expect("an address"), lang);
        assert_eq!(got.as_ref().map(Country::code), want, "{url} {lang:?}");
    }
}

#[test]
fn absurd_numbers_and_lengths_get_a_bounded_answer() {
    let huge = format!("€ 1{}", "0".repeat(30));
    assert_eq!(values::price(&huge, None).money, None);
    let grouped = format!("€ 1{}", ".000".repeat(500));
    assert_eq!(values::price(&grouped, None).money, None);
    let long = "€ 1.250 per maand ".repeat(100_000);
    assert_eq!(values::price(&long, None).money.map(|m| m.cents), Some(125_000));
    assert_eq!(values::size(&"9".repeat(100_000)), None);
    assert_eq!(values::size("999999999 m²"), None);
    assert_eq!(values::rooms("99999 kamers", None), values::RoomsReading::default());
    let odd = "½\u{202e}².,'’\u{a0}€".repeat(5_000);
    assert_eq!(values::price(&odd, None).money, None);
    assert_eq!(values::number("1479.67"), Some(1479.67));
    assert_eq!(values::number("no"), None);
}

#[test]
fn a_town_is_no_deposit_and_dollars_stand_before_their_number() {
    let sweden = Country::parse("se");
    let money = |text: &str, country| values::price(text, country).money.map(|m| m.cents);
    assert_eq!(money("Majorna, Göteborg 9 850 kr/mån", sweden), Some(985_000));
    assert_eq!(money("Borg 9 850 kr", sweden), None);
    assert_eq!(money("San Francisco, CA 94102 $ 2,950 /mo", Country::parse("us")), Some(295_000));
}

#[test]
fn usable_area_is_a_size_of_its_own_and_a_plot_is_none() {
    assert_eq!(values::size("Nutzfläche: 64 m²"), None);
    assert_eq!(values::usable("Nutzfläche: 64 m²").map(|a| a.m2()), Some(64.0));
    assert_eq!(values::usable("Grundfläche: 420 m²"), None);
    assert_eq!(values::size("Wohnfläche: 64 m², Nutzfläche: 80 m²").map(|a| a.m2()), Some(64.0));
}

#[test]
fn rooms_are_counted_in_more_words_than_one() {
    let of = |text: &str| {
        let reading = values::rooms(text, None);
        (reading.rooms.map(|r| r.count()), reading.bedrooms.map(|r| r.count()))
    };
    assert_eq!(of("3-Raum-Wohnung"), (Some(3.0), None));
    assert_eq!(of("1 vano"), (Some(1.0), None));
    assert_eq!(of("1 pokój"), (Some(1.0), None));
    assert_eq!(of("2 Betten · 1 Bad"), (None, Some(2.0)));
    assert_eq!(of("2 ch. | 1 sdb"), (None, Some(2.0)));
    assert_eq!(of("14 ch. des Vignes"), (None, None));
}

#[test]
fn a_unit_of_area_may_stand_before_its_number() {
    let cases = [
        ("mq 75", Some(75.0)),
        ("Trilocale, mq: 82", Some(82.0)),
        ("m² 64", Some(64.0)),
        ("75 mq 3 locali", Some(75.0)),
        ("mq 3 locali", None),
        ("mq € 12", None),
        ("€ 900 mq", None),
    ];
    for (text, want) in cases {
        assert_eq!(values::size(text).map(|a| a.m2()), want, "{text}");
    }
}
