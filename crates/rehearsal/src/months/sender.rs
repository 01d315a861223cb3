//! The sender of the one channel: the outbox worker's steps in the worker's order.

use std::time::Duration;

use firstknock_monitor::steps::{BATCH, before_sending};
use firstknock_policy::breaker::Answer;
use firstknock_policy::delivery::{Attempt, NotSent, Pace, Repeat, Tried, next};
use firstknock_store::{OutboxRow, Rendered, StoreError};
use jiff::Timestamp;

use super::quiet;
use super::rule::Stop;
use super::sabotage::Sabotage;
use super::world::{Sending, World};

/// The one channel.
pub(super) const CHANNEL: &str = "mail";
/// What mail may do after an unknown outcome.
pub(super) const REPEAT: Repeat = Repeat::OnceOrTwice;
/// A sender that could not read or write its outbox tries again after this.
const REST: Duration = Duration::from_secs(30);

impl World {
    /// When the sender has something to do.
    pub(super) fn next_mail(&self) -> Option<Duration> {
        if let Some(sending) = &self.app.sending {
            return Some(sending.ends);
        }
        let rests = self.app.sender_rests;
        if self.app.unwritten.is_some() {
            return Some(rests);
        }
        let next = self.store.next_delivery(CHANNEL).ok().flatten()?;
        let at = self.time.lived + self.time.until(next);
        Some(at.max(rests).max(self.time.lived + Duration::from_millis(50)))
    }

    /// Ends what was being sent, begins what is due.
    pub(super) fn send_mail(&mut self) -> Result<(), Stop> {
        if let Some(sending) = self.app.sending.take_if(|it| it.ends <= self.time.lived) {
            self.end_sending(sending)?;
        }
        if self.app.sending.is_some() || self.time.lived < self.app.sender_rests {
            return Ok(());
        }
        if self.app.unwritten.is_some() {
            return self.write_end();
        }
        let begun = self.begin_sending();
        if let (Ok(()), Some(sending)) = (&begun, &self.app.sending) {
            quiet::watch(&sending.row, &self.store, &self.time)?;
        }
        match begun {
            Ok(()) | Err(StoreError::NotFound) => {}
            Err(error) => {
                if error.stop().is_none() {
                    self.storage_trouble(&error)?;
                }
                self.app.sender_rests = self.time.lived + REST;
            }
        }
        self.may_crash()
    }

    fn begin_sending(&mut self) -> Result<(), StoreError> {
        let now = self.time.now();
        let Some(row) = self.next_row(now)? else { return Ok(()) };
        let ticket = match self.app.breaker.ask(now) {
            Answer::Go(ticket) => ticket,
            Answer::Open { until } => {
                let wait = self.time.until(until).max(Duration::from_millis(50));
                self.app.sender_rests = self.time.lived + wait;
                return Ok(());
            }
        };
        let fresh = || Rendered {
            message_id: format!("<{}.{:x}@firstknock>", row.id.0, self.app.dice.clone().bits()),
            subject: "New".to_owned(),
            message: format!("{:?}", row.finds).into_bytes(),
        };
        let rendered = row.rendered.clone().unwrap_or_else(fresh);
        self.app.dice.bits();
        let kept = match self.store.begin_sending(row.id, Some(&rendered), now) {
            Ok(kept) => kept,
            Err(error) => {
                self.app.breaker.report(ticket, true, now);
                return Err(error);
            }
        };
        let ends = self.time.lived + Duration::from_millis(self.dice.between(100, 4_000));
        self.app.sending = Some(Sending { row, message_id: kept.message_id, ticket, ends });
        Ok(())
    }

    /// What goes out next, after what is to go together was put together.
    fn next_row(&mut self, now: Timestamp) -> Result<Option<OutboxRow>, StoreError> {
        let Some(channel) = self.store.channel(CHANNEL)? else { return Ok(None) };
        let most = match self.sabotage {
            Some(Sabotage::LoudAtNight) => BATCH,
            _ => before_sending(&mut self.store, &channel, BATCH, now)?,
        };
        Ok(self.store.due(CHANNEL, now, most)?.into_iter().next())
    }

    fn end_sending(&mut self, sending: Sending) -> Result<(), Stop> {
        let Sending { row, message_id, ticket, .. } = sending;
        // Dying before or after the server took it looks the same from here.
        self.mails.unsure.extend((self.crash_chance > 0.0).then_some(row.id));
        self.may_crash()?;
        let mut attempt = self.server.hand_over(&message_id, self.time.lived, self.wifi);
        if matches!(attempt, Attempt::Unknown { .. }) {
            self.mails.unsure.insert(row.id);
            attempt = self.misread(attempt);
        }
        self.mails.handed_over(row.id, &message_id, &self.server, &self.time)?;
        self.may_crash()?;
        let now = self.time.now();
        self.app.breaker.report(ticket, attempt.channel_works().unwrap_or(true), now);
        let step = next(&attempt, &tried(&row, now), &Pace::MAIL, now, self.app.dice.roll());
        self.app.unwritten = Some((row.id, attempt, step));
        self.write_end()
    }

    /// What came of a delivery is written, however long the disk is full.
    fn write_end(&mut self) -> Result<(), Stop> {
        let Some((id, attempt, step)) = self.app.unwritten.take() else { return Ok(()) };
        match self.store.end_sending(id, &attempt, &step, self.time.now()) {
            Ok(()) => self.lived.attempts += 1,
            Err(error) => {
                if error.stop().is_none() {
                    self.storage_trouble(&error)?;
                }
                self.app.unwritten = Some((id, attempt, step));
                self.app.sender_rests = self.time.lived + REST;
            }
        }
        self.may_crash()
    }

    fn misread(&self, attempt: Attempt) -> Attempt {
        match self.sabotage {
            Some(Sabotage::RepeatsFreely) => Attempt::NotSent {
                reason: NotSent::Timeout,
                retry_after: None,
                words: String::new(),
            },
            Some(Sabotage::CallsItNotSent) => Attempt::Rejected { reply: String::new() },
            _ => attempt,
        }
    }
}

/// What a row has been through.
pub(super) fn tried(row: &OutboxRow, now: Timestamp) -> Tried {
    row.tried.unwrap_or(Tried { attempts: 0, unknowns: 0, first_tried: now, last_wait: None })
}
