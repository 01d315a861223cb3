//! What stands in the menu bar, as data. The keys are the window's own
//! (`ui/src/state/picks.ts`; a test there compares).

use firstknock_ipc::MenuPick;

/// One menu of the bar.
pub(super) struct Pane {
    /// Its name in the catalogue; `&` stands before the letter that opens it with Alt.
    pub(super) title: &'static str,
    pub(super) entries: &'static [Entry],
}

/// One line of a menu.
#[derive(Clone, Copy)]
pub(super) enum Entry {
    /// The window does it; with its key, if it has one that can be pressed anywhere.
    Pick(MenuPick, &'static str, Option<&'static str>),
    Line,
    /// Ends the app.
    Quit,
}

use Entry::{Line, Pick, Quit};

/// The bar, from left to right.
pub(super) const BAR: [Pane; 3] = [
    Pane {
        title: "menu_file",
        entries: &[
            Pick(MenuPick::Add, "menu_add", Some("CmdOrCtrl+N")),
            Line,
            Pick(MenuPick::BackUp, "data_back_up", None),
            Pick(MenuPick::Settings, "menu_settings", Some("CmdOrCtrl+4")),
            Line,
            Quit,
        ],
    },
    Pane {
        title: "menu_view",
        entries: &[
            Pick(MenuPick::Searches, "nav_searches", Some("CmdOrCtrl+1")),
            Pick(MenuPick::Listings, "nav_listings", Some("CmdOrCtrl+2")),
            Pick(MenuPick::Insight, "nav_insight", Some("CmdOrCtrl+3")),
            Line,
            Pick(MenuPick::Find, "listings_find", Some("CmdOrCtrl+F")),
        ],
    },
    Pane {
        title: "menu_help",
        entries: &[
            Pick(MenuPick::Help, "nav_help", Some("CmdOrCtrl+5")),
            Pick(MenuPick::Keys, "keys_title", None),
            Line,
            Pick(MenuPick::Street, "welcome_street", None),
        ],
    },
];

/// The catalogue's key for "Quit".
pub(super) const QUIT: &str = "tray_quit";

#[cfg(test)]
mod tests {
    use super::*;
    use firstknock_monitor::catalogue::{self, Language};

    #[test]
    fn every_entry_has_words_in_every_language() {
        for language in [Language::En, Language::Nl, Language::De] {
            for pane in &BAR {
                let picks = pane.entries.iter().filter_map(|entry| match entry {
                    Pick(_, code, _) => Some(*code),
                    Line | Quit => None,
                });
                for code in picks.chain([pane.title, QUIT]) {
                    let text = catalogue::say(language, code, &[]);
                    assert_ne!(text, code, "{code} in {language:?}");
                    let title = code == pane.title;
                    assert_eq!(text.contains('&'), title, "a letter for Alt in {text:?}?");
                }
            }
        }
    }

    #[test]
    fn no_letter_opens_two_menus() {
        for language in [Language::En, Language::Nl, Language::De] {
            let mut letters: Vec<char> = BAR
                .iter()
                .filter_map(|pane| {
                    let title = catalogue::say(language, pane.title, &[]);
                    title.split_once('&')?.1.chars().next()?.to_lowercase().next()
                })
                .collect();
            letters.sort_unstable();
            letters.dedup();
            assert_eq!(letters.len(), BAR.len(), "{language:?}: {letters:?}");
        }
    }
}
