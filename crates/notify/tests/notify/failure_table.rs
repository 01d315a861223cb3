//! Every row of the failure table, reached for real.

use std::sync::Arc;
use std::time::Duration;

use firstknock_notify::channel::smtp::{Deadlines, SmtpSender};
use firstknock_notify::secrets::Session;
use firstknock_notify::{
    Attempt, ChannelError, Deliver, Login, Outgoing, Secret, Secrets, Security, SmtpConfig, render,
};
use firstknock_policy::delivery::{Hold, NotSent, Repeat};

use crate::support::alerts;
use crate::support::smtp::{At, Do, Script, Server};

/// Long enough for a busy machine; a test shortens only the one it is about.
const AMPLE: Duration = Duration::from_secs(60);
const SHORT: Duration = Duration::from_millis(150);

fn ample() -> Deadlines {
    Deadlines {
        connect: AMPLE,
        login: AMPLE,
        envelope: AMPLE,
        data: AMPLE,
        body: AMPLE,
        dot: AMPLE,
        quit: AMPLE,
    }
}

fn config(server: &Server, security: Security) -> SmtpConfig {
    SmtpConfig {
        server: "localhost".into(),
        port: server.address.port(),
        security,
        user: "noor@mailhuis.example".into(),
        login: Login::Password,
        from: "noor@mailhuis.example".into(),
        to: "noor@mailhuis.example".into(),
    }
}

async fn sender_with(server: &Server, config: &SmtpConfig, deadlines: Deadlines) -> SmtpSender {
    let secrets = Arc::new(Session::default());
    secrets.set(&config.password(), Secret::new("correct horse".into())).await.expect("kept");
    SmtpSender::with(config, secrets, deadlines, Some(server.root.clone())).expect("a sender")
}

async fn sender(server: &Server, deadlines: Deadlines) -> SmtpSender {
    sender_with(server, &config(server, Security::StartTls), deadlines).await
}

fn message() -> Outgoing {
    render::mail(&alerts::one(), &alerts::context()).into()
}

/// One attempt against one script, with STARTTLS.
async fn attempt(script: Script) -> (Attempt, Server) {
    attempt_within(script, ample()).await
}

async fn attempt_within(script: Script, deadlines: Deadlines) -> (Attempt, Server) {
    let server = Server::start(false, vec![script]).await;
    let sender = sender(&server, deadlines).await;
    (sender.deliver(&message()).await, server)
}

async fn not_sent(script: Script, expect: NotSent) {
    not_sent_within(script, ample(), expect).await;
}

async fn not_sent_within(script: Script, deadlines: Deadlines, expect: NotSent) {
    let told = format!("{script:?}");
    let (attempt, server) = attempt_within(script, deadlines).await;
    match attempt {
        Attempt::NotSent { reason, .. } => assert_eq!(reason, expect, "{told}"),
        other => panic!("{told}: {other:?}"),
    }
    assert_eq!(server.messages().len(), 0, "{told}: nothing arrived");
}

async fn held(script: Script, expect: Hold) {
    let told = format!("{script:?}");
    match attempt(script).await.0 {
        Attempt::AccountHeld { hold, .. } => assert_eq!(hold, expect, "{told}"),
        other => panic!("{told}: {other:?}"),
    }
}

async fn code(script: Script, expect: &str) {
    let told = format!("{script:?}");
    let (attempt, _server) = attempt(script).await;
    assert_eq!(attempt.code(), expect, "{told}: {attempt:?}");
}

#[tokio::test]
async fn a_mail_is_sent_with_starttls_and_with_implicit_tls() {
    for (implicit, security) in [(false, Security::StartTls), (true, Security::ImplicitTls)] {
        let server = Server::start(implicit, vec![Script::default()]).await;
        let sender = sender_with(&server, &config(&server, security), ample()).await;
        let sent = sender.deliver(&message()).await;
        assert_eq!(sent, Attempt::Sent { reply: "250 2.0.0 queued as 1".into() });
        sender.rest().await;
        let [mail] = &server.messages()[..] else { panic!("one mail") };
        assert_eq!(mail.as_bytes().trim_ascii_end(), message().body.trim_ascii_end());
        assert_eq!(server.commands().last().map(String::as_str), Some("QUIT"));
        assert!(
            server.commands().iter().any(|line| line == "EHLO [127.0.0.1]"),
            "the machine's name stays at home: {:?}",
            server.commands()
        );
    }
}

#[tokio::test]
async fn a_batch_uses_one_connection() {
    let server = Server::start(false, vec![Script::default()]).await;
    let sender = sender(&server, ample()).await;
    for _ in 0..3 {
        assert_eq!(sender.deliver(&message()).await.code(), "sent");
    }
    sender.rest().await;
    assert_eq!(server.messages().len(), 3);
    assert_eq!(server.connections(), 1);
}

#[tokio::test]
async fn a_connection_that_was_closed_between_two_mails_is_opened_again() {
    let idle = Script::at(At::Dot, Do::SayAndClose("250 2.0.0 queued"));
    let server = Server::start(false, vec![idle, Script::default()]).await;
    let sender = sender(&server, ample()).await;
    assert_eq!(sender.deliver(&message()).await.code(), "sent");
    assert_eq!(sender.deliver(&message()).await.code(), "sent", "the break is not the mail's");
    assert_eq!(server.connections(), 2);
    assert_eq!(server.messages().len(), 2);
}

#[tokio::test]
async fn a_connection_dropped_before_the_final_dot_means_not_sent() {
    for at in
        [At::Greeting, At::Ehlo, At::StartTls, At::Auth, At::Mail, At::Rcpt, At::Data, At::Body]
    {
        // A break while the body is written may be noticed only after the dot.
        if at == At::Body {
            let (attempt, server) = attempt(Script::at(at, Do::Close)).await;
            assert!(matches!(attempt.code(), "not_sent" | "unknown"), "{attempt:?}");
            assert_eq!(server.messages().len(), 0);
        } else {
            not_sent(Script::at(at, Do::Close), NotSent::Dropped).await;
        }
    }
}

#[tokio::test]
async fn silence_before_the_final_dot_means_not_sent() {
    let login = Deadlines { login: SHORT, ..ample() };
    let envelope = Deadlines { envelope: SHORT, ..ample() };
    let data = Deadlines { data: SHORT, ..ample() };
    for (at, deadlines) in [
        (At::Greeting, login),
        (At::Ehlo, login),
        (At::StartTls, login),
        (At::Mail, envelope),
        (At::Rcpt, envelope),
        (At::Data, data),
    ] {
        not_sent_within(Script::at(at, Do::Silence), deadlines, NotSent::Timeout).await;
    }
}

#[tokio::test]
async fn silence_after_the_final_dot_means_unknown_and_the_connection_is_not_used_again() {
    for fault in [Do::Silence, Do::Close, Do::Late(Duration::from_secs(3))] {
        let told = format!("{fault:?}");
        let server =
            Server::start(false, vec![Script::at(At::Dot, fault), Script::default()]).await;
        let deadlines = Deadlines { dot: SHORT, ..ample() };
        let sender = sender(&server, deadlines).await;
        match sender.deliver(&message()).await {
            Attempt::Unknown { repeat, .. } => assert_eq!(repeat, Repeat::OnceOrTwice, "{told}"),
            other => panic!("{told}: {other:?}"),
        }
        assert_eq!(server.messages().len(), 1, "{told}: it had arrived, and we could not know");
        // The next message must not be told by the late reply to this one.
        let sender = self::sender(&server, ample()).await;
        assert_eq!(sender.deliver(&message()).await.code(), "sent");
        assert_eq!(server.connections(), 2, "{told}");
        let [first, second] = &server.messages()[..] else { panic!("two") };
        assert_eq!(first, second, "a repeat carries the same bytes and Message-ID");
    }
}

#[tokio::test]
async fn a_cancelled_delivery_leaves_no_half_used_connection() {
    let scripts = vec![Script::at(At::Dot, Do::Silence), Script::default()];
    let server = Server::start(false, scripts).await;
    let sender = sender(&server, ample()).await;
    let message = message();
    let cancelled = tokio::time::timeout(Duration::from_secs(2), sender.deliver(&message)).await;
    assert!(cancelled.is_err(), "the server says nothing");
    assert_eq!(sender.deliver(&message).await.code(), "sent");
    assert_eq!(server.connections(), 2);
}

#[tokio::test]
async fn a_reply_out_of_step_is_never_taken_for_success() {
    // A stale 354 in place of the reply to the message.
    code(Script::at(At::Dot, Do::Say("354 go ahead")), "unknown").await;
    not_sent(Script::at(At::Data, Do::Say("250 ok")), NotSent::Protocol).await;
    not_sent(Script::at(At::Mail, Do::Say("354 go ahead")), NotSent::Protocol).await;
    not_sent(Script::at(At::Auth, Do::Say("250 ok")), NotSent::Protocol).await;
}

#[tokio::test]
async fn starttls_that_is_missing_or_tampered_with_stops_before_the_password() {
    held(Script::offering(&["AUTH PLAIN", "SIZE 1000"]), Hold::StartTlsMissing).await;
    held(Script::at(At::StartTls, Do::Say("502 no such command")), Hold::StartTlsMissing).await;
    code(Script::at(At::StartTls, Do::Say("454 TLS not available")), "busy").await;
    let smuggled = "250 evil\r\n235 in\r\n250 ok\r\n250 ok\r\n354 ok\r\n250 lost";
    let (attempt, server) = attempt(Script::at(At::StartTls, Do::Smuggle(smuggled))).await;
    assert_eq!(attempt.code(), "not_sent", "smuggled replies are no replies: {attempt:?}");
    let secrets_told = server.commands().iter().any(|line| line.starts_with("AUTH"));
    assert!(!secrets_told, "the password was not sent: {:?}", server.commands());
}

#[tokio::test]
async fn a_certificate_for_another_name_is_not_trusted() {
    for (implicit, security) in [(false, Security::StartTls), (true, Security::ImplicitTls)] {
        let server = Server::named("elsewhere.example", implicit, vec![Script::default()]).await;
        let sender = sender_with(&server, &config(&server, security), ample()).await;
        let attempt = sender.deliver(&message()).await;
        assert!(
            matches!(attempt, Attempt::NotSent { reason: NotSent::Tls, .. }),
            "{security:?}: {attempt:?}"
        );
    }
}

#[tokio::test]
async fn a_refused_login_holds_the_account_and_a_busy_one_waits() {
    for line in [
        "535 5.7.8 Username and Password not accepted",
        "535 5.7.139 basic authentication is disabled",
        "534 5.7.9 Application-specific password required",
        "530 5.7.0 Authentication required",
    ] {
        held(Script::at(At::Auth, Do::Say(line)), Hold::Auth).await;
    }
    code(Script::at(At::Auth, Do::Say("454 4.7.0 Too many login attempts")), "busy").await;
    code(Script::at(At::Auth, Do::Say("421 4.7.0 closing")), "busy").await;
    held(Script::at(At::Auth, Do::Say("334 eyJzdGF0dXMiOiI0MDAifQ==")), Hold::Auth).await;
    // Encrypted, but no way to log in is offered.
    held(Script::offering(&["STARTTLS"]), Hold::Auth).await;
}

#[tokio::test]
async fn a_server_that_knows_only_auth_login_gets_it() {
    let script =
        Script::offering(&["STARTTLS", "AUTH LOGIN"]).with(At::Auth, Do::Say("334 VXNlcm5hbWU6"));
    let server = Server::start(false, vec![script]).await;
    let sender = sender(&server, ample()).await;
    assert_eq!(sender.deliver(&message()).await.code(), "sent");
}

#[tokio::test]
async fn four_twenty_one_at_any_step_is_busy() {
    for at in [At::Greeting, At::Ehlo, At::Auth, At::Mail, At::Rcpt, At::Data, At::Dot] {
        code(Script::at(at, Do::Say("421 4.3.2 closing")), "busy").await;
    }
}

#[tokio::test]
async fn greylisting_is_told_from_refusal() {
    for line in ["450 4.2.0 greylisted", "451 4.7.1 try later", "452 4.2.2 mailbox full"] {
        code(Script::at(At::Mail, Do::Say(line)), "greylisted").await;
        code(Script::at(At::Rcpt, Do::Say(line)), "greylisted").await;
    }
    code(Script::at(At::Rcpt, Do::Say("550 5.1.1 no such user")), "recipient_refused").await;
    code(Script::at(At::Rcpt, Do::Say("552 5.2.2 mailbox full")), "recipient_refused").await;
}

#[tokio::test]
async fn a_daily_limit_holds_the_account_although_the_code_says_never() {
    for at in [At::Auth, At::Mail, At::Rcpt, At::Dot] {
        held(
            Script::at(at, Do::Say("550 5.4.5 Daily user sending limit exceeded")),
            Hold::DailyLimit,
        )
        .await;
    }
    held(Script::at(At::Dot, Do::Say("554 5.7.0 too many messages")), Hold::DailyLimit).await;
}

#[tokio::test]
async fn a_refused_sender_holds_the_account() {
    held(Script::at(At::Mail, Do::Say("553 5.7.1 not your address")), Hold::SenderRefused).await;
    let line = "553 5.7.1 <x@y>: Sender address rejected: not owned by user";
    held(Script::at(At::Rcpt, Do::Say(line)), Hold::SenderRefused).await;
}

#[tokio::test]
async fn a_refused_message_is_rejected_and_a_passing_no_after_the_dot_is_not() {
    code(Script::at(At::Dot, Do::Say("554 5.7.1 spam")), "rejected").await;
    code(Script::at(At::Dot, Do::Say("451 4.3.0 later")), "greylisted").await;
}

#[tokio::test]
async fn quit_does_not_matter() {
    for fault in [Do::Close, Do::Say("500 what")] {
        let server = Server::start(false, vec![Script::at(At::Quit, fault)]).await;
        let sender = sender(&server, ample()).await;
        assert_eq!(sender.deliver(&message()).await.code(), "sent");
        sender.rest().await;
    }
}

#[tokio::test]
async fn a_server_that_is_not_smtp_is_called_so() {
    not_sent(Script::at(At::Greeting, Do::Say("HTTP/1.1 400 Bad Request")), NotSent::Protocol)
        .await;
    not_sent(Script::at(At::Greeting, Do::Say("SSH-2.0-OpenSSH_9.2")), NotSent::Protocol).await;
    // TLS at once to a server that begins in the clear.
    let server = Server::start(false, vec![Script::default()]).await;
    let sender = sender_with(&server, &config(&server, Security::ImplicitTls), ample()).await;
    let attempt = sender.deliver(&message()).await;
    assert!(matches!(attempt, Attempt::NotSent { reason: NotSent::Tls, .. }), "{attempt:?}");
}

#[tokio::test]
async fn nobody_there_and_no_such_name_are_told_apart() {
    let server = Server::start(false, vec![Script::default()]).await;
    let mut gone = config(&server, Security::StartTls);
    // A port that was just free.
    let listener = std::net::TcpListener::bind("127.0.0.1:0").expect("a port");
    gone.port = listener.local_addr().expect("an address").port();
    drop(listener);
    let attempt = sender_with(&server, &gone, ample()).await.deliver(&message()).await;
    assert!(matches!(attempt, Attempt::NotSent { reason: NotSent::Connect, .. }), "{attempt:?}");
    gone.server = "no-such-host.invalid".into();
    let attempt = sender_with(&server, &gone, ample()).await.deliver(&message()).await;
    assert!(matches!(attempt, Attempt::NotSent { reason: NotSent::Dns, .. }), "{attempt:?}");
}

#[tokio::test]
async fn a_missing_password_and_a_locked_keychain_hold_the_account() {
    let server = Server::start(false, vec![Script::default()]).await;
    let config = config(&server, Security::StartTls);
    for (secrets, expect) in
        [(Session::default(), Hold::SecretMissing), (Session::absent(), Hold::SecretsLocked)]
    {
        let sender = SmtpSender::new(&config, Arc::new(secrets)).expect("a sender");
        let attempt = sender.deliver(&message()).await;
        assert!(
            matches!(attempt, Attempt::AccountHeld { hold, .. } if hold == expect),
            "{attempt:?}"
        );
    }
    assert_eq!(server.connections(), 0, "the server is not bothered");
}

#[tokio::test]
async fn what_is_no_address_is_refused_before_anything_is_sent() {
    let server = Server::start(false, vec![Script::default()]).await;
    for wrong in
        ["noor", "noor@", "@mailhuis.example", "a b@c.example", "a@b@c.example", "a\r\n@c.example"]
    {
        let config = SmtpConfig { to: wrong.into(), ..config(&server, Security::StartTls) };
        let sender = SmtpSender::new(&config, Arc::new(Session::default()));
        assert!(matches!(sender, Err(ChannelError::Address(_))), "{wrong:?}");
    }
}
