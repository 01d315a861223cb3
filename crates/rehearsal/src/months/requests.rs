//! Watches every request and every record that is kept. It knows nothing of the schedule's inside:
//! it counts in the world's own time and believes what was kept before a request went out.

use std::collections::{BTreeMap, VecDeque};
use std::time::Duration;

use firstknock_listing::{Domain, HostKey, SearchId};
use firstknock_policy::ladder::{MAX_WAIT, delay_for};
use firstknock_policy::{Kind, Outcome, Reason};
use firstknock_schedule::{Change, Check, HostUpdate, Saved, SavedWait, Why};

use super::rule::{Broken, Rule};
use super::time::Time;

/// One wait, as it was kept.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Promise {
    pub(super) kind: String,
    pub(super) failures: i64,
    /// In [`Time::seen`], as whole milliseconds.
    pub(super) until_ms: i128,
    asked_ms: i128,
}

/// All waits: of hosts, and of pages that wait alone.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct Waits {
    pub(super) hosts: BTreeMap<HostKey, Promise>,
    pub(super) pages: BTreeMap<SearchId, Promise>,
}

#[derive(Default)]
pub(super) struct Requests {
    pub(super) waits: Waits,
    pub(super) in_flight: BTreeMap<HostKey, Duration>,
    sent: BTreeMap<Domain, VecDeque<(Duration, Duration)>>,
    /// A clock that jumps by less than the app can notice excuses a short gap.
    pub(super) sneaky: bool,
}

const GAP: Duration = Duration::from_secs(3);
const MINUTE: Duration = Duration::from_secs(60);
/// The app gives up a request that never comes back.
pub(super) const LOST: Duration = Duration::from_secs(300);
/// Whole milliseconds are kept.
const SLACK_MS: i128 = 2;

impl Requests {
    /// Takes a record that is about to be kept.
    ///
    /// # Errors
    /// [`Rule::OneHour`].
    pub(super) fn note(&mut self, change: &Change, time: &Time) -> Result<(), Broken> {
        for update in &change.hosts {
            match update {
                HostUpdate::Clear(key) => drop(self.waits.hosts.remove(key)),
                HostUpdate::Put(record) => {
                    let key = HostKey::from_stored(&record.host);
                    match &record.wait {
                        Some(wait) => drop(self.waits.hosts.insert(key, promise(wait, time)?)),
                        None => drop(self.waits.hosts.remove(&key)),
                    }
                }
            }
        }
        for state in &change.searches {
            match &state.wait {
                Some(wait) => drop(self.waits.pages.insert(state.search, promise(wait, time)?)),
                None => drop(self.waits.pages.remove(&state.search)),
            }
        }
        for id in &change.removed_searches {
            self.waits.pages.remove(id);
        }
        Ok(())
    }

    /// A new process knows what was kept, and nothing is in flight.
    ///
    /// # Errors
    /// [`Rule::OneHour`] never: what is kept is clamped when it is read.
    pub(super) fn restarted(&mut self, saved: &Saved, time: &Time) -> Result<(), Broken> {
        self.in_flight.clear();
        // A new process has nothing but the clock to tell how long ago a request was.
        for sent in self.sent.values_mut().flatten() {
            sent.0 = time.lived.saturating_sub(time.seen.saturating_sub(sent.1));
        }
        self.waits = Waits::default();
        let latest = time.now().as_millisecond() + MAX_WAIT.as_millis() as i64;
        let clamp = |wait: &SavedWait| SavedWait {
            next_retry_ms: wait.next_retry_ms.min(latest),
            at_ms: wait.at_ms.min(time.now().as_millisecond()),
            ..wait.clone()
        };
        for record in &saved.hosts {
            if let Some(wait) = &record.wait {
                let key = HostKey::from_stored(&record.host);
                self.waits.hosts.insert(key, promise(&clamp(wait), time)?);
            }
        }
        for (spec, state) in &saved.searches {
            if let Some(wait) = state.as_ref().and_then(|state| state.wait.as_ref()) {
                self.waits.pages.insert(spec.id, promise(&clamp(wait), time)?);
            }
        }
        Ok(())
    }

    /// One request goes out; `waits` as they were before it was reserved.
    ///
    /// # Errors
    /// [`Rule::OneInFlight`], [`Rule::Deadline`], [`Rule::SiteAsked`], [`Rule::Gap`],
    /// [`Rule::Rate`].
    pub(super) fn goes_out(
        &mut self,
        check: &Check,
        waits: &Waits,
        time: &Time,
    ) -> Result<(), Broken> {
        let broken = |rule, words: String| {
            Err(Broken { rule, after: time.lived, words: format!("{words}: {check:?}") })
        };
        if let Some(since) = self.in_flight.get(&check.host)
            && time.seen.saturating_sub(*since) < LOST
        {
            return broken(Rule::OneInFlight, "a second request in flight".to_owned());
        }
        let by_hand = matches!(check.why, Why::Manual | Why::AfterHand);
        let page = check.search.and_then(|id| waits.pages.get(&id));
        let seen = ms(time.seen) + SLACK_MS;
        for promise in waits.hosts.get(&check.host).into_iter().chain(page) {
            if !by_hand && promise.until_ms > seen {
                return broken(Rule::Deadline, format!("{} ms early", promise.until_ms - seen));
            }
            if promise.asked_ms > seen {
                return broken(Rule::SiteAsked, format!("{} ms early", promise.asked_ms - seen));
            }
        }
        let sent = self.sent.entry(check.domain.clone()).or_default();
        let clock = |it: &(Duration, Duration)| if self.sneaky { it.1 } else { it.0 };
        let now = if self.sneaky { time.seen } else { time.lived };
        if let Some(last) = sent.back() {
            let gap = now - clock(last);
            if gap < GAP {
                return broken(Rule::Gap, format!("{gap:?} after the last"));
            }
        }
        if sent.len() >= 10 {
            let ten = now - clock(&sent[sent.len() - 10]);
            if ten < MINUTE {
                return broken(Rule::Rate, format!("the eleventh within {ten:?}"));
            }
        }
        sent.push_back((time.lived, time.seen));
        if sent.len() > 10 {
            sent.pop_front();
        }
        self.in_flight.insert(check.host.clone(), time.seen);
        Ok(())
    }

    /// A report was made: what may have changed by it, and what may not.
    ///
    /// # Errors
    /// [`Rule::StillOffline`], [`Rule::OneRefusal`], [`Rule::OthersAlone`].
    pub(super) fn reported(&mut self, it: &Reported<'_>, time: &Time) -> Result<(), Broken> {
        let key = &it.check.host;
        let broken = |rule, words: String| {
            let words = format!("{words}: {:?} came to {:?}", it.check, it.outcome);
            Err(Broken { rule, after: time.lived, words })
        };
        let after = &self.waits;
        if it.offline == (true, true) {
            let failures = |waits: &Waits| -> Vec<_> {
                waits.hosts.iter().map(|(key, p)| (key.clone(), p.failures)).collect()
            };
            if failures(it.before) != failures(after) {
                return broken(Rule::StillOffline, "a ladder moved while offline".to_owned());
            }
        }
        if it.offline == (false, false) {
            let others = |waits: &Waits| -> Vec<_> {
                let others = waits.hosts.iter().filter(|(other, _)| *other != key);
                others.map(|(key, p)| (key.clone(), p.clone())).collect()
            };
            if others(it.before) != others(after) {
                return broken(Rule::OthersAlone, "another host's wait changed".to_owned());
            }
        }
        if it.lost || it.check.why == Why::Photo {
            return Ok(());
        }
        let (was, is) = (it.before.hosts.get(key), after.hosts.get(key));
        let (b, a) = (was.map_or(0, |p| p.failures), is.map_or(0, |p| p.failures));
        let same_kind = |kind: Kind| was.is_some_and(|p| p.kind == kind.code());
        match it.outcome {
            Outcome::Wall(wall) if wall.reason != Reason::Login => {
                let alone = it.check.search.and_then(|id| after.pages.get(&id));
                let climbed = if same_kind(wall.kind) { b + 1 } else { 1 };
                match is {
                    Some(is) if is.kind == wall.kind.code() && a == climbed => {
                        self.on_its_rung(is, wall.kind, wall.retry_after, was, time, &broken)
                    }
                    Some(is) => broken(
                        Rule::OneRefusal,
                        format!("{was:?} became {is:?} instead of number {climbed}"),
                    ),
                    None if alone.is_some() => Ok(()),
                    None => broken(Rule::OneRefusal, "a refusal was not recorded".to_owned()),
                }
            }
            Outcome::Trouble(trouble) if trouble.reason != Reason::PageGone => {
                let climbed = if same_kind(Kind::Error) { b + 1 } else { 1 };
                let flipped = it.offline.0 != it.offline.1;
                if flipped || a == b || a == climbed {
                    Ok(())
                } else {
                    broken(Rule::OneRefusal, format!("{was:?} became {is:?} by one error"))
                }
            }
            Outcome::Answer | Outcome::Wall(_) | Outcome::Trouble(_) => match is {
                Some(is) => broken(Rule::OneRefusal, format!("answered, and yet {is:?}")),
                None => Ok(()),
            },
        }
    }

    /// The wait is the one of its rung, never shorter than the one that ran.
    fn on_its_rung(
        &self,
        is: &Promise,
        kind: Kind,
        asked: Option<Duration>,
        was: Option<&Promise>,
        time: &Time,
        broken: &dyn Fn(Rule, String) -> Result<(), Broken>,
    ) -> Result<(), Broken> {
        let failures = u32::try_from(is.failures).unwrap_or(u32::MAX);
        let ends = [0.0, 0.999_999_9].map(|random| ms(delay_for(kind, failures, asked, random)));
        let wait = is.until_ms - ms(time.seen);
        let running = was.map_or(0, |was| was.until_ms - ms(time.seen));
        let low = ends[0].min(ends[1]);
        // In between, what was asked may win with nearly all of its spread.
        let spread = asked.map_or(0, |asked| ms(asked) + (ms(asked) / 10).min(60_000));
        let high = ends[0].max(ends[1]).max(running).max(spread);
        let high = if high > 3_200_000 { ms(MAX_WAIT) } else { high };
        if (low - SLACK_MS..=high + SLACK_MS).contains(&wait) {
            return Ok(());
        }
        broken(Rule::OneRefusal, format!("waits {wait} ms, not {low} to {high}"))
    }
}

/// One report, with what was before it.
pub(super) struct Reported<'a> {
    pub(super) check: &'a Check,
    pub(super) outcome: &'a Outcome,
    pub(super) before: &'a Waits,
    /// Before and after.
    pub(super) offline: (bool, bool),
    /// It had been out for so long that it counts nowhere.
    pub(super) lost: bool,
}

fn promise(wait: &SavedWait, time: &Time) -> Result<Promise, Broken> {
    let at =
        |at_ms: i64| ms(time.seen) + i128::from(at_ms) - i128::from(time.now().as_millisecond());
    let until_ms = at(wait.next_retry_ms);
    if until_ms - ms(time.seen) > ms(MAX_WAIT) + SLACK_MS {
        let words = format!("{wait:?} at {}", time.now());
        return Err(Broken { rule: Rule::OneHour, after: time.lived, words });
    }
    let asked = wait.asked_ms.map_or(i128::MIN, |asked| at(wait.at_ms) + i128::from(asked));
    Ok(Promise {
        kind: wait.kind.clone(),
        failures: wait.failures,
        until_ms,
        asked_ms: asked.min(until_ms),
    })
}

fn ms(duration: Duration) -> i128 {
    i128::try_from(duration.as_millis()).unwrap_or(i128::MAX)
}
