//! The webview's own errors, in the words of the other reader.

use firstknock_fetch::{Failure, Fetched};
use firstknock_monitor::Reason;
use gtk::{gio, glib};
use webkit2gtk::{NetworkError, PolicyError};

/// No page, for a reason.
pub(super) fn of(reason: Reason, detail: &str) -> Fetched {
    Fetched::Failed(what(reason, detail))
}

/// The failure itself.
pub(super) fn what(reason: Reason, detail: &str) -> Failure {
    Failure {
        reason,
        detail: detail.to_owned(),
        cookie_guard: false,
        final_url: None,
        status: None,
        server_date: None,
        retried: false,
    }
}

/// What a failed load was; `None` for one that is no failure: it gave way to another.
/// `shown`: a document was shown before, so a step that the rails refuse takes nothing away.
pub(super) fn of_load(error: &glib::Error, shown: bool) -> Option<Failure> {
    if error.kind::<PolicyError>().is_some() {
        return (!shown).then(|| what(Reason::NotAPage, "the address is no page"));
    }
    if matches!(error.kind::<NetworkError>(), Some(NetworkError::Cancelled)) {
        return None;
    }
    let reason = if error.kind::<gio::ResolverError>().is_some() {
        Reason::Dns
    } else if error.kind::<gio::TlsError>().is_some() {
        Reason::Certificate
    } else if let Some(io) = error.kind::<gio::IOErrorEnum>() {
        match io {
            gio::IOErrorEnum::TimedOut => Reason::Timeout,
            gio::IOErrorEnum::HostNotFound => Reason::Dns,
            gio::IOErrorEnum::ConnectionRefused
            | gio::IOErrorEnum::HostUnreachable
            | gio::IOErrorEnum::NetworkUnreachable => Reason::Connect,
            gio::IOErrorEnum::PartialInput | gio::IOErrorEnum::BrokenPipe => Reason::Truncated,
            gio::IOErrorEnum::ProxyAuthFailed | gio::IOErrorEnum::ProxyNeedAuth => Reason::Proxy,
            gio::IOErrorEnum::Cancelled => return None,
            _ => Reason::Network,
        }
    } else {
        // The engine hands some errors on as text only.
        by_words(error.message())
    };
    Some(what(reason, error.message()))
}

fn by_words(message: &str) -> Reason {
    let message = message.to_ascii_lowercase();
    let says = |words: &str| message.contains(words);
    if says("redirect") {
        Reason::RedirectLoop
    } else if says("resolv") || says("name or service") {
        Reason::Dns
    } else if says("timed out") || says("timeout") {
        Reason::Timeout
    } else if says("refused") || says("unreachable") || says("could not connect") {
        Reason::Connect
    } else if says("tls") || says("certificate") {
        Reason::Certificate
    } else if says("terminated") || says("closed") || says("reset") {
        Reason::Truncated
    } else {
        Reason::Network
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn errors_of_the_engine_get_the_reason_that_the_plain_client_would_give() {
        let reason = |error: glib::Error| of_load(&error, false).map(|failure| failure.reason);
        let io = |kind| glib::Error::new(kind, "words");
        assert_eq!(reason(io(gio::IOErrorEnum::ConnectionRefused)), Some(Reason::Connect));
        assert_eq!(reason(io(gio::IOErrorEnum::TimedOut)), Some(Reason::Timeout));
        assert_eq!(reason(io(gio::IOErrorEnum::PartialInput)), Some(Reason::Truncated));
        assert_eq!(reason(io(gio::IOErrorEnum::Cancelled)), None);
        let dns = glib::Error::new(gio::ResolverError::NotFound, "words");
        assert_eq!(reason(dns), Some(Reason::Dns));
        let interrupted =
            glib::Error::new(PolicyError::FrameLoadInterruptedByPolicyChange, "words");
        assert_eq!(of_load(&interrupted, true), None);
        assert_eq!(reason(interrupted), Some(Reason::NotAPage));
        assert_eq!(by_words("Too many redirects"), Reason::RedirectLoop);
        assert_eq!(by_words("Connection terminated unexpectedly"), Reason::Truncated);
    }
}
