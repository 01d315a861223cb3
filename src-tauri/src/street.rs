//! "Try it on the rehearsal street": rental sites on loopback, inside the app.
//!
//! **Promises**: nothing outside the machine is asked; the searches that were added for it are
//! taken away at the next start, when the street is gone. **Leaves out**: what happens on the
//! street.

use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use firstknock_ipc::{
    AlertChoices, ById, Command, ErrorBody, ErrorCode, Filters, NewSearch, Reader,
};
use firstknock_monitor::DataFolder;
use firstknock_rehearsal::street;
use tauri::{AppHandle, Manager};
use tokio::sync::OnceCell;

use crate::engine::Engine;

/// The street, once somebody wanted it.
#[derive(Default)]
pub(crate) struct Street(OnceCell<Arc<street::Street>>);

/// Ids of the street's searches, to take them away again.
const FILE: &str = "street.json";
/// Something happens about so often.
const PACE: Duration = Duration::from_secs(20);

impl Street {
    /// Names that the plain client cannot resolve by itself.
    pub(crate) fn names() -> Vec<(String, Vec<SocketAddr>)> {
        street::host_names()
            .into_iter()
            .map(|name| (name, vec![SocketAddr::from(([127, 0, 0, 1], 0))]))
            .collect()
    }
}

/// Opens the street and adds a search on each of its sites.
pub(crate) async fn open(app: &AppHandle) -> Result<(), ErrorBody> {
    let here = app.state::<Street>();
    let street = here.0.get_or_try_init(build).await.map_err(|error| {
        tracing::warn!(%error, "the street could not be opened");
        ErrorBody::new(ErrorCode::Internal)
    })?;
    let engine = app.state::<Engine>();
    let mut added = Vec::new();
    for site in street.sites() {
        match engine.call(app, Command::AddSearch(search_on(site))).await {
            Ok(id) => added.extend(serde_json::from_value::<ById>(id).map(|it| it.id)),
            // Already there: the street was asked for twice.
            Err(refused) if refused.code == ErrorCode::Duplicate => {}
            Err(refused) => return Err(refused),
        }
    }
    remember(app, added);
    Ok(())
}

/// The last run's street is gone, and so are its searches.
pub(crate) async fn take_away(app: &AppHandle) {
    let file = app.state::<DataFolder>().path().join(FILE);
    let Ok(text) = std::fs::read_to_string(&file) else { return };
    let ids: Vec<i64> = serde_json::from_str(&text).unwrap_or_default();
    let engine = app.state::<Engine>();
    for id in ids {
        match engine.call(app, Command::DeleteSearch(ById { id })).await {
            Err(refused) if refused.code != ErrorCode::NotFound => {
                tracing::warn!(code = ?refused.code, "a search of the street stays");
            }
            _ => {}
        }
    }
    if let Err(error) = std::fs::remove_file(&file) {
        tracing::warn!(%error, "the street's list stays");
    }
}

async fn build() -> std::io::Result<Arc<street::Street>> {
    let seed = u64::from(std::process::id());
    let street = Arc::new(street::Street::open(seed).await?);
    let living = Arc::clone(&street);
    tauri::async_runtime::spawn(async move { street::live(&living, seed, PACE).await });
    Ok(street)
}

fn remember(app: &AppHandle, mut added: Vec<i64>) {
    let file = app.state::<DataFolder>().path().join(FILE);
    if let Ok(text) = std::fs::read_to_string(&file) {
        added.extend(serde_json::from_str::<Vec<i64>>(&text).unwrap_or_default());
    }
    let text = serde_json::to_string(&added).expect("BUG: a list of numbers is JSON");
    if let Err(error) = std::fs::write(file, text) {
        tracing::warn!(%error, "the street's searches will stay");
    }
}

fn search_on(site: &street::Site) -> NewSearch {
    NewSearch {
        url: site.search_url("utrecht"),
        name: format!("{} · Utrecht", site.name()),
        filters: Filters::default(),
        alerts: AlertChoices::default(),
        interval_ms: 30_000,
        reader: Reader::Auto,
        enabled: true,
        choice: None,
        send_current: false,
    }
}
