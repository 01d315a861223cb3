//! The table of cases, and that it leaves out no marker.

use std::collections::BTreeSet;

use firstknock_listing::catalogue::{Language, keys};
use firstknock_listing::{PageKind, PageSigns};
use firstknock_policy::Outcome;
use serde::Deserialize;

use super::condition::Scene;
use super::look::Look;
use super::table::{Strength, TABLE};
use super::*;

#[derive(Deserialize)]
struct Cases {
    case: Vec<Case>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Case {
    is: String,
    #[serde(default = "ok")]
    status: u16,
    #[serde(default)]
    headers: Vec<String>,
    #[serde(default = "search")]
    asked: Url,
    url: Option<Url>,
    #[serde(default)]
    body: String,
    #[serde(default)]
    listings: usize,
    #[serde(default)]
    kind: PageKind,
    #[serde(default)]
    nothing: bool,
    want: String,
    wait_s: Option<u64>,
}

fn ok() -> u16 {
    200
}

fn search() -> Url {
    "https://rooms.example/search/delft".parse().unwrap()
}

fn now() -> Timestamp {
    "2026-11-01T12:00:00Z".parse().unwrap()
}

fn cases() -> Vec<Case> {
    toml::from_str::<Cases>(include_str!("../../tests/cases.toml")).unwrap().case
}

impl Case {
    fn response(&self) -> Response {
        let headers = self.headers.iter().map(|line| {
            let (name, value) = line.split_once(':').unwrap();
            (name.to_owned(), value.to_owned())
        });
        let url = self.url.clone().unwrap_or_else(|| self.asked.clone());
        Response::of_text(url, Some(self.status), self.body.clone()).with_headers(headers)
    }

    fn verdict(&self) -> Verdict {
        let signs = PageSigns {
            kind: self.kind,
            listings: self.listings,
            nothing_found: self.nothing,
            ..PageSigns::default()
        };
        classify(&self.asked, &Fetched::Page(self.response()), &signs, now())
    }
}

fn in_words(verdict: &Verdict) -> (String, Option<u64>) {
    let (who, wait) = match &verdict.outcome {
        Outcome::Answer => (None, None),
        Outcome::Wall(wall) => (wall.vendor.as_deref(), wall.retry_after),
        Outcome::Trouble(trouble) => (None, trouble.retry_after),
    };
    let (word, reason) = (verdict.outcome.verdict(), verdict.outcome.reason().code());
    (format!("{word} {reason} {}", who.unwrap_or("-")), wait.map(|wait| wait.as_secs()))
}

#[test]
fn every_case_of_the_table_is_what_it_says() {
    let mut wrong = Vec::new();
    for case in cases() {
        let verdict = case.verdict();
        let (words, wait) = in_words(&verdict);
        if (&words, wait) != (&case.want, case.wait_s) {
            let evidence = &verdict.evidence;
            wrong.push(format!("{}: {words} {wait:?}, not {} {evidence:?}", case.is, case.want));
        }
        assert!(!verdict.evidence.is_empty(), "no evidence: {}", case.is);
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn every_marker_is_met_by_a_case() {
    let mut met = BTreeSet::new();
    for case in cases() {
        let response = case.response();
        let look = Look::at(&response.body);
        let scene = Scene { response: &response, look: &look };
        met.extend((0..TABLE.marker.len()).filter(|at| TABLE.marker[*at].sight(&scene).is_some()));
    }
    let missed: Vec<_> = (0..TABLE.marker.len())
        .filter(|at| !met.contains(at))
        .map(|at| {
            format!(
                "{at} {:?} {:?}",
                TABLE.marker[at].who,
                TABLE.marker[at].any.first().or(TABLE.marker[at].all.first())
            )
        })
        .collect();
    assert!(missed.is_empty(), "{missed:#?}");
}

#[test]
fn every_status_has_its_class() {
    let expected = |status: u16| match status {
        200..=299 => "answer answered",
        404 | 410 => "error page_gone",
        407 => "error proxy",
        511 => "error captive_portal",
        420 | 429 | 509 => "rate_limited too_many_requests",
        451 => "denied address_blocked",
        401 | 403 | 405 | 406 | 418 | 444 => "denied refused",
        _ => "error server_error",
    };
    for status in 100..=599 {
        let page = Fetched::Page(Response::of_text(search(), Some(status), ""));
        let verdict = classify(&search(), &page, &PageSigns::default(), now());
        let (words, _) = in_words(&verdict);
        assert_eq!(words, format!("{} -", expected(status)), "status {status}");
    }
}

#[test]
fn a_page_whose_status_the_engine_does_not_tell_is_read_like_a_good_one() {
    let signs = PageSigns::default();
    for (body, want) in [
        ("<p>rooms</p>", "answer answered -"),
        ("<script>window._cf_chl_opt={}</script>", "challenge browser_check Cloudflare"),
        ("<title>Log in</title>", "denied login -"),
        ("<html><head></head><body></body></html>", "error browser -"),
    ] {
        let page = Fetched::Page(Response::of_text(search(), None, body));
        assert_eq!(in_words(&classify(&search(), &page, &signs, now())).0, want);
    }
    let failed = Response::of_text("chrome-error://chromewebdata/".parse().unwrap(), None, "x");
    let verdict = classify(&search(), &Fetched::Page(failed), &signs, now());
    assert_eq!(in_words(&verdict).0, "error browser -");
}

#[test]
fn no_look_at_any_bytes_panics_or_takes_for_ever() {
    let shapes =
        ["<", "<!--", "<script>", "&#", "<a href=\"data:", "é<é>é", "\u{0}", "{\"a\":", "]]>"];
    for shape in shapes {
        let body = shape.repeat(20_000);
        let page = Fetched::Page(Response::of_text(search(), Some(403), body));
        let verdict = classify(&search(), &page, &PageSigns::default(), now());
        assert_eq!(verdict.outcome.verdict(), "denied", "{shape}");
    }
}

#[test]
fn every_reason_has_a_sentence_in_every_language() {
    for case in cases() {
        for language in Language::ALL {
            let sentence = case.verdict().sentence(language);
            assert!(!sentence.starts_with("reason_"), "{sentence}");
            assert!(!sentence.contains('{') || case.body.contains('{'), "{sentence}");
        }
    }
    use Reason::*;
    let all = [
        Answered,
        BrowserCheck,
        Queue,
        TooManyRequests,
        HumanCheck,
        Refused,
        AddressBlocked,
        Consent,
        Login,
        Dns,
        Connect,
        Certificate,
        Timeout,
        Truncated,
        TooLarge,
        RedirectLoop,
        ForeignHost,
        Proxy,
        CaptivePortal,
        ProviderPage,
        ServerError,
        Maintenance,
        PageGone,
        NotAPage,
        Browser,
        Network,
        Unknown,
    ];
    for language in Language::ALL {
        let known = keys(language);
        for reason in all {
            let key = format!("reason_{}", reason.code());
            assert!(known.contains(&key.as_str()), "{key} in {language:?}");
        }
    }
    let case = cases().into_iter().find(|case| case.is == "cf-mitigated on 403").unwrap();
    assert_eq!(
        case.verdict().sentence(Language::En),
        "Cloudflare shows a check (header cf-mitigated: Challenge)"
    );
}

proptest::proptest! {
    #[test]
    fn any_page_gets_a_verdict_with_evidence(
        status in proptest::option::of(100_u16..1000),
        body in "(<[a-z!/]{0,8}[ =\"'>]|&#?[a-z0-9]{0,6};|data:|captcha|404|[ -~é…]{0,12}){0,40}",
    ) {
        let page = Fetched::Page(Response::of_text(search(), status, body));
        let verdict = classify(&search(), &page, &PageSigns::default(), now());
        proptest::prop_assert!(!verdict.evidence.is_empty());
    }
}

/// Kinds of saved pages that are no wall.
const GOOD: [&str; 4] = ["listing", "empty", "detail", "control"];

#[test]
fn each_marker_alone_scores_nothing_on_every_good_page() {
    let corpus = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/corpus");
    let Ok(manifest) = std::fs::read_to_string(corpus.join("manifest.tsv")) else { return };
    let mut hits = Vec::new();
    for line in manifest.lines().skip(1) {
        let mut columns = line.split('\t');
        let (path, kind) = (columns.next().unwrap(), columns.next().unwrap());
        if !GOOD.contains(&kind) {
            continue;
        }
        let body = std::fs::read(corpus.join(path)).unwrap();
        let body = String::from_utf8_lossy(&body);
        let look = Look::at(&body);
        let response = Response::of_text(search(), Some(200), "");
        let scene = Scene { response: &response, look: &look };
        for marker in &TABLE.marker {
            let alone = matches!(marker.strength, Strength::A | Strength::B);
            // The others claim nothing about a page of normal size.
            if let Some(sight) = (alone || look.is_small()).then(|| marker.sight(&scene)).flatten()
            {
                hits.push(format!("{path}: {:?}", sight.evidence));
            }
        }
    }
    assert!(hits.is_empty(), "{hits:#?}");
}
