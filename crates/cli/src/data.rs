//! `knock backup`, `restore`, `export` and `import`: what is kept, and files of it.

use std::io::{Read, Write};
use std::path::PathBuf;

use anyhow::{Context, Result};
use firstknock_monitor::DataFolder;
use firstknock_store::{BackupKind, Fate, MAX_ENABLED, Store, StoreError};
use jiff::Timestamp;

use crate::start::{DataArg, lock};
use crate::{End, Usage};

#[derive(clap::Args)]
pub(crate) struct BackupArgs {
    /// Lists the backups instead, newest first.
    #[arg(long)]
    list: bool,
    #[command(flatten)]
    data: DataArg,
}

#[derive(clap::Args)]
pub(crate) struct RestoreArgs {
    /// Its name, as `knock backup --list` shows it.
    name: String,
    #[command(flatten)]
    data: DataArg,
}

#[derive(clap::Args)]
pub(crate) struct ExportArgs {
    /// What to write.
    #[arg(value_enum)]
    what: What,
    /// Where to; stdout if missing.
    file: Option<PathBuf>,
    #[command(flatten)]
    data: DataArg,
}

#[derive(Clone, Copy, clap::ValueEnum)]
enum What {
    /// All listings as a table; no cell of it runs as a formula.
    Csv,
    /// All listings as a JSON array.
    Json,
    /// The searches, for `knock import`.
    Searches,
}

#[derive(clap::Args)]
pub(crate) struct ImportArgs {
    /// A file of `knock export searches`, or one with an address per line; `-` is stdin.
    file: PathBuf,
    #[command(flatten)]
    data: DataArg,
}

pub(crate) fn backup(args: &BackupArgs) -> Result<End> {
    // Reading is fine beside a running app, which holds the lock.
    let (store, _held) = open(&args.data, true)?;
    if args.list {
        for backup in store.backups()? {
            let name = backup.path.file_name().unwrap_or_default().to_string_lossy();
            println!("{name}  {} bytes, {}, {}", backup.bytes, backup.at, backup.kind.word());
        }
    } else {
        println!("{}", store.back_up(BackupKind::ByHand, Timestamp::now())?.path.display());
    }
    Ok(End::Done)
}

pub(crate) fn restore(args: &RestoreArgs) -> Result<End> {
    let (mut store, _held) = open(&args.data, false)?;
    let backups = store.backups()?;
    let named =
        backups.iter().find(|b| b.path.file_name().is_some_and(|f| f == args.name.as_str()));
    let Some(backup) = named else {
        let none = format!("there is no backup {}; `knock backup --list` shows them", args.name);
        return Err(Usage(none).into());
    };
    store.restore(backup, Timestamp::now())?;
    eprintln!("The backup of {} is in use. What was there before is the newest backup.", backup.at);
    Ok(End::Done)
}

pub(crate) fn export(args: &ExportArgs) -> Result<End> {
    let (store, _held) = open(&args.data, true)?;
    let mut out: Box<dyn Write> = match &args.file {
        Some(file) => Box::new(std::io::BufWriter::new(
            std::fs::File::create(file)
                .map_err(|error| Usage(format!("{}: {error}", file.display())))?,
        )),
        None => Box::new(std::io::stdout().lock()),
    };
    match args.what {
        What::Csv => drop(store.export_csv(&mut out)?),
        What::Json => drop(store.export_json(&mut out)?),
        What::Searches => {
            serde_json::to_writer_pretty(&mut out, &store.export_searches()?)?;
            writeln!(out)?;
        }
    }
    out.flush()?;
    Ok(End::Done)
}

pub(crate) fn import(args: &ImportArgs) -> Result<End> {
    let (mut store, _held) = open(&args.data, false)?;
    let mut text = String::new();
    let read = match args.file.as_os_str() == "-" {
        true => std::io::stdin().read_to_string(&mut text).map(drop),
        false => std::fs::read_to_string(&args.file).map(|read| text = read),
    };
    read.map_err(|error| Usage(format!("{}: {error}", args.file.display())))?;
    let lines = match store.import_searches(&text, Timestamp::now()) {
        Err(error @ StoreError::BadImport { .. }) => {
            return Err(Usage(format!("{error}; nothing was added")).into());
        }
        lines => lines?,
    };
    for line in lines {
        let fate = match line.fate {
            Fate::Added(id) => format!("added as {}", id.0),
            Fate::Paused(id) => format!("added as {}, paused: {MAX_ENABLED} run already", id.0),
            Fate::Duplicate(of) => format!("left out: it is the search \"{of}\" already"),
        };
        println!("{}  {}  {fate}", line.entry, line.name);
    }
    Ok(End::Done)
}

/// The store, with the folder's lock; beside who holds it already only where nothing is changed.
fn open(data: &DataArg, beside: bool) -> Result<(Store, Option<firstknock_store::DataLock>)> {
    let folder = DataFolder::choose(data.data.as_deref()).map_err(|e| Usage(e.to_string()))?;
    let held = match lock(&folder) {
        Err(_) if beside => None,
        held => Some(held?),
    };
    let (store, _) = Store::open(folder.path(), Timestamp::now())
        .with_context(|| format!("the data in {} cannot be used", folder.path().display()))?;
    Ok((store, held))
}
