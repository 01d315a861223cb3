//! Settings, the mail account, and where we run.

use firstknock_monitor as monitor;
use firstknock_monitor::{
    AccountError, ChannelError, Credentials, Engine, Login, Secret, Settings as Known, SmtpConfig,
};

use super::{Host, store};
use crate::{
    API_PORTS, About, ErrorBody, ErrorCode, GuessSource, KeepSecret, MailAccount, MailAccountShown,
    MailGuess, MailSecurity, MailTokenShown, Settings, TestResult, TokenPlace,
};

pub(super) async fn about(engine: &Engine, host: Host) -> About {
    About {
        version: env!("CARGO_PKG_VERSION").to_owned(),
        data_folder: engine.folder().path().display().to_string(),
        mail_folder: engine.folder().mail().display().to_string(),
        can_open_sites: host.can_open_sites,
        has_keychain: engine.has_keychain().await,
        has_tray: host.has_tray,
        has_street: host.has_street,
    }
}

pub(super) async fn settings(engine: &Engine) -> Result<Settings, ErrorBody> {
    let read = engine.store().run(|store| store.setting(Known::KEY)).await.map_err(store)?;
    Ok(read.unwrap_or_default())
}

/// The record holds more than the window knows; that is left as it is.
pub(super) async fn put_settings(engine: &Engine, settings: Settings) -> Result<(), ErrorBody> {
    let (low, high) = API_PORTS;
    if !(low..=high).contains(&settings.local_api_port) {
        return Err(ErrorBody::new(ErrorCode::OutOfRange)
            .with("field", "local_api_port")
            .with("min", low)
            .with("max", high));
    }
    let now = engine.clock().now();
    engine
        .store()
        .run(move |store| {
            let mut all: serde_json::Map<String, serde_json::Value> =
                store.setting(Known::KEY)?.unwrap_or_default();
            if let serde_json::Value::Object(fields) = serde_json::to_value(&settings)? {
                all.extend(fields);
            }
            store.set_setting(Known::KEY, &all, now)
        })
        .await
        .map_err(store)?;
    engine.redraw().await;
    Ok(())
}

pub(super) async fn guess(engine: &Engine, address: &str) -> Result<MailGuess, ErrorBody> {
    let guess = engine.guess_account(address).await.map_err(trouble)?;
    Ok(MailGuess {
        address: guess.account.from.clone(),
        server: guess.account.server.clone(),
        port: guess.account.port,
        security: security(guess.account.security),
        login: guess.account.user.clone(),
        source: match guess.source {
            monitor::GuessSource::Preset => GuessSource::Preset,
            monitor::GuessSource::Autoconfig => GuessSource::Autoconfig,
            monitor::GuessSource::Guess => GuessSource::Guess,
        },
        hint: guess.hint,
        refuses_passwords: guess.refuses_passwords,
        token: guess.tokens.map(|place| TokenPlace {
            token_url: place.token_url.to_owned(),
            scope: place.scope.to_owned(),
        }),
    })
}

pub(super) async fn account(engine: &Engine) -> Result<Option<MailAccountShown>, ErrorBody> {
    let Some(account) = engine.account().await.map_err(store)? else { return Ok(None) };
    let has_secret = engine.has_secret(&account).await;
    let keep_secret = match engine.settings().await.keep_secret {
        monitor::Place::Keychain => KeepSecret::Keychain,
        monitor::Place::Session => KeepSecret::Session,
        monitor::Place::File => KeepSecret::File,
    };
    Ok(Some(MailAccountShown {
        from: account.from,
        to: account.to,
        server: account.server,
        port: account.port,
        security: security(account.security),
        login: account.user,
        has_secret,
        token: match account.login {
            Login::OAuth2 { token_url, client_id, has_client_secret } => {
                Some(MailTokenShown { token_url, client_id, has_client_secret })
            }
            Login::Password | Login::None => None,
        },
        keep_secret,
    }))
}

pub(super) async fn keep(engine: &Engine, account: MailAccount) -> Result<(), ErrorBody> {
    let place = match account.keep_secret {
        KeepSecret::Keychain => monitor::Place::Keychain,
        KeepSecret::Session => monitor::Place::Session,
        KeepSecret::File => monitor::Place::File,
    };
    let (config, typed) = taken(account);
    engine.keep_account(&config, typed, place).await.map_err(trouble)
}

pub(super) async fn test(engine: &Engine, account: MailAccount) -> Result<TestResult, ErrorBody> {
    let (config, typed) = taken(account);
    let test = engine.test_account(&config, typed).await.map_err(trouble)?;
    Ok(result(&test))
}

pub(super) fn result(test: &monitor::AccountTest) -> TestResult {
    match test.outcome() {
        monitor::TestOutcome::Accepted { words } => {
            TestResult::Accepted { by: test.tried.far_end().to_owned(), words }
        }
        monitor::TestOutcome::Refused { hint, words } => TestResult::Refused { hint, words },
        monitor::TestOutcome::Unknown { words } => TestResult::Unknown { words },
    }
}

pub(super) fn trouble(error: AccountError) -> ErrorBody {
    match error {
        AccountError::Channel(error @ ChannelError::Address(_)) => {
            ErrorBody::new(ErrorCode::BadEmail).with("words", error)
        }
        AccountError::Channel(error @ (ChannelError::Url(_) | ChannelError::Tls(_))) => {
            ErrorBody::new(ErrorCode::MailServer).with("words", error)
        }
        AccountError::Channel(ChannelError::NoDesktop) => {
            ErrorBody::new(ErrorCode::Unsupported).with("what", "notifications")
        }
        AccountError::Secret(error) => ErrorBody::new(ErrorCode::Secrets).with("words", error),
        AccountError::Store(error) => store(error),
    }
}

fn taken(account: MailAccount) -> (SmtpConfig, Credentials) {
    // What is copied from a web page has a blank at its end more often than not.
    let secret = |typed: Option<String>| typed.map(|typed| Secret::new(typed.trim().to_owned()));
    let mut typed =
        Credentials { password: account.password.map(Secret::new), ..Credentials::default() };
    let login = match account.token {
        Some(token) => {
            typed.client_secret = secret(token.client_secret);
            typed.refresh_token = secret(token.refresh_token);
            Login::OAuth2 {
                token_url: token.token_url.trim().to_owned(),
                client_id: token.client_id.trim().to_owned(),
                has_client_secret: token.has_client_secret,
            }
        }
        None => Login::Password,
    };
    let config = SmtpConfig {
        server: account.server.trim().to_owned(),
        port: account.port,
        security: match account.security {
            MailSecurity::Implicit => monitor::Security::ImplicitTls,
            MailSecurity::Starttls => monitor::Security::StartTls,
        },
        user: account.login.trim().to_owned(),
        login,
        from: account.from.trim().to_owned(),
        to: account.to.trim().to_owned(),
    };
    (config, typed)
}

const fn security(security: monitor::Security) -> MailSecurity {
    match security {
        monitor::Security::ImplicitTls => MailSecurity::Implicit,
        monitor::Security::StartTls => MailSecurity::Starttls,
    }
}
