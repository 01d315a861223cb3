//! Back to a backup while the engine runs.

use firstknock_store::{Backup, StoreError};

use super::begin::read_back;
use super::blind::Watch;
use super::{Core, Event};

impl Core {
    /// Stops what is in flight, puts the backup in place and begins again from what is there.
    pub(super) async fn restore(&mut self, backup: Backup) -> Result<(), StoreError> {
        let now = self.clock.now();
        self.looks.shutdown().await;
        self.workers.end().await;
        // Looks that ended meanwhile are of the life before; their listings will be seen again.
        let mut kept = Vec::new();
        while let Ok(event) = self.inbox.try_recv() {
            kept.extend((!matches!(event, Event::Looked(_))).then_some(event));
        }
        // What the sites are owed has to be on the disk: the restore takes it over.
        let change = self.schedule.take_change();
        self.keep(change, now).await;
        let toasts = self.toasts;
        let begun_again = self
            .store
            .run(move |store| {
                let restored = store.restore(&backup, now);
                Ok((restored, read_back(store, toasts, now)?))
            })
            .await;
        for event in kept {
            if self.events.try_send(event).is_err() {
                tracing::warn!("an event was lost while a backup was restored");
            }
        }
        let (restored, left) = begun_again?;
        self.schedule = left.schedule(&mut self.dice, now);
        self.pause = left.pause;
        self.watch = Watch::from(now);
        self.swept_at = None;
        tracing::info!(worked = restored.is_ok(), "a backup was to be restored");
        restored.map(drop)
    }
}
