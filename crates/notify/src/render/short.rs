//! The short form, for a notification, a phone or a chat.

use firstknock_listing::truncate_chars;

use super::view::{line, searches, web_address};
use super::{Context, place, subject, view, words};
use crate::{Alert, Finding, Found};

/// A title, a few lines, and what to open.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Short {
    /// Price and place, at most 100 characters.
    pub title: String,
    /// A few lines.
    pub body: String,
    /// The listing's address, where there is one to open.
    pub url: Option<String>,
}

/// How many listings the short form names.
const NAMED: usize = 5;

/// The short form with streets.
pub fn short(alert: &Alert, context: &Context) -> Short {
    shortened(alert, context, true)
}

/// The short form; without streets for channels that strangers may read.
pub(crate) fn shortened(alert: &Alert, context: &Context, with_street: bool) -> Short {
    let url = match alert.findings.as_slice() {
        [one] => web_address(&one.listing.url).map(String::from),
        _ => None,
    };
    let (title, body) = match (&alert.kind, alert.findings.as_slice()) {
        (Found::Listings | Found::Digest { .. }, [one]) => {
            let place = if with_street {
                place::town(&one.listing)
            } else {
                place::without_street(&one.listing)
            };
            let title = [Some(price(alert, one)), place];
            (
                title.into_iter().flatten().collect::<Vec<_>>().join(" · "),
                one_body(alert, one, with_street),
            )
        }
        (Found::Listings | Found::Digest { .. }, many @ [_, ..]) => {
            let lines: Vec<String> =
                many.iter().take(NAMED).map(|one| row(alert, one, with_street)).collect();
            let n = many.len().to_string();
            (format!("{n} · {}", searches(alert)), lines.join("\n"))
        }
        _ => (subject::subject(alert), view::view(alert, context).lead.join("\n")),
    };
    Short { title: truncate_chars(&line(&title, 200), 100), body, url }
}

fn price(alert: &Alert, finding: &Finding) -> String {
    words::price_of(alert.language, &finding.listing)
}

fn one_body(alert: &Alert, finding: &Finding, with_street: bool) -> String {
    let mut lines = Vec::new();
    if let Some(title) = title(finding, with_street) {
        lines.push(title);
    }
    let facts = words::facts(alert.language, &finding.listing);
    if !facts.is_empty() {
        lines.push(facts.join(" · "));
    }
    if with_street {
        lines.extend(place::full(&finding.listing));
    }
    lines.push(searches(alert));
    lines.join("\n")
}

fn row(alert: &Alert, finding: &Finding, with_street: bool) -> String {
    let facts = words::facts(alert.language, &finding.listing);
    let parts = [Some(price(alert, finding)), facts.first().cloned(), title(finding, with_street)];
    line(&parts.into_iter().flatten().collect::<Vec<_>>().join(" · "), 120)
}

fn title(finding: &Finding, with_street: bool) -> Option<String> {
    let title = line(finding.listing.title.as_deref()?, 100);
    let shown = with_street || !place::names_street(&title, &finding.listing);
    (shown && !title.is_empty()).then_some(title)
}
