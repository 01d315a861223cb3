//! The shell: one loop that drives all the others.
//!
//! **Promises**: reserve before fetching, publish after committing; one closed list of events.
//! **Leaves out**: deciding when (`schedule`), how long (`policy`), what a page says (`extract`,
//! `fetch`), and anything with a window.

mod account;
mod board;
mod channels;
pub mod clients;
mod clock;
mod current;
mod data;
mod dice;
mod engine;
mod folder;
mod look;
mod outbox;
mod pause;
mod photo;
mod preview;
mod quiet;
mod recipes;
mod secrets;
mod settings;
pub mod steps;

pub use account::{AccountError, AccountGuess, AccountTest, Credentials, GuessSource, TestOutcome};
pub use board::{Away, Board, BoardHost, BoardRow, Facts, MailFacts};
pub use channels::{ChannelFacts, random_topic};
pub use clock::{Clock, SystemClock};
pub use dice::Dice;
pub use engine::{BeginError, Engine, Parts};
pub use folder::{DataFolder, NoHome, written};
pub use look::{Look, Readers, Reading, Task, Unchanged};
pub use pause::PauseWhy;
pub use photo::{Photo, PhotoKey};
pub use preview::{Preview, Read, Refusal};
pub use recipes::{BrokenRecipe, Recipes};
pub use settings::Settings;

// What crosses our own border as it is.
pub use firstknock_extract::Extraction;
pub use firstknock_listing::{HostKey, PageSigns, SearchId, catalogue};
pub use firstknock_notify::secrets::Place;
pub use firstknock_notify::{
    ChannelConfig, ChannelError, Login, Secret, Security, SmtpConfig, Toast, Toaster,
};
pub use firstknock_notify::{NtfyConfig, TelegramConfig, WebhookConfig};
pub use firstknock_policy::delivery::DeliveryState as DeliveryStage;
pub use firstknock_policy::{Kind, Outcome, Reason, Wall};
pub use firstknock_schedule::{Finding, Locked, Purpose};
pub use firstknock_store as store;
pub use firstknock_store::{
    CheckMark, QuietHours, ReaderChoice, Rhythm, Search, SearchWish, StoreError, Tell,
};
