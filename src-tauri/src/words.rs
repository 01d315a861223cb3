//! The shell's own texts, from the one catalogue, in the language that the user chose.

use std::sync::RwLock;

use firstknock_monitor::catalogue::{self, Language};

/// The language of tray, toasts and native windows; changes with the settings.
#[derive(Default)]
pub(crate) struct Words(RwLock<Option<Language>>);

impl Words {
    /// The sentence for a code.
    pub(crate) fn say(&self, code: &str, args: &[(&str, &str)]) -> String {
        catalogue::say(self.language(), code, args)
    }

    /// `None` follows the system.
    pub(crate) fn choose(&self, language: Option<Language>) {
        *self.0.write().expect("BUG: no thread panics with this lock") = language;
    }

    /// The language in use.
    pub(crate) fn language(&self) -> Language {
        let chosen = *self.0.read().expect("BUG: no thread panics with this lock");
        chosen.unwrap_or_else(of_the_system)
    }
}

fn of_the_system() -> Language {
    ["LC_ALL", "LC_MESSAGES", "LANG"]
        .into_iter()
        .filter_map(|name| std::env::var(name).ok())
        .find(|value| !value.is_empty())
        .and_then(|value| Language::from_code(&value))
        .unwrap_or_default()
}
