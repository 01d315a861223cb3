//! What a server's "no" means, by the phase in which it came: the failure table, pure.

use firstknock_listing::{clean_line, truncate_chars};
use firstknock_policy::delivery::{Attempt, Hold, NotSent};

/// Where a conversation with a mail server stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Phase {
    /// TCP, the greeting and EHLO.
    Greeting,
    /// STARTTLS and the handshake.
    StartTls,
    /// AUTH.
    Auth,
    /// MAIL FROM.
    Mail,
    /// RCPT TO.
    Rcpt,
    /// The DATA command.
    Data,
    /// The reply after the final dot.
    Dot,
}

/// A server's reply: its code and all its lines in one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Reply {
    pub(super) code: u16,
    pub(super) text: String,
}

impl Reply {
    pub(super) fn new(code: u16, text: &str) -> Self {
        let head: String = text.chars().take(1_200).collect();
        Self { code, text: truncate_chars(&clean_line(&head), 300) }
    }

    /// The server's own words, as shown.
    pub(super) fn words(&self) -> String {
        format!("{} {}", self.code, self.text).trim_end().to_owned()
    }

    const fn passing(&self) -> bool {
        self.code / 100 == 4
    }

    /// The enhanced code (RFC 3463) in front of the text: class, subject, detail.
    fn enhanced(&self) -> Option<(u16, u16, u16)> {
        let mut parts = self.text.split(' ').next()?.split('.').map(|part| part.parse().ok());
        let code = (parts.next()??, parts.next()??, parts.next()??);
        parts.next().is_none().then_some(code)
    }

    fn says(&self, words: &[&str]) -> bool {
        let text = self.text.to_lowercase();
        words.iter().any(|word| text.contains(word))
    }

    /// The account has sent enough for today, although the code says "never": 550 5.4.5 (Gmail),
    /// 550 5.1.90 (Outlook.com), 554 5.7.x with words about a rate.
    fn daily_limit(&self) -> bool {
        match self.enhanced() {
            Some((5, 4, 5) | (5, 1, 90)) => true,
            Some((5, 7, _)) => self.says(RATE),
            _ => self.code == 554 && self.says(RATE),
        }
    }

    fn about_sender(&self) -> bool {
        self.says(SENDER) || matches!(self.enhanced(), Some((_, 1, 7 | 8)))
    }
}

const RATE: &[&str] =
    &["rate", "limit", "quota", "too many", "too much", "exceed", "daily", "per day", "per hour"];
const SENDER: &[&str] = &["sender", "not owned", "from address", "mail from", "envelope from"];
const LOGIN: &[&str] = &["relay", "authenti", "not logged in", "log in"];

/// What a reply that is not the wanted one makes of the attempt.
pub(super) fn refused(phase: Phase, reply: &Reply) -> Attempt {
    let words = reply.words();
    let held = |hold| Attempt::AccountHeld { hold, reply: reply.words() };
    if reply.code == 421 {
        return Attempt::Busy { reply: words };
    }
    if reply.code / 100 == 5 && reply.daily_limit() && phase != Phase::Greeting {
        return held(Hold::DailyLimit);
    }
    match phase {
        Phase::Greeting if reply.passing() => Attempt::Busy { reply: words },
        // 554 "no mail here", or a block of our address: another hour may differ.
        Phase::Greeting => Attempt::NotSent { reason: NotSent::Server, retry_after: None, words },
        Phase::StartTls if reply.passing() => Attempt::Busy { reply: words },
        Phase::StartTls => held(Hold::StartTlsMissing),
        // 454, 451 and their like pass; 535, 534, 530 and all other "no" are set-up.
        Phase::Auth if reply.passing() => Attempt::Busy { reply: words },
        Phase::Auth => held(Hold::Auth),
        Phase::Mail | Phase::Rcpt | Phase::Data | Phase::Dot if reply.passing() => {
            Attempt::Greylisted { reply: words }
        }
        Phase::Mail | Phase::Rcpt | Phase::Data | Phase::Dot
            if matches!(reply.code, 530 | 534 | 535 | 538) =>
        {
            held(Hold::Auth)
        }
        Phase::Mail => match (reply.code, reply.enhanced()) {
            (552, _) => Attempt::Rejected { reply: words },
            (501 | 550 | 553 | 554, _) => held(Hold::SenderRefused),
            _ => Attempt::Rejected { reply: words },
        },
        Phase::Rcpt => match reply.enhanced() {
            Some((5, 1, 0..=6) | (5, 2, _)) => Attempt::RecipientRefused { reply: words },
            // Many servers judge the sender only when they see the recipient.
            _ if reply.about_sender() => held(Hold::SenderRefused),
            _ if reply.says(LOGIN) => held(Hold::Auth),
            _ => Attempt::RecipientRefused { reply: words },
        },
        Phase::Data => Attempt::Rejected { reply: words },
        Phase::Dot => match reply.enhanced() {
            Some((5, 1, 0..=6) | (5, 2, 1 | 2)) => Attempt::RecipientRefused { reply: words },
            _ if reply.about_sender() => held(Hold::SenderRefused),
            _ => Attempt::Rejected { reply: words },
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(phase: Phase, line: &str, expect: &str) {
        let (code, text) = line.split_once(' ').expect("a reply line");
        let attempt = refused(phase, &Reply::new(code.parse().expect("a code"), text));
        let got = match &attempt {
            Attempt::AccountHeld { hold, .. } => hold.code(),
            other => other.code(),
        };
        assert_eq!(got, expect, "{phase:?}: {line}");
        assert_eq!(attempt.words(), line, "the server's own words are kept");
    }

    #[test]
    fn every_row_of_the_failure_table_is_told_by_phase_and_code() {
        use Phase::{Auth, Data, Dot, Greeting, Mail, Rcpt, StartTls};
        check(Greeting, "421 4.3.2 shutting down", "busy");
        check(Greeting, "450 try later", "busy");
        check(Greeting, "554 5.7.1 no mail from your address", "not_sent");
        check(StartTls, "454 TLS not available due to temporary reason", "busy");
        check(StartTls, "502 command not implemented", "start_tls_missing");
        check(Auth, "535 5.7.8 Username and Password not accepted", "auth");
        check(
            Auth,
            "535 5.7.139 Authentication unsuccessful, basic authentication is disabled.",
            "auth",
        );
        check(Auth, "534 5.7.9 Application-specific password required", "auth");
        check(Auth, "530 5.7.0 Authentication required", "auth");
        check(Auth, "454 4.7.0 Too many login attempts", "busy");
        check(Auth, "421 4.7.0 closing", "busy");
        check(Auth, "550 5.4.5 Daily user sending limit exceeded", "daily_limit");
        check(Mail, "421 4.7.0 closing", "busy");
        check(Mail, "450 4.7.1 greylisted", "greylisted");
        check(Mail, "451 4.7.1 greylisted", "greylisted");
        check(Mail, "452 4.3.1 insufficient storage", "greylisted");
        check(Mail, "530 5.7.0 Must issue a STARTTLS command first", "auth");
        check(Mail, "550 5.7.1 not your address", "sender_refused");
        check(Mail, "553 5.7.1 sender address rejected: not owned by user", "sender_refused");
        check(Mail, "552 5.3.4 message too big", "rejected");
        check(Rcpt, "450 4.2.0 greylisted", "greylisted");
        check(Rcpt, "452 4.2.2 mailbox full", "greylisted");
        check(Rcpt, "550 5.1.1 no such user", "recipient_refused");
        check(Rcpt, "550 no such user", "recipient_refused");
        check(Rcpt, "552 5.2.2 mailbox over quota", "recipient_refused");
        check(
            Rcpt,
            "553 5.7.1 <a@b>: Sender address rejected: not owned by user",
            "sender_refused",
        );
        check(Rcpt, "554 5.7.1 relay access denied", "auth");
        check(Rcpt, "550 5.4.5 Daily user sending limit exceeded", "daily_limit");
        check(Rcpt, "554 5.7.1 rate limit exceeded", "daily_limit");
        check(
            Rcpt,
            "550 5.1.90 you have reached your daily limit for message recipients",
            "daily_limit",
        );
        check(Data, "451 4.3.0 try later", "greylisted");
        check(Data, "554 5.5.1 no valid recipients", "rejected");
        check(Dot, "421 4.3.0 closing", "busy");
        check(Dot, "451 4.3.0 try later", "greylisted");
        check(Dot, "550 5.4.5 Daily user sending limit exceeded", "daily_limit");
        check(Dot, "554 5.7.0 too many messages today", "daily_limit");
        check(Dot, "554 5.7.1 message looks like spam", "rejected");
        check(Dot, "552 5.2.2 mailbox full", "recipient_refused");
        check(Dot, "550 5.1.1 no such user", "recipient_refused");
    }

    #[test]
    fn a_servers_words_are_one_short_line() {
        let reply = Reply::new(550, &format!("5.1.1 a\r\nb\u{202e}\x07{}", "x".repeat(5_000)));
        assert!(reply.words().starts_with("550 5.1.1 a b"));
        assert!(reply.words().chars().count() <= 310);
    }
}
