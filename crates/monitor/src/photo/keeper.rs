//! Reads the photos that are wanted, one by one, when the plan has room for them.
//!
//! **Promises**: a waiting mail's photo first, then what was wished last, from the top of what was
//! wished together; one read per photo, however many want it; a photo that could not be had is not
//! asked for again today; a host that will not be asked for minutes has its wishes dropped, not
//! kept in a heap.

use std::cmp::Reverse;
use std::collections::{HashMap, HashSet};
use std::sync::Arc;
use std::time::Duration;

use firstknock_fetch::{HttpFetch, Picture, PictureRequest};
use firstknock_listing::HostKey;
use firstknock_policy::{Outcome, Reason, Trouble};
use firstknock_schedule::{Check, HostState, Permit, Purpose, Seen};
use jiff::{SignedDuration, Timestamp};
use tokio::sync::mpsc;
use tokio::task::JoinSet;

use super::album::{Album, Without};
use super::key::Mark;
use super::print::prints;
use super::{Source, Waiter, Want};
use crate::Engine;
use crate::engine::Event;

/// Reads at a time; each host has one at most anyway.
const AT_ONCE: usize = 2;
/// A photo that takes longer is given up: its host is free again for pages.
const DEADLINE: Duration = Duration::from_secs(6);
/// Wishes that come after a longer pause are another burst.
const PAUSE: Duration = Duration::from_millis(400);
/// Wishes that are remembered; beyond it those that would come last are forgotten.
const MOST: usize = 64;
/// A wish whose host will not be asked for so long is forgotten: who still looks wishes again.
const PATIENCE: SignedDuration = SignedDuration::from_mins(5);

/// The task that reads.
pub(crate) struct Keeper {
    engine: Engine,
    http: HttpFetch,
    door: mpsc::Receiver<Want>,
    wishes: Vec<Wish>,
    /// How many were ever taken, in how many bursts, and when the last came.
    taken: u64,
    burst: u64,
    taken_at: Duration,
    /// Hosts that may not be asked before then.
    not_before: HashMap<HostKey, Timestamp>,
    flights: JoinSet<Landed>,
    flying: HashMap<Mark, Vec<Waiter>>,
    /// What came and could not be kept; the next run may try again.
    unkept: HashSet<Mark>,
}

struct Wish {
    /// A list that is opened or scrolled wishes for all that it shows at once.
    burst: u64,
    order: u64,
    mark: Mark,
    source: Source,
    host: HostKey,
    waiters: Vec<Waiter>,
}

/// What became of a read.
enum Landed {
    /// It is in the album.
    Came(Mark),
    /// It is noted there that there is none.
    Without(Mark),
    /// The album cannot be written.
    Unkept(Mark),
}

impl Wish {
    /// The highest goes next.
    fn rank(&self) -> (bool, u64, Reverse<u64>) {
        (!self.waiters.is_empty(), self.burst, Reverse(self.order))
    }
}

impl Keeper {
    pub(crate) fn new(engine: Engine, http: HttpFetch, door: mpsc::Receiver<Want>) -> Self {
        Self {
            engine,
            http,
            door,
            wishes: Vec::new(),
            taken: 0,
            burst: 0,
            taken_at: Duration::ZERO,
            not_before: HashMap::new(),
            flights: JoinSet::new(),
            flying: HashMap::new(),
            unkept: HashSet::new(),
        }
    }

    /// Until the engine ends.
    pub(crate) async fn run(mut self) {
        let engine = self.engine.clone();
        let ended = engine.events.closed();
        tokio::pin!(ended);
        loop {
            let next = self.send_out().await;
            let wait = async {
                match next {
                    Some(wait) => engine.clock.sleep(wait).await,
                    None => std::future::pending().await,
                }
            };
            tokio::select! {
                () = &mut ended => return,
                want = self.door.recv() => match want {
                    Some(want) => self.take(want),
                    None => return,
                },
                Some(landed) = self.flights.join_next() => self.landed(landed).await,
                () = wait => {}
            }
            while let Ok(want) = self.door.try_recv() {
                self.take(want);
            }
        }
    }

    fn take(&mut self, want: Want) {
        let Want { mark, source, waiter } = want;
        if self.unkept.contains(&mark) {
            return;
        }
        if let Some(waiters) = self.flying.get_mut(&mark) {
            waiters.extend(waiter);
            return;
        }
        let known = self.wishes.iter().position(|wish| wish.mark == mark);
        let mut waiters = known.map(|at| self.wishes.remove(at).waiters).unwrap_or_default();
        waiters.extend(waiter);
        let host = source.url.host();
        let now = self.engine.clock.running();
        self.burst += u64::from(now.saturating_sub(self.taken_at) > PAUSE);
        self.taken_at = now;
        self.taken += 1;
        let (burst, order) = (self.burst, self.taken);
        self.wishes.push(Wish { burst, order, mark, source, host, waiters });
        self.wishes.sort_by_key(Wish::rank);
        if self.wishes.len() > MOST {
            self.wishes.remove(0);
        }
    }

    /// Sends out what may go. Gives how long to wait for the next, if any is wanted.
    async fn send_out(&mut self) -> Option<Duration> {
        if self.wishes.is_empty() || self.flights.len() >= AT_ONCE {
            return None;
        }
        if !self.engine.settings().await.photos {
            self.wishes.clear();
            return None;
        }
        let now = self.engine.clock.now();
        self.not_before.retain(|_, at| *at > now);
        let mut later = Vec::new();
        while let Some(wish) = self.wishes.pop() {
            if self.flights.len() >= AT_ONCE {
                later.push(wish);
                break;
            }
            match self.may_go(&wish, now).await {
                Ok(check) => self.fly(wish, check),
                Err(at) => later.extend(still_wanted(wish, at, now)),
            }
        }
        self.wishes.extend(later);
        self.wishes.sort_by_key(Wish::rank);
        let next = self.wishes.iter().filter_map(|wish| self.not_before.get(&wish.host)).min()?;
        let wait = Duration::try_from(next.duration_since(now)).unwrap_or_default();
        Some(wait.max(Duration::from_millis(20)))
    }

    /// The permit, or when to ask again.
    async fn may_go(&mut self, wish: &Wish, now: Timestamp) -> Result<Check, Timestamp> {
        if let Some(at) = self.not_before.get(&wish.host) {
            return Err(*at);
        }
        let at = match self.page_waits(&wish.source.page, now) {
            Some(at) => at,
            None => match self.engine.permit(wish.source.url.clone(), Purpose::Photo).await {
                Some(Permit::Go(check)) => return Ok(check),
                Some(Permit::NotBefore { at, .. }) => at,
                None => now + PATIENCE,
            },
        };
        self.not_before.insert(wish.host.clone(), at);
        Err(at)
    }

    /// A site that refuses its pages is left alone with its photos too, wherever they are kept.
    fn page_waits(&self, page: &HostKey, now: Timestamp) -> Option<Timestamp> {
        let board = self.engine.board.borrow();
        let card = &board.hosts.iter().find(|host| host.card.host == *page)?.card;
        match &card.state {
            HostState::Answers { .. } => None,
            HostState::Waits(wait) | HostState::Probing { wait, .. } => {
                Some(wait.retry_at.max(now + SignedDuration::from_secs(5)))
            }
            HostState::SiteOpen { .. } => Some(now + SignedDuration::from_secs(30)),
        }
    }

    fn fly(&mut self, wish: Wish, check: Check) {
        let Wish { mark, source, waiters, .. } = wish;
        self.flying.insert(mark.clone(), waiters);
        let request =
            PictureRequest { url: source.url.url().clone(), page: source.page, deadline: DEADLINE };
        let (http, engine) = (self.http.clone(), self.engine.clone());
        self.flights.spawn(async move {
            // The clock's time counts, too: it is what the schedule reckons with.
            let picture = tokio::select! {
                picture = http.picture(&request, engine.clock.now()) => picture,
                () = engine.clock.sleep(DEADLINE) => Picture::Failed(too_slow()),
            };
            let outcome = match &picture {
                Picture::Failed(outcome) => outcome.clone(),
                Picture::Bytes(_) | Picture::None(_) => Outcome::Answer,
            };
            // The host is free before anything is drawn.
            engine.report(check, outcome, Seen::nothing()).await;
            let album = Arc::clone(&engine.photos.album);
            let kept = mark.clone();
            let drawn = tokio::task::spawn_blocking(move || keep(&album, mark, picture)).await;
            drawn.unwrap_or_else(|error| {
                tracing::error!(%error, "a photo broke its reader");
                Landed::Unkept(kept)
            })
        });
    }

    async fn landed(&mut self, landed: Result<Landed, tokio::task::JoinError>) {
        let Ok(landed) = landed else { return };
        let (Landed::Came(mark) | Landed::Without(mark) | Landed::Unkept(mark)) = &landed;
        // Whoever waits for it looks now.
        self.flying.remove(mark);
        match landed {
            Landed::Came(mark) => {
                let came = Event::PhotoCame { mark: mark.as_str().to_owned() };
                if self.engine.events.send(came).await.is_err() {
                    tracing::debug!("the engine ended before a photo came");
                }
            }
            Landed::Without(_) => {}
            Landed::Unkept(mark) => {
                self.unkept.insert(mark);
            }
        }
    }
}

/// A wish that has to wait, unless it is better forgotten. A mail that cannot have its photo in
/// time is let go at once.
fn still_wanted(mut wish: Wish, at: Timestamp, now: Timestamp) -> Option<Wish> {
    wish.waiters.retain(|waiter| waiter.until > at);
    (at <= now + PATIENCE).then_some(wish)
}

fn too_slow() -> Outcome {
    Outcome::Trouble(Trouble {
        reason: Reason::Timeout,
        retry_after: None,
        evidence: vec!["timeout: the photo did not come".to_owned()],
    })
}

/// Draws what came and keeps it. It blocks.
fn keep(album: &Album, mark: Mark, picture: Picture) -> Landed {
    let (kept, came) = match picture {
        Picture::Bytes(bytes) => match prints(&bytes) {
            Ok(prints) => (album.put(&mark, &prints), true),
            Err(why) => {
                tracing::debug!(%why, bytes = bytes.len(), "a photo was not drawn");
                (album.put_without(&mark, Without::ForGood), false)
            }
        },
        Picture::None(why) => {
            tracing::debug!(?why, "there is no photo");
            (album.put_without(&mark, Without::ForGood), false)
        }
        Picture::Failed(outcome) => {
            tracing::debug!(?outcome, "a photo could not be had");
            (album.put_without(&mark, Without::Today), false)
        }
    };
    match kept {
        Ok(()) if came => Landed::Came(mark),
        Ok(()) => Landed::Without(mark),
        Err(error) => {
            tracing::warn!(%error, "photos cannot be kept");
            Landed::Unkept(mark)
        }
    }
}
