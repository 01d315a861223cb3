//! Whether what stands there is a check that may still pass by itself.
//!
//! The classifier decides, with the very table that judges the reading afterwards. It is asked
//! only about pages with little on them: a page full of listings is nobody's waiting room.

use firstknock_fetch::{Fetched, Response, classify};
use firstknock_monitor::{Kind, Outcome, PageSigns, Reason};
use jiff::Timestamp;
use url::Url;

use super::settle::Look;

/// More than this is a page, whatever its markers say.
const MOST_TEXT: usize = 3000;
const MOST_LINKS: usize = 30;

/// True: worth waiting. False: a page, or a wall that waiting does not open.
pub(super) fn may_pass(asked: &Url, response: &Response, look: &Look) -> bool {
    if look.text > MOST_TEXT || look.links > MOST_LINKS {
        return false;
    }
    let signs =
        PageSigns { text_chars: look.text, title: look.title.clone(), ..PageSigns::default() };
    let page = Fetched::Page(response.clone());
    match classify(asked, &page, &signs, Timestamp::now()).outcome {
        Outcome::Wall(wall) => wall.kind == Kind::Challenge && wall.reason != Reason::HumanCheck,
        Outcome::Answer | Outcome::Trouble(_) => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn asked() -> Url {
        "https://kamer.example/huren".parse().unwrap()
    }

    fn challenge(status: u16) -> Response {
        Response::of_text(asked(), Some(status), "<title>Just a moment...</title>")
            .with_headers([(String::from("cf-mitigated"), String::from("challenge"))])
    }

    #[test]
    fn a_check_page_is_waited_out() {
        assert!(may_pass(&asked(), &challenge(403), &Look::default()));
    }

    #[test]
    fn a_page_with_a_lot_on_it_is_not() {
        let full = Look { links: 60, text: 9000, ..Look::default() };
        assert!(!may_pass(&asked(), &challenge(403), &full));
    }

    #[test]
    fn an_ordinary_page_is_not() {
        let page = Response::of_text(asked(), Some(200), "<title>Huren</title><p>Geen woningen");
        assert!(!may_pass(&asked(), &page, &Look::default()));
    }

    #[test]
    fn a_site_that_asks_to_slow_down_is_not_waited_for_in_the_page() {
        let page = Response::of_text(asked(), Some(429), "Too many requests");
        assert!(!may_pass(&asked(), &page, &Look::default()));
    }
}
