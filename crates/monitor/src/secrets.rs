//! The place for passwords, which the user may change while the app runs.

use std::path::{Path, PathBuf};
use std::sync::{Arc, PoisonError, RwLock};

use firstknock_notify::secrets::{Place, open};
use firstknock_notify::{BoxFuture, Secret, SecretError, SecretName, Secrets};

/// Passes everything on to the place that is chosen now.
pub(crate) struct ChosenSecrets {
    folder: PathBuf,
    place: RwLock<Arc<dyn Secrets>>,
}

impl ChosenSecrets {
    pub(crate) fn open(place: Place, folder: &Path) -> Self {
        Self { folder: folder.to_owned(), place: RwLock::new(open(place, folder)) }
    }

    /// One place that stays, for tests.
    pub(crate) fn fixed(place: Arc<dyn Secrets>) -> Self {
        Self { folder: PathBuf::new(), place: RwLock::new(place) }
    }

    /// From now on here; what the old place holds stays there.
    pub(crate) fn choose(&self, place: Place) {
        if !self.folder.as_os_str().is_empty() {
            *self.place.write().unwrap_or_else(PoisonError::into_inner) = open(place, &self.folder);
        }
    }

    fn now(&self) -> Arc<dyn Secrets> {
        Arc::clone(&self.place.read().unwrap_or_else(PoisonError::into_inner))
    }
}

impl Secrets for ChosenSecrets {
    fn get<'a>(
        &'a self,
        name: &'a SecretName,
    ) -> BoxFuture<'a, Result<Option<Secret>, SecretError>> {
        Box::pin(async move { self.now().get(name).await })
    }

    fn set<'a>(
        &'a self,
        name: &'a SecretName,
        secret: Secret,
    ) -> BoxFuture<'a, Result<(), SecretError>> {
        Box::pin(async move { self.now().set(name, secret).await })
    }

    fn forget<'a>(&'a self, name: &'a SecretName) -> BoxFuture<'a, Result<(), SecretError>> {
        Box::pin(async move { self.now().forget(name).await })
    }
}
