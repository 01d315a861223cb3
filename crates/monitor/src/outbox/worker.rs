//! One channel's sender.

use std::time::Duration;

use firstknock_listing::HostKey;
use firstknock_notify::{Alert, ChannelConfig, Deliver, Outgoing, render};
use firstknock_policy::breaker::{Answer, Breaker};
use firstknock_policy::delivery::{Attempt, Next, next};
use firstknock_store::{Channel, OutboxId, OutboxRow, Rendered, StoreError};
use jiff::tz::TimeZone;
use jiff::{SignedDuration, Timestamp};

use super::{Tools, alert, digest, tried};
use crate::engine::Event;
use crate::photo::Size;
use crate::{Dice, Settings};

/// As the engine's own: a sleeping laptop's timers stop.
const LONGEST_SLEEP: Duration = Duration::from_secs(30);
/// A mail goes without its photo then: late is what its reader pays for. The gap after the page
/// that showed the listing takes most of it.
const PHOTO_WITHIN: SignedDuration = SignedDuration::from_secs(4);
/// Messages over one connection.
pub const BATCH: u32 = 20;

struct Sender {
    name: String,
    tools: Tools,
    breaker: Breaker,
    dice: Dice,
    /// The channel as it was when `deliver` was made for it.
    built: Option<(ChannelConfig, Box<dyn Deliver>)>,
    /// What the last attempt came to, until it is on the disk.
    unkept: Option<Ended>,
}

/// An attempt that ended.
#[derive(Clone)]
struct Ended {
    id: OutboxId,
    attempt: Attempt,
    step: Next,
    at: Timestamp,
}

/// Sends what is due on one channel until the task is aborted.
pub(super) async fn run(name: String, tools: Tools) {
    let dice = Dice::new(tools.seed);
    let bell = tools.bell.clone();
    let clock = std::sync::Arc::clone(&tools.clock);
    let mut sender =
        Sender { name, tools, breaker: Breaker::default(), dice, built: None, unkept: None };
    loop {
        let heard = bell.heard();
        tokio::pin!(heard);
        // Registered before looking: a ring during the look is not lost.
        heard.as_mut().enable();
        let wait = match sender.turn().await {
            Ok(wait) => wait.min(LONGEST_SLEEP),
            Err(StoreError::Closed) => return,
            Err(error) => {
                tracing::warn!(channel = %sender.name, %error, "a sender could not read its outbox");
                LONGEST_SLEEP
            }
        };
        tokio::select! {
            () = heard => {}
            () = clock.sleep(wait) => {}
        }
    }
}

impl Sender {
    /// Sends what is due; gives how long to sleep.
    async fn turn(&mut self) -> Result<Duration, StoreError> {
        self.keep_end().await?;
        let now = self.tools.clock.now();
        let name = self.name.clone();
        let read = self
            .tools
            .store
            .run(move |store| {
                let Some(channel) = store.channel(&name)? else { return Ok(None) };
                let most = digest::gather(store, &channel, BATCH, now)?;
                let due = store.due(&name, now, most)?;
                Ok(Some((channel, most, due)))
            })
            .await?;
        let Some((channel, most, due)) = read else { return Ok(LONGEST_SLEEP) };
        let more = due.len() >= most as usize;
        let mut stop = None;
        for row in due {
            stop = self.one(&channel, row).await?;
            if stop.is_some() {
                break;
            }
        }
        if let Some((_, deliver)) = &self.built {
            deliver.rest().await;
        }
        if let Some(wait) = stop {
            return Ok(wait);
        }
        if more {
            return Ok(Duration::ZERO);
        }
        let name = self.name.clone();
        let next = self.tools.store.run(move |store| store.next_delivery(&name)).await?;
        let now = self.tools.clock.now();
        Ok(next.map_or(LONGEST_SLEEP, |at| {
            Duration::try_from(at.duration_since(now)).unwrap_or(Duration::from_millis(50))
        }))
    }

    /// Sends one message. A wait means: nothing more on this channel before that.
    async fn one(
        &mut self,
        channel: &Channel,
        row: OutboxRow,
    ) -> Result<Option<Duration>, StoreError> {
        let now = self.tools.clock.now();
        let ticket = match self.breaker.ask(now) {
            Answer::Go(ticket) => ticket,
            Answer::Open { until } => {
                let wait = Duration::try_from(until.duration_since(now)).unwrap_or_default();
                return Ok(Some(wait.max(Duration::from_millis(50))));
            }
        };
        let rendered = self.rendered(channel, &row).await?;
        let id = row.id;
        let kept = match self
            .tools
            .store
            .run(move |store| store.begin_sending(id, Some(&rendered), now))
            .await
        {
            Ok(kept) => kept,
            // Sent or given up by somebody else meanwhile.
            Err(StoreError::NotFound) => {
                self.breaker.report(ticket, true, now);
                return Ok(None);
            }
            Err(error) => return Err(error),
        };
        let (attempt, pace) = match self.deliver(channel) {
            Ok(deliver) => {
                let message =
                    Outgoing { key: kept.message_id, subject: kept.subject, body: kept.message };
                (deliver.deliver(&message).await, deliver.pace())
            }
            Err(attempt) => (attempt, firstknock_policy::delivery::Pace::MAIL),
        };
        let now = self.tools.clock.now();
        self.breaker.report(ticket, attempt.channel_works().unwrap_or(true), now);
        let step = next(&attempt, &tried(&row, now), &pace, now, self.dice.roll());
        tracing::info!(
            channel = %self.name,
            attempt = attempt.code(),
            next = step.state().code(),
            "a delivery was tried"
        );
        let held = matches!(step, Next::Held { .. });
        self.unkept = Some(Ended { id, attempt, step, at: now });
        self.keep_end().await?;
        if self.tools.events.send(Event::Delivered).await.is_err() {
            return Err(StoreError::Closed);
        }
        // A wrong password is tried once, not once per message.
        Ok(held.then_some(Duration::from_millis(50)))
    }

    /// Writes what the last attempt came to. On a full disk it is written at a later turn: a row
    /// left in `sending` would look unknown, and be sent twice.
    async fn keep_end(&mut self) -> Result<(), StoreError> {
        let Some(Ended { id, attempt, step, at }) = self.unkept.clone() else { return Ok(()) };
        let kept =
            self.tools.store.run(move |store| store.end_sending(id, &attempt, &step, at)).await;
        if !matches!(kept, Err(StoreError::Stopped(_) | StoreError::Busy)) {
            self.unkept = None;
        }
        kept
    }

    /// The bytes that were kept, else rendered now.
    async fn rendered(
        &mut self,
        channel: &Channel,
        row: &OutboxRow,
    ) -> Result<Rendered, StoreError> {
        if let Some(rendered) = &row.rendered {
            return Ok(rendered.clone());
        }
        let config = config(channel);
        let key = format!("{:016x}{:016x}", self.dice.bits(), Dice::unforeseen().bits());
        let now = self.tools.clock.now();
        let row = row.clone();
        let created_at = row.created_at;
        let (alert, settings, page) = self
            .tools
            .store
            .run(move |store| {
                let settings: Settings = store.setting(Settings::KEY)?.unwrap_or_default();
                let alert = alert::of(store, &row, settings.language())?;
                Ok((alert, settings, alert::page_of(store, &row)?))
            })
            .await?;
        let is_mail = matches!(config, ChannelConfig::Smtp(_) | ChannelConfig::File);
        let photo = match page {
            Some(page) if is_mail && settings.photos && settings.mail_photo => {
                self.photo(&alert, page, created_at).await
            }
            _ => None,
        };
        tracing::debug!(language = settings.language().code(), "a message is rendered");
        let context = render::Context::new(key, now, TimeZone::system());
        let context = match &config {
            ChannelConfig::Smtp(smtp) => context.addressed(smtp),
            _ => context,
        };
        let context = render::Context { photo, ..context };
        let out = render::outgoing(&config, &alert, &context);
        Ok(Rendered { message_id: out.key, subject: out.subject, message: out.body })
    }

    /// The photo of the first listing, if it is there a few seconds after the find.
    async fn photo(
        &self,
        alert: &Alert,
        page: HostKey,
        found_at: Timestamp,
    ) -> Option<render::Photo> {
        let listing = &alert.findings.first()?.listing;
        let alone = alert.findings.len() == 1;
        let size = if alone { Size::Wide } else { Size::Card };
        let until = found_at.saturating_add(PHOTO_WITHIN).unwrap_or(found_at);
        let jpeg = self.tools.photos.for_mail(listing, page, size, until).await?;
        Some(render::Photo { size: size.pixels(), jpeg })
    }

    /// The sender for the channel's present configuration.
    fn deliver(&mut self, channel: &Channel) -> Result<&dyn Deliver, Attempt> {
        let config = config(channel);
        if self.built.as_ref().is_none_or(|(built, _)| *built != config) {
            let made = firstknock_notify::channel(
                &config,
                std::sync::Arc::clone(&self.tools.secrets),
                self.tools.folder.path(),
                self.tools.toaster.clone(),
            );
            match made {
                Ok(deliver) => self.built = Some((config, deliver)),
                Err(error) => {
                    self.built = None;
                    return Err(Attempt::NotSent {
                        reason: firstknock_policy::delivery::NotSent::Local,
                        words: error.to_string(),
                        retry_after: None,
                    });
                }
            }
        }
        Ok(self.built.as_ref().expect("BUG: it was built just now").1.as_ref())
    }
}

fn config(channel: &Channel) -> ChannelConfig {
    serde_json::from_value(channel.config.clone()).unwrap_or_else(|error| {
        tracing::warn!(channel = %channel.channel, %error, "a channel's set-up is not readable");
        ChannelConfig::File
    })
}
