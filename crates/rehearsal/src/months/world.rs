//! One world: sites, a mail server, a computer with a clock, a person, and the app.

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use firstknock_listing::{HostKey, SearchId};
use firstknock_monitor::Task;
use firstknock_monitor::steps::Pause;
use firstknock_policy::breaker::{Breaker, Ticket};
use firstknock_policy::delivery::{Attempt, Next};
use firstknock_schedule::{AppStatus, Check, Row, RowState, Schedule};
use firstknock_store::{OutboxId, OutboxRow, RunId, Store};
use jiff::Timestamp;

use super::mails::Mails;
use super::post::MailServer;
use super::requests::Requests;
use super::rule::{Broken, Rule, Stop};
use super::sabotage::Sabotage;
use super::site::Site;
use super::time::Time;
use super::{Length, Lived};
use crate::Dice;

pub(super) struct World {
    pub(super) time: Time,
    /// Throws what happens; the app has its own.
    pub(super) dice: Dice,
    pub(super) sabotage: Option<Sabotage>,
    pub(super) store: Store,
    pub(super) app: App,
    pub(super) sites: Vec<Site>,
    pub(super) server: MailServer,
    pub(super) wifi: bool,
    pub(super) requests: Requests,
    pub(super) mails: Mails,
    /// The windows of "Open site", and from whose row they were opened.
    pub(super) windows: BTreeMap<HostKey, SearchId>,
    /// Hosts whose window was closed: one look by hand is due as soon as the gap allows.
    pub(super) after_hand: BTreeSet<HostKey>,
    /// How long nobody asked a host that somebody should have asked.
    silence: BTreeMap<HostKey, Duration>,
    /// Hosts that may be asked, and the longest silence that is right.
    patience: BTreeMap<HostKey, Duration>,
    /// What the rows said at the end of the last turn.
    said: Vec<Row>,
    /// The clock was set back and nothing was kept since.
    pub(super) set_back: bool,
    /// A search was edited and the schedule's side of it not kept since.
    pub(super) edited: bool,
    pub(super) crash_chance: f64,
    pub(super) pace: u64,
    pub(super) next_event: Duration,
    pub(super) lived: Lived,
}

/// All that a process has in memory.
pub(super) struct App {
    pub(super) schedule: Schedule,
    pub(super) dice: Dice,
    pub(super) breaker: Breaker,
    pub(super) flights: Vec<Flight>,
    pub(super) sending: Option<Sending>,
    /// How a delivery ended, while that cannot be written.
    pub(super) unwritten: Option<(OutboxId, Attempt, Next)>,
    /// A sender that failed to read or write rests until then.
    pub(super) sender_rests: Duration,
    pub(super) swept_at: Option<Timestamp>,
    /// The last time in which nobody looked.
    pub(super) pause: Option<Pause>,
    /// It began to look, or looks again after a pause.
    pub(super) awake_since: Timestamp,
    /// A search was added or edited.
    pub(super) begun: BTreeMap<SearchId, Timestamp>,
    /// When it was last noted that it runs.
    pub(super) noted_at: Option<Timestamp>,
}

pub(super) struct Flight {
    pub(super) check: Check,
    pub(super) run: Option<RunId>,
    pub(super) task: Task,
    pub(super) began: Duration,
    pub(super) ends: Duration,
    /// The machine slept or lost its network meanwhile.
    pub(super) cut: bool,
}

pub(super) struct Sending {
    pub(super) row: OutboxRow,
    pub(super) message_id: String,
    pub(super) ticket: Ticket,
    pub(super) ends: Duration,
}

/// The shell sleeps no longer.
const LONGEST_SLEEP: Duration = Duration::from_secs(30);
const HOUR: Duration = Duration::from_secs(3600);
/// Beyond the longest wait or interval: gaps, rates, catching up, sleep of the network.
const SLACK: Duration = Duration::from_secs(15 * 60);

impl World {
    pub(super) fn new(seed: u64, length: &Length, sabotage: Option<Sabotage>) -> Self {
        let mut dice = Dice::new(seed);
        let start = Timestamp::from_second(
            1_790_000_000 + i64::try_from(dice.between(0, 9_000_000)).unwrap_or(0),
        );
        let time = Time::new(start.expect("BUG: a moment"));
        let span = length.time;
        let names = ["huis.example", "x.realworks.nl", "y.realworks.nl", "kamers.example"];
        let many = usize::try_from(dice.between(1, 4)).unwrap_or(1);
        let rough = dice.roll() * 6.0;
        let sites = names
            .iter()
            .take(many)
            .map(|name| {
                let pages = usize::try_from(dice.between(1, 5)).unwrap_or(1);
                Site::new(name, pages, rough, span, &mut dice)
            })
            .collect();
        let server = MailServer::new(span, &mut dice);
        let crash_chance = *dice.pick(&[0.0, 0.002, 0.01, 0.04]);
        let mut requests = Requests::default();
        requests.sneaky = dice.roll() < 0.2;
        let app = App::new(Schedule::default(), Dice::new(dice.bits()), time.now());
        Self {
            time,
            sabotage,
            store: Store::in_memory().expect("BUG: a store"),
            app,
            sites,
            server,
            wifi: true,
            requests,
            mails: Mails::default(),
            windows: BTreeMap::new(),
            after_hand: BTreeSet::new(),
            silence: BTreeMap::new(),
            patience: BTreeMap::new(),
            said: Vec::new(),
            set_back: false,
            edited: false,
            crash_chance,
            pace: *dice.pick(&[40, 300, 1500, 7000]),
            next_event: Duration::ZERO,
            lived: Lived::default(),
            dice,
        }
    }

    pub(super) fn broken(&self, rule: Rule, words: impl Into<String>) -> Broken {
        Broken { rule, after: self.time.lived, words: words.into() }
    }

    /// The process may die at any step.
    pub(super) fn may_crash(&mut self) -> Result<(), Stop> {
        if self.dice.roll() < self.crash_chance { Err(Stop::Crash) } else { Ok(()) }
    }

    /// Until the next thing happens, and what happens then.
    pub(super) fn turn(&mut self) -> Result<(), Stop> {
        let now = self.time.now();
        let wake = self.app.schedule.next_wake(now);
        let quiet = self.app.flights.is_empty() && self.windows.is_empty();
        if quiet {
            let soonest = self.said.iter().filter_map(|row| row.next_at).min();
            if soonest != wake {
                let words = format!("the rows say {soonest:?}, the schedule {wake:?}");
                return Err(self.broken(Rule::TrueRows, words).into());
            }
        }
        let own = wake.map(|at| self.time.lived + self.time.until(at));
        let other = self.next_other();
        let next = own.map_or(other, |own| own.min(other)).max(self.time.lived);
        self.pass(next - self.time.lived)?;
        let undisturbed = quiet && own.is_some_and(|own| own < other);
        self.finish_looks()?;
        self.send_mail()?;
        if self.time.lived >= self.next_event {
            self.something_happens()?;
            let wait = self.dice.between(1, 2 * self.pace);
            self.next_event = self.time.lived + Duration::from_secs(wait);
        }
        self.note_alive();
        self.sweep()?;
        let planned = self.go_out()?;
        if undisturbed && planned == 0 && self.sabotage.is_none() {
            let words = format!("nothing went out at {wake:?}, as the rows had said");
            return Err(self.broken(Rule::TrueRows, words).into());
        }
        self.careless()?;
        self.look_at_rows()?;
        Ok(())
    }

    /// Everything but the schedule's own next time.
    fn next_other(&self) -> Duration {
        let flights = self.app.flights.iter().map(|flight| flight.ends).min();
        let storage =
            matches!(self.app.schedule.status(self.time.now()), AppStatus::Stopped { .. });
        let probe = storage.then(|| self.time.lived + LONGEST_SLEEP);
        let mail = self.next_mail();
        let no_later = self.next_event.min(self.time.lived + HOUR);
        [flights, probe, mail].into_iter().flatten().min().map_or(no_later, |at| at.min(no_later))
    }

    /// Time passes; nobody starves meanwhile.
    pub(super) fn pass(&mut self, by: Duration) -> Result<(), Broken> {
        self.time.pass(by);
        for (host, patience) in &self.patience {
            let silence = self.silence.entry(host.clone()).or_default();
            *silence += by;
            if *silence > *patience {
                let words = format!("nobody asked {host} for {silence:?}, {:#?}", self.said);
                return Err(self.broken(Rule::Starving, words));
            }
        }
        Ok(())
    }

    /// Something about the host changed, or it was asked: counted from now.
    pub(super) fn heard_of(&mut self, host: &HostKey) {
        self.silence.remove(host);
    }

    pub(super) fn rows(&self) -> Vec<Row> {
        let mut rows = self.app.schedule.rows(self.time.now());
        if self.sabotage == Some(Sabotage::LyingRows) {
            let minute = Duration::from_secs(60);
            for at in rows.iter_mut().filter_map(|row| row.next_at.as_mut()) {
                *at = at.saturating_add(minute).unwrap_or(Timestamp::MAX);
            }
        }
        rows
    }

    /// After the plan: no countdown stands at zero, and every row that waits says until when.
    pub(super) fn look_at_rows(&mut self) -> Result<(), Broken> {
        let now = self.time.now();
        let offline = matches!(self.app.schedule.status(now), AppStatus::Offline { .. });
        let rows = self.rows();
        self.patience.clear();
        for row in &rows {
            let off = matches!(row.state, RowState::Paused | RowState::Stopped);
            let busy = self.app.flights.iter().any(|flight| flight.check.host == row.host);
            let held = self.windows.contains_key(&row.host);
            let some_busy = !self.app.flights.is_empty() || !self.windows.is_empty();
            match row.next_at {
                None if off || busy || held || (offline && some_busy) => {}
                None => return Err(self.broken(Rule::TrueRows, format!("no next try: {row:?}"))),
                Some(_) if off => {
                    return Err(self.broken(Rule::TrueRows, format!("off, yet: {row:?}")));
                }
                Some(at) if at <= now && !busy && !(offline && some_busy) => {
                    let words = format!("its countdown is at zero: {row:?}");
                    return Err(self.broken(Rule::TrueRows, words));
                }
                Some(at) => self.is_true(row, at, offline)?,
            }
            if !(off || held || offline) {
                let longest = match row.state {
                    RowState::PageGone { .. } => HOUR * 27,
                    _ => row.interval.to.max(HOUR),
                } + SLACK;
                let patience = self.patience.entry(row.host.clone()).or_insert(longest);
                *patience = longest.min(*patience);
            }
        }
        let patience = &self.patience;
        self.silence.retain(|host, _| patience.contains_key(host));
        self.said = rows;
        Ok(())
    }

    /// A row of a waiting host never names a time before the host's deadline.
    fn is_true(&self, row: &Row, at: Timestamp, offline: bool) -> Result<(), Broken> {
        let waiting = matches!(
            row.state,
            RowState::Blocked { .. } | RowState::NeedsYou { .. } | RowState::ErrorWaiting { .. }
        );
        let Some(promise) = self.requests.waits.hosts.get(&row.host).filter(|_| waiting) else {
            return Ok(());
        };
        let says = self.time.seen_at(at).as_millis();
        let by_hand = self.said_by_hand(&row.host);
        if !offline && !by_hand && says + 2 < promise.until_ms {
            let words = format!("{row:?} says {} ms less than is kept", promise.until_ms - says);
            return Err(self.broken(Rule::TrueRows, words));
        }
        Ok(())
    }

    /// Somebody pressed a button for the host and it has not gone out yet.
    fn said_by_hand(&self, host: &HostKey) -> bool {
        let rows = self.app.schedule.rows(self.time.now());
        self.after_hand.contains(host)
            || rows.iter().any(|row| {
                row.host == *host && matches!(row.retry, firstknock_schedule::Retry::Busy)
            })
    }

    pub(super) fn is_offline(&self) -> bool {
        matches!(self.app.schedule.status(self.time.now()), AppStatus::Offline { .. })
    }
}

impl App {
    pub(super) fn new(schedule: Schedule, dice: Dice, now: Timestamp) -> Self {
        Self {
            schedule,
            dice,
            breaker: Breaker::default(),
            flights: Vec::new(),
            sending: None,
            unwritten: None,
            sender_rests: Duration::ZERO,
            swept_at: None,
            pause: None,
            awake_since: now,
            begun: BTreeMap::new(),
            noted_at: None,
        }
    }

    /// When a search could first have seen something.
    pub(super) fn watched_since(&self, search: Option<SearchId>, now: Timestamp) -> Timestamp {
        let begun = search.and_then(|id| self.begun.get(&id).copied());
        search.map_or(now, |_| begun.map_or(self.awake_since, |at| at.max(self.awake_since)))
    }
}
