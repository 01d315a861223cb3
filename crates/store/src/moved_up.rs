//! An old listing from page two that moved up because one above it left: not new, only new to us
//! (ebayKleinanzeigenAlert#15).
//!
//! **Promises**: only what stands below everything that stayed, is older by its number than all of
//! that, and fills a place that became free; on any doubt a listing counts as new.

use firstknock_listing::{KeyKind, Listing};

/// One listing of a page, as far as this is concerned.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Entry {
    /// The site's own number, where its key ends in one: it rises with time.
    pub(crate) number: Option<u64>,
    /// It was on the page before.
    pub(crate) stayed: bool,
    /// Nobody ever saw it.
    pub(crate) fresh: bool,
}

/// The places of those that moved up into the `left` places that became free.
pub(crate) fn moved_up(page: &[Entry], left: usize) -> Vec<usize> {
    let Some(last) = page.iter().rposition(|entry| entry.stayed) else { return Vec::new() };
    let numbers: Option<Vec<u64>> =
        page.iter().filter(|entry| entry.stayed).map(|entry| entry.number).collect();
    let Some(oldest) = numbers.and_then(|numbers| numbers.into_iter().min()) else {
        return Vec::new();
    };
    let below = page.iter().enumerate().skip(last + 1);
    below
        .filter(|(_, entry)| entry.fresh && entry.number.is_some_and(|number| number < oldest))
        .map(|(place, _)| place)
        .take(left)
        .collect()
}

/// The number that a listing's id key ends in.
pub(crate) fn number_of(listing: &Listing) -> Option<u64> {
    let id = listing.keys.iter().find(|key| key.kind() == Some(KeyKind::Id))?;
    id.value().rsplit(':').next()?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::{Entry, moved_up};

    const fn stayed(number: u64) -> Entry {
        Entry { number: Some(number), stayed: true, fresh: false }
    }

    const fn fresh(number: u64) -> Entry {
        Entry { number: Some(number), stayed: false, fresh: true }
    }

    #[test]
    fn only_an_older_one_below_all_that_stayed_moved_up() {
        let nameless = Entry { number: None, ..stayed(0) };
        let cases: [(&str, &[Entry], usize, &[usize]); 8] = [
            ("one left, one moved up", &[stayed(90), stayed(80), fresh(70)], 1, &[2]),
            ("nothing left", &[stayed(90), stayed(80), fresh(70)], 0, &[]),
            ("a new one at the top", &[fresh(99), stayed(90), stayed(80)], 1, &[]),
            ("a newer one at the end", &[stayed(90), stayed(80), fresh(99)], 1, &[]),
            ("between those that stayed", &[stayed(90), fresh(70), stayed(80)], 1, &[]),
            ("more than became free", &[stayed(90), fresh(70), fresh(60)], 1, &[1]),
            ("nothing stayed", &[fresh(70), fresh(60)], 2, &[]),
            ("no numbers to compare", &[nameless, fresh(70)], 1, &[]),
        ];
        for (what, page, left, want) in cases {
            assert_eq!(moved_up(page, left), want, "{what}");
        }
    }
}
