//! Drawing the board, after the commit.

use std::sync::Arc;
use std::time::Duration;

use firstknock_listing::HostKey;
use firstknock_notify::{ChannelConfig, hint};
use firstknock_policy::delivery::{Attempt, DeliveryState};
use firstknock_schedule::AppStatus;
use firstknock_store::{Store, StoreError};
use jiff::{SignedDuration, Timestamp};

use super::{Core, SWEEP_EVERY, Shelf};
use crate::DataFolder;
use crate::board::{Away, Board, BoardHost, BoardRow, MailFacts};
use crate::clients;
use crate::pause::{NOTE_EVERY, Pause};

/// Checks on a row's bar.
const BAR: u32 = 40;
/// Deliveries that are looked through for the state of mail.
const RECENT: u32 = 20;

impl Core {
    /// Draws the board and shows it if it is different.
    pub(super) async fn publish(&mut self) {
        if self.shelf.stale {
            self.restock().await;
        }
        let now = self.clock.now();
        let mut rows = Vec::new();
        for row in self.schedule.rows(now) {
            if let Some(search) = self.shelf.searches.iter().find(|s| s.id == row.search) {
                let marks = self.shelf.marks.get(&row.search).cloned().unwrap_or_default();
                let unread = self.shelf.unread.get(&row.search).copied().unwrap_or_default();
                rows.push(BoardRow { search: search.clone(), row, marks, unread });
            }
        }
        let mut with_session =
            self.http.as_ref().map(|http| http.sessions().hosts()).unwrap_or_default();
        with_session.extend(self.shelf.browsed.iter().cloned());
        let hosts = self
            .schedule
            .host_cards(now)
            .into_iter()
            .map(|card| BoardHost { has_session: with_session.contains(&card.host), card });
        let board = Board {
            at: now,
            app: self.schedule.status(now),
            rows,
            hosts: hosts.collect(),
            facts: self.shelf.facts.clone(),
        };
        self.say_idle(&board, now);
        self.board.send_if_modified(|shown| {
            let same = Board { at: board.at, ..(**shown).clone() } == board;
            if !same {
                *shown = Arc::new(board);
            }
            !same
        });
    }

    /// One line in the log when idling begins, and until when.
    fn say_idle(&mut self, board: &Board, now: Timestamp) {
        let idle = matches!(board.app, AppStatus::Idle { .. });
        if let (false, AppStatus::Idle { waiting, next_at: Some(next) }) =
            (self.was_idle, board.app)
        {
            let wait_ms = next.duration_since(now).as_millis();
            tracing::info!(waiting, wait_ms, "idle");
        }
        self.was_idle = idle;
    }

    /// Reads what the board shows beside the schedule's facts.
    async fn restock(&mut self) {
        let folder = self.folder.clone();
        let facts = self.shelf.facts.clone();
        let away = [self.pause.map(|pause| (pause, None)), self.blocked.clone()];
        let now = self.clock.now();
        match self.store.run(move |store| stock(store, facts, folder, away, now)).await {
            Ok(shelf) => {
                if !self.by_hand {
                    self.workers.follow(&shelf.1);
                }
                self.shelf = shelf.0;
            }
            Err(error) => {
                self.storage_trouble(&error);
                self.shelf.stale = false;
            }
        }
    }

    /// Hourly: purge what is old, make the daily backup, see whether storage works again.
    pub(super) async fn sweep(&mut self) {
        let now = self.clock.now();
        let passed = |at: Timestamp| Duration::try_from(now.duration_since(at)).unwrap_or_default();
        if self.noted_at.is_none_or(|at| passed(at) >= NOTE_EVERY) {
            self.note_alive(now).await;
        }
        if let AppStatus::Stopped { why, .. } = self.schedule.status(now)
            && why != firstknock_schedule::StopWhy::User
        {
            if self.store.run(move |store| store.try_writing(now)).await.is_ok() {
                tracing::info!("storage works again");
                let mut roll = || self.dice.roll();
                self.schedule.storage_works(now, &mut roll);
            }
            return;
        }
        if self.swept_at.is_some_and(|at| passed(at) < SWEEP_EVERY) {
            return;
        }
        self.swept_at = Some(now);
        let photos = self.photos.clone();
        tokio::spawn(async move { photos.tidy().await });
        let store = self.store.clone();
        // Nobody waits for it: with much stored it takes its while.
        tokio::spawn(async move {
            match store.back_up_daily(now).await {
                Ok(_) | Err(StoreError::Closed) => {}
                Err(error) => tracing::warn!(%error, "the daily backup was not made"),
            }
        });
        let swept = self
            .store
            .run(move |store| {
                store.give_up_old(now)?;
                store.purge(now)?;
                Ok(())
            })
            .await;
        if let Err(error) = swept {
            tracing::warn!(%error, "the hourly sweep failed");
            self.storage_trouble(&error);
        }
    }
}

/// The shelf, and the names of the channels that want a sender.
fn stock(
    store: &mut Store,
    mut facts: crate::board::Facts,
    folder: DataFolder,
    away: [Option<(Pause, Option<HostKey>)>; 2],
    now: Timestamp,
) -> Result<(Shelf, Vec<String>), StoreError> {
    let searches = store.searches()?;
    let mut shelf = Shelf::default();
    for search in &searches {
        shelf.marks.insert(search.id, store.check_marks(search.id, BAR)?);
    }
    shelf.unread = store.unread_by_search()?.into_iter().collect();
    facts.unread = store.unread_count()?;
    let channels = store.channels()?;
    facts.mail = mail(store, folder.mail())?;
    facts.worrying_client = clients::worrying(store, now)?;
    let hosts = searches.iter().map(|search| &search.host);
    let browsed = hosts.filter(|host| folder.webview(host.as_str()).exists());
    shelf.browsed = browsed.cloned().collect();
    let latest = away.into_iter().flatten().max_by_key(|(pause, _)| pause.to);
    facts.away = match latest {
        Some((pause, host)) => self::away(store, pause, host)?,
        None => None,
    };
    shelf.searches = searches;
    shelf.facts = facts;
    let names = channels.into_iter().filter(|c| c.enabled).map(|c| c.channel).collect();
    Ok((shelf, names))
}

/// What the pause brought: what the first looks after it found, and missed.
fn away(store: &Store, pause: Pause, host: Option<HostKey>) -> Result<Option<Away>, StoreError> {
    const FIRST_LOOKS: SignedDuration = SignedDuration::from_mins(10);
    let (appeared, gone) =
        store.appeared_and_gone(host.as_ref(), pause.from, pause.to + FIRST_LOOKS)?;
    let away = Away { appeared, gone, from: pause.from, to: pause.to, why: pause.why, host };
    Ok((appeared + gone > 0).then_some(away))
}

fn mail(store: &Store, folder: std::path::PathBuf) -> Result<MailFacts, StoreError> {
    let mut facts = MailFacts { folder, ..MailFacts::default() };
    let Some(channel) = store.channel("mail")? else { return Ok(facts) };
    facts.last_accepted = channel.last_sent_at;
    if channel.kind == "smtp" {
        let to = channel.config.get("to").and_then(serde_json::Value::as_str);
        facts.address = Some(to.unwrap_or_default().to_owned());
    }
    if let Some(hold) = channel.held {
        facts.held = Some(hold.code().to_owned());
        let reply = channel.held_reply.unwrap_or_default();
        facts.hint = serde_json::from_value::<ChannelConfig>(channel.config)
            .ok()
            .and_then(|config| hint(&config, &Attempt::AccountHeld { hold, reply }))
            .map(|hint| hint.code);
    }
    facts.retrying = store
        .deliveries(RECENT)?
        .into_iter()
        .filter(|row| row.channel == "mail" && row.state == DeliveryState::RetryAt)
        .find_map(|row| Some((row.next_at?, row.reason.unwrap_or_default())));
    Ok(facts)
}
