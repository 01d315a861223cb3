//! What the user can do about a delivery that did not work, by code and provider.

use firstknock_listing::catalogue::{Language, say};
use firstknock_policy::delivery::{Attempt, GaveUp, Hold, NotSent};

use crate::config::host_of;
use crate::setup::{Access, by_domain, by_server};
use crate::{ChannelConfig, Login, Security, SmtpConfig};

/// A sentence of the catalogue with what its places stand for.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct Hint {
    /// Its key.
    pub code: String,
    /// Its places.
    pub args: Vec<(String, String)>,
}

impl Hint {
    pub(crate) fn new(code: &str, args: &[(&str, &str)]) -> Self {
        let args = args.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned()));
        Self { code: code.to_owned(), args: args.collect() }
    }

    /// The sentence.
    pub fn say(&self, language: Language) -> String {
        let args: Vec<(&str, &str)> =
            self.args.iter().map(|(name, value)| (name.as_str(), value.as_str())).collect();
        say(language, &self.code, &args)
    }
}

/// What an attempt came to, as a sentence; the far end's own words ([`Attempt::words`]) stand
/// beside it. "Accepted by" is not "delivered": no server promises that.
pub fn meaning(config: &ChannelConfig, attempt: &Attempt) -> Hint {
    let code = match attempt {
        Attempt::Sent { .. } => "mail_accepted_by".to_owned(),
        Attempt::NotSent { reason, .. } => format!("mail_not_sent_{}", reason.code()),
        Attempt::AccountHeld { hold, .. } => format!("mail_hold_{}", hold.code()),
        Attempt::Greylisted { .. }
        | Attempt::Busy { .. }
        | Attempt::RecipientRefused { .. }
        | Attempt::Rejected { .. }
        | Attempt::Unknown { .. }
        | Attempt::CircuitOpen { .. } => format!("mail_{}", attempt.code()),
    };
    Hint::new(&code, &[("server", config.far_end())])
}

/// Why a message was given up, as a sentence.
pub fn gave_up(why: GaveUp) -> Hint {
    Hint::new(&format!("mail_gave_up_{}", why.code()), &[])
}

/// The hint for what an attempt came to; `None` where there is nothing for the user to do.
pub fn hint(config: &ChannelConfig, attempt: &Attempt) -> Option<Hint> {
    config.kind().hint(attempt)
}

/// The same for a mail account.
pub(crate) fn mail(config: &SmtpConfig, attempt: &Attempt) -> Option<Hint> {
    if let Login::OAuth2 { token_url, .. } = &config.login
        && let Some(hint) = token(host_of(token_url), attempt)
    {
        return Some(hint);
    }
    let words = attempt.words().to_lowercase();
    let full = ["5.2.2", "4.2.2", "full", "over quota"].iter().any(|w| words.contains(w));
    let plain = |code| Some(Hint::new(code, &[]));
    let server = || [("server", config.server.as_str())];
    match attempt {
        Attempt::AccountHeld { hold, .. } => match hold {
            Hold::Auth => Some(login(config, &words)),
            Hold::SenderRefused => {
                Some(Hint::new("hint_from_must_be_login", &[("user", &config.user)]))
            }
            Hold::StartTlsMissing if config.port == 465 => plain("hint_wrong_port"),
            Hold::StartTlsMissing => plain("hint_stripped"),
            Hold::DailyLimit => plain("hint_daily_limit"),
            Hold::SecretsLocked | Hold::SecretMissing => None,
        },
        Attempt::RecipientRefused { .. } if full => plain("hint_mailbox_full"),
        Attempt::RecipientRefused { .. } => plain("hint_no_such_recipient"),
        Attempt::Greylisted { .. } if full => plain("hint_mailbox_full"),
        Attempt::Busy { .. } if words.starts_with("454") => plain("hint_too_many_logins"),
        Attempt::NotSent { reason, .. } => match reason {
            NotSent::Dns => plain("hint_no_server"),
            // The other side spoke in the clear where TLS was expected.
            NotSent::Tls if words.contains("corrupt message") => plain("hint_wrong_port"),
            NotSent::Tls => plain("hint_certificate"),
            // A server that waits for TLS says nothing to one that waits for a greeting.
            NotSent::Timeout if config.port == 465 && config.security == Security::StartTls => {
                plain("hint_wrong_port")
            }
            NotSent::Connect | NotSent::Timeout => plain("hint_cannot_connect"),
            NotSent::Protocol => Some(Hint::new("hint_not_smtp", &server())),
            NotSent::Offline
            | NotSent::Dropped
            | NotSent::TooMany
            | NotSent::Server
            | NotSent::Local => None,
        },
        Attempt::Sent { .. }
        | Attempt::Greylisted { .. }
        | Attempt::Busy { .. }
        | Attempt::Rejected { .. }
        | Attempt::Unknown { .. }
        | Attempt::CircuitOpen { .. } => None,
    }
}

/// What to do about a log-in with a token; `None` where the mail server's own trouble is meant.
/// The token server's words begin with its name.
fn token(server: &str, attempt: &Attempt) -> Option<Hint> {
    let by = [("server", server)];
    let said = attempt.words().strip_prefix(server).and_then(|rest| rest.strip_prefix(": "));
    match (attempt, said) {
        (Attempt::AccountHeld { hold: Hold::SecretMissing, .. }, _) => {
            Some(Hint::new("hint_oauth_again", &[]))
        }
        // It gave a token, and the mail server does not take it.
        (Attempt::AccountHeld { hold: Hold::Auth, .. }, None) => {
            Some(Hint::new("hint_oauth_refused", &[]))
        }
        (Attempt::AccountHeld { hold: Hold::Auth, .. }, Some(said)) => {
            // RFC 6749, section 5.2.
            let code = said.split(' ').nth(1).unwrap_or_default();
            Some(match code {
                "invalid_grant" => Hint::new("hint_oauth_again", &[]),
                "invalid_client" | "unauthorized_client" => Hint::new("hint_oauth_client", &[]),
                _ => Hint::new("hint_oauth_address", &by),
            })
        }
        (Attempt::NotSent { .. }, Some(_)) => Some(Hint::new("hint_oauth_away", &by)),
        _ => None,
    }
}

fn login(config: &SmtpConfig, words: &str) -> Hint {
    let domain = config.from.rsplit_once('@').map_or("", |(_, domain)| domain);
    let preset = by_server(&config.server).or_else(|| by_domain(domain));
    let name = preset.map_or(config.server.as_str(), |preset| preset.provider);
    let provider = [("provider", name)];
    // Microsoft's code for "no passwords any more"; app passwords are refused too.
    if words.contains("5.7.139") || words.contains("basic authentication is disabled") {
        return Hint::new("hint_no_passwords", &provider);
    }
    let access = preset.map_or(Access::Password, |preset| preset.access);
    match access.hint() {
        Some(code) => Hint::new(code, &provider),
        None if words.starts_with("534") || words.contains("application-specific") => {
            Hint::new("hint_app_password", &provider)
        }
        None => Hint::new("hint_wrong_password", &[]),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::setup::preset;

    fn check(address: &str, attempt: &Attempt, expect: Option<&str>) {
        let account = preset(address).map(|account| account.config(address));
        let config = account.unwrap_or_else(|| SmtpConfig {
            server: "smtp.mailhuis.example".into(),
            port: 587,
            security: Security::StartTls,
            user: address.into(),
            login: Login::Password,
            from: address.into(),
            to: address.into(),
        });
        let got = hint(&ChannelConfig::Smtp(config), attempt);
        assert_eq!(got.as_ref().map(|hint| hint.code.as_str()), expect, "{address}: {attempt:?}");
        if let Some(hint) = got {
            let text = hint.say(Language::En);
            assert!(!text.contains('{') && text != hint.code, "{text}");
        }
    }

    fn held(hold: Hold, reply: &str) -> Attempt {
        Attempt::AccountHeld { hold, reply: reply.into() }
    }

    fn not_sent(reason: NotSent, words: &str) -> Attempt {
        Attempt::NotSent { reason, retry_after: None, words: words.into() }
    }

    #[test]
    fn each_failure_has_its_hint_by_code_and_provider() {
        let wrong = held(Hold::Auth, "535 5.7.8 Username and Password not accepted");
        check("noor@gmail.com", &wrong, Some("hint_app_password"));
        check("noor@icloud.com", &wrong, Some("hint_app_password"));
        check("noor@yahoo.de", &wrong, Some("hint_app_password_plain"));
        check("noor@hotmail.com", &wrong, Some("hint_no_passwords"));
        check("noor@gmx.de", &wrong, Some("hint_switch_on"));
        check("noor@t-online.de", &wrong, Some("hint_mail_password"));
        check("noor@kpnmail.nl", &wrong, Some("hint_wrong_password"));
        check("noor@mailhuis.example", &wrong, Some("hint_wrong_password"));
        let basic = held(
            Hold::Auth,
            "535 5.7.139 Authentication unsuccessful, basic authentication is disabled",
        );
        check("noor@mailhuis.example", &basic, Some("hint_no_passwords"));
        let app = held(Hold::Auth, "534 5.7.9 Application-specific password required");
        check("noor@mailhuis.example", &app, Some("hint_app_password"));
        let here = "noor@mailhuis.example";
        check(here, &held(Hold::SenderRefused, "553 x"), Some("hint_from_must_be_login"));
        check(here, &held(Hold::StartTlsMissing, ""), Some("hint_stripped"));
        check(here, &held(Hold::DailyLimit, "550 5.4.5 x"), Some("hint_daily_limit"));
        check(here, &held(Hold::SecretsLocked, ""), None);
        let full = Attempt::RecipientRefused { reply: "552 5.2.2 mailbox full".into() };
        check(here, &full, Some("hint_mailbox_full"));
        let nobody = Attempt::RecipientRefused { reply: "550 5.1.1 no such user".into() };
        check(here, &nobody, Some("hint_no_such_recipient"));
        let busy = Attempt::Busy { reply: "454 4.7.0 Too many login attempts".into() };
        check(here, &busy, Some("hint_too_many_logins"));
        check(here, &not_sent(NotSent::Protocol, "HTTP/1.1 400"), Some("hint_not_smtp"));
        check(here, &not_sent(NotSent::Dns, ""), Some("hint_no_server"));
        check(here, &not_sent(NotSent::Connect, ""), Some("hint_cannot_connect"));
        check(here, &not_sent(NotSent::Tls, "invalid peer certificate"), Some("hint_certificate"));
        let clear = not_sent(NotSent::Tls, "received corrupt message of type InvalidContentType");
        check(here, &clear, Some("hint_wrong_port"));
        check(here, &Attempt::Sent { reply: "250 ok".into() }, None);
    }

    #[test]
    fn trouble_with_a_token_is_told_apart_from_the_mail_servers() {
        let mut account = preset("noor@hotmail.nl").expect("Microsoft").config("noor@hotmail.nl");
        account.login = Login::OAuth2 {
            token_url: "https://tokens.example/v2/token?x=y".into(),
            client_id: "ours".into(),
            has_client_secret: false,
        };
        let config = ChannelConfig::Smtp(account);
        let cases = [
            (held(Hold::Auth, "tokens.example: 400 invalid_grant"), "hint_oauth_again"),
            (held(Hold::SecretMissing, ""), "hint_oauth_again"),
            (held(Hold::Auth, "tokens.example: 401 invalid_client"), "hint_oauth_client"),
            (held(Hold::Auth, "tokens.example: 400 unauthorized_client"), "hint_oauth_client"),
            (held(Hold::Auth, "tokens.example: 404"), "hint_oauth_address"),
            (held(Hold::Auth, "tokens.example: the answer holds none"), "hint_oauth_address"),
            (held(Hold::Auth, "535 5.7.3 Authentication unsuccessful"), "hint_oauth_refused"),
            (not_sent(NotSent::Connect, "tokens.example: refused"), "hint_oauth_away"),
            (not_sent(NotSent::Server, "tokens.example: 503"), "hint_oauth_away"),
            (not_sent(NotSent::Connect, "refused"), "hint_cannot_connect"),
            (held(Hold::SenderRefused, "553 x"), "hint_from_must_be_login"),
        ];
        for (attempt, expect) in cases {
            let got = hint(&config, &attempt).expect("a hint");
            assert_eq!(got.code, expect, "{attempt:?}");
            for language in Language::ALL {
                let text = got.say(language);
                assert!(text != got.code && !text.contains('{'), "{text}");
            }
        }
    }

    #[test]
    fn everything_that_can_come_of_a_delivery_has_a_sentence_in_every_language() {
        let config = ChannelConfig::Telegram(crate::TelegramConfig {
            server: "https://api.telegram.org".into(),
            chat: "1".into(),
        });
        let reply = String::new;
        let mut sentences: Vec<Hint> = [
            Attempt::Sent { reply: reply() },
            Attempt::Greylisted { reply: reply() },
            Attempt::Busy { reply: reply() },
            Attempt::RecipientRefused { reply: reply() },
            Attempt::Rejected { reply: reply() },
            Attempt::Unknown { repeat: firstknock_policy::delivery::Repeat::Never, words: reply() },
            Attempt::CircuitOpen { until: jiff::Timestamp::UNIX_EPOCH },
        ]
        .iter()
        .map(|attempt| meaning(&config, attempt))
        .collect();
        sentences.extend(Hold::ALL.map(|hold| meaning(&config, &held(hold, ""))));
        sentences.extend(NotSent::ALL.map(|reason| meaning(&config, &not_sent(reason, ""))));
        sentences.extend(GaveUp::ALL.map(gave_up));
        for hint in sentences {
            for language in Language::ALL {
                let text = hint.say(language);
                assert!(text != hint.code && !text.contains('{'), "{}: {text}", hint.code);
                assert!(
                    firstknock_listing::catalogue::keys(language).contains(&hint.code.as_str())
                );
            }
        }
    }
}
