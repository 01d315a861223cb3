//! Why a host waits, since when, what it asked for, and what happens next: facts in the order in
//! which a person wants them, and their sentences from the catalogue.

use std::time::Duration;

use firstknock_listing::SearchId;
use firstknock_listing::catalogue::{Language, say};
use firstknock_policy::{Kind, Reason, format_wait};
use jiff::Timestamp;

use crate::LockWhy;

/// One thing worth knowing about a host. The sentence is `explain_<code>` in the catalogue.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Fact {
    /// The user stopped the app, or storage did.
    Stopped,
    /// We are offline, so that nobody is asked in turn.
    Offline {
        /// Since when.
        since: Timestamp,
    },
    /// Its window is open: nothing else asks it.
    SiteOpen {
        /// Since when.
        since: Timestamp,
    },
    /// It answers.
    Answers,
    /// It is left alone.
    Waits {
        /// Which ladder.
        kind: Kind,
        /// Why.
        reason: Reason,
        /// Since when it is not answered.
        since: Timestamp,
        /// How often in a row.
        failures: u32,
        /// Whose guard, if known.
        vendor: Option<String>,
        /// The first line of evidence.
        evidence: Option<String>,
    },
    /// It asked for a wait that is longer than ours, and we keep to it.
    Asked {
        /// For how long.
        wait: Duration,
    },
    /// It asked for more than the hour after which we look in.
    AskedLong {
        /// For how long.
        wait: Duration,
    },
    /// It asked for nothing in particular.
    AskedNothing,
    /// One request is looking in.
    Probing {
        /// Since when.
        since: Timestamp,
    },
    /// One request goes out then.
    LooksIn {
        /// When.
        at: Timestamp,
    },
    /// No enabled search would look in.
    NobodyLooksIn,
    /// What an answer would do.
    IfAnswered {
        /// How many searches carry on.
        searches: u32,
    },
    /// What a refusal would do: the next step of the ladder, without jitter.
    IfRefused {
        /// The step.
        wait: Duration,
    },
    /// The button is locked.
    ButtonLocked {
        /// From when on it works.
        until: Timestamp,
        /// Why.
        why: LockWhy,
    },
    /// An error that did not count yet; the next one does.
    Strike {
        /// What went wrong.
        reason: Reason,
    },
    /// This page alone waits.
    PageWaits {
        /// Which search.
        search: SearchId,
        /// Which ladder.
        kind: Kind,
        /// Until when.
        until: Timestamp,
    },
    /// This page no longer exists.
    PageGone {
        /// Which search.
        search: SearchId,
        /// Since when.
        since: Timestamp,
    },
    /// A line of evidence, in the words of the wire.
    Seen {
        /// The line.
        line: String,
    },
}

impl Fact {
    /// The fact's key in the catalogue.
    pub const fn key(&self) -> &'static str {
        match self {
            Self::Stopped => "explain_stopped",
            Self::Offline { .. } => "explain_offline",
            Self::SiteOpen { .. } => "explain_site_open",
            Self::Answers => "explain_answers",
            Self::Waits { .. } => "explain_waits",
            Self::Asked { .. } => "explain_asked",
            Self::AskedLong { .. } => "explain_asked_long",
            Self::AskedNothing => "explain_asked_nothing",
            Self::Probing { .. } => "explain_probing",
            Self::LooksIn { .. } => "explain_looks_in",
            Self::NobodyLooksIn => "explain_nobody_looks_in",
            Self::IfAnswered { .. } => "explain_if_answered",
            Self::IfRefused { .. } => "explain_if_refused",
            Self::ButtonLocked { why: LockWhy::SiteAsked, .. } => "explain_button_site_asked",
            Self::ButtonLocked { why: LockWhy::RefusedAgain, .. } => "explain_button_refused_again",
            Self::Strike { .. } => "explain_strike",
            Self::PageWaits { .. } => "explain_page_waits",
            Self::PageGone { .. } => "explain_page_gone",
            Self::Seen { .. } => "explain_seen",
        }
    }

    /// The sentence. `time` writes a moment as the reader's clock shows it.
    pub fn say(&self, language: Language, time: &dyn Fn(Timestamp) -> String) -> String {
        let kind_word = |kind: &Kind| say(language, &format!("wall_{}", kind.code()), &[]);
        let why = |reason: &Reason, vendor: Option<&str>, evidence: Option<&str>| {
            let the_site = say(language, "reason_the_site", &[]);
            let evidence = evidence.unwrap_or_default();
            let args = [("vendor", vendor.unwrap_or(&the_site)), ("evidence", evidence)];
            let sentence = say(language, &format!("reason_{}", reason.code()), &args);
            // Nothing was noted down: no empty brackets.
            sentence.replace(" ()", "")
        };
        let args: Vec<(&str, String)> = match self {
            Self::Stopped | Self::Answers | Self::AskedNothing | Self::NobodyLooksIn => Vec::new(),
            Self::Offline { since } | Self::SiteOpen { since } | Self::Probing { since } => {
                vec![("time", time(*since))]
            }
            Self::Waits { kind, reason, since, failures, vendor, evidence } => vec![
                ("kind", kind_word(kind)),
                ("reason", why(reason, vendor.as_deref(), evidence.as_deref())),
                ("time", time(*since)),
                ("n", failures.to_string()),
            ],
            Self::Asked { wait } | Self::AskedLong { wait } | Self::IfRefused { wait } => {
                vec![("wait", format_wait(*wait))]
            }
            Self::LooksIn { at } => vec![("time", time(*at))],
            Self::IfAnswered { searches } => vec![("n", searches.to_string())],
            Self::ButtonLocked { until, .. } => vec![("time", time(*until))],
            Self::Strike { reason } => vec![("reason", why(reason, None, None))],
            Self::PageWaits { search, kind, until } => vec![
                ("search", search.to_string()),
                ("kind", kind_word(kind)),
                ("time", time(*until)),
            ],
            Self::PageGone { search, since } => {
                vec![("search", search.to_string()), ("time", time(*since))]
            }
            Self::Seen { line } => vec![("line", line.clone())],
        };
        let args: Vec<_> = args.iter().map(|(name, value)| (*name, value.as_str())).collect();
        say(language, self.key(), &args)
    }
}
