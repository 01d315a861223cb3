//! Secrets in a file with mode 0600, by the user's choice only, and labelled as what it is.

use std::collections::BTreeMap;
use std::io::{ErrorKind, Write as _};
use std::path::{Path, PathBuf};

use tokio::sync::Mutex;

use crate::{BoxFuture, Secret, SecretError, SecretName, Secrets};

/// Nobody who finds it has to guess.
pub const FILE_NAME: &str = "passwords-in-plain-text.json";

const NOTE: &str = "Firstknock keeps these passwords unencrypted, because you chose so when no \
                    keychain was there. Only your user may read this file; do not copy it.";

/// A JSON file in the data folder.
#[derive(Debug)]
pub struct SecretsFile {
    path: PathBuf,
    /// One writer at a time.
    turn: Mutex<()>,
}

#[derive(serde::Serialize, serde::Deserialize, Default)]
struct Content {
    #[serde(default)]
    note: String,
    #[serde(default)]
    passwords: BTreeMap<String, String>,
}

impl SecretsFile {
    /// The file in this data folder; it is made when the first secret is kept.
    pub fn new(data_dir: &Path) -> Self {
        Self { path: data_dir.join(FILE_NAME), turn: Mutex::new(()) }
    }

    async fn work<T: Send + 'static>(
        &self,
        work: impl FnOnce(&Path) -> std::io::Result<T> + Send + 'static,
    ) -> Result<T, SecretError> {
        let _turn = self.turn.lock().await;
        let path = self.path.clone();
        let done = tokio::task::spawn_blocking(move || work(&path)).await;
        Ok(done.expect("BUG: reading a file does not panic")?)
    }
}

fn read(path: &Path) -> std::io::Result<Content> {
    match std::fs::read(path) {
        Ok(bytes) => {
            only_the_user(path)?;
            Ok(serde_json::from_slice(&bytes)?)
        }
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(Content::default()),
        Err(error) => Err(error),
    }
}

fn write(path: &Path, mut content: Content) -> std::io::Result<()> {
    NOTE.clone_into(&mut content.note);
    let beside = path.with_extension("part");
    let mut options = std::fs::OpenOptions::new();
    options.write(true).create(true).truncate(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    let mut file = options.open(&beside)?;
    // A leftover of a crash keeps its old mode.
    only_the_user(&beside)?;
    file.write_all(&serde_json::to_vec_pretty(&content)?)?;
    file.sync_all()?;
    std::fs::rename(&beside, path)
}

/// Takes rights away that a copy or a backup may have added.
#[cfg(unix)]
fn only_the_user(path: &Path) -> std::io::Result<()> {
    use std::os::unix::fs::PermissionsExt as _;
    std::fs::set_permissions(path, std::fs::Permissions::from_mode(0o600))
}

#[cfg(not(unix))]
#[expect(clippy::unnecessary_wraps, reason = "as on unix")]
fn only_the_user(_path: &Path) -> std::io::Result<()> {
    Ok(())
}

impl Secrets for SecretsFile {
    fn get<'a>(
        &'a self,
        name: &'a SecretName,
    ) -> BoxFuture<'a, Result<Option<Secret>, SecretError>> {
        let name = name.as_str().to_owned();
        Box::pin(self.work(move |path| Ok(read(path)?.passwords.remove(&name).map(Secret::new))))
    }

    fn set<'a>(
        &'a self,
        name: &'a SecretName,
        secret: Secret,
    ) -> BoxFuture<'a, Result<(), SecretError>> {
        let name = name.as_str().to_owned();
        Box::pin(self.work(move |path| {
            let mut content = read(path)?;
            content.passwords.insert(name, secret.reveal().to_owned());
            write(path, content)
        }))
    }

    fn forget<'a>(&'a self, name: &'a SecretName) -> BoxFuture<'a, Result<(), SecretError>> {
        let name = name.as_str().to_owned();
        Box::pin(self.work(move |path| {
            let mut content = read(path)?;
            match content.passwords.remove(&name) {
                Some(_) => write(path, content),
                None => Ok(()),
            }
        }))
    }
}
