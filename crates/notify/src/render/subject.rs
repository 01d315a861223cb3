//! The subject: price first, then the place, then the title, so that the list of mails already
//! tells whether to hurry.

use firstknock_listing::catalogue::{Language, say};
use firstknock_listing::{Money, truncate_chars};

use super::view::{line, searches};
use super::{place, words};
use crate::{Alert, Finding, Found, News};

/// Longer ones are cut by every mail program.
pub(super) const SUBJECT_CHARS: usize = 150;

/// One line of at most [`SUBJECT_CHARS`] characters, without square brackets: Gmail ignores what
/// stands in them when it groups mails, and would hide the second listing behind the first.
pub(super) fn subject(alert: &Alert) -> String {
    let text = match &alert.kind {
        Found::Listings | Found::Digest { .. } => listings(alert),
        Found::Baseline { count } => {
            let args = [("n", count.to_string()), ("search", searches(alert))];
            say(alert.language, "mail_subject_baseline", &borrow(&args))
        }
        Found::Blind { since, host, .. } => {
            let time = words::span(alert.language, *since, alert.seen_at);
            let args = [("host", host.clone()), ("time", time), ("search", searches(alert))];
            say(alert.language, "mail_subject_blind", &borrow(&args))
        }
        Found::Recovered { host, .. } => {
            let args = [("host", host.clone()), ("search", searches(alert))];
            say(alert.language, "mail_subject_recovered", &borrow(&args))
        }
        Found::ClientLimited { client, .. } => {
            say(alert.language, "mail_subject_client", &[("client", &line(client, 100))])
        }
        Found::Test => say(alert.language, "mail_subject_test", &[]),
    };
    truncate_chars(&line(&text.replace('[', "(").replace(']', ")"), 1_000), SUBJECT_CHARS)
}

fn listings(alert: &Alert) -> String {
    match alert.findings.as_slice() {
        [] => searches(alert),
        [one] => {
            let title = one.listing.title.as_deref().map(|title| line(title, 100));
            join([Some(one_price(alert.language, one)), place::town(&one.listing), title])
        }
        [first, rest @ ..] => {
            let title = line(first.listing.headline(), 70);
            let n = rest.len().to_string();
            let title = say(alert.language, "mail_subject_more", &[("title", &title), ("n", &n)]);
            join([Some(many_price(alert)), shared_town(&alert.findings), Some(title)])
        }
    }
}

fn one_price(language: Language, finding: &Finding) -> String {
    let price = words::price_of(language, &finding.listing);
    match &finding.news {
        News::New => price,
        News::PriceDrop { was } | News::PriceRise { was } => {
            let was = words::price(language, was);
            say(language, "mail_subject_was", &[("price", &price), ("was", &was)])
        }
        News::Relisted { .. } => say(language, "mail_subject_relisted", &[("price", &price)]),
    }
}

/// `4 from €455`: the lowest of the prices that can be compared.
fn many_price(alert: &Alert) -> String {
    let n = alert.findings.len().to_string();
    let prices: Vec<&Money> =
        alert.findings.iter().filter_map(|f| f.listing.price.as_ref()).collect();
    let lowest = prices.iter().copied().min_by_key(|price| price.monthly_cents());
    let Some(lowest) = lowest.filter(|low| prices.iter().all(|p| p.currency == low.currency))
    else {
        return say(alert.language, "mail_subject_many_no_price", &[("n", &n)]);
    };
    let plain = Money { upper_cents: None, from: false, ..lowest.clone() };
    let price = words::price(alert.language, &plain);
    say(alert.language, "mail_subject_many", &[("n", &n), ("price", &price)])
}

/// The town that all share, or the first two.
fn shared_town(findings: &[Finding]) -> Option<String> {
    let mut towns: Vec<String> = Vec::new();
    for town in findings.iter().filter_map(|f| place::town(&f.listing)) {
        if !towns.contains(&town) {
            towns.push(town);
        }
    }
    towns.truncate(2);
    (!towns.is_empty()).then(|| towns.join(", "))
}

fn join(parts: [Option<String>; 3]) -> String {
    parts.into_iter().flatten().filter(|part| !part.is_empty()).collect::<Vec<_>>().join(" · ")
}

fn borrow<'a>(args: &'a [(&'a str, String)]) -> Vec<(&'a str, &'a str)> {
    args.iter().map(|(name, value)| (*name, value.as_str())).collect()
}
