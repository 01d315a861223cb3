//! What happens to the app: its person, its computer, its network, its disk.

use std::time::Duration;

use firstknock_listing::{Criteria, SearchId, SearchUrl};
use firstknock_monitor::Task;
use firstknock_monitor::steps::Pause;
use firstknock_schedule::{Permit, Purpose, SearchSpec};
use firstknock_store::{
    Fault, QuietHours, ReaderChoice, Rhythm, Search, SearchWish, StoreError, Tell,
};
use jiff::Timestamp;

use super::rule::{Rule, Stop};
use super::sender::CHANNEL;
use super::world::World;

impl World {
    /// The set-up: a channel, and a search for most pages.
    pub(super) fn set_up(&mut self) -> Result<(), Stop> {
        let now = self.time.now();
        let config = serde_json::json!({});
        let put = self.store.put_channel(CHANNEL, "smtp", true, &config, now);
        put.map_err(|error| self.broken(Rule::Stored, format!("{error:?}")))?;
        self.begin(true)?;
        let urls: Vec<_> = self.sites.iter().flat_map(|site| site.urls.clone()).collect();
        for url in urls {
            if self.dice.roll() < 0.85 {
                self.add_search(url)?;
            }
        }
        self.go_out()?;
        Ok(self.look_at_rows()?)
    }

    fn wish(&mut self, url: SearchUrl) -> SearchWish {
        let every = *self.dice.pick(&[30, 90, 90, 90, 300, 1200, 3600, 14_400]);
        let max_cents = (self.dice.roll() < 0.4)
            .then(|| i64::try_from(self.dice.between(600, 2000)).unwrap_or(900) * 100);
        SearchWish {
            name: url.as_str().to_owned(),
            url,
            interval: Duration::from_secs(every),
            muted: false,
            reader: ReaderChoice::Auto,
            criteria: Criteria { max_cents, ..Criteria::default() },
            tell: Tell { new: true, price_drops: self.dice.roll() < 0.5, relisted: true },
            quiet: self.quiet_hours(),
            rhythm: *self.dice.pick(&[Rhythm::Instant, Rhythm::Instant, Rhythm::Digest]),
        }
    }

    fn quiet_hours(&mut self) -> Option<QuietHours> {
        let hours = [(22 * 60, 7 * 60), (23 * 60 + 30, 6 * 60 + 15), (12 * 60, 14 * 60)];
        let (from_minute, to_minute) = *self.dice.pick(&hours);
        let zone = *self.dice.pick(&["Europe/Amsterdam", "America/St_Johns", "UTC"]);
        let hours = QuietHours { from_minute, to_minute, zone: zone.to_owned() };
        (self.dice.roll() < 0.3).then_some(hours)
    }

    fn add_search(&mut self, url: SearchUrl) -> Result<(), Stop> {
        let wish = self.wish(url);
        let added = self.store.add_search(&wish, true, self.time.now());
        self.take_in(added)
    }

    /// Tells the schedule about a search that the store took.
    fn take_in(&mut self, taken: Result<Search, StoreError>) -> Result<(), Stop> {
        let search = match taken {
            Ok(search) => search,
            Err(error) => return self.refused(&error),
        };
        self.mails.moved(search.id, &search.wish.url);
        self.edited = true;
        self.may_crash()?;
        self.heard_of(&search.host);
        self.app.begun.insert(search.id, self.time.now());
        let spec = SearchSpec {
            id: search.id,
            revision: search.revision,
            url: search.wish.url.clone(),
            interval: search.wish.interval,
            enabled: search.enabled,
            order: search.position,
        };
        if let Err(refused) = self.app.schedule.upsert_search(spec, self.time.now()) {
            let words = format!("store and schedule disagree: {refused:?}");
            return Err(self.broken(Rule::Stored, words).into());
        }
        Ok(())
    }

    fn refused(&mut self, error: &StoreError) -> Result<(), Stop> {
        match error {
            StoreError::Duplicate { .. }
            | StoreError::TooManyEnabled { .. }
            | StoreError::NotFound => Ok(()),
            error => Ok(self.storage_trouble(error)?),
        }
    }

    fn some_search(&mut self) -> Option<Search> {
        let searches = self.store.searches().unwrap_or_default();
        if searches.is_empty() { None } else { Some(self.dice.pick(&searches).clone()) }
    }

    fn some_url(&mut self) -> SearchUrl {
        let urls: Vec<_> = self.sites.iter().flat_map(|site| site.urls.clone()).collect();
        self.dice.pick(&urls).clone()
    }

    /// One thing happens.
    pub(super) fn something_happens(&mut self) -> Result<(), Stop> {
        let now = self.time.now();
        let it = self.dice.between(0, 25);
        eprintln!("EVENT {it} {:?} {now}", self.time.lived);
        match it {
            0..=3 => self.press(),
            4 => self.open_window(),
            5 => self.close_windows(),
            6..=7 => self.pause_or_go_on(),
            8 => self.edit(false),
            9 => self.edit(true),
            10 => self.delete(),
            11 => self.undelete(),
            12 => {
                let url = self.some_url();
                self.add_search(url)
            }
            13 => {
                self.app.schedule.stop(now);
                Ok(())
            }
            14..=15 => {
                self.forget_silence();
                let dice = &mut self.app.dice;
                self.app.schedule.start(now, &mut || dice.roll());
                Ok(())
            }
            16 => self.disk(Fault::DiskFull),
            17 => {
                let read_only = self.dice.roll() < 0.2;
                self.disk(if read_only { Fault::ReadOnly } else { Fault::None })
            }
            18 => self.wifi(false),
            19..=20 => self.wifi(true),
            21 => self.sleep(),
            22 => self.jump(),
            23 => self.ask(),
            24 => self.mend_mail(),
            _ => Err(Stop::Crash).or_else(
                |stop| {
                    if self.crash_chance > 0.0 { Err(stop) } else { Ok(()) }
                },
            ),
        }
    }

    fn press(&mut self) -> Result<(), Stop> {
        if let Some(search) = self.some_search() {
            let pressed = self.app.schedule.retry_now(search.id, self.time.now());
            self.lived.presses += usize::from(pressed.is_ok());
        }
        Ok(())
    }

    fn open_window(&mut self) -> Result<(), Stop> {
        if let Some(search) = self.some_search() {
            self.app.schedule.hold(&search.host, self.time.now());
            self.windows.insert(search.host, search.id);
        }
        Ok(())
    }

    fn close_windows(&mut self) -> Result<(), Stop> {
        for (host, search) in std::mem::take(&mut self.windows) {
            self.heard_of(&host);
            self.app.schedule.release(&host, Some(search), self.time.now());
            self.after_hand.insert(host);
        }
        Ok(())
    }

    fn pause_or_go_on(&mut self) -> Result<(), Stop> {
        let Some(search) = self.some_search() else { return Ok(()) };
        let on = !search.enabled;
        match self.store.set_enabled(search.id, on) {
            Err(error) => return self.refused(&error),
            Ok(()) => self.heard_of(&search.host),
        }
        self.may_crash()?;
        if let Err(refused) = self.app.schedule.set_enabled(search.id, on, self.time.now()) {
            let words = format!("store and schedule disagree: {refused:?}");
            return Err(self.broken(Rule::Stored, words).into());
        }
        Ok(())
    }

    fn edit(&mut self, moves: bool) -> Result<(), Stop> {
        let Some(search) = self.some_search() else { return Ok(()) };
        let url = if moves { self.some_url() } else { search.wish.url.clone() };
        let mut wish = self.wish(url);
        wish.muted = self.dice.roll() < 0.1;
        self.heard_of(&search.host);
        let edited = self.store.edit_search(search.id, &wish, self.time.now());
        if edited.is_ok() && wish.url != search.wish.url {
            // A page's own wait is that page's.
            self.requests.waits.pages.remove(&search.id);
        }
        self.take_in(edited)
    }

    fn delete(&mut self) -> Result<(), Stop> {
        let Some(search) = self.some_search().filter(|_| self.dice.roll() < 0.5) else {
            return Ok(());
        };
        let now = self.time.now();
        match self.store.delete_search(search.id, now) {
            Err(error) => return self.refused(&error),
            Ok(()) => self.heard_of(&search.host),
        }
        self.may_crash()?;
        self.app.schedule.remove_search(search.id, now);
        Ok(())
    }

    fn undelete(&mut self) -> Result<(), Stop> {
        let id = SearchId(i64::try_from(self.dice.between(1, 12)).unwrap_or(1));
        let back = self.store.undelete_search(id);
        self.take_in(back)
    }

    fn disk(&mut self, fault: Fault) -> Result<(), Stop> {
        let set = self.store.fault(fault);
        set.map_err(|error| self.broken(Rule::Stored, format!("{error:?}")).into())
    }

    fn wifi(&mut self, on: bool) -> Result<(), Stop> {
        if self.wifi && !on {
            for flight in &mut self.app.flights {
                flight.cut = self.dice.roll() < 0.7;
            }
        }
        self.wifi = on;
        // The system does not always say so.
        if self.dice.roll() < 0.5 {
            let now = self.time.now();
            self.app.schedule.set_online(on, now);
            if on && let Err(error) = self.store.network_is_back(now) {
                self.storage_trouble(&error)?;
            }
        }
        Ok(())
    }

    fn sleep(&mut self) -> Result<(), Stop> {
        let before = self.time.now();
        let slept = self.dice.between(16, 40_000);
        self.time.pass(Duration::from_secs(slept));
        for flight in &mut self.app.flights {
            flight.cut = true;
        }
        self.wake(before);
        Ok(())
    }

    /// The shell saw that the wall clock ran ahead of its own.
    fn wake(&mut self, before: Timestamp) {
        if let Some(pause) = Pause::between(before, self.time.now()) {
            self.app.pause = Some(pause);
            self.app.awake_since = self.time.now();
        }
        let dice = &mut self.app.dice;
        self.app.schedule.woke(self.time.now(), &mut || dice.roll());
    }

    fn jump(&mut self) -> Result<(), Stop> {
        if self.requests.sneaky && self.dice.roll() < 0.3 {
            let little = self.dice.between(1, 14);
            self.time.ahead(Duration::from_secs(little));
            return Ok(());
        }
        let by = Duration::from_secs(*self.dice.pick(&[17, 120, 3600, 86_400, 40_000_000]));
        if self.dice.roll() < 0.5 {
            let before = self.time.now();
            self.time.ahead(by);
            self.wake(before);
        } else {
            self.time.back(by);
            self.set_back = true;
            // What passed since the last look at the clock may be waited for once more.
            self.forget_silence();
        }
        Ok(())
    }

    /// A preview, a look by hand, a photo: the same plan.
    fn ask(&mut self) -> Result<(), Stop> {
        let url = self.some_url();
        let purpose =
            *self.dice.pick(&[Purpose::Preview, Purpose::ByHand, Purpose::Page, Purpose::Photo]);
        let before = self.requests.waits.clone();
        let dice = &mut self.app.dice;
        let now = self.time.now();
        let mut permit = self.app.schedule.ask(&url, purpose, now, &mut || dice.roll());
        let change = self.app.schedule.take_change();
        if !self.keep(change)?
            && let Permit::Go(check) = &permit
        {
            permit = self.app.schedule.not_reserved(check, now);
        }
        match permit {
            Permit::NotBefore { at, .. } if at < now => {
                Err(self.broken(Rule::TrueRows, format!("not before {at}, but it is {now}")).into())
            }
            Permit::NotBefore { .. } => Ok(()),
            Permit::Go(check) => {
                self.requests.goes_out(&check, &before, &self.time)?;
                let task = Task::first(check.url.url().clone(), Duration::ZERO);
                Ok(self.send(check, None, task)?)
            }
        }
    }

    fn mend_mail(&mut self) -> Result<(), Stop> {
        match self.store.release_held(CHANNEL, self.time.now()) {
            Ok(_) => Ok(()),
            Err(error) => self.refused(&error),
        }
    }

    fn forget_silence(&mut self) {
        for host in self.sites.iter().map(|site| site.host.clone()).collect::<Vec<_>>() {
            self.heard_of(&host);
        }
    }

    /// From now on all is well, and what was wanted has to come: every page is looked at, every
    /// message ends.
    pub(super) fn all_is_well(&mut self) -> Result<(), Stop> {
        self.crash_chance = 0.0;
        self.next_event = Duration::MAX;
        self.disk(Fault::None)?;
        self.close_windows()?;
        self.wifi = true;
        for site in &mut self.sites {
            site.clear_up();
        }
        self.server.cheer_up();
        self.forget_silence();
        let dice = &mut self.app.dice;
        self.app.schedule.start(self.time.now(), &mut || dice.roll());
        self.sweep()?;
        self.go_out()?;
        self.look_at_rows()?;
        self.mend_mail()?;
        Ok(())
    }
}
