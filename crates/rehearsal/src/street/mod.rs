//! The street: a few rental sites on loopback, each with a markup of its own, where homes appear,
//! change price and vanish, and any wall can be put up.
//!
//! Each site is a host of its own (`grachtenhuur.localhost:PORT`), so gaps, ladders and probes
//! work as in the world outside. Every request is written down for the tests.

mod home;
mod life;
mod markup;
mod picture;
mod server;
mod wall;

use std::net::SocketAddr;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Instant;

pub use home::Home;
pub use life::live;
pub use markup::Markup;
pub use wall::Wall;

use crate::Dice;

/// The sites of a street, in the order in which they are offered.
pub struct Street {
    sites: Vec<Site>,
}

/// One site. Cheap to clone; all clones are the same site.
#[derive(Clone)]
pub struct Site {
    name: &'static str,
    address: SocketAddr,
    inner: Arc<Mutex<Inner>>,
}

struct Inner {
    markup: Markup,
    homes: Vec<Home>,
    next_id: u64,
    dice: Dice,
    wall: Option<Wall>,
    requests: Vec<Asked>,
    photos: Photos,
}

/// What a site sends for a photo.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Photos {
    /// A drawn one of its own for each home.
    Drawn,
    /// The same, after so many milliseconds.
    Slow {
        /// Of real time.
        ms: u64,
    },
    /// This, whatever it is.
    Other {
        /// The status.
        status: u16,
        /// Header lines.
        headers: Vec<(&'static str, String)>,
        /// The bytes.
        body: Vec<u8>,
    },
}

/// One request that a site saw.
#[derive(Debug, Clone)]
pub struct Asked {
    /// When.
    pub at: Instant,
    /// Path and query.
    pub path: String,
    /// The User-Agent line.
    pub agent: String,
    /// The status that was answered.
    pub status: u16,
    /// All header names and values, as they came.
    pub headers: Vec<(String, String)>,
}

const SITES: &[(&str, Markup)] = &[
    ("grachtenhuur", Markup::Cards),
    ("kieznest", Markup::Table),
    ("lanternlets", Markup::JsonLd),
    ("kamerplein", Markup::Script),
];

/// The names of all sites, to be given to a client before the street is open.
pub fn host_names() -> Vec<String> {
    SITES.iter().map(|(name, _)| format!("{name}.localhost")).collect()
}

impl Photos {
    const fn status(&self) -> u16 {
        match self {
            Self::Drawn | Self::Slow { .. } => 200,
            Self::Other { status, .. } => *status,
        }
    }
}

impl Street {
    /// Opens the street on loopback, with a dozen homes on each site.
    ///
    /// # Errors
    /// If no port can be had.
    pub async fn open(seed: u64) -> std::io::Result<Self> {
        let mut sites = Vec::new();
        for (at, (name, markup)) in SITES.iter().enumerate() {
            let dice = Dice::new(seed.wrapping_mul(31).wrapping_add(at as u64));
            sites.push(Site::open(name, *markup, dice, 12).await?);
        }
        Ok(Self { sites })
    }

    /// All sites.
    pub fn sites(&self) -> &[Site] {
        &self.sites
    }

    /// Names and addresses for a client that cannot resolve `*.localhost`.
    pub fn names(&self) -> Vec<(String, Vec<SocketAddr>)> {
        self.sites.iter().map(|site| (site.host_name(), vec![site.address])).collect()
    }
}

impl Site {
    /// Opens one site with so many homes.
    ///
    /// # Errors
    /// If no port can be had.
    pub async fn open(
        name: &'static str,
        markup: Markup,
        dice: Dice,
        homes: usize,
    ) -> std::io::Result<Self> {
        let listener = tokio::net::TcpListener::bind(("127.0.0.1", 0)).await?;
        let address = listener.local_addr()?;
        let inner = Inner {
            markup,
            homes: Vec::new(),
            next_id: 480_101,
            dice,
            wall: None,
            requests: Vec::new(),
            photos: Photos::Drawn,
        };
        let site = Self { name, address, inner: Arc::new(Mutex::new(inner)) };
        for _ in 0..homes {
            site.add_home();
        }
        server::serve(listener, site.clone());
        Ok(site)
    }

    /// The site's short name.
    pub fn name(&self) -> &'static str {
        self.name
    }

    /// How it writes its pages.
    pub fn markup(&self) -> Markup {
        self.lock().markup
    }

    /// `NAME.localhost`, without the port.
    pub fn host_name(&self) -> String {
        format!("{}.localhost", self.name)
    }

    /// Where it listens.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// The address of a search page; `town` makes several searches on one site.
    pub fn search_url(&self, town: &str) -> String {
        format!("http://{}:{}/huren/{town}", self.host_name(), self.address.port())
    }

    /// The same by IP address, for a client without our names.
    pub fn plain_url(&self, town: &str) -> String {
        format!("http://{}/huren/{town}", self.address)
    }

    /// A new home at the top of the list. Returns it.
    pub fn add_home(&self) -> Home {
        let mut inner = self.lock();
        let id = inner.next_id;
        inner.next_id += 7;
        let markup = inner.markup;
        let home = Home::throw(id, markup, &mut inner.dice);
        inner.homes.insert(0, home.clone());
        inner.homes.truncate(40);
        home
    }

    /// Takes a home off the list; says whether it was there.
    pub fn remove_home(&self, id: u64) -> bool {
        let mut inner = self.lock();
        let before = inner.homes.len();
        inner.homes.retain(|home| home.id != id);
        inner.homes.len() < before
    }

    /// Changes a home's rent; says whether it is there.
    pub fn reprice(&self, id: u64, rent: u32) -> bool {
        let mut inner = self.lock();
        let home = inner.homes.iter_mut().find(|home| home.id == id);
        home.map(|home| home.rent = rent).is_some()
    }

    /// All homes, newest first.
    pub fn homes(&self) -> Vec<Home> {
        self.lock().homes.clone()
    }

    /// Empties the list.
    pub fn clear_homes(&self) {
        self.lock().homes.clear();
    }

    /// Puts a wall up, or takes it down.
    pub fn wall(&self, wall: Option<Wall>) {
        self.lock().wall = wall;
    }

    /// What the site sends in its photos' places from now on.
    pub fn photos(&self, photos: Photos) {
        self.lock().photos = photos;
    }

    /// Every request so far.
    pub fn requests(&self) -> Vec<Asked> {
        self.lock().requests.clone()
    }

    /// Forgets the requests so far.
    pub fn forget_requests(&self) {
        self.lock().requests.clear();
    }

    fn lock(&self) -> MutexGuard<'_, Inner> {
        self.inner.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
