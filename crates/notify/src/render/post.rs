//! The bodies of channels that are one POST of JSON.

use firstknock_listing::catalogue::say;
use firstknock_listing::{Listing, truncate_chars};
use serde::Serialize;
use serde_json::{Value, json};

use super::short::shortened;
use super::view::web_address;
use super::{Context, subject, text, view};
use crate::{Alert, Finding, News, NtfyConfig, Outgoing, TelegramConfig};

/// Telegram takes 4,096 characters in one message.
const TELEGRAM_CHARS: usize = 4_000;

/// ntfy turns longer messages into attachments at 4,096 bytes.
const NTFY_CHARS: usize = 1_200;

pub(super) fn json(value: &impl Serialize) -> Vec<u8> {
    serde_json::to_vec(value).expect("BUG: our own values are JSON")
}

pub(super) fn ntfy(config: &NtfyConfig, alert: &Alert, context: &Context) -> Outgoing {
    let body = ntfy_body(config, alert, context);
    let subject = shortened(alert, context, config.with_street).title;
    Outgoing { key: context.key.clone(), subject, body }
}

pub(super) fn telegram(config: &TelegramConfig, alert: &Alert, context: &Context) -> Outgoing {
    let body = telegram_body(config, alert, context);
    Outgoing { key: context.key.clone(), subject: subject::subject(alert), body }
}

/// ntfy's JSON: a topic is readable by whoever guesses it, so streets are left out unless wanted.
pub fn ntfy_body(config: &NtfyConfig, alert: &Alert, context: &Context) -> Vec<u8> {
    let short = shortened(alert, context, config.with_street);
    let mut message = json!({
        "topic": config.topic,
        "title": short.title,
        "message": truncate_chars(&short.body, NTFY_CHARS),
        "tags": ["house"],
    });
    if let Some(url) = short.url {
        let label = say(alert.language, "mail_open", &[]);
        message["actions"] = json!([{ "action": "view", "label": label, "url": url }]);
        message["click"] = Value::String(url);
    }
    self::json(&message)
}

/// Telegram's JSON: plain text, so that nothing in a title can be markup.
pub fn telegram_body(config: &TelegramConfig, alert: &Alert, context: &Context) -> Vec<u8> {
    let view = view::view(alert, context);
    let text = text::text(&view, alert.language);
    let text = text.split("\n-- \n").next().unwrap_or_default();
    json(&json!({
        "chat_id": config.chat,
        "text": truncate_chars(text.trim(), TELEGRAM_CHARS),
    }))
}

/// The webhook's JSON: everything that is known, with amounts as numbers.
pub fn webhook_body(alert: &Alert, context: &Context) -> Vec<u8> {
    let view = view::view(alert, context);
    json(&json!({
        "version": 1,
        "id": context.key,
        "kind": alert.kind.code(),
        "about": alert.kind,
        "language": alert.language,
        "subject": subject::subject(alert),
        "text": text::text(&view, alert.language),
        "searches": alert.searches,
        "seen_at": alert.seen_at,
        "listings": alert.findings.iter().map(finding).collect::<Vec<_>>(),
    }))
}

fn finding(finding: &Finding) -> Value {
    let listing: &Listing = &finding.listing;
    let was = match &finding.news {
        News::New => None,
        News::PriceDrop { was } | News::PriceRise { was } => Some(was.amount()),
        News::Relisted { was, .. } => was.as_ref().map(|was| was.amount()),
    };
    json!({
        "news": finding.news.code(),
        "was": was,
        "key": listing.key().as_str(),
        "url": web_address(&listing.url).map(String::from),
        "title": listing.title,
        "address": listing.address.as_ref().map(|address| &address.raw),
        "price": listing.price.as_ref().map(|price| json!({
            "amount": price.amount(),
            "upper": price.upper(),
            "currency": price.currency,
            "period": price.period,
            "kind": price.kind,
        })),
        "size_m2": listing.size.map(|size| size.m2()),
        "rooms": listing.rooms.map(|rooms| rooms.count()),
        "bedrooms": listing.bedrooms.map(|rooms| rooms.count()),
        "image": listing.image,
        "first_seen": finding.first_seen,
        "also_in": finding.also_in,
    })
}
