//! Where passwords are kept: the keychain of the operating system, or what the user chose when
//! there is none. A fallback is asked for, never silent.

mod file;
#[cfg(target_os = "linux")]
mod keychain;
mod session;

use std::path::Path;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

pub use self::file::{FILE_NAME, SecretsFile};
#[cfg(target_os = "linux")]
pub use self::keychain::Keychain;
pub use self::session::Session;

use crate::Secrets;

/// Where the user wants passwords to be kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Place {
    /// The keychain of the operating system.
    #[default]
    Keychain,
    /// In memory: typed again after each start.
    Session,
    /// A file in the data folder that only the user may read, in plain text and named so.
    File,
}

/// The place itself. Opening it does nothing yet: it is asked at each delivery.
pub fn open(place: Place, data_dir: &Path) -> Arc<dyn Secrets> {
    match place {
        #[cfg(target_os = "linux")]
        Place::Keychain => Arc::new(Keychain::default()),
        // Until their keychains are wired up, these systems behave as if they had none.
        #[cfg(not(target_os = "linux"))]
        Place::Keychain => Arc::new(Session::absent()),
        Place::Session => Arc::new(Session::default()),
        Place::File => Arc::new(SecretsFile::new(data_dir)),
    }
}
