//! Secrets in memory, for this session only.

use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};

use crate::{BoxFuture, Secret, SecretError, SecretName, Secrets};

/// Forgets everything when the app ends.
#[derive(Debug, Default)]
pub struct Session {
    kept: Mutex<BTreeMap<SecretName, Secret>>,
    absent: bool,
}

impl Session {
    /// A place that says that there is none.
    pub fn absent() -> Self {
        Self { absent: true, ..Self::default() }
    }

    fn with<T>(
        &self,
        work: impl FnOnce(&mut BTreeMap<SecretName, Secret>) -> T,
    ) -> Result<T, SecretError> {
        if self.absent {
            return Err(SecretError::Absent);
        }
        Ok(work(&mut self.kept.lock().unwrap_or_else(PoisonError::into_inner)))
    }
}

impl Secrets for Session {
    fn get<'a>(
        &'a self,
        name: &'a SecretName,
    ) -> BoxFuture<'a, Result<Option<Secret>, SecretError>> {
        Box::pin(std::future::ready(self.with(|kept| kept.get(name).cloned())))
    }

    fn set<'a>(
        &'a self,
        name: &'a SecretName,
        secret: Secret,
    ) -> BoxFuture<'a, Result<(), SecretError>> {
        let set = self.with(|kept| {
            kept.insert(name.clone(), secret);
        });
        Box::pin(std::future::ready(set))
    }

    fn forget<'a>(&'a self, name: &'a SecretName) -> BoxFuture<'a, Result<(), SecretError>> {
        let forgotten = self.with(|kept| {
            kept.remove(name);
        });
        Box::pin(std::future::ready(forgotten))
    }
}
