//! Starting the engine in a terminal: the data folder and its lock, the store, the readers.

use std::path::PathBuf;
use std::sync::Arc;

use anyhow::{Context, Result};
use firstknock_fetch::{Config, HttpFetch};
use firstknock_monitor::{
    BeginError, DataFolder, Dice, Engine, Parts, Readers, Recipes, SystemClock,
};
use firstknock_store::{DataLock, LockError, Store};

use crate::Usage;

/// Where the user's data are.
#[derive(clap::Args)]
pub(crate) struct DataArg {
    /// The data folder (else FIRSTKNOCK_DATA, else the app's own).
    #[arg(long, global = true, value_name = "DIR")]
    pub(crate) data: Option<PathBuf>,
}

/// A running engine with the lock that keeps its folder ours.
pub(crate) struct Running {
    pub(crate) engine: Engine,
    pub(crate) folder: DataFolder,
    _lock: DataLock,
}

/// Another process owns the folder: exit code 6.
#[derive(Debug, thiserror::Error)]
#[error("{0}\nClose it first, or choose another data folder with --data DIR.")]
pub(crate) struct Taken(String);

/// Opens the folder and starts the engine on it.
pub(crate) fn start(data: &DataArg, config: Config) -> Result<Running> {
    open(data, config, Engine::begin)
}

/// The same for a command that does one thing: nothing else goes out meanwhile.
pub(crate) fn start_by_hand(data: &DataArg) -> Result<Running> {
    open(data, Config::default(), Engine::begin_by_hand)
}

fn open(
    data: &DataArg,
    config: Config,
    begin: fn(Parts) -> Result<Engine, BeginError>,
) -> Result<Running> {
    let folder = DataFolder::choose(data.data.as_deref()).map_err(|e| Usage(e.to_string()))?;
    let lock = lock(&folder)?;
    let now = jiff::Timestamp::now();
    let (store, opened) = Store::open(folder.path(), now)
        .with_context(|| format!("the data in {} cannot be used", folder.path().display()))?;
    if let Some(backup) = &opened.restored_backup {
        eprintln!("The database could not be read; the backup of {} is in use.", backup.at);
    }
    let http = HttpFetch::new(config).context("secure connections cannot be set up")?;
    let parts = Parts {
        folder: folder.clone(),
        store,
        opened,
        readers: Readers { plain: Arc::new(http.clone()), browser: None },
        http: Some(http),
        clock: Arc::new(SystemClock::default()),
        dice: Dice::unforeseen(),
        secrets: None,
        toaster: None,
        can_open_sites: false,
    };
    let engine = begin(parts).context("the engine cannot start")?;
    name_broken(engine.recipes());
    Ok(Running { engine, folder, _lock: lock })
}

/// Says which recipes are left out, and why.
pub(crate) fn name_broken(recipes: &Recipes) {
    for broken in recipes.broken() {
        eprintln!("The recipe {} is left out: {}", broken.file.display(), broken.why);
    }
}

/// Takes the folder for this process.
pub(crate) fn lock(folder: &DataFolder) -> Result<DataLock> {
    std::fs::create_dir_all(folder.path())
        .with_context(|| format!("cannot make the folder {}", folder.path().display()))?;
    DataLock::acquire(folder.path()).map_err(|error| match error {
        held @ LockError::HeldBy { .. } => Taken(held.to_string()).into(),
        file @ LockError::File(_) => anyhow::Error::from(file),
    })
}
