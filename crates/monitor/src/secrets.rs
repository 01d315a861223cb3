//! The place for passwords and tokens, which the user may change while the app runs.

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError, RwLock};

use firstknock_notify::secrets::{Place, Session, open};
use firstknock_notify::{BoxFuture, Secret, SecretError, SecretName, Secrets};

/// Passes everything on to the place that is chosen now.
pub(crate) struct ChosenSecrets {
    folder: PathBuf,
    place: RwLock<Arc<dyn Secrets>>,
    /// A typed secret that its server replaced during a test, and what it is now.
    replaced: Mutex<Option<(Secret, Secret)>>,
}

/// What was typed, over what is kept: for a test, which keeps nothing that was typed.
pub(crate) struct Typed {
    typed: Session,
    kept: Arc<ChosenSecrets>,
}

impl ChosenSecrets {
    pub(crate) fn open(place: Place, folder: &Path) -> Self {
        let place = RwLock::new(open(place, folder));
        Self { folder: folder.to_owned(), place, replaced: Mutex::default() }
    }

    /// One place that stays, for tests.
    pub(crate) fn fixed(place: Arc<dyn Secrets>) -> Self {
        Self { folder: PathBuf::new(), place: RwLock::new(place), replaced: Mutex::default() }
    }

    /// From now on here; what the old place holds stays there.
    pub(crate) fn choose(&self, place: Place) {
        if !self.folder.as_os_str().is_empty() {
            *self.place.write().unwrap_or_else(PoisonError::into_inner) = open(place, &self.folder);
        }
    }

    /// A typed secret as it is by now: a server may have replaced it while it was tested.
    pub(crate) fn newest(&self, typed: Secret) -> Secret {
        match &*self.replaced.lock().unwrap_or_else(PoisonError::into_inner) {
            Some((old, new)) if *old == typed => new.clone(),
            _ => typed,
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

impl Typed {
    pub(crate) async fn over(
        kept: Arc<ChosenSecrets>,
        typed: Vec<(SecretName, Secret)>,
    ) -> Result<Self, SecretError> {
        let session = Session::default();
        for (name, secret) in typed {
            session.set(&name, kept.newest(secret)).await?;
        }
        Ok(Self { typed: session, kept })
    }
}

impl Secrets for Typed {
    fn get<'a>(
        &'a self,
        name: &'a SecretName,
    ) -> BoxFuture<'a, Result<Option<Secret>, SecretError>> {
        Box::pin(async move {
            match self.typed.get(name).await? {
                Some(typed) => Ok(Some(typed)),
                None => self.kept.get(name).await,
            }
        })
    }

    fn set<'a>(
        &'a self,
        name: &'a SecretName,
        secret: Secret,
    ) -> BoxFuture<'a, Result<(), SecretError>> {
        Box::pin(async move {
            let Some(old) = self.typed.get(name).await? else {
                return self.kept.set(name, secret).await;
            };
            self.typed.set(name, secret.clone()).await?;
            let mut replaced = self.kept.replaced.lock().unwrap_or_else(PoisonError::into_inner);
            // What was typed at first, also if it was replaced twice.
            let first = match replaced.take() {
                Some((first, last)) if last == old => first,
                _ => old,
            };
            *replaced = Some((first, secret));
            Ok(())
        })
    }

    fn forget<'a>(&'a self, name: &'a SecretName) -> BoxFuture<'a, Result<(), SecretError>> {
        self.typed.forget(name)
    }
}
