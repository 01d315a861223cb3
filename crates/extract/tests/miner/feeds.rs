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

#[test]
fn markup_that_is_not_escaped_is_read_inside_its_field() {
    let entry = |id: u32| {
        format!(
            "<entry><title>Studio rue du Pont</title><link href=\"https://homes.example/s/{id}\"/>\
             <author><name>Paul</name><url>https://homes.example/paul.jpg</url></author>\
             <content type=\"xhtml\"><div><img src=\"https://homes.example/{id}.jpg\"/>\
             <p>Loyer : {id} € CC</p><p>Surface : 21 m²</p></div></content></entry>"
        )
    };
    let text = format!("<feed xml:lang=\"fr\">{}{}</feed>", entry(4150), entry(4275));
    let out = read_at(&text, "https://homes.example/flux");
    assert_eq!(facts(&out), [(4150.0, Some(21.0), Some(1.0)), (4275.0, Some(21.0), Some(1.0))]);
    assert_eq!(out.listings[0].image.as_deref(), Some("https://homes.example/4150.jpg"));
}

#[test]
fn a_json_feed_is_a_list() {
    let item = |id: u32| {
        format!(
            r#"{{"id":"flat-{id}","url":"https://homes.example/p/{id}","title":"2 bed flat < park - £{id} pcm",
               "content_html":"<p>61 sq m</p>","image":"https://homes.example/{id}.jpg"}}"#
        )
    };
    let text = format!(
        r#"{{"version":"https://jsonfeed.org/version/1.1","title":"To let","items":[{},{}]}}"#,
        item(1150),
        item(1275)
    );
    let out = read_at(&text, "https://homes.example/feed.json");
    assert_eq!(facts(&out), [(1150.0, Some(61.0), Some(2.0)), (1275.0, Some(61.0), Some(2.0))]);
    assert_eq!(out.listings[0].title.as_deref(), Some("2 bed flat < park - £1150 pcm"));
}

#[test]
fn an_answer_that_carries_finished_cards_is_read_by_them() {
    let card = |id: u32| {
        format!(
            r#"<li><a href=\"/woning/{id}\"><img src=\"/f/{id}.jpg\"><h3>Zandpad {id}</h3></a><p>€ {id}</p><p>48 m²</p><p>2 kamers</p></li>"#
        )
    };
    let text = format!(r#"{{"success":true,"data":{{"html":"{}{}"}}}}"#, card(1150), card(1275));
    let out = read_at(&text, "https://www.homes.example/ajax");
    assert_eq!(facts(&out), [(1150.0, Some(48.0), Some(2.0)), (1275.0, Some(48.0), Some(2.0))]);
    let empty = read_at(r#"{"success":true,"data":{"html":""}}"#, "https://www.homes.example/ajax");
    assert_eq!(empty.kind, PageKind::Empty);
}
