//! Result lists in every shape that reports and the corpus taught, written by us: which listings
//! are found, by which keys, and what is left alone.

use crate::page::{read, read_at};
use firstknock_extract::{Extraction, Problem};
use firstknock_listing::{PageKind, Role};

/// Number of listings of each role: results, promoted, recommendations.
fn roles(out: &Extraction) -> [usize; 3] {
    [Role::Result, Role::Promoted, Role::Recommendation]
        .map(|role| out.listings.iter().filter(|l| l.role == role).count())
}

fn keys(out: &Extraction) -> Vec<String> {
    out.listings.iter().map(|l| l.key().to_string()).collect()
}

/// The page is a list of `n` ordinary hits, the first of which has this key.
#[track_caller]
fn check(html: &str, n: usize, first_key: &str) -> Extraction {
    let out = read(html);
    assert_eq!(out.kind, PageKind::Results, "{:?}", out.problems);
    assert_eq!(roles(&out), [n, 0, 0], "{:?}", keys(&out));
    assert_eq!(out.listings[0].key().to_string(), first_key);
    let mut keys = keys(&out);
    keys.sort_unstable();
    keys.dedup();
    assert_eq!(keys.len(), n, "keys tell the listings apart");
    out
}

#[test]
fn an_ordinary_list_gives_every_field_of_every_card() {
    let out =
        check(include_str!("../pages/plain-list.html"), 8, "id:voorbeeldwonen.example:p2:40210");
    let first = &out.listings[0];
    assert_eq!(first.title.as_deref(), Some("Appartement Appelmarkt"));
    assert_eq!(
        first.url,
        "https://www.voorbeeldwonen.example/huurwoning/nieuwerve/40210/appelmarkt"
    );
    assert_eq!(
        first.price.as_ref().map(|p| (p.cents, p.currency.map(|c| c.code().to_owned()))),
        Some((90_000, Some("EUR".into())))
    );
    assert_eq!(first.size.map(|s| s.m2()), Some(40.0));
    assert_eq!(first.rooms.map(|r| r.count()), Some(2.0));
    assert_eq!(
        first.image.as_deref(),
        Some("https://www.voorbeeldwonen.example/media/40210/voorkant.jpg")
    );
    assert_eq!(first.address.as_ref().and_then(|a| a.postcode.as_deref()), Some("1000 AB"));
    assert_eq!(out.result_count, Some(24));
    assert_eq!(
        out.next_page.map(String::from).as_deref(),
        Some("https://www.voorbeeldwonen.example/huren/nieuwerve?page=2")
    );
    assert_eq!(out.name.as_deref(), Some("24 huurwoningen in Nieuwerve"));
    assert!(out.confidence >= Extraction::SURE);
    let price = first.evidence.iter().find(|e| e.field == "price").expect("a price has evidence");
    assert!(price.raw.contains("900") && price.found_at.contains("prijs"), "{price:?}");
}

#[test]
fn the_order_of_the_cards_changes_no_key() {
    let mut plain = keys(&read(include_str!("../pages/plain-list.html")));
    let mut shuffled = keys(&read(include_str!("../pages/shuffled.html")));
    assert_ne!(plain, shuffled);
    plain.sort_unstable();
    shuffled.sort_unstable();
    assert_eq!(plain, shuffled);
}

#[test]
fn a_card_that_is_itself_the_link_is_read() {
    let out = check(
        include_str!("../pages/card-is-link.html"),
        6,
        "id:voorbeeldwonen.example:p1:9500100",
    );
    let first = &out.listings[0];
    assert_eq!(first.price.as_ref().map(|p| p.cents), Some(64_050));
    assert_eq!(first.rooms.map(|r| r.count()), Some(2.0));
    assert_eq!(
        first.image.as_deref(),
        Some("https://www.voorbeeldwonen.example/bilder/9500100.jpg")
    );
    assert_eq!(out.problems, [Problem::CountDiffers { shown: 12, found: 6 }]);
}

#[test]
fn a_card_without_a_link_is_known_by_its_data_url() {
    check(include_str!("../pages/data-url.html"), 6, "id:voorbeeldwonen.example:p1:551200");
}

#[test]
fn links_to_many_landlords_are_as_good_as_links_to_the_page_itself() {
    let out = check(
        include_str!("../pages/many-landlords.html"),
        9,
        "id:stadtbau.example:p1:0100-00035-0201",
    );
    assert!(out.listings[0].title.as_deref() != Some("Alle Details"));
}

#[test]
fn a_tracking_redirect_is_unwrapped_so_that_the_next_visit_finds_the_same_keys() {
    let now = check(include_str!("../pages/redirects.html"), 7, "id:portaal-a.example:p1:700100");
    let later = read(include_str!("../pages/redirects-later.html"));
    assert_eq!(keys(&now), keys(&later));
    assert!(
        now.listings[0].url.starts_with("https://klik.example/"),
        "the page's own link is opened"
    );
}

#[test]
fn a_forward_that_two_cards_share_is_no_identity() {
    let out = check(include_str!("../pages/shared-forward.html"), 6, "attr:26840000");
    assert!(
        out.listings.iter().all(|l| !l.url.contains("rechner")),
        "a loan calculator is no home"
    );
}

#[test]
fn an_id_that_stands_only_in_the_query_is_kept_and_trackers_are_dropped() {
    let out =
        check(include_str!("../pages/query-id.html"), 6, "id:voorbeeldwonen.example:q.id:88120");
    let urls: Vec<&str> = out.listings[0].keys.iter().map(|k| k.as_str()).collect();
    assert!(urls.contains(&"url:voorbeeldwonen.example/aanmelden?id=88120"), "{urls:?}");
}

#[test]
fn an_agency_link_on_half_of_the_cards_does_not_win() {
    let out = check(
        include_str!("../pages/agency-links.html"),
        8,
        "id:voorbeeldwonen.example:p1:98765400",
    );
    assert!(out.listings.iter().all(|l| l.url.contains("/inmueble/")));
    let first = &out.listings[0];
    assert_eq!(
        first.price.as_ref().map(|p| p.cents),
        Some(90_000),
        "number and unit in two elements"
    );
    assert_eq!(first.bedrooms.map(|r| r.count()), Some(2.0), "habitaciones are bedrooms");
}

#[test]
fn partner_ads_between_the_cards_are_left_out_and_a_new_slug_keeps_the_id() {
    let now = check(
        include_str!("../pages/partner-ads.html"),
        7,
        "id:voorbeeldwonen.example:p1:10401800",
    );
    let later = read(include_str!("../pages/partner-ads-later.html"));
    let known = keys(&now);
    assert!(keys(&later).iter().all(|key| known.contains(key)), "{:?}", keys(&later));
}

#[test]
fn a_promoted_twin_is_one_listing_and_what_is_nearby_is_a_recommendation() {
    let out = read(include_str!("../pages/promoted-and-nearby.html"));
    assert_eq!(roles(&out), [6, 0, 3]);
}

#[test]
fn wanted_ads_in_the_markup_of_homes_are_left_out() {
    let out = check(
        include_str!("../pages/wanted-ads.html"),
        6,
        "url:voorbeeldwonen.example/aanbod/straat-0-nieuwerve",
    );
    assert!(out.listings.iter().all(|l| !l.flags.wanted));
}

#[test]
fn many_poor_tiles_do_not_beat_a_few_real_cards() {
    check(include_str!("../pages/popular-cities.html"), 6, "id:voorbeeldwonen.example:p2:40210");
}

#[test]
fn cards_inside_noscript_are_read() {
    check(include_str!("../pages/noscript-cards.html"), 6, "id:voorbeeldwonen.example:p2:4396100");
}

#[test]
fn one_component_with_data_per_card_is_a_list() {
    let out = check(
        include_str!("../pages/component-data.html"),
        6,
        "id:voorbeeldwonen.example:p2:4396100",
    );
    assert_eq!(out.listings[0].price.as_ref().map(|p| p.cents), Some(150_000));
}

#[test]
fn data_is_the_rescue_where_nothing_is_drawn_and_map_pins_do_not_win() {
    let out = check(
        include_str!("../pages/next-data-only.html"),
        7,
        "id:voorbeeldwonen.example:p1:5510000",
    );
    let first = &out.listings[0];
    assert_eq!(first.size.map(|s| s.m2()), Some(55.0), "lists of names and values are keys");
    assert!(first.evidence.iter().any(|e| e.found_at.contains("__NEXT_DATA__")));
}

#[test]
fn data_fills_the_gaps_of_the_cards_and_adds_the_card_that_has_no_link() {
    let out = read(include_str!("../pages/state-adds.html"));
    assert_eq!(roles(&out), [8, 0, 0], "{:?}", keys(&out));
    assert!(out.listings.iter().all(|l| l.size.is_some() && l.rooms.is_some()));
    assert!(out.listings.iter().any(|l| l.url.ends_with("/v/huis/a1527000005-fluitersweg")));
}

#[test]
fn a_page_of_one_listing_says_so_whatever_strip_it_carries() {
    let url = "https://www.voorbeeldwonen.example/huurwoning/nieuwerve/40999/appelmarkt";
    let out = read_at(include_str!("../pages/detail-with-strip.html"), url);
    assert_eq!((out.kind, out.listings.len()), (PageKind::Detail, 0));
    assert_eq!(out.problems, [Problem::OneListing]);
}

#[test]
fn an_empty_list_is_empty_and_a_hidden_phrase_proves_nothing() {
    let empty = read(include_str!("../pages/empty.html"));
    assert_eq!(empty.kind, PageKind::Empty);
    assert!(empty.signs.nothing_found);
    let full = read(include_str!("../pages/hidden-phrase.html"));
    assert_eq!((full.kind, roles(&full)), (PageKind::Results, [5, 0, 0]));
    assert!(!full.signs.nothing_found);
}

#[test]
fn running_ads_without_links_are_given_up_honestly() {
    let out = read(include_str!("../pages/no-links.html"));
    assert!(out.listings.is_empty());
    assert!(out.problems.contains(&Problem::NoLinks { n: 8 }), "{:?}", out.problems);
}

#[test]
fn the_signs_tell_a_login_form_and_an_empty_shell() {
    let login = read(include_str!("../pages/login.html"));
    assert!(login.signs.password_field && !login.signs.script_shell);
    let shell = read(include_str!("../pages/script-shell.html"));
    assert!(shell.signs.script_shell);
    assert_eq!(shell.problems, [Problem::NeedsBrowser]);
}

/// The currency of the first listing of a JSON answer from a general domain.
fn currency_of_answer(home: &str) -> Option<String> {
    let home = home.replace("}", ",\"sqm\":40}");
    let text = format!("[{home},{}]", home.replace("7100", "7101"));
    let out = read_at(&text, "https://api.homes.example/v1/list");
    assert_eq!(out.listings.len(), 2, "{home}");
    out.listings[0].price.as_ref()?.currency.map(|c| c.code().to_owned())
}

#[test]
fn the_language_of_an_answers_keys_tells_its_currency_where_no_other_land_speaks_it() {
    let cases = [
        (
            r#"{"objektnr":"A7100","kaltmiete":650,"zimmer":2,"link":"/a/7100","plz":"04109"}"#,
            Some("EUR"),
        ),
        (r#"{"objektnr":"A7100","kaltmiete":650,"zimmer":2,"link":"/a/7100"}"#, Some("EUR")),
        // Four digits: Austria, or Switzerland.
        (r#"{"objektnr":"A7100","kaltmiete":650,"zimmer":2,"link":"/a/7100","plz":"8004"}"#, None),
        (
            r#"{"id":"A7100","huurprijs":650,"kamers":2,"url":"/a/7100","plaats":"Delft"}"#,
            Some("EUR"),
        ),
        (
            r#"{"id":"A7100","loyer":650,"pieces":2,"url":"/a/7100","codePostal":"69002"}"#,
            Some("EUR"),
        ),
        (r#"{"id":"A7100","loyer":650,"pieces":2,"url":"/a/7100","codePostal":"1004"}"#, None),
        (r#"{"id":"A7100","rent":650,"rooms":2,"url":"/a/7100","zip":"69002"}"#, None),
        (
            r#"{"id":"A7100","huurprijs":650,"currency":"USD","kamers":2,"url":"/a/7100"}"#,
            Some("USD"),
        ),
    ];
    for (home, want) in cases {
        assert_eq!(currency_of_answer(home).as_deref(), want, "{home}");
    }
}

#[test]
fn a_whole_answer_that_is_json_is_a_list_too() {
    let json = r#"{"total": 2, "items": [
        {"listingId": 778201, "path": "/woning/778201", "title": "Huis aan de kade", "rent": 1250, "livingSpace": 80, "rooms": 3},
        {"listingId": 778202, "path": "/woning/778202", "title": "Flat aan het plein", "rent": 950, "livingSpace": 55, "rooms": 2}]}"#;
    check(json, 2, "id:voorbeeldwonen.example:p1:778201");
    let empty = read(r#"{"total": 0, "items": []}"#);
    assert_eq!((empty.kind, empty.listings.len()), (PageKind::Empty, 0));
}

#[test]
fn rooms_in_words_alone_are_read() {
    let card = |i: u32| {
        format!(
            "<li><a href=/flat/1234{i}><h3>Mill Lane {i}</h3></a><span>£ 90{i} pcm</span>\
             <p>Two bed flat</p><img src=/p/{i}.jpg></li>"
        )
    };
    let out = read(&format!("<ul>{}</ul>", (1..6).map(card).collect::<String>()));
    let told: Vec<_> = out.listings.iter().map(|l| l.bedrooms.map(|b| b.count())).collect();
    assert_eq!(told, [Some(2.0); 5]);
}
