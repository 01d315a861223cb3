//! The channels beside mail.

use serde::{Deserialize, Serialize};
use ts_rs::TS;

/// How a channel is set up, without its secret.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case", tag = "kind")]
pub enum ChannelSetup {
    Desktop,
    Ntfy {
        server: String,
        /// Empty: a long random one is thrown.
        topic: String,
        /// Street and house number may be in the message.
        with_street: bool,
        has_token: bool,
    },
    Telegram {
        chat: String,
    },
    Webhook {
        url: String,
        signed: bool,
    },
}

/// A channel that is set up.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct ChannelShown {
    pub name: String,
    pub setup: ChannelSetup,
    pub enabled: bool,
    /// It cannot send now: the code of a hold.
    pub held: Option<String>,
    pub last_accepted: Option<i64>,
}

/// A channel to set up. The secret goes in and never comes out.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct ChannelWish {
    pub name: String,
    pub setup: ChannelSetup,
    /// `None` keeps the stored one.
    pub secret: Option<String>,
}

impl std::fmt::Debug for ChannelWish {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("ChannelWish").field("name", &self.name).finish_non_exhaustive()
    }
}

/// An argument that is only a channel's name.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct ByName {
    pub name: String,
}
