//! Pages that hold prices, sizes and links, and still no list of homes.

use crate::page::read_at;
use firstknock_listing::PageKind;

/// The page has no listing that somebody asked for.
#[track_caller]
fn check_no_list(html: &str, path: &str, kind: PageKind) {
    let out = read_at(html, &format!("https://www.homes.example{path}"));
    assert_eq!(
        out.listings.len(),
        0,
        "{:?}",
        out.listings.iter().map(|l| &l.url).collect::<Vec<_>>()
    );
    assert_eq!(out.kind, kind, "{:?}", out.problems);
}

#[test]
fn no_hits_and_others_below_is_an_empty_page() {
    check_no_list(
        include_str!("../pages/no-list-nothing-but-others-de.html"),
        "/mieten/luebeck",
        PageKind::Empty,
    );
}

#[test]
fn no_hits_and_others_below_is_an_empty_page_in_french() {
    check_no_list(
        include_str!("../pages/no-list-nothing-but-others-fr.html"),
        "/location/dinan",
        PageKind::Empty,
    );
}

#[test]
fn a_denial_with_a_word_for_homes_behind_it_is_an_empty_page() {
    check_no_list(
        include_str!("../pages/no-list-nothing-se.html"),
        "/lediga/kiruna",
        PageKind::Empty,
    );
}

#[test]
fn nothing_found_is_said_in_portuguese() {
    check_no_list(
        include_str!("../pages/no-list-nothing-pt.html"),
        "/arrendar/beja",
        PageKind::Empty,
    );
}

#[test]
fn three_homes_on_a_front_page_are_a_sample() {
    check_no_list(include_str!("../pages/no-list-front-page-sample.html"), "/", PageKind::Other);
}

#[test]
fn agents_that_count_their_homes_are_no_homes() {
    check_no_list(include_str!("../pages/no-list-agents.html"), "/agents", PageKind::Other);
}

#[test]
fn towns_that_count_their_homes_are_no_homes() {
    check_no_list(include_str!("../pages/no-list-towns.html"), "/", PageKind::Other);
}

#[test]
fn prices_in_sentences_are_no_cards() {
    check_no_list(include_str!("../pages/no-list-blog.html"), "/blog", PageKind::Other);
}

#[test]
fn answers_to_questions_are_no_cards() {
    check_no_list(include_str!("../pages/no-list-questions.html"), "/hilfe", PageKind::Other);
}

#[test]
fn nothing_free_is_said_in_french() {
    check_no_list(
        include_str!("../pages/no-list-nothing-fr.html"),
        "/residences/corse",
        PageKind::Empty,
    );
}

#[test]
fn plans_for_landlords_are_no_homes() {
    check_no_list(include_str!("../pages/no-list-plans.html"), "/inserieren", PageKind::Other);
}

#[test]
fn saved_searches_name_the_most_that_somebody_pays() {
    check_no_list(
        include_str!("../pages/no-list-saved-searches.html"),
        "/mijn/zoekopdrachten",
        PageKind::Other,
    );
}

#[test]
fn a_table_of_rents_per_district_is_no_list() {
    check_no_list(include_str!("../pages/no-list-rent-table.html"), "/mieten", PageKind::Other);
}

#[test]
fn posts_whose_headings_name_amounts_are_no_homes() {
    check_no_list(include_str!("../pages/no-list-magazine.html"), "/magazin", PageKind::Other);
}

#[test]
fn one_home_under_its_own_name_is_no_list() {
    check_no_list(
        include_str!("../pages/no-list-one-home-alone.html"),
        "/ruhige-wohnung",
        PageKind::Other,
    );
}

#[test]
fn districts_with_their_average_rent_are_no_homes() {
    check_no_list(include_str!("../pages/no-list-areas.html"), "/areas", PageKind::Other);
}

#[test]
fn storage_with_a_size_and_a_rent_is_no_home() {
    let html = include_str!("../pages/no-list-storage.html");
    let out = read_at(html, "https://www.boxes.example/opslag");
    assert_eq!((out.kind, out.listings.len()), (PageKind::Other, 0));
    // The same boxes with rooms in them are homes.
    let homes = html.replace("per maand</p>", "per maand</p><p>2 kamers</p>");
    assert_eq!(read_at(&homes, "https://www.boxes.example/opslag").listings.len(), 4);
}

#[test]
fn topics_that_ask_about_rents_are_no_homes() {
    check_no_list(include_str!("../pages/no-list-topics.html"), "/t", PageKind::Other);
}

#[test]
fn an_agencys_own_prices_are_no_homes() {
    check_no_list(include_str!("../pages/no-list-fees.html"), "/fees", PageKind::Other);
}

#[test]
fn chapters_that_speak_of_prices_are_no_cards() {
    check_no_list(include_str!("../pages/no-list-chapters.html"), "/wohnen", PageKind::Other);
}

#[test]
fn a_table_headed_by_averages_is_no_list() {
    let row = |name: &str, rent: u32, size: u32| {
        format!(
            "<tr><td><a href=\"/wijk/{name}\">{name}</a></td><td>€ {rent}</td><td>{size} m²</td></tr>"
        )
    };
    let page = format!(
        "<h1>Huren per wijk</h1><table><tr><th>Wijk</th><th>Gemiddelde huur</th><th>Woning</th></tr>{}{}{}</table>",
        row("centrum", 1_450, 68),
        row("oost", 1_280, 72),
        row("west", 1_190, 75)
    );
    check_no_list(&page, "/wijken", PageKind::Other);
    let homes = page.replace("Gemiddelde huur", "Huur");
    assert_eq!(read_at(&homes, "https://www.homes.example/wijken").listings.len(), 3);
}

#[test]
fn prices_of_firms_for_one_and_the_same_flat_are_no_homes() {
    let firm = |name: &str, price: u32, size: u32| {
        format!(
            "<li><a href=\"/umzug/{name}\"><b>{name}</b></a> Umzug 2-Zimmer-Wohnung, {size} m², ab {price} €</li>"
        )
    };
    let page = |size| {
        format!(
            "<ul>{}{}{}</ul>",
            firm("huber", 490, 50),
            firm("gut", 540, size),
            firm("alpen", 610, 50)
        )
    };
    check_no_list(&page(50), "/umzug", PageKind::Other);
    assert_eq!(read_at(&page(64), "https://www.homes.example/umzug").listings.len(), 3);
}

#[test]
fn one_home_whose_photo_opens_a_gallery_is_no_list_whatever_the_agency_is_called() {
    let html = include_str!("../pages/no-list-one-home-of-an-agency.html");
    check_no_list(html, "/bach", PageKind::Other);
    let linked = html.replace(
        "<h2>Ruhige Wohnung am Bach</h2>",
        "<h2><a href=\"/wohnung-am-bach\">Ruhige Wohnung</a></h2>",
    );
    assert_eq!(read_at(&linked, "https://www.homes.example/bach").listings.len(), 1);
    let long = "Die Wohnung liegt im Hof und ist frisch gestrichen. ".repeat(12);
    let told = linked.replace("<p>2 Zimmer</p>", &format!("<p>2 Zimmer</p><p>{long}</p>"));
    assert_eq!(read_at(&told, "https://www.homes.example/bach").listings.len(), 0);
}
