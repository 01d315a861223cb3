//! Hostile and broken pages: a bounded answer with a problem named, never a panic.

use crate::page::{read, read_at};
use firstknock_extract::Problem;

const PLAIN: &str = include_str!("../pages/plain-list.html");

#[test]
fn a_page_cut_at_any_place_is_read_as_far_as_it_goes() {
    for end in (0..PLAIN.len()).step_by(97) {
        let mut end = end;
        while !PLAIN.is_char_boundary(end) {
            end -= 1;
        }
        let out = read(&PLAIN[..end]);
        assert!(out.listings.len() <= 8);
    }
}

#[test]
fn deeply_nested_tags_are_flattened() {
    let html = format!("{}<p>€ 900</p>", "<div>".repeat(400_000));
    let out = read(&html);
    assert!(out.problems.contains(&Problem::TooDeep { depth: 256 }), "{:?}", out.problems);
    let mixed = "<svg><g/><div><b><i><section/>".repeat(60_000);
    assert!(read(&mixed).problems.iter().any(|p| p.code() == "too_deep"));
}

#[test]
fn formatting_that_is_never_closed_cannot_multiply() {
    let open: String = (0..200).map(|i| format!("<font size={i}>")).collect();
    let out = read(&format!("{open}{}", "<p>x".repeat(200_000)));
    assert!(out.problems.iter().any(|p| p.code() == "too_many_nodes"), "{:?}", out.problems);
}

#[test]
fn a_tag_with_a_hundred_thousand_attributes_is_cut() {
    let attributes: String = (0..100_000).map(|i| format!(" a{i}=1")).collect();
    let out = read(&format!("<div{attributes}>€ 900</div>{PLAIN}"));
    assert_eq!(out.listings.len(), 8);
}

#[test]
fn sixteen_megabytes_of_nested_tags_are_cut_and_named() {
    let out = read(&"<div>".repeat((16 << 20) / 5));
    let codes: Vec<_> = out.problems.iter().map(Problem::code).collect();
    assert!(codes.contains(&"too_deep") && codes.contains(&"too_many_nodes"), "{codes:?}");
    assert!(out.listings.is_empty());
}

#[test]
fn a_million_anchors_are_bounded_and_named() {
    let many: String = (0..1_000_000).map(|i| format!("<a href=/x/{i}>€ {i}</a>")).collect();
    let out = read(&many);
    let codes: Vec<_> = out.problems.iter().map(Problem::code).collect();
    assert!(codes.contains(&"too_many_nodes"), "{codes:?}");
    assert!(out.listings.len() <= 2_000);
}

#[test]
fn a_page_of_many_megabytes_is_cut_and_says_so() {
    let out = read(&"lorem ipsum ".repeat((17 << 20) / 12));
    assert!(
        out.problems.iter().any(|p| matches!(p, Problem::TooLong { .. })),
        "{:?}",
        out.problems
    );
}

#[test]
fn broken_text_is_named_and_read_all_the_same() {
    let bytes = PLAIN.replace("Nieuwerve", "Nieu\u{1}werve").into_bytes();
    let broken: Vec<u8> = bytes.iter().map(|b| if *b == 1 { 0xff } else { *b }).collect();
    let out = read(&String::from_utf8_lossy(&broken));
    assert_eq!(out.listings.len(), 8);
    assert!(out.problems.contains(&Problem::BrokenText));
}

#[test]
fn titles_lose_control_and_bidi_characters_and_mad_prices_are_no_prices() {
    let html = PLAIN
        .replace("Appartement Berkenpad", "Appar\u{202e}tement\u{7} Berk\u{200b}enpad\r\nBcc: x")
        .replace("€ 900", &format!("€ 1{}", "0".repeat(30)));
    let out = read(&html);
    assert_eq!(out.listings.len(), 8);
    for listing in &out.listings {
        let text = format!("{:?} {:?}", listing.title, listing.address);
        assert!(!text.contains(['\u{202e}', '\u{7}', '\u{200b}', '\r', '\n']), "{text}");
        assert!(listing.price.as_ref().is_none_or(|p| p.cents < 1_000_000_000_000));
    }
}

#[test]
fn a_blob_of_ten_megabytes_is_bounded() {
    let row = r#"{"id":123456,"price":900,"url":"/x/123456"},"#;
    let blob = row.repeat((10 << 20) / row.len());
    let out = read(&format!("<script type=application/json>[{blob}0]</script>"));
    assert!(out.listings.len() <= 2_000);
    assert!(out.problems.contains(&Problem::BrokenData { n: 1 }), "{:?}", out.problems);
    let answer = read(&format!("[{blob}0]"));
    let codes: Vec<_> = answer.problems.iter().map(Problem::code).collect();
    assert!(codes.contains(&"broken_data"), "{codes:?}");
    let nested = format!("<script>window.x = {}</script>", "[".repeat(2 << 20));
    assert!(read(&nested).listings.is_empty());
    let _bounded = read(&"[".repeat(1 << 20));
}

#[test]
fn more_records_than_are_kept_are_named() {
    let row = |i| format!(r#"{{"id":"a{i}","price":900,"size":"50 m²","url":"/x/{i}"}},"#);
    let rows: String = (100_000..103_000).map(row).collect();
    let out = read(&format!("[{}]", rows.trim_end_matches(',')));
    assert_eq!(out.listings.len(), 2_000);
    assert!(out.problems.contains(&Problem::TooManyCards { cards: 2_000 }), "{:?}", out.problems);
}

#[test]
fn an_answer_cut_at_any_place_says_so() {
    let whole = r#"[{"id":"a1234","price":900,"url":"/x/1234"},{"id":"a1235","price":950,"url":"/x/1235"}]"#;
    for end in 1..whole.len() {
        let out = read(&whole[..end]);
        assert!(out.listings.len() <= 2);
        assert!(out.problems.contains(&Problem::BrokenData { n: 1 }), "{end}: {:?}", out.problems);
    }
}

#[test]
fn strange_addresses_break_nothing() {
    for url in [
        "https://127.0.0.1:8080/",
        "https://[::1]/x?id=1",
        "https://xn--bcher-kva.example/%zz%ff?=&&=#!/a",
    ] {
        let out = read_at(PLAIN, url);
        assert_eq!(out.listings.len(), 8, "{url}");
    }
    let odd = PLAIN
        .replace("/huurwoning/nieuwerve/40210", "http://[broken")
        .replace("/contact?", "https:///%%%?");
    assert!(read(&odd).listings.len() >= 7);
}

#[test]
fn a_seeded_storm_of_mutations_never_panics() {
    let seeds = [
        PLAIN,
        include_str!("../pages/state-adds.html"),
        include_str!("../pages/noscript-cards.html"),
        include_str!("../pages/redirects.html"),
    ];
    let pieces = [
        "<",
        ">",
        "\"",
        "</li>",
        "<template>",
        "<noscript>",
        "{",
        "[",
        "€",
        "\u{202e}",
        "&#0;",
        "<svg/>",
        "href=",
        "<!--",
        "1e999",
    ];
    let mut state = 0x2545_f491_4f6c_dd1d_u64;
    let mut next = |below: usize| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        usize::try_from(state % below.max(1) as u64).unwrap_or(0)
    };
    for round in 0..120 {
        let mut text = seeds[round % seeds.len()].to_owned();
        for _ in 0..next(12) {
            let mut at = next(text.len());
            while !text.is_char_boundary(at) {
                at -= 1;
            }
            if next(3) == 0 {
                let mut end = (at + next(400)).min(text.len());
                while !text.is_char_boundary(end) {
                    end -= 1;
                }
                text.replace_range(at..end.max(at), "");
            } else {
                text.insert_str(at, pieces[next(pieces.len())]);
            }
        }
        let out = read(&text);
        assert!(out.listings.len() < 100);
    }
}
