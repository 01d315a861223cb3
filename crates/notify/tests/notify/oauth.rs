//! XOAUTH2 with a refresh token: against our token endpoint and our mail server.

use std::sync::Arc;
use std::time::Duration;

use firstknock_notify::channel::smtp::{Deadlines, SmtpSender};
use firstknock_notify::secrets::Session;
use firstknock_notify::{
    Attempt, Deliver, Login, Outgoing, Secret, Secrets, Security, SmtpConfig, render,
};
use firstknock_policy::delivery::{Hold, NotSent};

use crate::support::alerts;
use crate::support::http::{self, Answer};
use crate::support::smtp::{At, Do, Script, Server};

const GRANTED: Answer =
    Answer::Say("200 OK", "", r#"{"access_token": "first", "expires_in": 3600}"#);
const GRANTED_AGAIN: Answer =
    Answer::Say("200 OK", "", r#"{"access_token": "second", "expires_in": 3600}"#);

/// The base64 of `user=noor@mailhuis.example^Aauth=Bearer second^A^A`.
const SECOND: &str =
    "AUTH XOAUTH2 dXNlcj1ub29yQG1haWxodWlzLmV4YW1wbGUBYXV0aD1CZWFyZXIgc2Vjb25kAQE=";

async fn sender(server: &Server, tokens: &http::Server) -> SmtpSender {
    sender_with(server, tokens, Arc::default()).await
}

async fn sender_with(server: &Server, tokens: &http::Server, secrets: Arc<Session>) -> SmtpSender {
    let config = SmtpConfig {
        server: "localhost".into(),
        port: server.address.port(),
        security: Security::StartTls,
        user: "noor@mailhuis.example".into(),
        login: Login::OAuth2 {
            token_url: tokens.url(),
            client_id: "client of the user's own".into(),
            has_client_secret: false,
        },
        from: "noor@mailhuis.example".into(),
        to: "noor@mailhuis.example".into(),
    };
    let token = Secret::new("refresh me".into());
    secrets.set(&config.refresh_token(), token).await.expect("kept");
    let deadlines = Deadlines { quit: Duration::from_secs(20), ..Deadlines::default() };
    SmtpSender::with(&config, secrets, deadlines, Some(server.root.clone())).expect("a sender")
}

fn message() -> Outgoing {
    render::mail(&alerts::one(), &alerts::context()).into()
}

#[tokio::test]
async fn a_token_that_is_refused_is_renewed_once() {
    let tokens = http::Server::start(vec![GRANTED, GRANTED_AGAIN]).await;
    // The error comes as a challenge of JSON; the code comes after an empty answer.
    let refusing = Script::at(At::Auth, Do::Say("334 eyJzdGF0dXMiOiI0MDAifQ=="))
        .with(At::AuthAnswer, Do::Say("535 5.7.8 not accepted"));
    let server = Server::start(false, vec![refusing, Script::default()]).await;
    let sender = sender(&server, &tokens).await;
    assert_eq!(sender.deliver(&message()).await.code(), "sent");
    assert!(server.commands().iter().any(|line| line == SECOND), "{:?}", server.commands());
    let asked = tokens.requests();
    assert_eq!(asked.len(), 2);
    assert_eq!(
        asked[0].body,
        "grant_type=refresh_token&client_id=client+of+the+user%27s+own&refresh_token=refresh+me"
    );
}

#[tokio::test]
async fn a_token_that_is_refused_twice_holds_the_account() {
    let tokens = http::Server::start(vec![GRANTED]).await;
    let refusing = Script::at(At::Auth, Do::Say("535 5.7.8 not accepted"));
    let server = Server::start(false, vec![refusing]).await;
    let attempt = sender(&server, &tokens).await.deliver(&message()).await;
    assert!(matches!(attempt, Attempt::AccountHeld { hold: Hold::Auth, .. }), "{attempt:?}");
    assert_eq!(server.connections(), 2, "never hammered");
}

#[tokio::test]
async fn a_revoked_refresh_token_holds_the_account_and_a_broken_endpoint_does_not() {
    let server = Server::start(false, vec![Script::default()]).await;
    let revoked = Answer::Say("400 Bad Request", "", r#"{"error": "invalid_grant"}"#);
    let tokens = http::Server::start(vec![revoked]).await;
    let attempt = sender(&server, &tokens).await.deliver(&message()).await;
    let reply = format!("{}: 400 invalid_grant", tokens.address);
    assert_eq!(attempt, Attempt::AccountHeld { hold: Hold::Auth, reply });
    let nowhere = http::Server::start(vec![Answer::Say("404 Not Found", "", "<html>")]).await;
    let attempt = sender(&server, &nowhere).await.deliver(&message()).await;
    let reply = format!("{}: 404", nowhere.address);
    assert_eq!(attempt, Attempt::AccountHeld { hold: Hold::Auth, reply }, "a wrong address");
    let soon = Answer::Say("400 Bad Request", "", r#"{"error": "temporarily_unavailable"}"#);
    let tokens = http::Server::start(vec![soon]).await;
    let attempt = sender(&server, &tokens).await.deliver(&message()).await;
    assert!(matches!(attempt, Attempt::NotSent { reason: NotSent::Server, .. }), "{attempt:?}");
    let broken = Answer::Say("503 Service Unavailable", "retry-after: 120\r\n", "");
    for (answer, wait) in [(broken, Some(Duration::from_secs(120))), (Answer::Drop, None)] {
        let tokens = http::Server::start(vec![answer]).await;
        let attempt = sender(&server, &tokens).await.deliver(&message()).await;
        match attempt {
            Attempt::NotSent {
                reason: NotSent::Server | NotSent::Dropped, retry_after, ..
            } => {
                assert_eq!(retry_after, wait);
            }
            other => panic!("{other:?}"),
        }
    }
    assert_eq!(server.connections(), 0, "without a token the mail server is not asked");
}

#[tokio::test]
async fn a_refresh_token_that_its_server_replaces_is_kept_and_used_the_next_time() {
    let renewed = r#"{"access_token": "first", "expires_in": 1, "refresh_token": "the next one"}"#;
    let tokens = http::Server::start(vec![Answer::Say("200 OK", "", renewed)]).await;
    let server = Server::start(false, vec![Script::default()]).await;
    let secrets = Arc::new(Session::default());
    let sender = sender_with(&server, &tokens, Arc::clone(&secrets)).await;
    for _ in 0..2 {
        assert_eq!(sender.deliver(&message()).await.code(), "sent");
        sender.rest().await;
    }
    let asked = tokens.requests();
    assert!(asked[0].body.contains("refresh_token=refresh+me"), "{}", asked[0].body);
    assert!(asked[1].body.contains("refresh_token=the+next+one"), "{}", asked[1].body);
}
