//! One process owns a data folder; the second says who does.

use std::fs::{File, OpenOptions};
use std::io::{Read, Seek, Write};
use std::path::Path;

use fs4::fs_std::FileExt;

/// The lock file in the data folder. It stays when the lock is released; the lock is the kernel's
/// and ends with the process, however that ends.
const LOCK_FILE: &str = "firstknock.lock";

/// The sole right to a data folder, for as long as it lives.
#[derive(Debug)]
pub struct DataLock {
    file: File,
}

/// Why the folder is not ours.
#[derive(Debug, thiserror::Error)]
pub enum LockError {
    /// Another process has it.
    #[error("the data folder is in use by {program} (process {pid})")]
    HeldBy {
        /// Its process id; 0 if it did not say.
        pid: u32,
        /// What it calls itself.
        program: String,
    },
    /// The folder or the lock file cannot be made or read.
    #[error("the data folder cannot be locked")]
    File(#[from] std::io::Error),
}

impl DataLock {
    /// Takes the folder, making it if there is none.
    ///
    /// # Errors
    /// [`LockError::HeldBy`] names who has it.
    pub fn acquire(folder: &Path) -> Result<Self, LockError> {
        crate::database::make_private(folder)?;
        let path = folder.join(LOCK_FILE);
        let mut file =
            OpenOptions::new().read(true).write(true).create(true).truncate(false).open(&path)?;
        if !file.try_lock_exclusive()? {
            return Err(holder(&mut file));
        }
        file.set_len(0)?;
        file.rewind()?;
        write!(file, "{}\n{}\n", std::process::id(), program())?;
        file.sync_data()?;
        Ok(Self { file })
    }
}

impl Drop for DataLock {
    fn drop(&mut self) {
        // Closing releases the lock too; this only keeps a stale name out of the file.
        if let Err(error) = self.file.set_len(0) {
            tracing::debug!(%error, "the lock file could not be emptied");
        }
    }
}

fn holder(file: &mut File) -> LockError {
    let mut text = String::new();
    // On Windows the locked file cannot be read; then nobody has a name.
    if file.read_to_string(&mut text).is_err() {
        text.clear();
    }
    let mut lines = text.lines();
    let pid = lines.next().and_then(|line| line.parse().ok()).unwrap_or(0);
    let program = lines.next().unwrap_or("another program").to_owned();
    LockError::HeldBy { pid, program }
}

fn program() -> String {
    std::env::current_exe()
        .ok()
        .and_then(|path| Some(path.file_stem()?.to_string_lossy().into_owned()))
        .unwrap_or_else(|| "firstknock".to_owned())
}
