//! What happens in a scripted time: when homes appear, when walls go up and come down.

use std::time::Duration;

use firstknock_policy::{Kind, Outcome, Reason, Trouble, Wall};

use crate::Dice;

/// A scripted time.
#[derive(Debug, Clone)]
pub struct Script {
    /// The host of each search.
    pub hosts: Vec<usize>,
    /// Homes: on whose page, and when.
    pub homes: Vec<(usize, Duration)>,
    /// Walls and trouble.
    pub spells: Vec<Spell>,
    /// How long it lasts.
    pub length: Duration,
}

/// A wall or trouble that lasts.
#[derive(Debug, Clone)]
pub struct Spell {
    /// Whose; `None`: our own network.
    pub host: Option<usize>,
    /// When it begins.
    pub begins: Begins,
    /// How long it lasts.
    pub lasts: Duration,
    /// What a request meets.
    pub outcome: Outcome,
}

/// When a spell begins.
#[derive(Debug, Clone, Copy)]
pub enum Begins {
    /// Then.
    At(Duration),
    /// With the first request after then: every contender meets it.
    FirstRequestAfter(Duration),
}

const fn minutes(minutes: u64) -> Duration {
    Duration::from_secs(60 * minutes)
}

/// Five searches on one host that all go out at a start, into a splash screen that is over after
/// four seconds; a home appears on the first page meanwhile.
pub fn splash_screen() -> Script {
    Script {
        hosts: vec![0; 5],
        homes: vec![(0, Duration::from_secs(2))],
        spells: vec![Spell {
            host: Some(0),
            begins: Begins::FirstRequestAfter(Duration::ZERO),
            lasts: Duration::from_secs(4),
            outcome: wall(Kind::Challenge, None),
        }],
        length: minutes(60),
    }
}

/// Five searches on one host that blocks for an hour, out of the middle of ordinary work.
pub fn hour_block(kind: Kind) -> Script {
    Script {
        hosts: vec![0; 5],
        homes: vec![(0, minutes(30))],
        spells: vec![Spell {
            host: Some(0),
            begins: Begins::FirstRequestAfter(minutes(10)),
            lasts: minutes(60),
            outcome: wall(kind, None),
        }],
        length: minutes(180),
    }
}

/// A week of five searches on one host, two on another and one on a third, with all kinds of
/// weather.
pub fn week(seed: u64) -> Script {
    const DAY: u64 = 24 * 3600;
    let mut dice = Dice::new(seed);
    let hosts = vec![0, 0, 0, 0, 0, 1, 1, 2];
    let length = Duration::from_secs(7 * DAY);
    let mut homes = Vec::new();
    for search in 0..hosts.len() {
        let mut at = 0;
        loop {
            at += dice.between(60, 80 * 60);
            if at >= length.as_secs() {
                break;
            }
            homes.push((search, Duration::from_secs(at)));
        }
    }
    let mut spells = Vec::new();
    for day in 0..7 {
        for host in 0..3 {
            let mut add = |lasts: Duration, outcome: Outcome| {
                let at = Duration::from_secs(dice.between(day * DAY, (day + 1) * DAY));
                let begins = Begins::FirstRequestAfter(at);
                spells.push(Spell { host: Some(host), begins, lasts, outcome });
            };
            for _ in 0..3 {
                add(Duration::from_secs(4), wall(Kind::Challenge, None));
            }
            add(minutes(5), wall(Kind::RateLimited, Some(300)));
            add(minutes(20), wall(Kind::RateLimited, None));
            if (day + host as u64).is_multiple_of(2) {
                add(minutes(60), wall(Kind::Challenge, None));
            }
            if (day + host as u64).is_multiple_of(3) {
                add(minutes(180), wall(Kind::Denied, None));
            }
            add(minutes(2), trouble(Reason::ServerError));
        }
        let at = Duration::from_secs(dice.between(day * DAY, (day + 1) * DAY));
        spells.push(Spell {
            host: None,
            begins: Begins::At(at),
            lasts: minutes(10),
            outcome: trouble(Reason::Dns),
        });
    }
    Script { hosts, homes, spells, length }
}

fn wall(kind: Kind, asked: Option<u64>) -> Outcome {
    Outcome::Wall(Wall {
        kind,
        reason: match kind {
            Kind::Challenge => Reason::BrowserCheck,
            Kind::RateLimited => Reason::TooManyRequests,
            Kind::Denied | Kind::Error => Reason::Refused,
        },
        vendor: None,
        retry_after: asked.map(Duration::from_secs),
        evidence: Vec::new(),
    })
}

fn trouble(reason: Reason) -> Outcome {
    Outcome::Trouble(Trouble { reason, retry_after: None, evidence: Vec::new() })
}
