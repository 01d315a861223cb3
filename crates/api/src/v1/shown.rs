//! After a write: the next read shows it.

use std::time::Duration;

use firstknock_monitor::{Board, SearchId};

use crate::app::Api;

/// The board is drawn within milliseconds; a loop that is busy is not waited for longer.
const PATIENCE: Duration = Duration::from_secs(2);

/// Waits until the board shows a search as it is stored now, or no more.
pub(super) async fn search(api: &Api, id: i64) {
    let id = SearchId(id);
    let Ok(stored) = api.engine.store().run(move |store| store.search(id)).await else { return };
    let mut board = api.engine.board();
    let shows = |board: &std::sync::Arc<Board>| {
        board.rows.iter().find(|row| row.search.id == id).map(|row| &row.search) == stored.as_ref()
    };
    if tokio::time::timeout(PATIENCE, board.wait_for(shows)).await.is_err() {
        tracing::debug!(search = id.0, "the board was not drawn in time");
    }
}
