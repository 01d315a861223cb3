//! The keychain of a Linux desktop (Secret Service over D-Bus).
//!
//! The store is opened anew until that works once: a service that starts after us must not stay
//! unseen for the whole session. Calls block and may wait for a dialog of the keychain's own, so
//! each runs on a thread of its own with a deadline; a pool's thread would keep the app from
//! ending for as long as the dialog stands. A locked keychain may ask for its password once per
//! session; after that it is left alone until somebody opens it.

use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use keyring_core::api::CredentialStoreApi as _;
use keyring_core::{Entry, Error};
use secret_service::EncryptionType;
use secret_service::blocking::SecretService;
use tokio::sync::oneshot;
use zbus_secret_service_keyring_store::Store;

use crate::{BoxFuture, Secret, SecretError, SecretName, Secrets};

const SERVICE: &str = "org.firstknock.Firstknock";

/// How long a keychain may take; its own unlock dialog counts.
const DEADLINE: Duration = Duration::from_secs(20);

/// The user's keychain.
#[derive(Clone, Default)]
pub struct Keychain {
    store: Arc<Mutex<Option<Arc<Store>>>>,
    asked_to_open: Arc<AtomicBool>,
}

impl Keychain {
    fn entry(&self, name: &str) -> Result<Entry, SecretError> {
        let mut kept = self.store.lock().unwrap_or_else(PoisonError::into_inner);
        let store = match &*kept {
            Some(store) => Arc::clone(store),
            // No bus, or nobody on it who keeps secrets.
            None => kept.insert(Store::new().map_err(|_| SecretError::Absent)?).clone(),
        };
        let label = format!("Firstknock: {name}");
        let labelled = HashMap::from([("label", label.as_str())]);
        store.build(SERVICE, name, Some(&labelled)).map_err(meaning)
    }

    /// A connection that broke (the service was restarted) is not used again.
    fn forget_store(&self) {
        *self.store.lock().unwrap_or_else(PoisonError::into_inner) = None;
    }

    async fn work<T: Send + 'static>(
        &self,
        name: &SecretName,
        work: impl FnOnce(&Entry) -> Result<T, SecretError> + Send + 'static,
    ) -> Result<T, SecretError> {
        let (keychain, name) = (self.clone(), name.as_str().to_owned());
        let (tell, told) = oneshot::channel();
        std::thread::spawn(move || {
            // Nobody listens after the deadline, which is fine.
            tell.send(keychain.entry(&name).and_then(|entry| work(&entry))).ok();
        });
        let done = match tokio::time::timeout(DEADLINE, told).await {
            Ok(Ok(done)) => done,
            Ok(Err(_)) | Err(_) => Err(SecretError::Silent),
        };
        if matches!(done, Err(SecretError::Absent | SecretError::Keychain(_))) {
            self.forget_store();
        }
        done
    }
}

fn get(entry: &Entry, asked_to_open: &AtomicBool) -> Result<Option<Secret>, SecretError> {
    if locked() && asked_to_open.swap(true, Ordering::Relaxed) {
        return Err(SecretError::Locked);
    }
    match entry.get_password() {
        Ok(password) => Ok(Some(Secret::new(password))),
        // A locked keychain shows no entries at all, which is not the same as having none.
        Err(Error::NoEntry) if locked() => Err(SecretError::Locked),
        Err(Error::NoEntry) => Ok(None),
        Err(error) => Err(meaning(error)),
    }
}

fn locked() -> bool {
    let asked = SecretService::connect(EncryptionType::Plain);
    asked.is_ok_and(|service| {
        service.get_default_collection().is_ok_and(|keys| keys.is_locked().unwrap_or(false))
    })
}

fn meaning(error: Error) -> SecretError {
    match error {
        Error::NoStorageAccess(_) => SecretError::Locked,
        // Its Debug form may hold the bytes of a password that is not UTF-8; its words do not.
        error => SecretError::Keychain(error.to_string().into()),
    }
}

impl std::fmt::Debug for Keychain {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Keychain")
    }
}

impl Secrets for Keychain {
    fn get<'a>(
        &'a self,
        name: &'a SecretName,
    ) -> BoxFuture<'a, Result<Option<Secret>, SecretError>> {
        let asked = Arc::clone(&self.asked_to_open);
        Box::pin(self.work(name, move |entry| get(entry, &asked)))
    }

    fn set<'a>(
        &'a self,
        name: &'a SecretName,
        secret: Secret,
    ) -> BoxFuture<'a, Result<(), SecretError>> {
        Box::pin(self.work(name, move |entry| entry.set_password(secret.reveal()).map_err(meaning)))
    }

    fn forget<'a>(&'a self, name: &'a SecretName) -> BoxFuture<'a, Result<(), SecretError>> {
        Box::pin(self.work(name, |entry| match entry.delete_credential() {
            Ok(()) | Err(Error::NoEntry) => Ok(()),
            Err(error) => Err(meaning(error)),
        }))
    }
}
