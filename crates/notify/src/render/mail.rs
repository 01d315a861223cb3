//! The mail itself: headers of ours, text first, then HTML, as ASCII bytes that any server takes.

use std::time::{Duration, UNIX_EPOCH};

use lettre::message::header::{ContentType, HeaderName, HeaderValue};
use lettre::message::{Attachment, Mailbox, Message, MultiPart, SinglePart};

use super::html::{Page, html};
use super::{Context, subject, text, view};
use crate::{Alert, Outgoing};

/// Our own domain in ids; by RFC 2606 it is nobody's and names no machine.
const NOWHERE: &str = "firstknock.invalid";

/// A mail as it is shown, and as it is sent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Mail {
    /// At most 150 characters, price first.
    pub subject: String,
    /// The complete text part.
    pub text: String,
    /// The complete HTML part.
    pub html: String,
    /// With angle brackets; stable for an outbox row.
    pub message_id: String,
    /// The whole message with its headers, ASCII only, ready for DATA.
    pub bytes: Vec<u8>,
}

impl From<Mail> for Outgoing {
    fn from(mail: Mail) -> Self {
        Self { key: mail.message_id, subject: mail.subject, body: mail.bytes }
    }
}

/// Gmail cuts at 102 KB, whatever it counts in.
const HTML_BYTES: usize = 98_000;

/// Renders an alert as a mail.
pub fn mail(alert: &Alert, context: &Context) -> Mail {
    let subject = subject::subject(alert);
    let (view, html) = fitting(&subject, alert, context);
    let text = text::text(&view, alert.language);
    let from = mailbox(context.from.as_deref());
    let message_id = message_id(&context.key, &from);
    let mut message = Message::builder()
        .from(from)
        .to(mailbox(context.to.as_deref()).without_name())
        .subject(subject.as_str())
        .date(UNIX_EPOCH + Duration::from_secs(context.now.as_second().max(0).unsigned_abs()))
        .message_id(Some(message_id.clone()))
        .raw_header(header("Auto-Submitted", "auto-generated".to_owned()))
        // Exchange answers automatic mail with "out of office" unless it is asked not to.
        .raw_header(header("X-Auto-Response-Suppress", "All".to_owned()));
    if let Some(search) = alert.searches.first() {
        // RFC 2919 gives `localhost` to lists that have no domain of their own.
        let id = format!("<search-{}.firstknock.localhost>", search.id);
        message = message.raw_header(header("List-Id", id));
    }
    let parts = parts(&context.key, &text, &html, context);
    let bytes = message.multipart(parts).expect("BUG: From and To are set").formatted();
    Mail { subject, text, html, message_id, bytes }
}

/// As much as fits before Gmail cuts a mail off; what is left out is counted, and in the app.
fn fitting(subject: &str, alert: &Alert, context: &Context) -> (view::View, String) {
    let of = |length| {
        let view = view::of_length(alert, context, length);
        let html = html(&Page {
            subject,
            preheader: &preheader(&view),
            view: &view,
            language: alert.language,
            photo: context.photo.as_ref().map(|photo| photo.size),
        });
        (view, html)
    };
    let [all, shorter @ ..] = view::Length::ALL;
    let mut made = of(all);
    for length in shorter {
        if made.1.len() <= HTML_BYTES {
            break;
        }
        made = of(length);
    }
    made
}

/// What the list of mails shows after the subject: facts and place of the first listing.
fn preheader(view: &view::View) -> String {
    let Some(card) = view.cards.first() else {
        return view.lead.first().cloned().unwrap_or_default();
    };
    let facts = card.facts.iter().chain(&card.place).map(String::as_str);
    facts.chain(view.foot.first().map(String::as_str)).collect::<Vec<_>>().join(" · ")
}

fn parts(key: &str, text: &str, html: &str, context: &Context) -> MultiPart {
    // Boundaries follow from the key, so that the same alert gives the same bytes.
    let plain = SinglePart::plain(text.to_owned());
    let rich = SinglePart::html(html.to_owned());
    let alternative = MultiPart::alternative().boundary(format!("fk-a-{}", token(key)));
    let Some(photo) = &context.photo else {
        return alternative.singlepart(plain).singlepart(rich);
    };
    let jpeg = ContentType::parse("image/jpeg").expect("BUG: image/jpeg is a content type");
    let photo = Attachment::new_inline("photo".to_owned()).body(photo.jpeg.clone(), jpeg);
    let related = MultiPart::related()
        .boundary(format!("fk-r-{}", token(key)))
        .singlepart(rich)
        .singlepart(photo);
    alternative.singlepart(plain).multipart(related)
}

/// The sender's own domain, as mail programs do it; a machine's name is never in it.
fn message_id(key: &str, from: &Mailbox) -> String {
    let domain = from.email.domain();
    let plain = domain.is_ascii() && !domain.starts_with('[');
    format!("<{}@{}>", token(key), if plain { domain } else { NOWHERE })
}

fn token(key: &str) -> String {
    let token: String = key.chars().filter(char::is_ascii_alphanumeric).take(64).collect();
    if token.is_empty() { "message".to_owned() } else { token }
}

/// The address with our name in front; without an account, one that leads nowhere.
fn mailbox(address: Option<&str>) -> Mailbox {
    let nowhere = || format!("you@{NOWHERE}").parse().expect("BUG: a plain address parses");
    let address = address.and_then(|a| a.trim().parse().ok()).unwrap_or_else(nowhere);
    Mailbox::new(Some("Firstknock".to_owned()), address)
}

fn header(name: &'static str, value: String) -> HeaderValue {
    HeaderValue::new(HeaderName::new_from_ascii_str(name), value)
}

trait WithoutName {
    fn without_name(self) -> Self;
}

impl WithoutName for Mailbox {
    fn without_name(mut self) -> Self {
        self.name = None;
        self
    }
}
