//! The engine, as the shell uses it.

use std::path::{Path, PathBuf};

use anyhow::Context;
use firstknock_ipc::{Command, ErrorBody, ErrorCode, StatusEvent};
use futures_util::Stream;
use serde_json::Value;
use tauri::AppHandle;

/// The data folder: what was asked for, else the user's own.
pub(crate) fn folder(asked: Option<&Path>) -> anyhow::Result<PathBuf> {
    let folder = match asked {
        Some(folder) => folder.to_owned(),
        None => directories::ProjectDirs::from("org", "firstknock", "Firstknock")
            .context("this user has no home folder")?
            .data_local_dir()
            .to_owned(),
    };
    std::fs::create_dir_all(&folder).with_context(|| format!("cannot use {}", folder.display()))?;
    Ok(folder)
}

pub(crate) struct Engine {}

impl Engine {
    pub(crate) async fn start(_app: &AppHandle, _folder: &Path) -> anyhow::Result<Self> {
        Ok(Self {})
    }

    pub(crate) async fn call(&self, _app: &AppHandle, _command: Command) -> Result<Value, ErrorBody> {
        Err(ErrorBody::new(ErrorCode::Unsupported))
    }

    pub(crate) fn subscribe(&self) -> impl Stream<Item = StatusEvent> + Send + Unpin + 'static {
        futures_util::stream::pending()
    }

    pub(crate) async fn try_street(&self) -> Result<(), ErrorBody> {
        Err(ErrorBody::new(ErrorCode::Unsupported))
    }

    pub(crate) async fn photo(&self, _key: &str) -> Option<(&'static str, Vec<u8>)> {
        None
    }

    pub(crate) async fn shut_down(&self) {}
}
