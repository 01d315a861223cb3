//! Photos of listings: read when somebody wants to see one, drawn small, kept in an album.
//!
//! **Promises**: no photo is read while photos are switched off, none without the plan's permit,
//! none of an address that stood in no listing; nobody waits for one except a mail that was told
//! how long. **Leaves out**: when a host may be asked (`schedule`), the way there (`fetch`).

mod album;
mod keeper;
mod key;
mod print;

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use firstknock_listing::{HostKey, Listing, ListingId, SearchUrl};
use firstknock_store::{StoreError, StoreHandle};
use jiff::Timestamp;
use tokio::sync::{mpsc, oneshot};

use crate::{Clock, Engine, Settings};

pub(crate) use album::Size;
use album::{Album, Kept};
pub(crate) use keeper::Keeper;
use key::Mark;
pub use key::PhotoKey;

/// What there is of a photo.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Photo {
    /// The bytes of a small JPEG.
    Here(Vec<u8>),
    /// It is asked for when its host may be; the board says when it came.
    Later,
    /// There is none, photos are off, or it could not be had.
    None,
}

/// Where a photo is, and whose page showed it.
#[derive(Debug, Clone)]
pub(crate) struct Source {
    url: SearchUrl,
    page: HostKey,
}

/// Somebody wants a photo.
pub(crate) struct Want {
    mark: Mark,
    source: Source,
    waiter: Option<Waiter>,
}

/// A mail that waits for a photo.
struct Waiter {
    until: Timestamp,
    /// Dropped when it came, or cannot come in time.
    _done: oneshot::Sender<()>,
}

/// A handle on the photos; cheap to clone.
#[derive(Clone)]
pub(crate) struct Photos {
    store: StoreHandle,
    clock: Arc<dyn Clock>,
    album: Arc<Album>,
    wants: mpsc::Sender<Want>,
    /// Photos of the last previews, whose listings are not stored.
    shown: Arc<Mutex<VecDeque<(Mark, Source)>>>,
}

/// Wants that may stand at the door; what comes then is wanted again by whoever still sees it.
const DOOR: usize = 128;
/// Photos of previews that are remembered: three cards, or two lists of a few, and a second look.
const SHOWN: usize = 64;

impl Photos {
    /// A handle, and the door that the keeper opens.
    pub(crate) fn new(
        store: StoreHandle,
        clock: Arc<dyn Clock>,
        folder: std::path::PathBuf,
    ) -> (Self, mpsc::Receiver<Want>) {
        let (wants, door) = mpsc::channel(DOOR);
        let album = Arc::new(Album::new(folder));
        (Self { store, clock, album, wants, shown: Arc::default() }, door)
    }

    /// What there is of a photo; one that is not there yet is wanted from now on.
    async fn get(&self, key: PhotoKey) -> Result<Photo, StoreError> {
        let (mark, id) = (key.mark.clone(), key.listing);
        let asked = mark.clone();
        let (on, stored) = self
            .store
            .read(move |store| {
                let settings: Settings = store.setting(Settings::KEY)?.unwrap_or_default();
                let stored = id.map(|id| store.listing(id)).transpose()?.flatten();
                Ok((settings.photos, stored))
            })
            .await?;
        if !on {
            return Ok(Photo::None);
        }
        let source = match stored {
            Some(stored) => source(&stored.listing, stored.host),
            None => self.shown(&asked),
        };
        let Some((mark, source)) = source.filter(|(found, _)| *found == mark) else {
            return Ok(Photo::None);
        };
        Ok(match self.look(&mark, Size::Card).await {
            Kept::Here(bytes) => Photo::Here(bytes),
            Kept::Without => Photo::None,
            Kept::Unknown => {
                self.want(mark, source, None);
                Photo::Later
            }
        })
    }

    /// The photo of a listing for a mail: as it is kept, else what comes until then.
    pub(crate) async fn for_mail(
        &self,
        listing: &Listing,
        page: HostKey,
        size: Size,
        until: Timestamp,
    ) -> Option<Vec<u8>> {
        let (mark, source) = source(listing, page)?;
        match self.look(&mark, size).await {
            Kept::Here(bytes) => return Some(bytes),
            Kept::Without => return None,
            Kept::Unknown => {}
        }
        let wait = Duration::try_from(until.duration_since(self.clock.now())).unwrap_or_default();
        if wait.is_zero() {
            return None;
        }
        let (sender, done) = oneshot::channel();
        self.want(mark.clone(), source, Some(Waiter { until, _done: sender }));
        tokio::select! {
            _ = done => {}
            () = self.clock.sleep(wait) => {}
        }
        match self.look(&mark, size).await {
            Kept::Here(bytes) => Some(bytes),
            Kept::Without | Kept::Unknown => None,
        }
    }

    /// A mail about this listing is on its way, perhaps one of tomorrow morning.
    pub(crate) async fn prefetch(&self, id: ListingId) {
        let found = self
            .store
            .read(move |store| {
                let settings: Settings = store.setting(Settings::KEY)?.unwrap_or_default();
                let wanted = settings.photos && settings.mail_photo;
                Ok(if wanted { store.listing(id)? } else { None })
            })
            .await;
        if let Ok(Some(stored)) = found
            && let Some((mark, source)) = source(&stored.listing, stored.host)
            && matches!(self.look(&mark, Size::Card).await, Kept::Unknown)
        {
            self.want(mark, source, None);
        }
    }

    /// These listings stand in a preview.
    pub(crate) fn show<'a>(&self, listings: impl Iterator<Item = &'a Listing>, page: &HostKey) {
        let mut shown = self.shown.lock().unwrap_or_else(PoisonError::into_inner);
        for (mark, from) in listings.filter_map(|listing| source(listing, page.clone())) {
            shown.retain(|(other, _)| *other != mark);
            shown.push_back((mark, from));
        }
        let beyond = shown.len().saturating_sub(SHOWN);
        shown.drain(..beyond);
    }

    /// Throws away what is old; hourly.
    pub(crate) async fn tidy(&self) {
        self.off_thread(|album| album.tidy(std::time::SystemTime::now())).await;
    }

    fn shown(&self, mark: &Mark) -> Option<(Mark, Source)> {
        let shown = self.shown.lock().unwrap_or_else(PoisonError::into_inner);
        shown.iter().find(|(other, _)| other == mark).cloned()
    }

    fn want(&self, mark: Mark, source: Source, waiter: Option<Waiter>) {
        // Nobody behind the door (a command that does one thing), or too many before it: then the
        // drawn front stays until somebody looks again.
        drop(self.wants.try_send(Want { mark, source, waiter }));
    }

    async fn look(&self, mark: &Mark, size: Size) -> Kept {
        let mark = mark.clone();
        self.off_thread(move |album| album.look(&mark, size)).await.unwrap_or(Kept::Unknown)
    }

    async fn off_thread<T: Send + 'static>(
        &self,
        work: impl FnOnce(&Album) -> T + Send + 'static,
    ) -> Option<T> {
        let album = Arc::clone(&self.album);
        match tokio::task::spawn_blocking(move || work(&album)).await {
            Ok(done) => Some(done),
            Err(error) => {
                tracing::error!(%error, "the photo album broke");
                None
            }
        }
    }
}

impl Engine {
    /// What there is of a photo; one that is not there yet is wanted from now on, and the board's
    /// `photos` say when it came.
    ///
    /// # Errors
    /// [`StoreError`]: what is stored cannot be read.
    pub async fn photo(&self, key: PhotoKey) -> Result<Photo, StoreError> {
        self.photos.get(key).await
    }
}

/// Where a listing's photo is, if it is one that can be asked for.
fn source(listing: &Listing, page: HostKey) -> Option<(Mark, Source)> {
    let address = listing.image.as_deref()?;
    let url = SearchUrl::parse(address).ok()?;
    Some((Mark::of(address), Source { url, page }))
}
