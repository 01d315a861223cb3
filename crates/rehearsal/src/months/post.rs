//! The fake mail server: accepts, greylists, drops the line, leaves the outcome open, refuses the
//! login. It counts what it took.

use std::collections::BTreeMap;
use std::time::Duration;

use firstknock_policy::delivery::{Attempt, Hold, NotSent, Repeat};

use crate::Dice;

/// A mail server with moods.
pub(super) struct MailServer {
    moods: Vec<(Duration, Mood)>,
    /// How often each message was taken, by Message-ID.
    pub(super) taken: BTreeMap<String, u32>,
}

#[derive(Debug, Clone, Copy)]
enum Mood {
    Fine,
    Greylists,
    Busy,
    Away,
    /// Takes the message and says nothing, or does not and says nothing.
    Silent {
        takes: bool,
    },
    NoLogin,
    DailyLimit,
    NoSuchBox,
    TooBig,
}

impl MailServer {
    pub(super) fn new(length: Duration, dice: &mut Dice) -> Self {
        let mut moods = Vec::new();
        let mut at = 0;
        while at < length.as_secs() {
            let (mood, lasts) = match dice.between(0, 19) {
                0..=8 => (Mood::Fine, dice.between(600, 20_000)),
                9..=10 => (Mood::Greylists, dice.between(60, 2_000)),
                11 => (Mood::Busy, dice.between(60, 4_000)),
                12..=13 => (Mood::Away, dice.between(60, 20_000)),
                14..=15 => (Mood::Silent { takes: true }, dice.between(60, 7_000)),
                16 => (Mood::Silent { takes: false }, dice.between(60, 7_000)),
                17 => (Mood::NoLogin, dice.between(60, 4_000)),
                18 => (Mood::DailyLimit, dice.between(60, 40_000)),
                _ => (*dice.pick(&[Mood::NoSuchBox, Mood::TooBig]), dice.between(10, 300)),
            };
            at += lasts;
            moods.push((Duration::from_secs(at), mood));
        }
        Self { moods, taken: BTreeMap::new() }
    }

    /// From now on it takes everything.
    pub(super) fn cheer_up(&mut self) {
        self.moods.clear();
    }

    /// What comes of handing over a message now.
    pub(super) fn hand_over(&mut self, message_id: &str, at: Duration, online: bool) -> Attempt {
        let not_sent =
            |reason| Attempt::NotSent { reason, retry_after: None, words: String::new() };
        if !online {
            return not_sent(NotSent::Dns);
        }
        let reply = String::new();
        let mood = self.moods.iter().find(|(until, _)| at < *until).map_or(Mood::Fine, |it| it.1);
        match mood {
            Mood::Fine => {
                self.take(message_id);
                Attempt::Sent { reply: "250 2.0.0 Ok".to_owned() }
            }
            Mood::Greylists => Attempt::Greylisted { reply },
            Mood::Busy => Attempt::Busy { reply },
            Mood::Away => not_sent(NotSent::Connect),
            Mood::Silent { takes } => {
                if takes {
                    self.take(message_id);
                }
                Attempt::Unknown { repeat: Repeat::OnceOrTwice, words: String::new() }
            }
            Mood::NoLogin => Attempt::AccountHeld { hold: Hold::Auth, reply },
            Mood::DailyLimit => Attempt::AccountHeld { hold: Hold::DailyLimit, reply },
            Mood::NoSuchBox => Attempt::RecipientRefused { reply },
            Mood::TooBig => Attempt::Rejected { reply },
        }
    }

    fn take(&mut self, message_id: &str) {
        *self.taken.entry(message_id.to_owned()).or_default() += 1;
    }
}
