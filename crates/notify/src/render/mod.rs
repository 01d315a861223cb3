//! From an [`Alert`] to the bytes that go out: pure, and done once per message.
//!
//! **Promises**: the same alert and context give the same bytes; the text part says everything
//! that the HTML says; nothing that a page says can add a header, a tag or a link.
//! **Leaves out**: fetching photos, and deciding what is worth telling.

mod context;
mod html;
mod mail;
mod place;
mod short;
mod subject;
mod text;
mod view;
mod words;

pub use context::{Context, Photo, new_key};
pub use mail::{Mail, mail};
pub(crate) use short::shortened;
pub use short::{Short, short};
pub(crate) use view::{line, web_address};

use serde::Serialize;

use crate::{Alert, ChannelConfig, Outgoing};

/// How many listings a message shows in full; the rest are links.
pub const FULL_LISTINGS: usize = 20;

/// How many of the rest are linked; what is beyond is named as a number.
pub const LINKED_LISTINGS: usize = 80;

/// Renders an alert for one channel: what the outbox keeps.
pub fn outgoing(config: &ChannelConfig, alert: &Alert, context: &Context) -> Outgoing {
    config.kind().message(alert, context)
}

/// All of an alert as plain text.
pub(crate) fn in_words(alert: &Alert, context: &Context) -> String {
    text::text(&view::view(alert, context), alert.language)
}

/// An alert as one line.
pub(crate) fn in_a_line(alert: &Alert) -> String {
    subject::subject(alert)
}

/// The body of a channel that takes JSON.
pub(crate) fn json(value: &impl Serialize) -> Vec<u8> {
    serde_json::to_vec(value).expect("BUG: our own values are JSON")
}
