//! What goes back when a command cannot be done: a code that the window has a sentence for.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use ts_rs::TS;

/// Why a command was refused. A code exists only while somebody branches on it or has a sentence
/// for it: `error_<code>` in the catalogue.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
pub enum ErrorCode {
    /// Nothing that reads as a web address.
    NotAnAddress,
    /// Not http or https.
    NotHttp,
    /// User name or password in the address.
    HasPassword,
    /// Over 8,000 characters.
    AddressTooLong,
    /// The same address is already a search (`name`).
    Duplicate,
    /// Fifteen are enabled (`max`).
    TooMany,
    /// That search, listing or delivery is not there any more.
    NotFound,
    /// A value outside its range (`field`, `min`, `max`).
    OutOfRange,
    /// The button is locked (`until`, unix ms).
    Locked,
    /// The host waits (`until`, unix ms, `host`).
    HostWaits,
    /// A file of searches that cannot be read, from this entry or line on (`entry`).
    BadImport,
    /// A backup that is damaged, or of a newer version.
    BadBackup,
    /// It was done, but its answer has a secret that is given only once, and it got lost.
    ShownOnce,
    /// Could not be kept: disk full or read-only.
    Storage,
    /// The mail server refused the login (`words`).
    MailLogin,
    /// The mail server cannot be used (`words`).
    MailServer,
    /// An e-mail address that is none.
    BadEmail,
    /// A secret cannot be kept: no key store, or it is locked.
    Secrets,
    /// Reading what is stored took too long and was cut off.
    TookTooLong,
    /// So much is being read that no place was free; a moment later there may be one.
    Busy,
    /// The app is shutting down.
    Stopping,
    /// Not possible here (`what`): no display, no webview.
    Unsupported,
    /// We broke; the log says how.
    Internal,
}

/// A refused command.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct ErrorBody {
    pub code: ErrorCode,
    /// Arguments of the sentence.
    pub args: BTreeMap<String, String>,
}

impl ErrorBody {
    /// A code without arguments.
    pub fn new(code: ErrorCode) -> Self {
        Self { code, args: BTreeMap::new() }
    }

    /// Adds an argument.
    #[must_use]
    pub fn with(mut self, name: &str, value: impl ToString) -> Self {
        self.args.insert(name.to_owned(), value.to_string());
        self
    }
}
