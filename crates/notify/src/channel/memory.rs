//! Messages kept in memory: for tests, and for the rehearsal street.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, PoisonError};

use firstknock_policy::delivery::{Attempt, Pace, Repeat};

use super::{ChannelError, Kind, Tools};
use crate::render::{self, Context};
use crate::{Alert, BoxFuture, Deliver, Outgoing};

/// Mail in memory.
pub(crate) struct InMemory;

/// A channel whose far end is a list. Clones share the list.
#[derive(Debug, Clone, Default)]
pub struct Memory {
    sent: Arc<Mutex<Vec<Outgoing>>>,
    script: Arc<Mutex<VecDeque<Attempt>>>,
}

impl Memory {
    /// What was delivered so far, in order.
    pub fn sent(&self) -> Vec<Outgoing> {
        self.sent.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// What the next attempts come to, before everything is delivered again.
    pub fn then(&self, attempts: impl IntoIterator<Item = Attempt>) {
        self.script.lock().unwrap_or_else(PoisonError::into_inner).extend(attempts);
    }
}

impl Kind for InMemory {
    fn code(&self) -> &'static str {
        "memory"
    }

    fn repeat(&self) -> Repeat {
        Repeat::OnceOrTwice
    }

    fn message(&self, alert: &Alert, context: &Context) -> Outgoing {
        render::mail(alert, context).into()
    }

    fn sender(&self, _: Tools<'_>) -> Result<Box<dyn Deliver>, ChannelError> {
        Ok(Box::new(Memory::default()))
    }
}

impl Deliver for Memory {
    fn deliver<'a>(&'a self, message: &'a Outgoing) -> BoxFuture<'a, Attempt> {
        let scripted = self.script.lock().unwrap_or_else(PoisonError::into_inner).pop_front();
        let attempt = scripted.unwrap_or_else(|| Attempt::Sent { reply: "kept".to_owned() });
        if matches!(attempt, Attempt::Sent { .. }) {
            self.sent.lock().unwrap_or_else(PoisonError::into_inner).push(message.clone());
        }
        Box::pin(std::future::ready(attempt))
    }

    fn pace(&self) -> Pace {
        Pace::MAIL
    }
}
