//! The photos on the disk: two small JPEGs each, or a note that there is none.
//!
//! **Promises**: at most [`CAP`] bytes, what was looked at longest ago goes first; 30 days after
//! the last look a photo is gone; a restart forgets nothing; a file that was cut off by a crash is
//! no photo. **Leaves out**: when anything is read. It blocks: not for an async thread.

use std::collections::HashMap;
use std::fs::{self, File};
use std::path::PathBuf;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, SystemTime};

use super::key::Mark;
use super::print::{self, Prints};

/// Which of the two.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Size {
    /// For rows, previews and mails about several homes.
    Card,
    /// For a mail about one.
    Wide,
}

impl Size {
    /// Width and height of what is kept in it, at most; a small photo has the same shape.
    pub(crate) const fn pixels(self) -> (u32, u32) {
        match self {
            Self::Card => print::CARD,
            Self::Wide => print::WIDE,
        }
    }
}

/// What the album knows of a photo.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Kept {
    /// Its bytes.
    Here(Vec<u8>),
    /// There is none, or it could not be had lately.
    Without,
    /// Nobody tried yet.
    Unknown,
}

/// Why a photo is noted as not there.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Without {
    /// It is gone, or no picture: no use to ask again.
    ForGood,
    /// Its host refused or was silent: perhaps tomorrow.
    Today,
}

/// A folder of photos.
pub(super) struct Album {
    folder: PathBuf,
    cap: u64,
    /// Bytes in it, once they were counted.
    size: Mutex<Option<u64>>,
}

/// 100 MB: about 1,500 photos.
const CAP: u64 = 100 * 1024 * 1024;
const DAY: Duration = Duration::from_secs(24 * 3600);
/// Without a look, a photo or a note is kept so long.
const KEPT: Duration = Duration::from_secs(30 * 24 * 3600);
/// A look is written down no more often.
const TOUCH_EVERY: Duration = Duration::from_secs(3600);

impl Album {
    pub(super) fn new(folder: PathBuf) -> Self {
        Self::with_cap(folder, CAP)
    }

    pub(super) fn with_cap(folder: PathBuf, cap: u64) -> Self {
        Self { folder, cap, size: Mutex::new(None) }
    }

    /// What is kept of a photo.
    pub(super) fn look(&self, mark: &Mark, size: Size) -> Kept {
        let path = self.path(mark, ending(size));
        if let Ok(bytes) = fs::read(&path) {
            if bytes.starts_with(&[0xff, 0xd8]) && bytes.ends_with(&[0xff, 0xd9]) {
                self.touch(mark);
                return Kept::Here(bytes);
            }
            return Kept::Unknown;
        }
        match fs::read(self.path(mark, NOTE)) {
            Ok(note) => {
                let kept = if note == TODAY { DAY } else { KEPT };
                let age = fs::metadata(self.path(mark, NOTE)).and_then(|meta| meta.modified());
                let young = age.is_ok_and(|at| at.elapsed().unwrap_or_default() < kept);
                if young { Kept::Without } else { Kept::Unknown }
            }
            Err(_) => Kept::Unknown,
        }
    }

    /// Keeps a photo.
    pub(super) fn put(&self, mark: &Mark, prints: &Prints) -> std::io::Result<()> {
        fs::create_dir_all(&self.folder)?;
        // Counted before: the new ones are added below.
        self.counted();
        for (ending, bytes) in [(WIDE, &prints.wide), (CARD, &prints.card)] {
            let draft = self.path(mark, "draft");
            fs::write(&draft, bytes)?;
            fs::rename(&draft, self.path(mark, ending))?;
        }
        drop(fs::remove_file(self.path(mark, NOTE)));
        let mut size = self.size.lock().unwrap_or_else(PoisonError::into_inner);
        let now = size.unwrap_or_default() + (prints.wide.len() + prints.card.len()) as u64;
        *size = Some(now);
        drop(size);
        if now > self.cap {
            self.make_room();
        }
        Ok(())
    }

    /// Notes that there is none.
    pub(super) fn put_without(&self, mark: &Mark, why: Without) -> std::io::Result<()> {
        fs::create_dir_all(&self.folder)?;
        let note: &[u8] = match why {
            Without::ForGood => b"",
            Without::Today => TODAY,
        };
        fs::write(self.path(mark, NOTE), note)
    }

    /// Throws away what nobody looked at for 30 days.
    pub(super) fn tidy(&self, now: SystemTime) {
        for (mark, page) in self.pages() {
            if now.duration_since(page.looked_at).unwrap_or_default() >= KEPT {
                self.remove(&mark);
            }
        }
        self.recount();
    }

    /// The longest unseen go until a tenth is free.
    fn make_room(&self) {
        let mut pages: Vec<_> = self.pages().into_iter().collect();
        pages.sort_by_key(|(_, page)| page.looked_at);
        let mut size: u64 = pages.iter().map(|(_, page)| page.bytes).sum();
        for (mark, page) in pages {
            if size <= self.cap - self.cap / 10 {
                break;
            }
            self.remove(&mark);
            size -= page.bytes;
        }
        self.recount();
    }

    fn remove(&self, mark: &Mark) {
        for ending in [CARD, WIDE, NOTE, "draft"] {
            drop(fs::remove_file(self.path(mark, ending)));
        }
    }

    fn counted(&self) {
        let known = self.size.lock().unwrap_or_else(PoisonError::into_inner).is_some();
        if !known {
            self.recount();
        }
    }

    fn recount(&self) {
        let bytes = self.pages().values().map(|page| page.bytes).sum();
        *self.size.lock().unwrap_or_else(PoisonError::into_inner) = Some(bytes);
    }

    /// All photos and notes.
    fn pages(&self) -> HashMap<Mark, Page> {
        let mut pages: HashMap<Mark, Page> = HashMap::new();
        let Ok(entries) = fs::read_dir(&self.folder) else { return pages };
        for entry in entries.flatten() {
            let name = entry.file_name();
            let mark = name.to_str().and_then(|n| Mark::of_name(n.split('.').next()?));
            let (Some(mark), Ok(meta)) = (mark, entry.metadata()) else { continue };
            let at = meta.modified().unwrap_or(SystemTime::UNIX_EPOCH);
            let page = pages.entry(mark).or_insert(Page { bytes: 0, looked_at: at });
            page.bytes += meta.len();
            page.looked_at = page.looked_at.max(at);
        }
        pages
    }

    /// It was looked at now.
    fn touch(&self, mark: &Mark) {
        let path = self.path(mark, CARD);
        let Ok(at) = fs::metadata(&path).and_then(|meta| meta.modified()) else { return };
        if at.elapsed().unwrap_or_default() >= TOUCH_EVERY
            && let Ok(file) = File::options().write(true).open(path)
        {
            drop(file.set_modified(SystemTime::now()));
        }
    }

    fn path(&self, mark: &Mark, ending: &str) -> PathBuf {
        self.folder.join(format!("{}.{ending}", mark.as_str()))
    }
}

/// A photo's files together.
struct Page {
    bytes: u64,
    looked_at: SystemTime,
}

const CARD: &str = "jpg";
const WIDE: &str = "wide.jpg";
const NOTE: &str = "none";
const TODAY: &[u8] = b"today";

const fn ending(size: Size) -> &'static str {
    match size {
        Size::Card => CARD,
        Size::Wide => WIDE,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn mark(n: u8) -> Mark {
        Mark::of(&n.to_string())
    }

    fn prints(bytes: usize) -> Prints {
        let jpeg = |fill| {
            let mut jpeg = vec![0xff, 0xd8];
            jpeg.resize(bytes / 2 - 2, fill);
            jpeg.extend([0xff, 0xd9]);
            jpeg
        };
        Prints { card: jpeg(1), wide: jpeg(2) }
    }

    fn looked_at(album: &Album, n: u8, ago: Duration) {
        for ending in [CARD, WIDE, NOTE] {
            if let Ok(file) = File::options().write(true).open(album.path(&mark(n), ending)) {
                file.set_modified(SystemTime::now() - ago).expect("a time");
            }
        }
    }

    #[test]
    fn a_photo_is_there_in_both_sizes_also_for_the_next_run() {
        let folder = tempfile::tempdir().expect("a folder");
        let album = Album::new(folder.path().join("photos"));
        assert_eq!(album.look(&mark(1), Size::Card), Kept::Unknown);
        album.put(&mark(1), &prints(100)).expect("kept");
        let next = Album::new(folder.path().join("photos"));
        for size in [Size::Card, Size::Wide] {
            assert!(matches!(next.look(&mark(1), size), Kept::Here(_)), "{size:?}");
        }
    }

    #[test]
    fn that_there_is_none_is_remembered_for_a_day_or_a_month() {
        let folder = tempfile::tempdir().expect("a folder");
        let album = Album::new(folder.path().into());
        album.put_without(&mark(1), Without::Today).expect("kept");
        album.put_without(&mark(2), Without::ForGood).expect("kept");
        let next = Album::new(folder.path().into());
        let known = |n| next.look(&mark(n), Size::Card);
        assert_eq!((known(1), known(2)), (Kept::Without, Kept::Without));
        for n in [1, 2] {
            looked_at(&next, n, DAY);
        }
        assert_eq!((known(1), known(2)), (Kept::Unknown, Kept::Without));
        looked_at(&next, 2, KEPT);
        assert_eq!(known(2), Kept::Unknown);
        next.put(&mark(2), &prints(100)).expect("kept");
        assert!(matches!(known(2), Kept::Here(_)), "it came after all");
    }

    #[test]
    fn what_was_looked_at_longest_ago_goes_when_the_album_is_full() {
        let folder = tempfile::tempdir().expect("a folder");
        let album = Album::with_cap(folder.path().into(), 1000);
        for n in 0..5 {
            album.put(&mark(n), &prints(200)).expect("kept");
            looked_at(&album, n, DAY * u32::from(10 - n));
        }
        // A look at the oldest keeps it.
        assert!(matches!(album.look(&mark(0), Size::Card), Kept::Here(_)));
        let album = Album::with_cap(folder.path().into(), 1000);
        album.put(&mark(9), &prints(200)).expect("kept");
        let there: Vec<u8> =
            (0..10).filter(|n| album.look(&mark(*n), Size::Card) != Kept::Unknown).collect();
        assert_eq!(there, [0, 3, 4, 9], "two of six had to go, the longest unseen");
        let bytes: u64 = fs::read_dir(folder.path())
            .expect("a folder")
            .map(|entry| entry.expect("a file").metadata().expect("a size").len())
            .sum();
        assert!(bytes <= 1000, "{bytes}");
    }

    #[test]
    fn a_month_without_a_look_and_a_photo_is_gone() {
        let folder = tempfile::tempdir().expect("a folder");
        let album = Album::new(folder.path().into());
        for n in 0..2 {
            album.put(&mark(n), &prints(100)).expect("kept");
        }
        album.put_without(&mark(2), Without::ForGood).expect("kept");
        for n in [0, 2] {
            looked_at(&album, n, KEPT);
        }
        album.tidy(SystemTime::now());
        let left = fs::read_dir(folder.path()).expect("a folder").count();
        assert_eq!(left, 2, "both sizes of the one that was seen");
    }

    #[test]
    fn a_file_that_was_cut_off_is_no_photo() {
        let folder = tempfile::tempdir().expect("a folder");
        let album = Album::new(folder.path().into());
        album.put(&mark(1), &prints(100)).expect("kept");
        let path = album.path(&mark(1), CARD);
        let whole = fs::read(&path).expect("bytes");
        fs::write(&path, &whole[..20]).expect("cut");
        assert_eq!(album.look(&mark(1), Size::Card), Kept::Unknown);
    }
}
