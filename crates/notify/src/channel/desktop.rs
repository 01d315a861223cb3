//! Notifications of the desktop, shown by the shell.

use std::sync::Arc;

use firstknock_listing::SearchId;
use firstknock_policy::delivery::{Attempt, NotSent, Pace, Repeat};
use serde::{Deserialize, Serialize};

use super::{ChannelError, Kind, Tools};
use crate::render::{self, Context};
use crate::{Alert, BoxFuture, Deliver, Outgoing};

/// A notification on the desktop, as the shell shows it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Toast {
    /// Price, place.
    pub title: String,
    /// The listing, or the first few.
    pub body: String,
    /// What "Open" opens: one listing's address, or nothing (then the app's list).
    pub url: Option<String>,
    /// What "Mute search" mutes.
    pub search: Option<SearchId>,
}

/// Who shows notifications; the shell has one, the terminal has none.
pub trait Toaster: Send + Sync {
    /// Shows it; the error is a word for the delivery's history.
    fn show(&self, toast: Toast) -> Result<(), String>;
}

/// Notifications.
pub(crate) struct Desktop;

struct DesktopSender {
    toaster: Arc<dyn Toaster>,
}

impl Kind for Desktop {
    fn code(&self) -> &'static str {
        "desktop"
    }

    fn repeat(&self) -> Repeat {
        // It would be shown twice.
        Repeat::Never
    }

    fn message(&self, alert: &Alert, context: &Context) -> Outgoing {
        let short = render::short(alert, context);
        let toast = Toast {
            title: short.title.clone(),
            body: short.body,
            url: short.url,
            search: alert.searches.first().map(|search| search.id),
        };
        Outgoing { key: context.key.clone(), subject: short.title, body: render::json(&toast) }
    }

    fn sender(&self, tools: Tools<'_>) -> Result<Box<dyn Deliver>, ChannelError> {
        let toaster = tools.toaster.ok_or(ChannelError::NoDesktop)?;
        Ok(Box::new(DesktopSender { toaster }))
    }
}

impl DesktopSender {
    fn show(&self, message: &Outgoing) -> Result<(), String> {
        let toast = serde_json::from_slice(&message.body).map_err(|error| error.to_string())?;
        self.toaster.show(toast)
    }
}

impl Deliver for DesktopSender {
    fn deliver<'a>(&'a self, message: &'a Outgoing) -> BoxFuture<'a, Attempt> {
        let attempt = match self.show(message) {
            Ok(()) => Attempt::Sent { reply: String::new() },
            Err(words) => Attempt::NotSent { reason: NotSent::Local, retry_after: None, words },
        };
        Box::pin(std::future::ready(attempt))
    }

    fn pace(&self) -> Pace {
        Pace::POST
    }
}
