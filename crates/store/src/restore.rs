//! Going back to a backup, on the user's word.
//!
//! **Promises**: what is there now is backed up first; the backup's copy is complete before it
//! takes the database's place, in one rename; what is not the user's to turn back stays as it is
//! now: the waits and gaps that sites are owed, who may call the local API, and that a message has
//! gone out. **Leaves out**: whoever works with what was read before; it has to be read again.

use std::path::Path;

use jiff::Timestamp;
use rusqlite::Connection;

use crate::backup::{self, Backup, BackupKind};
use crate::database::{Opened, Store, companions, connect, open_checked, remove_if_there};
use crate::error::{Result, StoreError};
use crate::schema::Schema;

/// Taken over from now into the backup. Numbers go on where they were, so that none is used twice:
/// mails name them.
const CARRY: &str = "
    INSERT OR REPLACE INTO main.hosts SELECT * FROM present.hosts;
    INSERT OR REPLACE INTO main.domains SELECT * FROM present.domains;
    INSERT OR REPLACE INTO main.clients SELECT * FROM present.clients;
    INSERT OR REPLACE INTO main.idempotency SELECT * FROM present.idempotency;
    INSERT OR REPLACE INTO main.settings SELECT * FROM present.settings WHERE key = 'api_owner';
    UPDATE main.outbox AS o
       SET (state, message_id, message, subject, attempts, next_at, joins, reason, reply,
            updated_at, first_try_at, done_at)
         = (SELECT state, message_id, message, subject, attempts, next_at, joins, reason, reply,
                   updated_at, first_try_at, done_at
              FROM present.outbox AS p WHERE p.id = o.id)
     WHERE done_at IS NULL AND EXISTS (
        SELECT 1 FROM present.outbox AS p
         WHERE p.id = o.id AND p.created_at = o.created_at AND p.channel = o.channel
           AND p.done_at IS NOT NULL);
    UPDATE main.sqlite_sequence AS s
       SET seq = max(seq, (SELECT p.seq FROM present.sqlite_sequence AS p WHERE p.name = s.name))
     WHERE EXISTS (SELECT 1 FROM present.sqlite_sequence AS p WHERE p.name = s.name);
    INSERT INTO main.sqlite_sequence (name, seq)
        SELECT name, seq FROM present.sqlite_sequence
         WHERE name NOT IN (SELECT name FROM main.sqlite_sequence);
";

impl Store {
    /// Puts a backup in the place of the database and goes on with it. What is there now is backed
    /// up by hand first.
    ///
    /// # Errors
    /// [`StoreError::Damaged`] if the backup is not sound, [`StoreError::NewerVersion`] if it is of
    /// a newer version, [`StoreError::Stopped`] if there is no room; nothing was changed then.
    pub fn restore(&mut self, backup: &Backup, now: Timestamp) -> Result<Opened> {
        let folder = self.folder.clone().ok_or(StoreError::NotFound)?;
        drop(open_checked(&backup.path, &Schema::embedded())?.ok_or(StoreError::NotFound)?);
        // Copied before today's backup is made: that may rotate this very one away.
        let making = backup::fetch(backup, &folder)?;
        let prepared =
            self.back_up(BackupKind::ByHand, now).and_then(|today| carry(&making, &today.path));
        if let Err(error) = prepared {
            remove_if_there(&making)?;
            return Err(error);
        }
        let readers = self.readers.clone();
        let _nobody_reads = readers.let_go();
        let nothing = Connection::open_in_memory()?;
        let replaced = std::mem::replace(&mut self.db, nothing)
            .close()
            .map_err(|(_, error)| StoreError::from(error))
            .and_then(|()| backup::swap_in(&folder));
        // Also after a failure: whatever is in place is better than nothing.
        let (store, opened) = Self::open(&folder, now)?;
        *self = Self { readers: readers.clone(), ..store };
        replaced?;
        Ok(opened)
    }
}

/// Brings the copy to our schema and takes over into it what stays as it is now.
fn carry(making: &Path, today: &Path) -> Result<()> {
    let mut db = connect(making)?;
    Schema::embedded().bring_up(&mut db)?;
    db.execute("ATTACH ?1 AS present", [today.to_string_lossy()])?;
    let tx = db.transaction()?;
    tx.execute_batch(CARRY)?;
    tx.commit()?;
    db.execute("DETACH present", [])?;
    db.close().map_err(|(_, error)| StoreError::from(error))?;
    std::fs::OpenOptions::new().write(true).open(making)?.sync_all()?;
    for leftover in companions(making).into_iter().filter(|path| path != making) {
        remove_if_there(&leftover)?;
    }
    Ok(())
}
