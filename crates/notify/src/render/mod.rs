//! From an [`Alert`] to the bytes that go out: pure, and done once per message.
//!
//! **Promises**: the same alert and context give the same bytes; the text part says everything
//! that the HTML says; nothing that a page says can add a header, a tag or a link.
//! **Leaves out**: fetching photos, and deciding what is worth telling.

mod context;
mod html;
mod mail;
mod place;
mod post;
mod short;
mod subject;
mod text;
mod view;
mod words;

pub use context::{Context, Photo, new_key};
pub use mail::{Mail, mail};
pub use post::{ntfy_body, telegram_body, webhook_body};
pub use short::{Short, short};
pub(crate) use view::{line, web_address};

use crate::{Alert, ChannelConfig, Outgoing};

/// How many listings a message shows in full; the rest are links.
pub const FULL_LISTINGS: usize = 20;

/// How many of the rest are linked; what is beyond is named as a number.
pub const LINKED_LISTINGS: usize = 80;

/// Renders an alert for one channel: what the outbox keeps.
pub fn outgoing(config: &ChannelConfig, alert: &Alert, context: &Context) -> Outgoing {
    let short = || short::short(alert, context);
    match config {
        ChannelConfig::Smtp(_) | ChannelConfig::File | ChannelConfig::Memory => {
            mail::mail(alert, context).into()
        }
        ChannelConfig::Desktop => {
            let short = short();
            let toast = short.toast(alert);
            Outgoing { key: context.key.clone(), subject: short.title, body: post::json(&toast) }
        }
        ChannelConfig::Ntfy(ntfy) => post::ntfy(ntfy, alert, context),
        ChannelConfig::Telegram(telegram) => post::telegram(telegram, alert, context),
        ChannelConfig::Webhook(_) => Outgoing {
            key: context.key.clone(),
            subject: short().title,
            body: webhook_body(alert, context),
        },
    }
}
