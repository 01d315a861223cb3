//! When a page that scripts fill stands still. Pure: looks and times in, a yes or no out.

use std::time::Duration;

use serde::Deserialize;

/// One look at the document.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
pub(super) struct Look {
    /// The document is parsed.
    pub(super) parsed: bool,
    /// Links on it.
    pub(super) links: usize,
    /// Characters of visible text.
    pub(super) text: usize,
    /// Elements.
    pub(super) nodes: usize,
    /// Its title.
    pub(super) title: String,
}

/// How long nothing must have changed.
const STILL: Duration = Duration::from_millis(800);
/// The same for a page with almost nothing on it: its scripts may only be starting.
const STILL_THIN: Duration = Duration::from_secs(3);
/// A request that runs this long while nothing changes is a stream or a poll, not the listings.
const LONG_REQUEST: Duration = Duration::from_secs(4);
/// A page that never stands still is taken as it is.
const ENOUGH: Duration = Duration::from_secs(15);
/// Characters that a clock or a counter on the page may come and go with.
const FLICKER: usize = 24;

/// Watches one document.
#[derive(Debug, Default)]
pub(super) struct Settle {
    last: Look,
    /// When the document was first looked at.
    began: Option<Duration>,
    /// When it last changed.
    changed: Duration,
}

impl Settle {
    /// Takes a look at time `at`; says whether the page stands still. `busy`: requests run.
    pub(super) fn look(&mut self, at: Duration, look: Look, busy: bool) -> bool {
        let began = *self.began.get_or_insert(at);
        if moved(&self.last, &look) || at == began {
            self.changed = at;
        }
        self.last = look;
        if at.saturating_sub(began) >= ENOUGH {
            return true;
        }
        let still = at.saturating_sub(self.changed);
        let wanted = if self.is_thin() { STILL_THIN } else { STILL };
        let waiting = busy || !self.last.parsed;
        still >= if waiting { wanted.max(LONG_REQUEST) } else { wanted }
    }

    /// Almost nothing on it: a shell for scripts, or a very short page.
    pub(super) fn is_thin(&self) -> bool {
        self.last.links < 3 && self.last.text < 200
    }

    /// The last look.
    pub(super) fn last(&self) -> &Look {
        &self.last
    }
}

fn moved(before: &Look, now: &Look) -> bool {
    let flicker = FLICKER.max(before.text / 100);
    before.links != now.links
        || before.parsed != now.parsed
        || before.text.abs_diff(now.text) > flicker
        || before.nodes.abs_diff(now.nodes) > 4.max(before.nodes / 50)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn page(links: usize, text: usize) -> Look {
        Look { parsed: true, links, text, nodes: links * 4 + 20, title: String::new() }
    }

    /// Looks every 200 ms at what `page` gives for a time in ms; when it stands still.
    fn settled(page: impl Fn(u64) -> (Look, bool)) -> u64 {
        let mut settle = Settle::default();
        (0..)
            .map(|n| n * 200)
            .find(|ms| {
                let (look, busy) = page(*ms);
                settle.look(Duration::from_millis(*ms), look, busy)
            })
            .unwrap()
    }

    #[test]
    fn a_finished_page_is_read_after_it_stood_still_for_a_moment() {
        assert_eq!(settled(|_| (page(48, 9000), false)), 800);
    }

    #[test]
    fn listings_that_come_late_are_waited_for() {
        let at = settled(|ms| (if ms < 1500 { page(1, 40) } else { page(48, 9000) }, false));
        assert_eq!(at, 2400);
    }

    #[test]
    fn a_shell_whose_request_is_under_way_is_given_time() {
        let at = settled(|ms| match ms {
            0..3800 => (page(0, 10), true),
            _ => (page(30, 4000), false),
        });
        assert_eq!(at, 4600);
    }

    #[test]
    fn a_ticking_clock_does_not_keep_a_page_from_standing_still() {
        assert_eq!(settled(|ms| (page(48, 9000 + (ms / 200) as usize % 3), false)), 800);
    }

    #[test]
    fn a_request_that_never_ends_does_not_hold_a_page_back_for_long() {
        assert_eq!(settled(|_| (page(48, 9000), true)), 4000);
    }

    #[test]
    fn a_page_that_never_stands_still_is_taken_as_it_is() {
        assert_eq!(settled(|ms| (page(ms as usize, 9000), false)), 15_000);
    }

    #[test]
    fn a_document_that_is_still_being_sent_is_not_still() {
        let sending = Look { parsed: false, ..page(48, 9000) };
        let at =
            settled(|ms| if ms < 3000 { (sending.clone(), true) } else { (page(48, 9000), false) });
        assert_eq!(at, 3800);
    }
}
