//! Answers that are feeds: their items are the list.

use crate::page::{read_at, read_with};
use firstknock_extract::Extraction;
use firstknock_listing::{KeyKind, PageKind};

fn rss(items: &str) -> String {
    format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<rss version=\"2.0\"><channel>\
         <title>Mietwohnungen</title><link>https://www.homes.example/</link>\
         <language>de</language>{items}</channel></rss>"
    )
}

fn item(id: u32, rent: u32) -> String {
    format!(
        "<item><title>2 Zimmer am Anger, {} m²</title>\
         <link>https://www.homes.example/wohnung/{id}?utm_source=rss</link>\
         <guid isPermaLink=\"false\">flat-{id}</guid>\
         <description><![CDATA[<p>Kaltmiete: {rent} €, Kaution 2.000 €</p>\
         <img src=\"/photos/{id}.jpg\">]]></description>\
         <pubDate>Mon, 01 Jun 2026 10:00:00 +0200</pubDate></item>",
        40 + id % 10
    )
}

fn facts(out: &Extraction) -> Vec<(f64, Option<f64>, Option<f64>)> {
    let fact = |l: &firstknock_listing::Listing| {
        let price = l.price.as_ref().map_or(0.0, firstknock_listing::Money::amount);
        (price, l.size.map(|s| s.m2()), l.rooms.or(l.bedrooms).map(|r| r.count()))
    };
    out.listings.iter().map(fact).collect()
}

#[test]
fn an_rss_feed_is_read_as_a_list_with_its_guids_as_keys() {
    let text = rss(&[item(7001, 650), item(7002, 720), item(7003, 815)].concat());
    let out = read_at(&text, "https://www.homes.example/rss.xml");
    assert_eq!(out.kind, PageKind::Results, "{:?}", out.problems);
    let want = [
        (650.0, Some(41.0), Some(2.0)),
        (720.0, Some(42.0), Some(2.0)),
        (815.0, Some(43.0), Some(2.0)),
    ];
    assert_eq!(facts(&out), want);
    let first = &out.listings[0];
    assert_eq!(first.image.as_deref(), Some("https://www.homes.example/photos/7001.jpg"));
    assert_eq!(first.price.as_ref().and_then(|p| p.currency).expect("euros").code(), "EUR");
    let guid = first.keys.iter().find(|k| k.kind() == Some(KeyKind::Attr));
    assert_eq!(guid.map(firstknock_listing::ListingKey::value), Some("flat-7001"));
    // The next day: one has gone, one is new; keys stay and one item is a list.
    let later = rss(&[item(7003, 815), item(7004, 900)].concat());
    let later = read_with(&later, "https://www.homes.example/rss.xml", Some(&out.memory), None);
    assert_eq!(later.listings[0].keys, out.listings[2].keys);
    let one = read_with(
        &rss(&item(7009, 590)),
        "https://www.homes.example/rss.xml",
        Some(&out.memory),
        None,
    );
    assert_eq!(one.listings.len(), 1);
}

#[test]
fn an_atom_feed_with_prices_in_elements_of_their_own_is_a_list() {
    let entry = |id: u32| {
        format!(
            "<entry><id>tag:homes.example,2026:{id}</id><title>Flat in Mill Lane</title>\
             <link rel=\"self\" href=\"https://homes.example/feed/{id}\"/>\
             <link rel=\"alternate\" href=\"https://homes.example/flat/{id}\"/>\
             <summary type=\"html\">&lt;p&gt;Near the park.&lt;/p&gt;</summary>\
             <g:price>{id}.00 GBP</g:price><h:bedrooms>2</h:bedrooms><h:size>61</h:size>\
             <media:thumbnail url=\"https://img.homes.example/{id}.jpg\"/></entry>"
        )
    };
    let text = format!(
        "<feed xmlns=\"http://www.w3.org/2005/Atom\" xml:lang=\"en-GB\"><title>Flats</title>{}{}</feed>",
        entry(1150),
        entry(1275)
    );
    let out = read_at(&text, "https://homes.example/feed");
    assert_eq!(facts(&out), [(1150.0, Some(61.0), Some(2.0)), (1275.0, Some(61.0), Some(2.0))]);
    assert_eq!(out.listings[0].url, "https://homes.example/flat/1150");
    assert_eq!(out.listings[0].image.as_deref(), Some("https://img.homes.example/1150.jpg"));
}

#[test]
fn a_feed_without_items_is_an_honest_empty_list() {
    assert_eq!(read_at(&rss(""), "https://www.homes.example/rss.xml").kind, PageKind::Empty);
}

#[test]
fn a_feed_of_news_is_no_list_of_homes() {
    let post = |id: u32, text: &str| {
        format!(
            "<item><title>Neues aus dem Haus, Teil {id}</title>\
             <link>https://www.homes.example/blog/{id}</link><description>{text}</description></item>"
        )
    };
    let text = rss(&[
        post(1, "Die Kaution ist hoch."),
        post(2, "Wer umzieht, braucht Kartons und gute Freunde."),
        post(3, "Was darf der Hund?"),
    ]
    .concat());
    let out = read_at(&text, "https://www.homes.example/blog/feed");
    assert_eq!((out.kind, out.listings.len()), (PageKind::Other, 0));
}

#[test]
fn a_feed_that_is_cut_short_gives_the_items_up_to_the_cut() {
    let text = rss(&[item(7001, 650), item(7002, 720), item(7003, 815)].concat());
    let cut = text.find("7003").expect("the third");
    let out = read_at(&text[..cut], "https://www.homes.example/rss.xml");
    assert_eq!(out.listings.len(), 2);
}
