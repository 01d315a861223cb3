//! The outbox.

use firstknock_monitor::DeliveryStage;
use firstknock_monitor::store::{OutboxRow, OutboxStep};

use super::ms;
use crate::{DeliveryRow, DeliveryState, DeliveryStep};

/// A row with its history.
pub fn delivery(row: &OutboxRow, steps: &[OutboxStep]) -> DeliveryRow {
    let why = row.reason.clone().unwrap_or_default();
    let reply = row.reply.clone().unwrap_or_default();
    DeliveryRow {
        id: row.id.0,
        channel: row.channel.clone(),
        subject: row.rendered.as_ref().map(|r| r.subject.clone()).unwrap_or_default(),
        created_at: ms(row.created_at),
        state: match row.state {
            DeliveryStage::Pending => DeliveryState::Pending,
            DeliveryStage::Sending => DeliveryState::Sending,
            DeliveryStage::Sent => {
                DeliveryState::Sent { at: ms(row.done_at.unwrap_or(row.created_at)), reply }
            }
            DeliveryStage::RetryAt => {
                DeliveryState::RetryAt { at: ms(row.next_at.unwrap_or(row.created_at)), why }
            }
            DeliveryStage::Held => DeliveryState::Held { why },
            DeliveryStage::MaybeDelivered => DeliveryState::MaybeDelivered { why },
            DeliveryStage::GivenUp => DeliveryState::GivenUp { why },
        },
        attempts: row.tried.map_or(0, |tried| tried.attempts),
        history: steps
            .iter()
            .map(|step| DeliveryStep {
                at: ms(step.at),
                state: step.state.code().to_owned(),
                words: step.reply.clone().or_else(|| step.reason.clone()).unwrap_or_default(),
            })
            .collect(),
    }
}
