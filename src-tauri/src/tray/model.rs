//! What the tray shows, as data: made from the board's events, compared before anything is drawn.

use firstknock_ipc::{AppStatus, HostCard, HostState, ListingRow, StatusEvent, StopWhy, WallKind};
use jiff::Timestamp;
use jiff::tz::TimeZone;

use crate::words::Words;

/// What is known of the board.
#[derive(Debug, Default)]
pub(crate) struct Sight {
    app: Option<AppStatus>,
    unread: u32,
    hosts: Vec<HostCard>,
    /// The newest unread listings.
    pub(crate) findings: Vec<Finding>,
}

/// One new listing, as a menu names it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Finding {
    pub(crate) url: String,
    pub(crate) text: String,
}

/// The menu's changing parts.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Model {
    pub(crate) status: String,
    pub(crate) stopped: bool,
    pub(crate) findings: Vec<Finding>,
}

impl Sight {
    /// Takes an event in; says whether the unread listings are others now.
    pub(crate) fn take(&mut self, event: StatusEvent) -> bool {
        let before = self.unread;
        let first = self.app.is_none();
        match event {
            StatusEvent::Snapshot { board } => {
                self.app = Some(board.app);
                self.unread = board.facts.unread;
                self.hosts = board.hosts;
            }
            StatusEvent::Changed { app, hosts, removed_hosts, facts, .. } => {
                self.app = Some(app);
                self.unread = facts.unread;
                let replaced = |old: &HostCard| {
                    hosts.iter().any(|new| new.host == old.host)
                        || removed_hosts.contains(&old.host)
                };
                self.hosts.retain(|old| !replaced(old));
                self.hosts.extend(hosts);
            }
        }
        first || self.unread != before
    }

    /// Hosts that want a person.
    fn needing_you(&self) -> usize {
        let needs = |card: &&HostCard| {
            matches!(card.state, HostState::Waits { wall: WallKind::Denied, .. })
        };
        self.hosts.iter().filter(needs).count()
    }
}

impl Finding {
    /// The line for a listing: its price and its title, not too long for a menu.
    pub(crate) fn of(row: &ListingRow) -> Self {
        let card = &row.card;
        let name = card.title.as_deref().or(card.address.as_deref()).unwrap_or(&card.url);
        let short: String = name.chars().take(48).collect();
        let ellipsis = if short.len() < name.len() { "…" } else { "" };
        let price = card.price.as_ref().map(|price| {
            let sign = match price.currency.as_deref() {
                Some("EUR") => "€ ",
                Some("GBP") => "£ ",
                _ => "",
            };
            format!("{sign}{:.0} · ", price.amount)
        });
        // A menu reads "&" as "the next letter is a shortcut".
        let text = format!("{}{short}{ellipsis}", price.unwrap_or_default()).replace('&', "&&");
        Self { url: card.url.clone(), text }
    }
}

impl Model {
    /// The menu for what is known now.
    pub(crate) fn of(sight: &Sight, words: &Words) -> Self {
        let mut status = status(sight.app.as_ref(), words);
        let needing = sight.needing_you();
        if needing > 0 {
            let n = needing.to_string();
            status = format!("{status} · {}", words.say("tray_needs_you", &[("n", &n)]));
        }
        Self {
            status,
            stopped: matches!(sight.app, Some(AppStatus::Stopped { .. })),
            findings: sight.findings.clone(),
        }
    }
}

/// A menu cannot count down, so it names the time of the next try.
fn status(app: Option<&AppStatus>, words: &Words) -> String {
    match app {
        None => String::from("Firstknock"),
        Some(AppStatus::Polling { checking, of }) => {
            let (checking, n) = (checking.to_string(), of.to_string());
            words.say("tray_polling", &[("checking", &checking), ("n", &n)])
        }
        Some(AppStatus::Idle { waiting: 0, .. }) => words.say("tray_no_searches", &[]),
        Some(AppStatus::Idle { waiting, next_at }) => {
            let n = waiting.to_string();
            match next_at.and_then(clock) {
                Some(time) => words.say("tray_idle", &[("n", &n), ("time", &time)]),
                None => words.say("tray_waiting", &[("n", &n)]),
            }
        }
        Some(AppStatus::Stopped { why: StopWhy::User, .. }) => words.say("tray_stopped", &[]),
        Some(AppStatus::Stopped { why: StopWhy::DiskFull, .. }) => words.say("tray_disk_full", &[]),
        Some(AppStatus::Stopped { why: StopWhy::ReadOnly, .. }) => words.say("tray_read_only", &[]),
        Some(AppStatus::Offline { .. }) => words.say("tray_offline", &[]),
    }
}

fn clock(at_ms: i64) -> Option<String> {
    let at = Timestamp::from_millisecond(at_ms).ok()?;
    Some(at.to_zoned_datetime(TimeZone::system()).strftime("%H:%M").to_string())
}

#[cfg(test)]
mod tests {
    use super::*;
    use firstknock_ipc::{Board, BoardFacts, MailState, Retry};
    use firstknock_monitor::catalogue::Language;

    fn words() -> Words {
        let words = Words::default();
        words.choose(Some(Language::En));
        words
    }

    fn facts(unread: u32) -> BoardFacts {
        BoardFacts {
            photos: Vec::new(),
            unread,
            mail: MailState::Folder { folder: String::new(), last: None },
            banners: Vec::new(),
            max_searches: 15,
            enabled_searches: 1,
            away: None,
        }
    }

    fn seen(app: AppStatus) -> Sight {
        let mut sight = Sight::default();
        let board = Board { app, rows: Vec::new(), hosts: Vec::new(), facts: facts(0) };
        assert!(sight.take(StatusEvent::Snapshot { board }), "the first look asks for findings");
        sight
    }

    #[test]
    fn an_idle_tray_names_the_time_of_the_next_try() {
        let at = Timestamp::from_millisecond(1_700_000_000_000).unwrap();
        let time = at.to_zoned_datetime(TimeZone::system()).strftime("%H:%M").to_string();
        let sight = seen(AppStatus::Idle { waiting: 3, next_at: Some(at.as_millisecond()) });
        let model = Model::of(&sight, &words());
        assert!(model.status.contains('3') && model.status.contains(&time), "{}", model.status);
        assert!(!model.stopped);
    }

    #[test]
    fn a_stopped_tray_offers_to_start() {
        let sight = seen(AppStatus::Stopped { why: StopWhy::User, since: 0 });
        assert!(Model::of(&sight, &words()).stopped);
    }

    #[test]
    fn a_host_that_wants_a_person_is_named_until_it_answers() {
        let mut sight = seen(AppStatus::Idle { waiting: 1, next_at: None });
        let quiet = Model::of(&sight, &words()).status;
        let card = |state| HostCard {
            host: String::from("kamer.example"),
            searches: 1,
            state,
            retry: Retry::Ready,
            last_answer_at: None,
            has_session: false,
            can_open_site: true,
        };
        let changed = |hosts| StatusEvent::Changed {
            app: AppStatus::Idle { waiting: 1, next_at: None },
            rows: Vec::new(),
            hosts,
            removed_rows: Vec::new(),
            removed_hosts: Vec::new(),
            facts: facts(0),
        };
        let denied = HostState::Waits {
            wall: WallKind::Denied,
            reason: String::from("human_check"),
            since: 0,
            failures: 1,
            asked_ms: None,
            retry_at: 0,
            evidence: Vec::new(),
        };
        assert!(!sight.take(changed(vec![card(denied)])), "nothing new to read");
        assert_ne!(Model::of(&sight, &words()).status, quiet);
        sight.take(changed(vec![card(HostState::Answers { next_at: None })]));
        assert_eq!(Model::of(&sight, &words()).status, quiet);
    }
}
