//! Backups and files.

use std::time::Duration;

use firstknock_monitor::Engine;
use firstknock_monitor::store::{Backup, BackupKind, Fate, MAX_ENABLED, StoreError};

use super::store;
use crate::{
    BackupShown, BackupWhy, DataFacts, ErrorBody, ErrorCode, ExportWhat, ExportedFile, ImportFate,
    ImportLine,
};

/// A slow disk with years of listings needs it.
const EXPORT_WITHIN: Duration = Duration::from_secs(60);

pub(super) async fn facts(engine: &Engine) -> Result<DataFacts, ErrorBody> {
    let backups = engine.backups().await.map_err(store)?;
    let count = engine.store().read(|store| store.count_listings(&Default::default()));
    Ok(DataFacts {
        listings: count.await.map_err(store)?,
        bytes: engine.database_bytes(),
        backups: backups.iter().map(shown).collect(),
    })
}

pub(super) async fn back_up(engine: &Engine) -> Result<BackupShown, ErrorBody> {
    engine.back_up().await.map(|backup| shown(&backup)).map_err(store)
}

pub(super) async fn restore(engine: &Engine, name: &str) -> Result<(), ErrorBody> {
    engine.restore(name).await.map_err(|error| match error {
        StoreError::Damaged | StoreError::NotOurs(_) | StoreError::NewerVersion { .. } => {
            ErrorBody::new(ErrorCode::BadBackup)
        }
        error => store(error),
    })
}

pub(super) async fn export(engine: &Engine, what: ExportWhat) -> Result<ExportedFile, ErrorBody> {
    // All that was ever seen goes through here; no check waits for it.
    let bytes = engine.store().read_within(EXPORT_WITHIN, move |store| {
        let mut out = Vec::new();
        match what {
            ExportWhat::ListingsCsv => drop(store.export_csv(&mut out)?),
            ExportWhat::ListingsJson => drop(store.export_json(&mut out)?),
            ExportWhat::Searches => {
                serde_json::to_writer_pretty(&mut out, &store.export_searches()?)?;
            }
        }
        Ok(out)
    });
    let bytes = bytes.await.map_err(store)?;
    let (what, ending) = match what {
        ExportWhat::ListingsCsv => ("listings", "csv"),
        ExportWhat::ListingsJson => ("listings", "json"),
        ExportWhat::Searches => ("searches", "json"),
    };
    let day = jiff::tz::TimeZone::system().to_datetime(engine.clock().now()).date();
    Ok(ExportedFile {
        name: format!("firstknock-{what}-{day}.{ending}"),
        text: String::from_utf8(bytes).map_err(|_| ErrorBody::new(ErrorCode::Internal))?,
    })
}

pub(super) async fn import(engine: &Engine, text: String) -> Result<Vec<ImportLine>, ErrorBody> {
    let lines = engine.import_searches(text).await.map_err(|error| match error {
        StoreError::BadImport { entry } => {
            ErrorBody::new(ErrorCode::BadImport).with("entry", entry)
        }
        error => store(error),
    })?;
    let line = |line: firstknock_monitor::store::ImportedLine| ImportLine {
        entry: u32::try_from(line.entry).unwrap_or(u32::MAX),
        name: line.name,
        fate: match line.fate {
            Fate::Added(_) => ImportFate::Added,
            Fate::Paused(_) => {
                ImportFate::Paused { max: u32::try_from(MAX_ENABLED).unwrap_or(u32::MAX) }
            }
            Fate::Duplicate(of) => ImportFate::Duplicate { of },
        },
    };
    Ok(lines.into_iter().map(line).collect())
}

fn shown(backup: &Backup) -> BackupShown {
    BackupShown {
        name: backup.path.file_name().unwrap_or_default().to_string_lossy().into_owned(),
        at: backup.at.as_millisecond(),
        bytes: backup.bytes,
        why: match backup.kind {
            BackupKind::Daily => BackupWhy::Daily,
            BackupKind::BeforeMigration => BackupWhy::BeforeMigration,
            BackupKind::ByHand => BackupWhy::ByHand,
        },
    }
}
