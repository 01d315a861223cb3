//! What a message says, in the reader's language, before it becomes text or HTML: both are made
//! from this, so neither can say more than the other.

use firstknock_listing::catalogue::{Language, say};
use firstknock_listing::{HostKey, clean_line, truncate_chars};
use url::Url;

use super::{Context, FULL_LISTINGS, LINKED_LISTINGS, html, place, words};
use crate::{Alert, DigestReason, Finding, Found, News};

/// The longest title that is shown.
const TITLE_CHARS: usize = 160;

/// The longest address that is linked, as HTML writes it; longer ones are a trap or a mistake.
const URL_BYTES: usize = 2_000;

/// How much of a message is said, from all of it to what still fits where a mail is cut off.
#[derive(Debug, Clone, Copy)]
pub(super) struct Length {
    /// How many listings beyond the full ones are linked.
    links: usize,
    /// Earlier prices, and the other searches that found the same.
    asides: bool,
}

impl Length {
    pub(super) const ALL: [Self; 5] = [
        Self { links: LINKED_LISTINGS, asides: true },
        Self { links: LINKED_LISTINGS / 2, asides: true },
        Self { links: LINKED_LISTINGS / 4, asides: true },
        Self { links: 0, asides: true },
        Self { links: 0, asides: false },
    ];
}

/// A whole message in words.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct View {
    /// The searches that it speaks for, joined.
    pub(super) searches: String,
    /// A heading for messages that are not about listings.
    pub(super) heading: Option<String>,
    /// Paragraphs before the listings.
    pub(super) lead: Vec<String>,
    /// A button below them.
    pub(super) button: Option<Link>,
    /// Listings in full.
    pub(super) cards: Vec<Card>,
    /// The line before the rest, and the rest as links.
    pub(super) more: Option<(String, Vec<Link>)>,
    /// Paragraphs below.
    pub(super) foot: Vec<String>,
}

/// One listing.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Card {
    pub(super) price: String,
    pub(super) badge: Badge,
    pub(super) facts: Vec<String>,
    pub(super) title: Option<String>,
    pub(super) place: Option<String>,
    /// Earlier prices, then today's.
    pub(super) history: Vec<String>,
    pub(super) notes: Vec<String>,
    pub(super) link: Option<Link>,
}

/// The one word on what is new.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Badge {
    pub(super) tone: Tone,
    pub(super) text: String,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Tone {
    New,
    Cheaper,
    Dearer,
    Back,
}

/// A link that was checked to be http(s).
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Link {
    pub(super) url: String,
    /// `Open on kamernet.nl`, or the one line of a listing.
    pub(super) text: String,
}

/// Text from a page as one harmless line.
pub(crate) fn line(text: &str, max: usize) -> String {
    // A title of 10,000 characters is cut before it is cleaned, not after.
    let head: String = text.chars().take(max.saturating_mul(4)).collect();
    truncate_chars(&clean_line(&head), max)
}

/// The address if it is http(s) and of a sane length.
pub(crate) fn web_address(text: &str) -> Option<Url> {
    let url = Url::parse(text).ok()?;
    let web = matches!(url.scheme(), "http" | "https") && url.has_host();
    (web && html::escape(url.as_str()).len() <= URL_BYTES).then_some(url)
}

/// All that there is to say.
pub(super) fn view(alert: &Alert, context: &Context) -> View {
    of_length(alert, context, Length::ALL[0])
}

pub(super) fn of_length(alert: &Alert, context: &Context, length: Length) -> View {
    let language = alert.language;
    let full = alert.findings.iter().take(FULL_LISTINGS);
    let mut foot = foot(alert, context);
    if !alert.searches.is_empty() {
        foot.push(say(language, "mail_foot", &[]));
    }
    View {
        searches: searches(alert),
        heading: heading(alert),
        lead: lead(alert, context),
        button: match &alert.kind {
            Found::Blind { page: Some(page), .. } => link(page, language),
            _ => None,
        },
        cards: full.map(|finding| card(finding, alert, context, length)).collect(),
        more: more(alert, length),
        foot,
    }
}

/// The names of the searches: `A`, `A and B`, `A, B and C`.
pub(super) fn searches(alert: &Alert) -> String {
    let names: Vec<String> = alert.searches.iter().map(|s| line(&s.name, 80)).collect();
    match names.split_last() {
        None => String::new(),
        Some((last, [])) => last.clone(),
        Some((last, rest)) => {
            say(alert.language, "mail_and", &[("a", &rest.join(", ")), ("b", last)])
        }
    }
}

fn heading(alert: &Alert) -> Option<String> {
    match &alert.kind {
        Found::Blind { since, .. } => {
            let time = words::span(alert.language, *since, alert.seen_at);
            Some(say(alert.language, "mail_blind_title", &[("time", &time)]))
        }
        Found::Recovered { .. } => Some(say(alert.language, "mail_recovered_title", &[])),
        Found::ClientLimited { .. } => Some(say(alert.language, "mail_client_title", &[])),
        Found::Test => Some(say(alert.language, "mail_test_title", &[])),
        Found::Listings | Found::Digest { .. } | Found::Baseline { .. } => None,
    }
}

fn lead(alert: &Alert, context: &Context) -> Vec<String> {
    let language = alert.language;
    let moment = |at| words::moment(language, at, context.now, &context.zone);
    match &alert.kind {
        Found::Listings => Vec::new(),
        Found::Digest { reason, since } => {
            let key = match reason {
                DigestReason::Chosen => "mail_digest_chosen",
                DigestReason::QuietHours => "mail_digest_quiet_hours",
                DigestReason::DailyLimit => "mail_digest_daily_limit",
                DigestReason::LongPause => "mail_digest_long_pause",
                DigestReason::Held => "mail_digest_held",
            };
            vec![say(language, key, &[("since", &moment(*since))])]
        }
        Found::Baseline { count } => {
            vec![say(language, "mail_baseline", &[("n", &count.to_string())])]
        }
        Found::Blind { since, reason, args, host, .. } => {
            let mut places = vec![("host", host.as_str())];
            places.extend(args.iter().map(|(name, value)| (name.as_str(), value.as_str())));
            // Nothing was noted down: no empty brackets.
            let reason = line(&say(language, reason, &places).replace(" ()", ""), 300);
            vec![
                say(language, "mail_blind", &[("since", &moment(*since)), ("host", host)]),
                say(language, "mail_blind_reason", &[("reason", &reason)]),
                say(language, "mail_blind_next", &[]),
            ]
        }
        Found::Recovered { since, until, host } => {
            let time = words::span(language, *since, *until);
            let (since, until) = (moment(*since), moment(*until));
            let args =
                [("host", host.as_str()), ("since", &since), ("until", &until), ("time", &time)];
            vec![say(language, "mail_recovered", &args)]
        }
        Found::ClientLimited { client, offences, until } => {
            let (client, n, until) = (line(client, 100), offences.to_string(), moment(*until));
            let args = [("client", client.as_str()), ("n", &n), ("until", &until)];
            vec![say(language, "mail_client", &args), say(language, "mail_client_next", &[])]
        }
        Found::Test => vec![say(language, "mail_test", &[])],
    }
}

fn foot(alert: &Alert, context: &Context) -> Vec<String> {
    let language = alert.language;
    let mut lines = Vec::new();
    if let (Found::Listings, [_, ..]) = (&alert.kind, alert.findings.as_slice()) {
        let time = words::time(alert.seen_at, &context.zone, true);
        lines.push(match alert.not_there_at {
            Some(before) => {
                let before = words::time(before, &context.zone, false);
                say(language, "mail_seen_not_yet", &[("time", &time), ("before", &before)])
            }
            None => say(language, "mail_seen", &[("time", &time)]),
        });
    }
    if alert.searches.len() > 1 && !alert.findings.is_empty() {
        let n = alert.searches.len().to_string();
        lines.push(say(language, "mail_found_by", &[("n", &n)]));
    }
    if let [finding] = alert.findings.as_slice()
        && finding.news != News::New
    {
        let date = words::date(language, finding.first_seen, context.now, &context.zone);
        lines.push(say(language, "mail_first_seen", &[("date", &date)]));
    }
    if lines.is_empty() { lines } else { vec![lines.join(" ")] }
}

fn card(finding: &Finding, alert: &Alert, context: &Context, length: Length) -> Card {
    let (language, listing) = (alert.language, &finding.listing);
    let title = listing.title.as_deref().map(|title| line(title, TITLE_CHARS));
    let place = place::full(listing);
    // One listing's searches stand above it already.
    let others =
        if alert.findings.len() > 1 && length.asides { finding.also_in.as_slice() } else { &[] };
    let notes = others
        .iter()
        .take(5)
        .map(|search| say(language, "mail_also_in", &[("search", &line(search, 80))]))
        .collect();
    Card {
        price: words::price_of(language, listing),
        badge: badge(finding, language, context),
        facts: words::facts(language, listing),
        // A title that only repeats the address says nothing.
        title: title.filter(|t| !t.is_empty() && place.as_ref() != Some(t)),
        place,
        history: if length.asides { history(finding, language, context) } else { Vec::new() },
        notes,
        link: link(&listing.url, language),
    }
}

fn badge(finding: &Finding, language: Language, context: &Context) -> Badge {
    let was = |key: &str, was| Badge {
        tone: if key == "mail_news_price_drop" { Tone::Cheaper } else { Tone::Dearer },
        text: say(language, key, &[("price", &words::price(language, was))]),
    };
    match &finding.news {
        News::New => Badge { tone: Tone::New, text: say(language, "mail_news_new", &[]) },
        News::PriceDrop { was: price } => was("mail_news_price_drop", price),
        News::PriceRise { was: price } => was("mail_news_price_rise", price),
        News::Relisted { seen_at, was } => {
            let date = words::date(language, *seen_at, context.now, &context.zone);
            let text = match was {
                Some(price) => {
                    let price = words::price(language, price);
                    let args = [("date", date.as_str()), ("price", &price)];
                    say(language, "mail_news_relisted_seen_at", &args)
                }
                None => say(language, "mail_news_relisted_seen", &[("date", &date)]),
            };
            Badge { tone: Tone::Back, text }
        }
    }
}

/// Earlier prices with their dates, today's last with the difference; empty without a change.
fn history(finding: &Finding, language: Language, context: &Context) -> Vec<String> {
    let (Some(now), [.., last]) = (&finding.listing.price, finding.seen_before.as_slice()) else {
        return Vec::new();
    };
    let skip = finding.seen_before.len().saturating_sub(5);
    let mut lines: Vec<String> = finding.seen_before[skip..]
        .iter()
        .map(|seen| {
            let date = words::date(language, seen.at, context.now, &context.zone);
            let price = words::price(language, &seen.price);
            say(language, "mail_history_past", &[("price", &price), ("date", &date)])
        })
        .collect();
    let price = words::price(language, now);
    let difference = words::difference(language, now, &last.price);
    let key = match (now.comparable(&last.price), now.cents.cmp(&last.price.cents)) {
        (true, std::cmp::Ordering::Less) => "mail_history_less",
        (true, std::cmp::Ordering::Greater) => "mail_history_more",
        _ => "mail_history_now",
    };
    lines.push(say(language, key, &[("price", &price), ("difference", &difference)]));
    lines
}

fn link(address: &str, language: Language) -> Option<Link> {
    let url = web_address(address)?;
    let text = match HostKey::of(&url) {
        Some(host) if host.as_str().len() <= 40 => {
            say(language, "mail_open_on", &[("host", host.as_str())])
        }
        _ => say(language, "mail_open", &[]),
    };
    Some(Link { url: url.into(), text })
}

/// The listings beyond the full ones: price, title and place in one line each.
fn more(alert: &Alert, length: Length) -> Option<(String, Vec<Link>)> {
    let rest = alert.findings.get(FULL_LISTINGS..).filter(|rest| !rest.is_empty())?;
    let language = alert.language;
    let links: Vec<Link> = rest
        .iter()
        .filter_map(|finding| {
            let listing = &finding.listing;
            let url = web_address(&listing.url)?.into();
            let title = line(listing.headline(), 60);
            let price = words::price_of(language, listing);
            Some(Link { url, text: format!("{price} · {title}") })
        })
        .take(length.links)
        .collect();
    let unnamed = rest.len() - links.len();
    let mut before = say(language, "mail_more", &[("n", &rest.len().to_string())]);
    if unnamed > 0 {
        let app = say(language, "mail_more_in_app", &[("n", &unnamed.to_string())]);
        before = format!("{before} ({app})");
    }
    Some((before, links))
}
