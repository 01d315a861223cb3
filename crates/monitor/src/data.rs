//! Backups, going back to one, and searches that come from a file.
//!
//! **Promises**: a restore stops what is in flight, backs up what is there now, and begins again
//! from what is in place afterwards, whether it worked or not. **Leaves out**: files outside the
//! data folder.

use firstknock_store::{Backup, BackupKind, DB_FILE, ImportedLine, StoreError};
use tokio::sync::oneshot;

use crate::Engine;
use crate::engine::{Ask, Event};

impl Engine {
    /// How large the database is, without what its log still holds; 0 if nobody can say.
    pub fn database_bytes(&self) -> u64 {
        std::fs::metadata(self.folder.path().join(DB_FILE)).map_or(0, |file| file.len())
    }

    /// All backups, newest first.
    ///
    /// # Errors
    /// If their folder cannot be read.
    pub async fn backups(&self) -> Result<Vec<Backup>, StoreError> {
        self.store.run(|store| store.backups()).await
    }

    /// Makes a backup now.
    ///
    /// # Errors
    /// [`StoreError::Stopped`] if there is no room.
    pub async fn back_up(&self) -> Result<Backup, StoreError> {
        let now = self.clock.now();
        self.store.back_up(BackupKind::ByHand, now).await
    }

    /// Goes back to a backup, by the name of its file.
    ///
    /// # Errors
    /// [`StoreError::NotFound`] if there is none of that name, [`StoreError::Damaged`] if it is
    /// not sound: then everything is as it was.
    pub async fn restore(&self, name: &str) -> Result<(), StoreError> {
        let backups = self.backups().await?;
        let named = |backup: &Backup| backup.path.file_name().is_some_and(|file| file == name);
        let backup = backups.into_iter().find(named).ok_or(StoreError::NotFound)?;
        let (reply, answer) = oneshot::channel();
        self.send(Event::Asked(Ask::Restore { backup, reply })).await;
        answer.await.unwrap_or(Err(StoreError::Closed))?;
        // Where passwords are kept is one of the settings that came back.
        self.secrets.choose(self.settings().await.keep_secret);
        Ok(())
    }

    /// Adds the searches of a file; see `Store::import_searches`.
    ///
    /// # Errors
    /// [`StoreError::BadImport`]: nothing was added.
    pub async fn import_searches(&self, text: String) -> Result<Vec<ImportedLine>, StoreError> {
        let (reply, answer) = oneshot::channel();
        self.send(Event::Asked(Ask::Import { text, reply })).await;
        answer.await.unwrap_or(Err(StoreError::Closed))
    }
}
