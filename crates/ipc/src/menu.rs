//! What the desktop's own menu bar can ask of the window.

use serde::{Deserialize, Serialize};
use ts_rs::TS;

/// An entry of the menu bar that the window acts on, as its own button or key would.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
pub enum MenuPick {
    /// The form for a new search.
    Add,
    /// A backup, and the place where backups are listed.
    BackUp,
    Settings,
    Searches,
    Listings,
    Insight,
    /// The field that searches listings.
    Find,
    Help,
    /// The list of keys.
    Keys,
    /// The rehearsal street.
    Street,
}
