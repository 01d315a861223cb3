//! What mail programs take: the worst mail that there can be, held against a list of what Outlook's
//! Word engine, Gmail and Apple Mail understand or harmlessly ignore.
//!
//! The list follows "Word 2007 HTML and CSS Rendering Capabilities in Outlook 2007" (Microsoft) and
//! developers.google.com/gmail/design/css; WebKit, which is Apple Mail, takes all of that.

use firstknock_listing::catalogue::Language;
use firstknock_listing::{Area, PostalAddress, Rooms};
use firstknock_notify::{Alert, DigestReason, Found, News, SearchName, SeenPrice, render};

use crate::support::alerts::{self, at, context, euros};

/// Each tag with its attributes.
const TAGS: [(&str, &[&str]); 17] = [
    ("!doctype", &["html"]),
    ("html", &["lang"]),
    ("head", &[]),
    ("meta", &["charset", "name", "content"]),
    ("title", &[]),
    ("style", &[]),
    ("body", &["class", "style"]),
    ("div", &["style"]),
    (
        "table",
        &["role", "width", "cellpadding", "cellspacing", "border", "align", "style", "class"],
    ),
    ("tr", &[]),
    ("td", &["align", "class", "bgcolor", "style", "width", "valign"]),
    ("p", &["class", "style"]),
    ("span", &["class", "style"]),
    ("b", &["class", "style"]),
    ("a", &["class", "href", "style"]),
    ("br", &[]),
    ("img", &["src", "width", "height", "alt", "style"]),
];

/// Drawn or harmlessly left out by all three: without rounded corners a mail is as readable.
const PROPERTIES: [&str; 34] = [
    "background",
    "border",
    "border-bottom",
    "border-collapse",
    "border-color",
    "border-radius",
    "color",
    "color-scheme",
    "display",
    "font-family",
    "font-size",
    "font-weight",
    "height",
    "letter-spacing",
    "line-height",
    "margin",
    "margin-top",
    "max-height",
    "max-width",
    "mso-hide",
    "mso-padding-alt",
    "overflow",
    "padding",
    "padding-right",
    "supported-color-schemes",
    "text-decoration",
    "text-decoration-thickness",
    "text-underline-offset",
    "vertical-align",
    "width",
    "-webkit-text-size-adjust",
    "-ms-text-size-adjust",
    "text-align",
    "white-space",
];

/// A tag as it is written: its name and its attributes.
#[derive(Debug)]
struct Tag {
    name: String,
    attributes: Vec<(String, String)>,
}

/// All opening tags. Our own markup quotes every value and escapes every `<`, `>` and `"`.
fn tags(html: &str) -> Vec<Tag> {
    let mut tags = Vec::new();
    for part in html.split('<').skip(1) {
        let Some((tag, _)) = part.split_once('>') else { panic!("an open tag: {part}") };
        if tag.starts_with('/') || tag.starts_with("!--") || tag.starts_with("![") {
            continue;
        }
        let (name, mut rest) = tag.split_once(' ').unwrap_or((tag, ""));
        let mut attributes = Vec::new();
        while !rest.trim().is_empty() {
            let Some((attribute, after)) = rest.split_once("=\"") else {
                attributes.push((rest.trim().to_owned(), String::new()));
                break;
            };
            let (value, after) = after.split_once('"').expect("a closed value");
            attributes.push((attribute.trim().to_owned(), value.to_owned()));
            rest = after;
        }
        tags.push(Tag { name: name.to_ascii_lowercase(), attributes });
    }
    tags
}

impl Tag {
    fn get(&self, name: &str) -> Option<&str> {
        self.attributes.iter().find(|(n, _)| n == name).map(|(_, value)| value.as_str())
    }
}

/// The declarations of a style attribute, or of the innermost blocks of a style sheet.
fn declarations(css: &str) -> impl Iterator<Item = (&str, &str)> {
    let parts = css.split(['{', '}', ';']).filter(|part| !part.trim().is_empty());
    let is_selector = |part: &&str| part.starts_with(['.', '@', '[', ':']) || !part.contains(':');
    parts.filter(move |part| !is_selector(part)).filter_map(|part| part.trim().split_once(':'))
}

fn check(html: &str) {
    assert!(html.len() < 100_000, "Gmail cuts at 102 KB: {}", html.len());
    let tags = tags(html);
    for tag in &tags {
        let known = TAGS.iter().find(|(name, _)| *name == tag.name);
        let (_, attributes) = known.unwrap_or_else(|| panic!("{tag:?}"));
        for (name, _) in &tag.attributes {
            assert!(attributes.contains(&name.as_str()), "{name} on {tag:?}");
        }
        for (property, value) in tag.get("style").into_iter().flat_map(declarations) {
            assert!(PROPERTIES.contains(&property), "{property} on {tag:?}");
            assert!(!value.contains("url("), "{tag:?}");
            // Word knows padding on cells only; what is on a link is repeated for it on its cell.
            let pads = property.starts_with("padding") && !value.starts_with('0');
            assert!(!pads || ["td", "a", "span"].contains(&tag.name.as_str()), "{tag:?}");
            let floats = ["flex", "grid", "fixed", "absolute", "float"];
            assert!(floats.iter().all(|word| !value.contains(word)), "{tag:?}");
        }
        if tag.name == "table" {
            for needed in ["role", "cellpadding", "cellspacing", "border"] {
                assert!(tag.get(needed).is_some(), "{needed} on {tag:?}");
            }
        }
        if tag.name == "img" {
            let size = |name| tag.get(name).and_then(|text| text.parse::<u32>().ok());
            assert!(size("width").is_some_and(|w| w > 0) && size("height").is_some_and(|h| h > 0));
            assert!(tag.get("alt").is_some_and(|alt| !alt.is_empty()), "{tag:?}");
            assert!(tag.get("src").is_some_and(|src| src.starts_with("cid:")), "{tag:?}");
        }
        if tag.name == "a" {
            assert!(tag.get("href").is_some_and(|href| href.starts_with("http")), "{tag:?}");
        }
    }
    let lang = tags.iter().find(|tag| tag.name == "html").and_then(|tag| tag.get("lang"));
    assert!(lang.is_some_and(|lang| Language::from_code(lang).is_some()), "{lang:?}");
    for scheme in ["color-scheme", "supported-color-schemes"] {
        assert!(html.contains(&format!("<meta name=\"{scheme}\" content=\"light dark\">")));
    }
    let begins = html.matches("<!--[if mso]>").count();
    assert_eq!((begins, html.matches("<![endif]-->").count()), (3, 3));
    assert!(html.contains("<!--[if mso]><table role=\"presentation\" width=\"600\""));
    for sheet in html.split("<style>").skip(1) {
        let sheet = sheet.split("</style>").next().unwrap_or_default();
        // Gmail drops a block beyond 8,192 characters, and one with a selector that it knows not.
        assert!(sheet.len() < 8_192, "{}", sheet.len());
        let of_others = sheet.contains('[') || sheet.contains(":root");
        assert!(!of_others || !sheet.contains("@media"), "{sheet}");
        assert!(!sheet.contains("@import") && !sheet.contains("url("), "{sheet}");
        for (property, _) in declarations(sheet) {
            assert!(PROPERTIES.contains(&property), "{property} in a style block");
        }
    }
}

/// As many listings as a day can bring, each as long as it can be.
fn worst(language: Language, url_bytes: usize) -> Alert {
    let mut alert = alerts::many(150);
    alert.language = language;
    let since = at("2026-11-28T21:00:00Z");
    alert.kind = Found::Digest { reason: DigestReason::DailyLimit, since };
    alert.searches = (0..15)
        .map(|n| SearchName {
            id: firstknock_listing::SearchId(n),
            name: format!("\"Wohnungen\" & 'Zimmer' in <Münster> {n} ").repeat(9),
        })
        .collect();
    for (n, finding) in alert.findings.iter_mut().enumerate() {
        let listing = &mut finding.listing;
        listing.title = Some("Straße ß \"hell\" & 'ruhig' <3 Zi.> ".repeat(300));
        let head = format!("https://kamers.example/aanbod/{n}?a=");
        listing.url = format!("{head}{}", "x&".repeat(url_bytes.saturating_sub(head.len()) / 6));
        listing.address = Some(PostalAddress {
            raw: "Hinter der alten \"Kirche\" & am Markt 12345 ".repeat(20),
            city: Some("Münster & Umland ".repeat(20)),
            ..PostalAddress::default()
        });
        listing.size = Area::from_m2(1234.5);
        listing.rooms = Rooms::from_count(12.5);
        listing.bedrooms = Rooms::from_count(11.0);
        listing.available_from = Some("ab sofort & \"länger\" ".repeat(20));
        finding.news = News::Relisted { seen_at: since, was: Some(euros(12_345)) };
        finding.also_in = vec!["\"Noch\" eine & noch <eine> ".repeat(10); 14];
        finding.seen_before = vec![SeenPrice { price: euros(12_345), at: since }; 12];
    }
    alert
}

fn with_photo() -> render::Context {
    let photo = render::Photo { jpeg: vec![0xff, 0xd8, 0xff, 0xd9], size: (800, 400) };
    render::Context { photo: Some(photo), ..context() }
}

#[test]
fn the_worst_mail_is_what_outlook_gmail_and_apple_mail_take_and_none_cuts_it() {
    for language in Language::ALL {
        for url_bytes in [60, 400, 1_990, 4_000] {
            let alert = worst(language, url_bytes);
            let mail = render::mail(&alert, &with_photo());
            check(&mail.html);
            let full = mail.html.matches("font-size:19px").count();
            assert_eq!(full, render::FULL_LISTINGS, "all of them in full");
            // The plain part has each address that the other has, and the sum of what is left out.
            let addresses: Vec<String> = tags(&mail.html)
                .iter()
                .filter_map(|tag| Some(tag.get("href")?.replace("&amp;", "&")))
                .collect();
            assert!(addresses.iter().all(|address| mail.text.contains(address.as_str())));
            if url_bytes < 100 {
                assert_eq!(addresses.len(), 20 + render::LINKED_LISTINGS);
            }
        }
    }
}

#[test]
fn every_kind_of_mail_is_what_they_take() {
    let mut blind = alerts::alert(Vec::new());
    blind.kind = Found::Blind {
        since: at("2026-11-29T06:41:00Z"),
        reason: "reason_too_many_requests".into(),
        args: vec![("vendor".into(), "kamers.example".into()), ("evidence".into(), "429".into())],
        page: Some("https://kamers.example/zoeken?stad=utrecht".into()),
        host: "kamers.example".into(),
    };
    let test = Alert::test(Language::En, at("2026-11-29T13:03:05Z"));
    let all = [alerts::one(), alerts::price_drop(), alerts::many(4), blind, test];
    for alert in all {
        for context in [context(), with_photo()] {
            check(&render::mail(&alert, &context).html);
        }
    }
}
