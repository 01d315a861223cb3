//! The engine, as the shell uses it.

use std::path::Path;

use firstknock_ipc::{Command, ErrorBody, ErrorCode, StatusEvent};
use firstknock_listing::{HostKey, SearchId};
use firstknock_monitor::DataFolder;
use futures_util::Stream;
use serde_json::Value;
use tauri::AppHandle;

use crate::site::Place;

#[derive(Clone)]
pub(crate) struct Engine {}

impl Engine {
    pub(crate) async fn start(_app: &AppHandle, _folder: &DataFolder) -> anyhow::Result<Self> {
        Ok(Self {})
    }

    pub(crate) async fn call(
        &self,
        _app: &AppHandle,
        _command: Command,
    ) -> Result<Value, ErrorBody> {
        Err(ErrorBody::new(ErrorCode::Unsupported))
    }

    pub(crate) fn subscribe(&self) -> impl Stream<Item = StatusEvent> + Send + Unpin + 'static {
        futures_util::stream::pending()
    }

    pub(crate) async fn place_of(&self, _search: i64) -> Result<Place, ErrorBody> {
        Err(ErrorBody::new(ErrorCode::Unsupported))
    }

    pub(crate) async fn site_opened(&self, _host: HostKey) {}

    pub(crate) async fn site_closed(&self, _host: HostKey, _search: SearchId) {}

    pub(crate) async fn try_street(&self) -> Result<(), ErrorBody> {
        Err(ErrorBody::new(ErrorCode::Unsupported))
    }

    pub(crate) async fn photo(&self, _key: &str) -> Option<(&'static str, Vec<u8>)> {
        None
    }

    pub(crate) async fn shut_down(&self) {}
}
