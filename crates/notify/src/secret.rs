//! Passwords and tokens: never printed, never serialised, kept elsewhere.

use thiserror::Error;

use crate::BoxFuture;

/// A password or token. It has no `Display`, no `Serialize`, and its `Debug` shows nothing.
#[derive(Clone, PartialEq, Eq)]
pub struct Secret(String);

/// What a secret is filed under, such as `smtp:noor@mailhuis.example`.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct SecretName(String);

/// Where secrets are kept. Read late, at each delivery: a keychain may be locked at log-in and
/// open a minute later.
pub trait Secrets: Send + Sync {
    /// The secret, or `None` if none is kept under that name.
    fn get<'a>(
        &'a self,
        name: &'a SecretName,
    ) -> BoxFuture<'a, Result<Option<Secret>, SecretError>>;

    /// Keeps a secret, replacing an older one.
    fn set<'a>(
        &'a self,
        name: &'a SecretName,
        secret: Secret,
    ) -> BoxFuture<'a, Result<(), SecretError>>;

    /// Forgets a secret; one that was never there is fine.
    fn forget<'a>(&'a self, name: &'a SecretName) -> BoxFuture<'a, Result<(), SecretError>>;
}

/// Why the place for secrets does not answer.
#[derive(Debug, Error)]
pub enum SecretError {
    /// The keychain exists and is locked: mail waits, and the row says "mail is locked".
    #[error("the keychain is locked")]
    Locked,
    /// There is no keychain on this computer or in this session: ask the user what to do.
    #[error("there is no keychain here")]
    Absent,
    /// The keychain did not answer in time; a window of its own may be waiting for the user.
    #[error("the keychain does not answer")]
    Silent,
    /// The file with the secrets cannot be read or written.
    #[error("the file with the secrets cannot be used")]
    File(#[from] std::io::Error),
    /// The keychain said something else; its words hold no secret.
    #[error("the keychain failed: {0}")]
    Keychain(#[source] Box<dyn std::error::Error + Send + Sync>),
}

impl Secret {
    /// Wraps a secret as soon as it is read.
    pub const fn new(text: String) -> Self {
        Self(text)
    }

    /// The secret itself, for the one place that sends it.
    pub fn reveal(&self) -> &str {
        &self.0
    }
}

impl std::fmt::Debug for Secret {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Secret(…)")
    }
}

impl SecretName {
    /// A name: what kind of secret, and whose.
    pub fn new(kind: &str, whose: &str) -> Self {
        Self(format!("{kind}:{whose}"))
    }

    /// The name as text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}
