//! A rental site of the fake network: homes that come and go, and walls of every kind.

use std::time::Duration;

use firstknock_listing::{HostKey, KeyKind, Listing, ListingKey, Money, SearchUrl};
use firstknock_policy::{Kind, Outcome, Reason, Trouble, Wall};

use crate::Dice;

/// One host with its pages.
pub(super) struct Site {
    pub(super) host: HostKey,
    pub(super) urls: Vec<SearchUrl>,
    homes: Vec<Home>,
    spells: Vec<Spell>,
    /// A page shows so many, the newest first.
    fits: usize,
}

struct Home {
    number: u64,
    /// The pages that show it, as bits.
    pages: u64,
    from: Duration,
    until: Duration,
    cents: i64,
    /// Another price from then on.
    repriced: Option<(Duration, i64)>,
    /// Missing from the page in between, as pages flicker.
    away: Option<(Duration, Duration)>,
}

struct Spell {
    from: Duration,
    until: Duration,
    weather: Weather,
    /// One page alone.
    page: Option<usize>,
}

/// What a site does instead of showing its page.
#[derive(Debug, Clone, Copy)]
enum Weather {
    Wall(Kind, Option<u64>),
    Login,
    Gone,
    Trouble(Reason, Option<u64>),
    /// A page on which nothing is recognised any more.
    Unreadable,
    /// A page that says that nothing matches.
    Empty,
}

/// What came back.
pub(super) struct Reply {
    pub(super) outcome: Outcome,
    pub(super) status: Option<u16>,
    pub(super) shown: Option<Shown>,
}

/// A page that was answered.
#[derive(Debug, Clone, Default)]
pub(super) struct Shown {
    pub(super) listings: Vec<Listing>,
    /// All there is, nothing on a further page.
    pub(super) complete: bool,
    pub(super) unreadable: bool,
}

const MINUTE: u64 = 60;
const HOUR: u64 = 60 * MINUTE;

impl Site {
    /// A site for so much time.
    pub(super) fn new(
        host: &str,
        pages: usize,
        rough: f64,
        length: Duration,
        dice: &mut Dice,
    ) -> Self {
        let urls: Vec<_> = (0..pages)
            .map(|page| {
                SearchUrl::parse(&format!("https://{host}/list/{page}")).expect("BUG: an address")
            })
            .collect();
        let mut site = Self {
            host: urls[0].host(),
            urls,
            homes: Vec::new(),
            spells: Vec::new(),
            fits: usize::try_from(dice.between(6, 30)).unwrap_or(30),
        };
        site.fill(length, dice);
        site.cloud_over(rough, length, dice);
        site
    }

    fn fill(&mut self, length: Duration, dice: &mut Dice) {
        let every = dice.between(5 * MINUTE, 2 * HOUR);
        let mut number = 1000;
        let mut at = 0;
        let there_at_first = dice.between(0, 8);
        while at < length.as_secs() {
            number += dice.between(1, 9);
            if number > 1000 + there_at_first * 5 {
                at += dice.between(1, 2 * every);
            }
            let from = Duration::from_secs(at);
            let cents = i64::try_from(dice.between(400, 2000)).unwrap_or(900) * 100;
            let stays = dice.between(HOUR, 96 * HOUR);
            let part = |dice: &mut Dice| from + Duration::from_secs(dice.between(0, stays));
            let repriced = (dice.roll() < 0.2).then(|| {
                (
                    part(dice),
                    cents + 5_000 - i64::try_from(dice.between(0, 10)).unwrap_or(0) * 1_000,
                )
            });
            let away = (dice.roll() < 0.1).then(|| {
                let gone = part(dice);
                (gone, gone + Duration::from_secs(dice.between(60, 30 * HOUR)))
            });
            let until = from + Duration::from_secs(stays);
            let pages = 1 | dice.bits();
            self.homes.push(Home { number, pages, from, until, cents, repriced, away });
        }
    }

    fn cloud_over(&mut self, rough: f64, length: Duration, dice: &mut Dice) {
        let mut at = 0;
        while at < length.as_secs() {
            at += ((dice.between(MINUTE, 6 * HOUR) as f64) / rough.max(0.1)) as u64 + 1;
            let lasts = match dice.between(0, 3) {
                0 => 4,
                1 => dice.between(20, 10 * MINUTE),
                2 => dice.between(10 * MINUTE, 2 * HOUR),
                _ => dice.between(HOUR, 9 * HOUR),
            };
            let one = dice.roll() < 0.2;
            let page = one
                .then(|| usize::try_from(dice.between(0, self.urls.len() as u64 - 1)).unwrap_or(0));
            self.spells.push(Spell {
                from: Duration::from_secs(at),
                until: Duration::from_secs(at + lasts),
                weather: weather(dice),
                page,
            });
            at += lasts;
        }
    }

    /// What a request for a page gets at a time. Chance decides nothing here.
    pub(super) fn reply(&self, page: usize, at: Duration) -> Reply {
        let spell = self.spells.iter().find(|spell| {
            spell.from <= at && at < spell.until && spell.page.is_none_or(|only| only == page)
        });
        match spell.map(|spell| spell.weather) {
            None => answer(self.shown(page, at)),
            Some(Weather::Unreadable) => answer(Shown { unreadable: true, ..Shown::default() }),
            Some(Weather::Empty) => answer(Shown { complete: true, ..Shown::default() }),
            Some(Weather::Wall(kind, asked)) => wall(kind, reason_of(kind), asked),
            Some(Weather::Login) => wall(Kind::Denied, Reason::Login, None),
            Some(Weather::Gone) => Reply { status: Some(404), ..trouble(Reason::PageGone, None) },
            Some(Weather::Trouble(reason, asked)) => trouble(reason, asked),
        }
    }

    fn shown(&self, page: usize, at: Duration) -> Shown {
        let there = |home: &&Home| {
            home.pages & (1 << (page % 63)) != 0
                && home.from <= at
                && at < home.until
                && home.away.is_none_or(|(from, until)| at < from || until <= at)
        };
        let mut listings: Vec<_> =
            self.homes.iter().filter(there).map(|home| self.listing(home, at)).collect();
        listings.reverse();
        let complete = listings.len() <= self.fits;
        listings.truncate(self.fits);
        Shown { listings, complete, unreadable: false }
    }

    fn listing(&self, home: &Home, at: Duration) -> Listing {
        let link = format!("https://{}/home/{}", self.host, home.number);
        let keys = vec![
            ListingKey::new(KeyKind::Id, &format!("{}:path2:{}", self.host, home.number)),
            ListingKey::new(KeyKind::Url, &link),
        ];
        let mut listing = Listing::new(keys, link);
        let repriced = home.repriced.filter(|(from, _)| *from <= at).map(|(_, cents)| cents);
        listing.title = Some(format!("Home {}", home.number));
        listing.price = Some(Money::of_cents(repriced.unwrap_or(home.cents)));
        listing
    }

    /// From now on all is well there.
    pub(super) fn clear_up(&mut self) {
        self.spells.clear();
    }
}

/// The site's own number of a listing, which rises with time.
pub(super) fn number_of(listing: &Listing) -> u64 {
    listing.url.rsplit('/').next().and_then(|n| n.parse().ok()).unwrap_or_default()
}

fn weather(dice: &mut Dice) -> Weather {
    let asked = match dice.between(0, 9) {
        0..=4 => None,
        5 => Some(dice.between(1, 90)),
        6 => Some(300),
        7 => Some(dice.between(300, 3700)),
        8 => Some(86_400),
        _ => Some(u64::MAX / 1_000_000),
    };
    let troubles = [
        Reason::Dns,
        Reason::Connect,
        Reason::Certificate,
        Reason::Timeout,
        Reason::Truncated,
        Reason::RedirectLoop,
        Reason::ForeignHost,
        Reason::ServerError,
        Reason::Maintenance,
        Reason::Browser,
        Reason::TooLarge,
        Reason::NotAPage,
    ];
    match dice.between(0, 13) {
        0..=2 => Weather::Wall(Kind::Challenge, asked),
        3..=5 => Weather::Wall(Kind::RateLimited, asked),
        6..=7 => Weather::Wall(Kind::Denied, asked),
        8 => Weather::Login,
        9 => Weather::Gone,
        10 => Weather::Unreadable,
        11 => Weather::Empty,
        _ => {
            let reason = *dice.pick(&troubles);
            let says = matches!(reason, Reason::ServerError | Reason::Maintenance);
            Weather::Trouble(reason, asked.filter(|_| says))
        }
    }
}

fn reason_of(kind: Kind) -> Reason {
    match kind {
        Kind::Challenge => Reason::BrowserCheck,
        Kind::RateLimited => Reason::TooManyRequests,
        Kind::Denied | Kind::Error => Reason::HumanCheck,
    }
}

fn answer(shown: Shown) -> Reply {
    Reply { outcome: Outcome::Answer, status: Some(200), shown: Some(shown) }
}

fn wall(kind: Kind, reason: Reason, asked: Option<u64>) -> Reply {
    let retry_after = asked.map(Duration::from_secs);
    let wall = Wall { kind, reason, vendor: None, retry_after, evidence: vec!["status".into()] };
    Reply { outcome: Outcome::Wall(wall), status: Some(403), shown: None }
}

/// Something on the way.
pub(super) fn trouble(reason: Reason, asked: Option<u64>) -> Reply {
    let retry_after = asked.map(Duration::from_secs);
    let trouble = Trouble { reason, retry_after, evidence: Vec::new() };
    Reply { outcome: Outcome::Trouble(trouble), status: None, shown: None }
}
