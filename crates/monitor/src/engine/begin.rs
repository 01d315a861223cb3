//! The start: read everything back, say what the last run left open.

use std::sync::Arc;

use firstknock_policy::delivery::after_crash;
use firstknock_schedule::{Saved, Schedule};
use firstknock_store::{Store, StoreError, StoreHandle};
use jiff::Timestamp;
use tokio::sync::{mpsc, watch};
use tokio::task::JoinSet;

use super::{Core, Engine, Parts, Shelf};
use crate::board::{Facts, MailFacts};
use crate::outbox::{Bell, Workers, repeat_of, tried};
use crate::pause::Pause;
use crate::photo::{Keeper, Photos};
use crate::secrets::ChosenSecrets;
use crate::{Board, Dice, Recipes, Settings};

/// The engine could not start.
#[derive(Debug, thiserror::Error)]
pub enum BeginError {
    /// What is stored cannot be read, or nothing can be stored.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// Events that may wait; more wait at the door.
const QUEUE: usize = 256;

/// What the last run left on the disk.
pub(super) struct LeftOpen {
    saved: Saved,
    pub(super) pause: Option<Pause>,
}

/// Reads it, makes the channels that everybody has, and closes what was cut off.
pub(super) fn read_back(
    store: &mut Store,
    toasts: bool,
    now: Timestamp,
) -> Result<LeftOpen, StoreError> {
    if store.channels()?.is_empty() {
        store.put_channel("mail", "file", true, &serde_json::json!({ "channel": "file" }), now)?;
    }
    crate::channels::desktop(store, toasts, now)?;
    let pause = Pause::before(store, now)?;
    let cut_off = store.close_cut_off_checks(now)?;
    let channels = store.channels()?;
    let unknown = store.recover_sending(
        |row| {
            let channel = channels.iter().find(|channel| channel.channel == row.channel);
            after_crash(repeat_of(channel), &tried(row, now), now)
        },
        now,
    )?;
    if cut_off + unknown > 0 {
        tracing::info!(cut_off, unknown, "the last run ended in the middle of its work");
    }
    Ok(LeftOpen { saved: store.load_schedule()?, pause })
}

impl LeftOpen {
    /// The schedule as it was; what could not be is mended and said in the log.
    pub(super) fn schedule(&self, dice: &mut Dice, now: Timestamp) -> Schedule {
        let mut roll = || dice.roll();
        let (schedule, problems) = Schedule::restore(self.saved.clone(), now, &mut roll);
        for problem in problems {
            tracing::warn!(?problem, "something stored could not be and was mended");
        }
        schedule
    }
}

impl Engine {
    /// Starts an engine on the current tokio runtime. It runs until [`Engine::shut_down`].
    ///
    /// # Errors
    /// [`BeginError`]: nothing was asked of any site.
    pub fn begin(parts: Parts) -> Result<Self, BeginError> {
        Self::begin_as(parts, false)
    }

    /// The same for a command that does one thing and ends: nothing goes out but what is asked for
    /// by hand, neither checks nor messages.
    ///
    /// # Errors
    /// [`BeginError`]: nothing was asked of any site.
    pub fn begin_by_hand(parts: Parts) -> Result<Self, BeginError> {
        Self::begin_as(parts, true)
    }

    fn begin_as(parts: Parts, by_hand: bool) -> Result<Self, BeginError> {
        let Parts {
            folder,
            mut store,
            opened,
            readers,
            http,
            clock,
            mut dice,
            secrets,
            toaster,
            can_open_sites,
        } = parts;
        let now = clock.now();
        let toasts = toaster.is_some();
        let left = read_back(&mut store, toasts, now)?;
        if let Some(http) = &http {
            for (host, cookies) in store.sessions()? {
                if let Err(error) = http.sessions().import(&host, &cookies) {
                    tracing::warn!(%host, %error, "a stored session is not readable");
                }
            }
        }
        let schedule = left.schedule(&mut dice, now);
        let facts = Facts {
            mail: MailFacts { folder: folder.mail(), ..MailFacts::default() },
            restored_from: opened.restored_backup.map(|backup| backup.at),
            can_open_sites,
            ..Facts::default()
        };
        let board = Board {
            at: now,
            app: schedule.status(now),
            rows: Vec::new(),
            hosts: Vec::new(),
            facts: facts.clone(),
        };
        let settings: Settings = store.setting(Settings::KEY)?.unwrap_or_default();
        let secrets = secrets.map_or_else(
            || ChosenSecrets::open(settings.keep_secret, folder.path()),
            ChosenSecrets::fixed,
        );
        let secrets = Arc::new(secrets);
        let (board, seen) = watch::channel(Arc::new(board));
        let (events, inbox) = mpsc::channel(QUEUE);
        let store = StoreHandle::spawn(store)?;
        let bell = Bell::default();
        let recipes = Recipes::read(&folder.recipes());
        let (photos, wanted) = Photos::new(store.clone(), Arc::clone(&clock), folder.photos());
        let workers = Workers::new(crate::outbox::Tools {
            store: store.clone(),
            clock: Arc::clone(&clock),
            secrets: Arc::clone(&secrets) as Arc<dyn firstknock_notify::Secrets>,
            toaster: toaster.clone(),
            folder: folder.clone(),
            bell: bell.clone(),
            photos: photos.clone(),
            events: events.clone(),
            seed: dice.bits(),
        });
        let engine = Self {
            events: events.clone(),
            board: seen,
            store: store.clone(),
            clock: Arc::clone(&clock),
            readers: readers.clone(),
            folder: folder.clone(),
            bell: bell.clone(),
            secrets,
            toaster,
            offered: Arc::default(),
            photos: photos.clone(),
            recipes: recipes.clone(),
        };
        if let (Some(http), false) = (&http, by_hand) {
            tokio::spawn(Keeper::new(engine.clone(), http.clone(), wanted).run());
        }
        let core = Core {
            events,
            inbox,
            store,
            schedule,
            readers,
            http,
            folder,
            last_turn: (clock.now(), clock.running()),
            clock,
            dice,
            bell,
            photos,
            recipes,
            workers,
            toasts,
            looks: JoinSet::new(),
            shelf: Shelf { facts, stale: true, ..Shelf::default() },
            board,
            pause: left.pause,
            blocked: None,
            noted_at: None,
            watch: super::blind::Watch::from(now),
            swept_at: None,
            was_idle: false,
            by_hand,
        };
        tokio::spawn(core.run());
        Ok(engine)
    }
}
