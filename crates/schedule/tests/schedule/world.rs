//! A schedule with a clock and dice of its own, and words for what sites say.

use std::collections::VecDeque;
use std::time::Duration;

use firstknock_listing::{HostKey, Revision, SearchId, SearchUrl};
use firstknock_policy::{Kind, Mulberry32, Outcome, Reason, Trouble, Wall};
use firstknock_schedule::{
    Change, Check, HostRecord, HostUpdate, Permit, Purpose, Row, RowState, Saved, Schedule,
    SearchSpec, SearchState, Seen,
};
use jiff::Timestamp;

pub(crate) struct World {
    pub(crate) schedule: Schedule,
    pub(crate) now: Timestamp,
    pub(crate) dice: Dice,
    /// Went out together with one that a test has taken.
    out: VecDeque<Check>,
}

/// Dice of a seed, or loaded ones.
pub(crate) struct Dice {
    random: Mulberry32,
    /// What they always show.
    pub(crate) always: Option<f64>,
}

impl Dice {
    pub(crate) fn draw(&mut self) -> f64 {
        self.always.unwrap_or_else(|| self.random.draw())
    }
}

pub(crate) fn start() -> Timestamp {
    Timestamp::from_millisecond(1_768_400_000_000).expect("a moment")
}

pub(crate) const fn secs(seconds: u64) -> Duration {
    Duration::from_secs(seconds)
}

pub(crate) fn later(at: Timestamp, by: Duration) -> Timestamp {
    at.checked_add(by).expect("a moment")
}

pub(crate) fn spec(id: i64, url: &str) -> SearchSpec {
    SearchSpec {
        id: SearchId(id),
        revision: Revision(1),
        url: SearchUrl::parse(url).expect("an address"),
        interval: secs(90),
        enabled: true,
        order: id,
    }
}

pub(crate) fn host(name: &str) -> HostKey {
    HostKey::from_stored(name)
}

pub(crate) fn wall(kind: Kind) -> Outcome {
    wall_asking(kind, None)
}

pub(crate) fn wall_asking(kind: Kind, retry_after: Option<u64>) -> Outcome {
    let reason = match kind {
        Kind::Challenge => Reason::BrowserCheck,
        Kind::RateLimited => Reason::TooManyRequests,
        Kind::Denied => Reason::Refused,
        Kind::Error => panic!("an error is no wall"),
    };
    Outcome::Wall(Wall {
        kind,
        reason,
        vendor: None,
        retry_after: retry_after.map(secs),
        evidence: vec!["status".into()],
    })
}

pub(crate) fn login() -> Outcome {
    Outcome::Wall(Wall {
        kind: Kind::Denied,
        reason: Reason::Login,
        vendor: None,
        retry_after: None,
        evidence: Vec::new(),
    })
}

pub(crate) fn trouble(reason: Reason) -> Outcome {
    Outcome::Trouble(Trouble { reason, retry_after: None, evidence: Vec::new() })
}

impl World {
    /// Searches 1, 2, 3 … at these addresses, all new.
    pub(crate) fn of(urls: &[&str]) -> Self {
        let mut world = Self {
            schedule: Schedule::default(),
            now: start(),
            dice: Dice { random: Mulberry32::new(7), always: None },
            out: VecDeque::new(),
        };
        for (i, url) in urls.iter().enumerate() {
            world.add(spec(i64::try_from(i).expect("few") + 1, url)).expect("taken");
        }
        world
    }

    /// Searches 1 … n on one host, all answered once, so that they have phases of their own.
    pub(crate) fn settled(urls: &[&str]) -> Self {
        Self::settled_with(urls, None)
    }

    /// The same with loaded dice: the turns come in the order of the searches.
    pub(crate) fn settled_with(urls: &[&str], dice: Option<f64>) -> Self {
        let mut world = Self::of(urls);
        world.dice.always = dice;
        let mut left = urls.len();
        while left > 0 {
            let check = world.next();
            world.report(&check, &Outcome::Answer);
            left -= 1;
        }
        world
    }

    pub(crate) fn add(&mut self, spec: SearchSpec) -> Result<(), firstknock_schedule::Refused> {
        self.schedule.upsert_search(spec, self.now)
    }

    pub(crate) fn pass(&mut self, by: Duration) {
        self.now = later(self.now, by);
    }

    pub(crate) fn plan(&mut self) -> Vec<Check> {
        let dice = &mut self.dice;
        self.schedule.plan(self.now, &mut || dice.draw())
    }

    /// The next check: sleeps as the shell does until something goes out.
    pub(crate) fn next(&mut self) -> Check {
        for _ in 0..1000 {
            if let Some(check) = self.out.pop_front() {
                return check;
            }
            self.out = self.plan().into();
            if !self.out.is_empty() {
                continue;
            }
            self.now = self.schedule.next_wake(self.now).expect("something is planned");
        }
        panic!("nothing ever goes out");
    }

    /// All checks that go out within the time, none reported.
    pub(crate) fn within(&mut self, time: Duration) -> Vec<Check> {
        let end = later(self.now, time);
        let mut all = Vec::new();
        loop {
            all.extend(self.plan());
            match self.schedule.next_wake(self.now) {
                Some(at) if at <= end => {
                    self.now = at.max(later(self.now, Duration::from_millis(1)))
                }
                Some(_) | None => break,
            }
        }
        self.now = end;
        all
    }

    pub(crate) fn report(&mut self, check: &Check, outcome: &Outcome) -> Change {
        self.report_seen(check, outcome, Seen::fine(48))
    }

    pub(crate) fn report_seen(&mut self, check: &Check, outcome: &Outcome, seen: Seen) -> Change {
        let dice = &mut self.dice;
        self.schedule.report(check, outcome, seen, self.now, &mut || dice.draw())
    }

    pub(crate) fn ask(&mut self, url: &str, purpose: Purpose) -> Permit {
        let url = SearchUrl::parse(url).expect("an address");
        let dice = &mut self.dice;
        self.schedule.ask(&url, purpose, self.now, &mut || dice.draw())
    }

    /// From now on the dice always show that.
    pub(crate) fn load(&mut self, dice: f64) {
        self.dice.always = Some(dice);
    }

    pub(crate) fn set_online(&mut self, online: bool) {
        self.schedule.set_online(online, self.now);
    }

    pub(crate) fn wake_up(&mut self) {
        let dice = &mut self.dice;
        self.schedule.woke(self.now, &mut || dice.draw());
    }

    pub(crate) fn row(&self, id: i64) -> Row {
        let rows = self.schedule.rows(self.now);
        rows.into_iter().find(|row| row.search == SearchId(id)).expect("the row")
    }

    pub(crate) fn state(&self, id: i64) -> RowState {
        self.row(id).state
    }

    /// How long until the row's next try.
    pub(crate) fn waits(&self, id: i64) -> Duration {
        let at = self.row(id).next_at.expect("a next try");
        Duration::try_from(at.duration_since(self.now)).unwrap_or_default()
    }

    /// Stops the program and starts it again from what was stored.
    pub(crate) fn restart(&mut self, disk: &Disk) {
        let dice = &mut self.dice;
        let (schedule, problems) =
            Schedule::restore(disk.saved.clone(), self.now, &mut || dice.draw());
        assert_eq!(problems, [], "what we stored ourselves is fine");
        self.schedule = schedule;
    }
}

/// What a store would hold.
#[derive(Default, Clone)]
pub(crate) struct Disk {
    pub(crate) saved: Saved,
}

impl Disk {
    pub(crate) fn with(specs: &[SearchSpec]) -> Self {
        let searches = specs.iter().map(|spec| (spec.clone(), None)).collect();
        Self { saved: Saved { searches, ..Saved::default() } }
    }

    /// Keeps a change, through JSON as the store does.
    pub(crate) fn keep(&mut self, change: &Change) {
        for update in &change.hosts {
            let name = match update {
                HostUpdate::Put(record) => record.host.clone(),
                HostUpdate::Clear(key) => key.to_string(),
            };
            self.saved.hosts.retain(|old| old.host != name);
            if let HostUpdate::Put(record) = update {
                self.saved.hosts.push(again::<HostRecord>(record));
            }
        }
        for state in &change.searches {
            let slot = self.saved.searches.iter_mut().find(|(spec, _)| spec.id == state.search);
            slot.expect("a saved search").1 = Some(again::<SearchState>(state));
        }
        self.saved.searches.retain(|(spec, _)| !change.removed_searches.contains(&spec.id));
        for state in &change.domains {
            self.saved.domains.retain(|old| old.domain != state.domain);
            self.saved.domains.push(again(state));
        }
        if let Some(app) = change.app {
            self.saved.app = app;
        }
    }

    pub(crate) fn host(&self, name: &str) -> Option<&HostRecord> {
        self.saved.hosts.iter().find(|record| record.host == name)
    }
}

fn again<T: serde::Serialize + serde::de::DeserializeOwned>(value: &T) -> T {
    let json = serde_json::to_string(value).expect("JSON");
    serde_json::from_str(&json).expect("the same")
}
