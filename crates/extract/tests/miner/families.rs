//! Families of sites: how agencies, portals, classifieds, forums and frameworks lay out a list, each
//! written by us. What is expected was written before the page was read.

use crate::page::{read_at, read_with};
use firstknock_extract::Extraction;
use firstknock_listing::{Listing, PageKind, Role};

fn at(path: &str) -> String {
    format!("https://www.homes.example{path}")
}

/// Price, whole square metres, and rooms, or bedrooms where the page knows no rooms.
fn facts(listing: &Listing, expected: &str) -> String {
    let price = listing.price.as_ref().map_or("no price".to_owned(), |p| {
        let amount = match p.cents % 100 {
            0 => (p.cents / 100).to_string(),
            rest => format!("{}.{rest:02}", p.cents / 100),
        };
        format!("{amount} {}", p.currency.map_or("?".to_owned(), |c| c.code().to_owned()))
    });
    let mut parts = vec![price];
    // What the page does not tell is not asked for.
    if expected.contains(" m2") {
        parts.push(format!("{} m2", listing.size.map_or(0.0, |s| s.m2()).floor()));
    }
    if expected.contains(" rooms") {
        parts.push(format!("{} rooms", listing.rooms.map_or(0.0, |r| r.count())));
    }
    if expected.contains(" bedrooms") {
        parts.push(format!("{} bedrooms", listing.bedrooms.map_or(0.0, |r| r.count())));
    }
    parts.join(", ")
}

/// The ordinary hits of the page, in order, have these facts, a title or an address, and keys of
/// their own.
#[track_caller]
fn check(html: &str, path: &str, expected: &[&str]) -> Extraction {
    let out = read_at(html, &at(path));
    assert_eq!(out.kind, PageKind::Results, "{:?}", out.problems);
    let hits: Vec<&Listing> = out.listings.iter().filter(|l| l.role == Role::Result).collect();
    assert_eq!(hits.len(), expected.len());
    for (hit, expected) in hits.iter().zip(expected) {
        assert_eq!(facts(hit, expected), **expected, "{}", hit.url);
        assert!(hit.title.is_some() || hit.address.is_some());
    }
    let mut keys: Vec<String> =
        hits.iter().flat_map(|l| &l.keys).map(ToString::to_string).collect();
    let all = keys.len();
    keys.sort_unstable();
    keys.dedup();
    assert_eq!(keys.len(), all, "no two listings share a key");
    out
}

#[test]
fn an_agency_with_addresses_in_words_and_a_parking_space_among_homes() {
    check(
        include_str!("../pages/family-agency-slugs.html"),
        "/aanbod/huur/den-bosch",
        &[
            "1250 EUR, 68 m2, 3 rooms",
            "845 EUR, 31 m2, 1 rooms",
            "125 EUR, 12 m2",
            "1695 EUR, 112 m2, 5 rooms",
            "1475 EUR, 82 m2, 3 rooms",
            "1390 EUR, 75 m2, 4 rooms",
            "1825 EUR, 96 m2, 3 rooms",
        ],
    );
}

#[test]
fn a_table_that_names_its_units_above_the_columns() {
    check(
        include_str!("../pages/family-table.html"),
        "/angebote/liste.php",
        &[
            "498.20 EUR, 71 m2, 3 rooms",
            "389 EUR, 54 m2, 2 rooms",
            "715.50 EUR, 92 m2, 4 rooms",
            "265 EUR, 33 m2, 1 rooms",
            "476 EUR, 68 m2, 3 rooms",
            "430.08 EUR, 61 m2, 2.5 rooms",
        ],
    );
}

#[test]
fn classifieds_with_capitals_emoji_and_garages() {
    check(
        include_str!("../pages/family-classifieds.html"),
        "/s-wohnung-mieten/kassel",
        &[
            "690 EUR, 56 m2, 2 rooms",
            "780 EUR, 78 m2, 3 rooms",
            "600 EUR, 2 rooms",
            "890 EUR, 95 m2, 4 rooms",
            "1150 EUR, 42 m2, 1.5 rooms",
            "55 EUR",
            "520 EUR, 48 m2, 2 rooms",
        ],
    );
}

#[test]
fn usable_area_counts_where_no_living_area_is_told() {
    check(
        include_str!("../pages/family-usable-area.html"),
        "/iad/mietwohnungen",
        &[
            "1149.50 EUR, 64 m2, 2 rooms",
            "1385 EUR, 81 m2, 3 rooms",
            "1990 EUR, 118 m2, 4 rooms",
            "720 EUR, 33 m2, 1 rooms",
            "1650 EUR, 97 m2, 3 rooms",
        ],
    );
}

#[test]
fn half_rooms_and_prices_on_request_behind_a_click() {
    check(
        include_str!("../pages/family-half-rooms.html"),
        "/mieten",
        &[
            "2480 CHF, 110 m2, 4.5 rooms",
            "1690 CHF, 62 m2, 2.5 rooms",
            "140 CHF",
            "no price, 88 m2, 3.5 rooms",
        ],
    );
}

#[test]
fn fees_and_deposits_beside_the_rent() {
    check(
        include_str!("../pages/family-fees.html"),
        "/agence/location.html",
        &[
            "650 EUR, 41 m2, 2 rooms",
            "890 EUR, 63 m2, 3 rooms",
            "430 EUR, 22 m2, 1 rooms",
            "1420 EUR, 108 m2, 5 rooms",
        ],
    );
}

#[test]
fn studios_without_a_number() {
    check(
        include_str!("../pages/family-uk-agent.html"),
        "/lettings/",
        &[
            "1250 GBP, 2 bedrooms",
            "2100 GBP, 3 bedrooms",
            "1795 GBP, 1 bedrooms",
            "1400 GBP, 1 rooms",
            "2950 GBP, 4 bedrooms",
        ],
    );
}

#[test]
fn rooms_by_the_week() {
    check(
        include_str!("../pages/family-student-weeks.html"),
        "/search?year=2027&area=north",
        &[
            "145 GBP, 6 bedrooms",
            "128 GBP, 4 bedrooms",
            "133 GBP, 5 bedrooms",
            "199 GBP, 1 bedrooms",
        ],
    );
}

#[test]
fn bedrooms_written_as_t2() {
    check(
        include_str!("../pages/family-bedrooms-in-t.html"),
        "/arrendar/casas/",
        &[
            "1200 EUR, 74 m2, 2 bedrooms",
            "850 EUR, 52 m2, 1 bedrooms",
            "3500 EUR, 230 m2, 4 bedrooms",
            "690 EUR, 30 m2",
        ],
    );
}

#[test]
fn a_town_whose_name_ends_like_a_deposit() {
    check(
        include_str!("../pages/family-kronor.html"),
        "/bostader/goteborg",
        &[
            "9850 SEK, 54 m2, 2 rooms",
            "12400 SEK, 76 m2, 3 rooms",
            "7200 SEK, 31 m2, 1 rooms",
            "15900 SEK, 98 m2, 4 rooms",
        ],
    );
}

#[test]
fn state_whose_quotes_are_escaped() {
    check(
        include_str!("../pages/family-escaped-state.html"),
        "/locations/rennes",
        &[
            "710 EUR, 38 m2, 1 rooms",
            "770 EUR, 47 m2, 2 rooms",
            "830 EUR, 56 m2, 3 rooms",
            "890 EUR, 65 m2, 4 rooms",
            "950 EUR, 74 m2, 5 rooms",
        ],
    );
}

#[test]
fn numbers_beside_icons_and_a_row_about_the_agent() {
    check(
        include_str!("../pages/family-agent-row.html"),
        "/status/for-rent/",
        &[
            "2850 USD, 134 m2, 3 bedrooms",
            "3200 USD, 104 m2, 2 bedrooms",
            "1995 USD, 91 m2, 2 bedrooms",
            "1375 USD, 47 m2",
            "2450 USD, 96 m2, 2 bedrooms",
        ],
    );
}

#[test]
fn a_forum_whose_topics_differ_in_a_parameter_called_like_a_tracker() {
    check(
        include_str!("../pages/family-forum.html"),
        "/forum/viewforum.php?f=12",
        &[
            "680 EUR, 54 m2, 2 rooms",
            "340 EUR, 18 m2",
            "500 EUR",
            "590 EUR, 75 m2, 3 rooms",
            "no price, 95 m2, 4 rooms",
        ],
    );
}

#[test]
fn a_heading_that_is_no_heading_parts_what_was_asked_for_from_the_rest() {
    check(
        include_str!("../pages/family-you-may-like.html"),
        "/to-rent/?beds=any&max=1200",
        &["950 GBP, 2 bedrooms", "1100 GBP, 3 bedrooms", "650 GBP"],
    );
}

#[test]
fn a_plot_is_told_apart_by_its_name() {
    check(
        include_str!("../pages/family-plot-first.html"),
        "/huuraanbod",
        &[
            "1175 EUR, 76 m2, 4 rooms",
            "1250 EUR, 82 m2, 3 rooms",
            "1325 EUR, 88 m2, 4 rooms",
            "1400 EUR, 94 m2, 3 rooms",
            "1475 EUR, 100 m2, 4 rooms",
            "1550 EUR, 106 m2, 3 rooms",
            "1625 EUR, 112 m2, 4 rooms",
        ],
    );
}

#[test]
fn the_cold_rent_counts_also_where_the_warm_one_stands_first() {
    check(
        include_str!("../pages/family-warm-first.html"),
        "/miete",
        &[
            "400 EUR, 52 m2, 2 rooms",
            "455 EUR, 61 m2, 3 rooms",
            "510 EUR, 70 m2, 4 rooms",
            "565 EUR, 79 m2, 2 rooms",
            "620 EUR, 88 m2, 3 rooms",
            "675 EUR, 97 m2, 4 rooms",
        ],
    );
}

#[test]
fn numbers_beside_drawings_that_have_a_title() {
    check(
        include_str!("../pages/family-drawn-beds.html"),
        "/rent",
        &[
            "1025 GBP, 2 bedrooms",
            "1100 GBP, 3 bedrooms",
            "1175 GBP, 1 bedrooms",
            "1250 GBP, 2 bedrooms",
            "1325 GBP, 3 bedrooms",
            "1400 GBP, 1 bedrooms",
        ],
    );
}

#[test]
fn three_homes_below_large_filters_that_are_counted() {
    check(
        include_str!("../pages/family-few-below-filters.html"),
        "/huur?plaats=ommen",
        &["1000 EUR, 80 m2", "1001 EUR, 81 m2", "1002 EUR, 82 m2"],
    );
}

#[test]
fn tiles_that_only_scripts_open_are_known_by_their_ids() {
    let out = check(
        include_str!("../pages/family-ids-without-links.html"),
        "/zoeken?plaats=gouda",
        &[
            "1150 EUR, 62 m2, 3 rooms",
            "980 EUR, 48 m2, 2 rooms",
            "1325 EUR, 74 m2, 3 rooms",
            "875 EUR, 39 m2, 2 rooms",
        ],
    );
    assert_eq!(out.listings[0].key().to_string(), "attr:57");
    // 1, 2, 3, 4 are places on the page, and tell nothing apart tomorrow.
    let mut page = include_str!("../pages/family-ids-without-links.html").to_owned();
    for (id, place) in [("57", "10"), ("31", "11"), ("12", "13"), ("90", "12")] {
        page = page.replace(&format!("id=\"{id}\""), &format!("id=\"{place}\""));
    }
    assert_eq!(read_at(&page, &at("/zoeken?plaats=gouda")).listings.len(), 0);
}

#[test]
fn cards_are_known_by_the_id_that_a_click_on_them_calls_for() {
    let out = check(
        include_str!("../pages/family-click-calls.html"),
        "/freie-wohnungen",
        &["640 EUR, 58 m2, 2 rooms", "710 EUR, 66 m2, 3 rooms", "590 EUR, 44 m2, 2 rooms"],
    );
    assert_eq!(out.listings[0].key().to_string(), "attr:4711");
}

#[test]
fn the_only_home_of_an_agency_under_a_heading_for_many_is_its_list() {
    check(
        include_str!("../pages/family-only-home.html"),
        "/locations",
        &["780 EUR, 47 m2, 2 rooms"],
    );
}

#[test]
fn one_hit_that_the_page_counts_is_a_list() {
    check(include_str!("../pages/one-hit.html"), "/suche?ort=graz", &["540 EUR, 41 m2, 2 rooms"]);
}

#[test]
fn records_that_stand_beside_each_other_without_an_element_are_cards() {
    let out = check(
        include_str!("../pages/family-flat-run.html"),
        "/wohnungen.htm",
        &["420 EUR, 51 m2, 2 rooms", "560 EUR, 68 m2, 3 rooms", "290 EUR, 29 m2, 1 rooms"],
    );
    assert!(out.listings.iter().all(|l| l.image.is_some()));
    // They are found again, with the same keys, when one has gone.
    let html = include_str!("../pages/family-flat-run.html");
    let (from, end) = (html.find("<h3>").expect("a"), html.find("<hr>").expect("b"));
    let later = format!("{}{}", &html[..from], &html[end + 4..]);
    let later = read_with(&later, &self::at("/wohnungen.htm"), Some(&out.memory), None);
    assert_eq!(later.listings.len(), 2);
    assert_eq!(later.listings[0].keys, out.listings[1].keys);
}

#[test]
fn records_of_two_rows_each_are_cards() {
    check(
        include_str!("../pages/family-rows-of-two.html"),
        "/aanbod",
        &["1150 EUR, 62 m2, 3 rooms", "925 EUR, 48 m2, 2 rooms", "1480 EUR, 81 m2, 4 rooms"],
    );
}
