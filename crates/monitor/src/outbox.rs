//! The outbox worker: one sender per channel, so that one channel's trouble never holds another.
//!
//! **Promises**: `sending` is on the disk before anything is sent; bytes are rendered once.
//! **Leaves out**: what an attempt means (`policy::delivery`).

mod alert;
pub(crate) mod digest;
pub(crate) mod worker;

use std::collections::HashMap;
use std::sync::Arc;

use firstknock_notify::{ChannelConfig, Secrets, Toaster};
use firstknock_policy::delivery::{Repeat, Tried};
use firstknock_store::{Channel, OutboxRow, StoreHandle};
use jiff::Timestamp;
use tokio::sync::{Notify, mpsc};
use tokio::task::JoinHandle;

use crate::engine::Event;
use crate::photo::Photos;
use crate::{Clock, DataFolder, Dice};

/// Wakes all senders. Registered before a sender looks for work, so that no ring is lost.
#[derive(Clone, Default)]
pub(crate) struct Bell(Arc<Notify>);

/// What a sender works with.
#[derive(Clone)]
pub(crate) struct Tools {
    pub(crate) store: StoreHandle,
    pub(crate) clock: Arc<dyn Clock>,
    pub(crate) secrets: Arc<dyn Secrets>,
    pub(crate) toaster: Option<Arc<dyn Toaster>>,
    pub(crate) folder: DataFolder,
    pub(crate) bell: Bell,
    pub(crate) photos: Photos,
    pub(crate) events: mpsc::Sender<Event>,
    pub(crate) seed: u64,
}

/// All senders, by channel.
pub(crate) struct Workers {
    tools: Tools,
    running: HashMap<String, JoinHandle<()>>,
}

impl Bell {
    /// There may be something to send.
    pub(crate) fn ring(&self) {
        self.0.notify_waiters();
    }

    pub(crate) fn heard(&self) -> tokio::sync::futures::Notified<'_> {
        self.0.notified()
    }
}

impl Workers {
    pub(crate) fn new(tools: Tools) -> Self {
        Self { tools, running: HashMap::new() }
    }

    /// Makes sure that each of these channels has a sender, and no other.
    pub(crate) fn follow(&mut self, channels: &[String]) {
        self.running.retain(|name, task| {
            let keep = channels.contains(name) && !task.is_finished();
            if !keep {
                task.abort();
            }
            keep
        });
        for name in channels {
            if !self.running.contains_key(name) {
                let mut tools = self.tools.clone();
                tools.seed = Dice::new(tools.seed ^ name.len() as u64).bits();
                let task = tokio::spawn(worker::run(name.clone(), tools));
                self.running.insert(name.clone(), task);
            }
        }
    }

    /// Stops all senders where they are: what was being sent is *unknown* at the next start.
    pub(crate) async fn end(&mut self) {
        for (_, task) in self.running.drain() {
            task.abort();
            // An aborted task ends with an error that says so.
            drop(task.await);
        }
    }
}

/// Whether a channel's message may go again after an unknown outcome; a channel that is no longer
/// there is taken for mail.
pub(crate) fn repeat_of(channel: Option<&Channel>) -> Repeat {
    let config = channel.map(|channel| serde_json::from_value(channel.config.clone()));
    match config {
        Some(Ok::<ChannelConfig, _>(config)) => config.repeat(),
        Some(Err(_)) | None => Repeat::OnceOrTwice,
    }
}

/// What a row has been through.
pub(crate) fn tried(row: &OutboxRow, now: Timestamp) -> Tried {
    row.tried.unwrap_or(Tried { attempts: 0, unknowns: 0, first_tried: now, last_wait: None })
}
