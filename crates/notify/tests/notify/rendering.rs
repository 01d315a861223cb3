//! What a mail looks like to the programs that read it.

use firstknock_listing::catalogue::{Language, keys, say};
use firstknock_notify::{
    Alert, ChannelConfig, DigestReason, Finding, Found, News, NtfyConfig, TelegramConfig, render,
};

use crate::support::alerts::{self, at, context, euros, finding, listing};

const NASTY: [&str; 12] = [
    "Kamer\r\nBcc: everybody@evil.example\r\n\r\n<script>alert(1)</script>",
    "<script>alert('x')</script>",
    "\"><img src=x onerror=alert(1)>",
    "=?utf-8?b?QmNjOiB4QHkueg==?= =?utf-8?q?=0D=0ABcc:_x?=",
    "a\u{202e}txt.exe\u{2066}b\u{200b}c",
    "🏠🔥 TOP 👨‍👩‍👧 Wohnung ✨",
    "\0\u{1b}[31mred\u{7}\u{85}\u{2028}next",
    "[NEU] [TOP] Zimmer [warm]",
    "\r\n.\r\nMAIL FROM:<x@y>",
    "-- \n> From now &amp; &lt;b&gt; 'quoted' \"double\"",
    "''';--/*]]>*/--><!--[if mso]><b>",
    "",
];

/// The lines of the header, unfolded, and the body.
fn head(bytes: &[u8]) -> (Vec<String>, String) {
    let text = std::str::from_utf8(bytes).expect("ASCII");
    let (head, body) = text.split_once("\r\n\r\n").expect("a header and a body");
    let head = head.replace("\r\n ", " ").replace("\r\n\t", " ");
    (head.split("\r\n").map(str::to_owned).collect(), body.to_owned())
}

fn with_title(title: &str) -> Alert {
    let mut alert = alerts::one();
    alert.findings[0].listing.title = Some(title.to_owned());
    alert.searches[0].name = title.to_owned();
    if let Some(address) = &mut alert.findings[0].listing.address {
        address.raw = title.to_owned();
        address.city = Some(title.to_owned());
    }
    alert.findings[0].listing.available_from = Some(title.to_owned());
    alert
}

const HEADERS: [&str; 10] = [
    "From",
    "To",
    "Subject",
    "Date",
    "Message-ID",
    "Auto-Submitted",
    "X-Auto-Response-Suppress",
    "List-Id",
    "MIME-Version",
    "Content-Type",
];

#[test]
fn nothing_on_a_page_can_add_a_header_a_tag_or_a_line() {
    let long = format!("{}\r\nBcc: x@y.z<script>", "ä".repeat(10_000));
    for title in NASTY.into_iter().chain([long.as_str()]) {
        let mail = render::mail(&with_title(title), &context());
        let (lines, _) = head(&mail.bytes);
        let names: Vec<&str> = lines.iter().filter_map(|l| l.split(':').next()).collect();
        assert_eq!(names, HEADERS, "{title:?}");
        assert!(mail.bytes.is_ascii(), "any server takes it");
        let longest = mail.bytes.split(|b| *b == b'\n').map(<[u8]>::len).max().unwrap_or(0);
        assert!(longest <= 998, "RFC 5322 allows lines of 998: {longest}");
        let html = mail.html.to_lowercase();
        assert!(!html.contains("<script") && !html.contains("<img"), "{title:?}");
        // Tags are ours alone: as many as with a harmless title, wherever that one is shown.
        let harmless = render::mail(&with_title("Kamer"), &context()).html;
        let short = title.chars().count() < 48;
        if short && !title.is_empty() {
            let tags = |html: &str| html.matches('<').count();
            assert_eq!(tags(&mail.html), tags(&harmless), "{title:?}");
        }
        for text in [&mail.subject, &mail.text] {
            assert!(!text.contains(['\r', '\0', '\u{1b}', '\u{202e}', '\u{2066}']), "{text:?}");
        }
    }
}

#[test]
fn a_subject_is_one_line_of_at_most_150_characters_without_square_brackets() {
    let long = "x".repeat(10_000);
    for title in NASTY.into_iter().chain([long.as_str()]) {
        for count in [1, 4] {
            let mut alert = with_title(title);
            alert.findings = vec![alert.findings[0].clone(); count];
            let subject = render::mail(&alert, &context()).subject;
            assert!(subject.chars().count() <= 150, "{subject}");
            assert!(!subject.contains(['[', ']', '\r', '\n']), "{subject}");
            assert!(
                subject.starts_with(if count == 1 { "€745" } else { "4 from €745" }),
                "{subject}"
            );
        }
    }
}

fn subject(alert: &Alert) -> String {
    render::mail(alert, &context()).subject
}

#[test]
fn the_subject_tells_the_price_first_and_what_is_new() {
    let of = |news: News| {
        let mut alert = alerts::one();
        alert.findings[0].news = news;
        subject(&alert)
    };
    let rest = "Utrecht · Zonnige kamer met balkon, vrij per 1 januari";
    assert_eq!(of(News::New), format!("€745 · {rest}"));
    assert_eq!(of(News::PriceDrop { was: euros(795) }), format!("€745 (was €795) · {rest}"));
    assert_eq!(of(News::PriceRise { was: euros(700) }), format!("€745 (was €700) · {rest}"));
    let back = News::Relisted { seen_at: at("2026-09-03T10:00:00Z"), was: None };
    assert_eq!(of(back), format!("€745 (relisted) · {rest}"));
    let mut unknown = alerts::one();
    unknown.findings[0].listing.price = None;
    assert_eq!(subject(&unknown), format!("price not stated · {rest}"));
    unknown.findings[0].listing.price_on_request = true;
    assert_eq!(subject(&unknown), format!("price on request · {rest}"));
    let four = "4 from €455 · Münster · Helles Zimmer Nummer 0 im Altbau, Dielenboden and 3 more";
    assert_eq!(subject(&alerts::many(4)), four);
}

#[test]
fn prices_look_as_they_do_in_the_readers_country() {
    let mut alert = alerts::one();
    let price = alert.findings[0].listing.price.as_mut().expect("a price");
    price.cents = 1_234_550;
    let mut seen = Vec::new();
    for language in Language::ALL {
        alert.language = language;
        seen.push(subject(&alert).split(" · ").next().expect("a price").to_owned());
    }
    assert_eq!(seen, ["€12,345.50", "€ 12.345,50", "12.345,50 €"]);
}

#[test]
fn the_text_part_says_everything_that_the_html_says() {
    let since = at("2026-11-28T21:00:00Z");
    let mut digest = alerts::many(30);
    digest.kind = Found::Digest { reason: DigestReason::QuietHours, since };
    for language in Language::ALL {
        for mut alert in [alerts::one(), alerts::price_drop(), alerts::many(4), digest.clone()] {
            alert.language = language;
            let mail = render::mail(&alert, &context());
            for finding in &alert.findings {
                assert!(mail.text.contains(&finding.listing.url), "{}", finding.listing.url);
                assert!(mail.html.contains(&finding.listing.url), "{}", finding.listing.url);
            }
            let squash = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
            let text = squash(&mail.text);
            for shown in visible(&mail.html) {
                // A button's words are its address in the text.
                let button = alert.findings.len() == 1 && shown.contains("kamers.example");
                let shown = squash(&shown);
                let bare = shown.trim_start_matches(['↓', '↑', '↻', ' ']);
                assert!(button || text.contains(bare), "{bare:?} is missing in\n{text}");
            }
        }
    }
}

/// The texts between the tags of the body, but for the hidden line on top.
fn visible(html: &str) -> Vec<String> {
    let body = html.split_once("</div>").expect("the hidden line").1;
    let mut texts = Vec::new();
    for part in body.split('<').skip(1) {
        let text = part.split_once('>').map_or("", |(_, text)| text);
        let text = text
            .replace("&nbsp;", " ")
            .replace("&#8595;", "↓")
            .replace("&#8593;", "↑")
            .replace("&#8635;", "↻")
            .replace("&#39;", "'")
            .replace("&quot;", "\"")
            .replace("&lt;", "<")
            .replace("&gt;", ">")
            .replace("&amp;", "&");
        texts.extend(text.split("&middot;").map(|text| text.trim().to_owned()));
    }
    texts.retain(|text| !text.is_empty());
    texts
}

#[test]
fn at_most_twenty_listings_are_full_and_the_mail_stays_below_gmails_limit() {
    let mut alert = alerts::many(150);
    for finding in &mut alert.findings {
        finding.listing.title = Some("Straße ß \"quoted\" & more ".repeat(40));
        finding.listing.url = format!("{}?{}", finding.listing.url, "x=&".repeat(60));
    }
    let mail = render::mail(&alert, &context());
    assert_eq!(mail.html.matches("font-size:19px").count(), 20);
    assert_eq!(mail.html.matches("href=").count(), 20 + 80);
    assert!(mail.html.len() < 102 * 1024, "Gmail cuts at 102 KB: {}", mail.html.len());
    assert!(mail.text.contains("And 130 more: (50 more are in the app.)"), "{}", mail.text);
}

#[test]
fn only_web_addresses_are_linked() {
    for url in ["javascript:alert(1)", "data:text/html,x", "file:///etc/passwd", "not a url"] {
        let mut alert = alerts::one();
        alert.findings[0].listing.url = url.to_owned();
        let mail = render::mail(&alert, &context());
        assert!(!mail.html.contains("href"), "{url}");
        assert!(!mail.text.contains(url), "{url}");
    }
    let mut alert = alerts::one();
    alert.findings[0].listing.url = "https://kamers.example/a?b=1&c=\"><script>".to_owned();
    let mail = render::mail(&alert, &context());
    assert!(mail.html.contains("href=\"https://kamers.example/a?b=1&amp;c=%22%3E%3Cscript%3E\""));
}

#[test]
fn nothing_is_fetched_and_the_dark_block_is_there() {
    let html = render::mail(&alerts::many(3), &context()).html;
    for fetched in ["src=", "url(", "@import", "<link", "@font-face"] {
        assert!(!html.contains(fetched), "{fetched}");
    }
    assert!(html.contains("prefers-color-scheme:dark"));
    let photo = render::Photo { jpeg: vec![0xff, 0xd8, 0xff, 0xd9], size: (600, 270) };
    let with_photo = render::Context { photo: Some(photo), ..context() };
    let mail = render::mail(&alerts::one(), &with_photo);
    assert!(mail.html.contains("src=\"cid:photo\""));
    let text = String::from_utf8(mail.bytes).expect("ASCII");
    assert!(text.contains("multipart/related") && text.contains("Content-ID: <photo>"));
}

#[test]
fn ids_are_ours_stable_and_say_nothing_about_the_machine() {
    let (one, other) =
        (render::mail(&alerts::one(), &context()), render::mail(&alerts::one(), &context()));
    assert_eq!(one.bytes, other.bytes, "rendering has no dice and no clock of its own");
    assert_eq!(one.message_id, "<k3yOfThisRow@mailhuis.example>");
    let lines = head(&one.bytes).0;
    assert!(lines.contains(&"Message-ID: <k3yOfThisRow@mailhuis.example>".to_owned()));
    assert!(lines.contains(&"List-Id: <search-7.firstknock.localhost>".to_owned()));
    assert!(lines.contains(&"Auto-Submitted: auto-generated".to_owned()));
    assert!(lines.contains(&"Date: Sun, 29 Nov 2026 13:03:07 +0000".to_owned()));
    let nowhere = render::Context { from: None, to: None, ..context() };
    assert_eq!(
        render::mail(&alerts::one(), &nowhere).message_id,
        "<k3yOfThisRow@firstknock.invalid>"
    );
}

#[test]
fn a_listing_of_two_searches_is_one_mail_that_names_both() {
    let mail = render::mail(&alerts::price_drop(), &context());
    for part in [&mail.text, &mail.html] {
        assert!(part.contains("Kamers in Utrecht tot € 750 and Utrecht, alles"), "{part}");
    }
    assert!(
        mail.text.contains("€1,250 on 3 November\n€1,195 on 14 November\n€1,150 today, €45 less")
    );
}

#[test]
fn blind_says_since_when_why_and_what_to_do_and_recovery_says_so_once() {
    let mut alert = alerts::alert(Vec::new());
    alert.kind = Found::Blind {
        since: at("2026-11-29T06:41:00Z"),
        reason: "mail_not_sent_dns".into(),
        args: Vec::new(),
        host: "kamers.example".into(),
        page: Some("https://kamers.example/zoeken".into()),
    };
    let mail = render::mail(&alert, &context());
    assert_eq!(
        mail.subject,
        "Nothing seen on kamers.example for 6 hours · Kamers in Utrecht tot € 750"
    );
    assert!(mail.text.contains("Since 07:41"), "{}", mail.text);
    assert!(mail.text.contains("https://kamers.example/zoeken"));
    let (since, until) = (at("2026-11-29T06:41:00Z"), at("2026-11-29T13:00:00Z"));
    alert.kind = Found::Recovered { since, until, host: "kamers.example".into() };
    let mail = render::mail(&alert, &context());
    assert!(mail.subject.starts_with("kamers.example can be read again"), "{}", mail.subject);
}

#[test]
fn every_key_of_mails_and_hints_exists_in_every_language_with_the_same_places() {
    let ours = |key: &&&str| key.starts_with("mail_") || key.starts_with("hint_");
    let english = keys(Language::En);
    let places = |language, key| {
        let text = say(language, key, &[]);
        let mut places: Vec<String> = text
            .split('{')
            .skip(1)
            .filter_map(|p| p.split('}').next())
            .map(str::to_owned)
            .collect();
        places.sort();
        places
    };
    for language in Language::ALL {
        let there = keys(language);
        for key in english.iter().filter(ours) {
            assert!(there.contains(key), "{key} in {language:?}");
            let (en, here) = (places(Language::En, key), places(language, key));
            assert_eq!(here, en, "{key} in {language:?}");
        }
    }
}

fn flat_in_a_street() -> Finding {
    let mut flat =
        listing("9", "Appartement Oude Gracht 12", "Oude Gracht 12a, Utrecht", Some(900), 40.0);
    if let Some(address) = &mut flat.address {
        address.street = Some("Oude Gracht 12a".into());
        address.city = Some("Utrecht".into());
    }
    finding(flat, News::New)
}

#[test]
fn a_topic_that_strangers_may_read_names_no_street_unless_wanted() {
    for (with_street, alert) in [
        (false, alerts::alert(vec![flat_in_a_street()])),
        (true, alerts::alert(vec![flat_in_a_street()])),
    ] {
        let ntfy = NtfyConfig {
            server: "https://ntfy.example".into(),
            topic: "t".into(),
            with_street,
            has_token: false,
        };
        let outgoing = render::outgoing(&ChannelConfig::Ntfy(ntfy), &alert, &context());
        let body = String::from_utf8(outgoing.body).expect("JSON is UTF-8");
        assert_eq!(body.contains("Gracht"), with_street, "{body}");
        assert!(body.contains("€900 · Utrecht"), "{body}");
    }
}

#[test]
fn a_chat_message_fits_and_is_cut_at_its_end() {
    let telegram = TelegramConfig { server: "https://t.example".into(), chat: "1".into() };
    let telegram = ChannelConfig::Telegram(telegram);
    let sent = render::outgoing(&telegram, &alerts::many(100), &context());
    let body: serde_json::Value = serde_json::from_slice(&sent.body).expect("JSON");
    let text = body["text"].as_str().expect("text");
    assert!(text.chars().count() <= 4_096);
    assert!(text.starts_with("€455 (new) · 17 m² · 1 room"));
}

proptest::proptest! {
    #![proptest_config(proptest::prelude::ProptestConfig::with_cases(300))]

    /// Whatever a page, a user or a host says: the headers are ours, the tags are ours.
    #[test]
    fn no_text_at_all_adds_a_header_or_a_tag(
        title in "\\PC{0,40}",
        raw in proptest::collection::vec(proptest::char::any(), 0..40),
    ) {
        let raw: String = raw.into_iter().collect();
        for text in [format!("a{title}"), format!("a{raw}"), format!("a\r\n{raw}\r\n\r\n<b>")] {
            let mail = render::mail(&with_title(&text), &context());
            let (lines, _) = head(&mail.bytes);
            let names: Vec<&str> = lines.iter().filter_map(|l| l.split(':').next()).collect();
            proptest::prop_assert_eq!(names, HEADERS);
            let tags = |html: &str| html.matches('<').count();
            let harmless = render::mail(&with_title("a"), &context()).html;
            proptest::prop_assert_eq!(tags(&mail.html), tags(&harmless));
            proptest::prop_assert!(!mail.subject.contains(['\r', '\n', '[', ']']));
        }
    }
}
