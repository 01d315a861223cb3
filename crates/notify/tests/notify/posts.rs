//! ntfy, Telegram and the webhook against an HTTP server on loopback.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use firstknock_notify::secrets::Session;
use firstknock_notify::{
    Attempt, ChannelConfig, ChannelError, NtfyConfig, Secret, Secrets, TelegramConfig, Toast,
    Toaster, WebhookConfig, channel, render,
};
use firstknock_policy::delivery::{Hold, NotSent, Repeat};

use crate::support::alerts;
use crate::support::http::{Answer, Request, Server};

const TOKEN: &str = "123:bot-token";

fn ntfy(url: &str) -> ChannelConfig {
    ChannelConfig::Ntfy(NtfyConfig {
        server: url.into(),
        topic: "firstknock-k3y".into(),
        with_street: false,
        has_token: true,
    })
}

fn telegram(url: &str) -> ChannelConfig {
    ChannelConfig::Telegram(TelegramConfig { server: url.into(), chat: "42".into() })
}

fn webhook(url: &str) -> ChannelConfig {
    ChannelConfig::Webhook(WebhookConfig { url: url.into(), signed: true })
}

async fn secrets(config: &ChannelConfig) -> Arc<dyn Secrets> {
    let secrets = Session::default();
    let name = match config {
        ChannelConfig::Ntfy(ntfy) => ntfy.token(),
        ChannelConfig::Telegram(telegram) => telegram.token(),
        ChannelConfig::Webhook(webhook) => webhook.key(),
        other => panic!("{} has no secret", other.code()),
    };
    secrets.set(&name, Secret::new(TOKEN.into())).await.expect("kept");
    Arc::new(secrets)
}

/// One attempt; what came of it, and what the server saw.
async fn attempt(config: fn(&str) -> ChannelConfig, answer: Answer) -> (Attempt, Vec<Request>) {
    let server = Server::start(vec![answer]).await;
    let config = config(&server.url());
    let nowhere = std::path::Path::new("");
    let sender = channel(&config, secrets(&config).await, nowhere, None).expect("a sender");
    let message = render::outgoing(&config, &alerts::one(), &alerts::context());
    (sender.deliver(&message).await, server.requests())
}

#[tokio::test]
async fn each_channel_is_one_post() {
    let (sent, requests) = attempt(ntfy, Answer::Say("200 OK", "", "{}")).await;
    assert_eq!(sent.code(), "sent");
    let [request] = &requests[..] else { panic!("one request") };
    assert_eq!(request.line, "POST / HTTP/1.1");
    assert!(request.head.contains("authorization: bearer 123:bot-token"));
    let body: serde_json::Value = serde_json::from_str(&request.body).expect("JSON");
    assert_eq!(body["topic"], "firstknock-k3y");
    assert_eq!(body["title"], "€745 · Utrecht");
    assert_eq!(body["click"], "https://kamers.example/aanbod/1");

    let (sent, requests) = attempt(telegram, Answer::Say("200 OK", "", r#"{"ok":true}"#)).await;
    assert_eq!(sent.code(), "sent");
    let [request] = &requests[..] else { panic!("one request") };
    assert_eq!(request.line, "POST /bot123:bot-token/sendMessage HTTP/1.1");
    let body: serde_json::Value = serde_json::from_str(&request.body).expect("JSON");
    assert_eq!(body["chat_id"], "42");
    assert!(body["parse_mode"].is_null(), "nothing in a title is markup");

    let (sent, requests) = attempt(webhook, Answer::Say("204 No Content", "", "")).await;
    assert_eq!(sent.code(), "sent");
    let [request] = &requests[..] else { panic!("one request") };
    assert!(request.head.contains("idempotency-key: k3yofthisrow"), "{}", request.head);
    assert!(request.head.contains("x-firstknock-signature: sha256="), "{}", request.head);
    let body: serde_json::Value = serde_json::from_str(&request.body).expect("JSON");
    assert_eq!(body["listings"][0]["price"]["amount"], 745.0);
    assert_eq!(body["listings"][0]["news"], "new");
}

#[tokio::test]
async fn too_many_requests_and_server_trouble_are_not_sent_and_keep_the_wait() {
    let many = Answer::Say("429 Too Many Requests", "retry-after: 7\r\n", "slow down");
    for config in [ntfy, telegram, webhook] {
        let (told, _) = attempt(config, many.clone()).await;
        let expect = Attempt::NotSent {
            reason: NotSent::TooMany,
            retry_after: Some(Duration::from_secs(7)),
            words: "429 Too Many Requests: slow down".into(),
        };
        assert_eq!(told, expect);
        let (told, _) = attempt(config, Answer::Say("500 Internal Server Error", "", "")).await;
        assert!(matches!(told, Attempt::NotSent { reason: NotSent::Server, .. }), "{told:?}");
    }
    let body = r#"{"ok":false,"description":"Too Many Requests","parameters":{"retry_after":35}}"#;
    let (told, _) = attempt(telegram, Answer::Say("429 Too Many Requests", "", body)).await;
    let wait = Duration::from_secs(35);
    assert!(matches!(told, Attempt::NotSent { retry_after: Some(w), .. } if w == wait), "{told:?}");
}

#[tokio::test]
async fn a_dropped_connection_is_unknown_and_only_the_webhook_may_repeat_it() {
    for (config, expect) in [
        (ntfy as fn(&str) -> _, Repeat::Never),
        (telegram, Repeat::Never),
        (webhook, Repeat::Freely),
    ] {
        let (told, requests) = attempt(config, Answer::Drop).await;
        assert!(matches!(told, Attempt::Unknown { repeat, .. } if repeat == expect), "{told:?}");
        assert_eq!(requests.len(), 1, "nothing below us retries");
    }
}

#[tokio::test]
async fn nobody_listening_is_certainly_not_sent() {
    let listener = std::net::TcpListener::bind("127.0.0.1:0").expect("a port");
    let url = format!("http://{}", listener.local_addr().expect("an address"));
    drop(listener);
    for config in [ntfy(&url), telegram(&url), webhook(&url)] {
        let nowhere = std::path::Path::new("");
        let sender = channel(&config, secrets(&config).await, nowhere, None).expect("a sender");
        let message = render::outgoing(&config, &alerts::one(), &alerts::context());
        let told = sender.deliver(&message).await;
        assert!(matches!(told, Attempt::NotSent { reason: NotSent::Connect, .. }), "{told:?}");
        assert!(!told.words().contains(TOKEN), "no token in {told:?}");
    }
}

#[tokio::test]
async fn refusals_are_told_apart() {
    let (told, _) = attempt(webhook, Answer::Say("422 Unprocessable Content", "", "no")).await;
    assert_eq!(told.code(), "rejected");
    let (told, _) = attempt(webhook, Answer::Say("302 Found", "location: http://x/\r\n", "")).await;
    assert_eq!(told.code(), "rejected", "a body of ours is not sent on to elsewhere");
    for config in [ntfy, telegram, webhook] {
        let (told, _) = attempt(config, Answer::Say("401 Unauthorized", "", "")).await;
        assert!(matches!(told, Attempt::AccountHeld { hold: Hold::Auth, .. }), "{told:?}");
    }
    let chat = r#"{"ok":false,"description":"Bad Request: chat not found"}"#;
    let (told, _) = attempt(telegram, Answer::Say("400 Bad Request", "", chat)).await;
    assert_eq!(told.code(), "recipient_refused");
    let blocked = r#"{"ok":false,"description":"Forbidden: bot was blocked by the user"}"#;
    let (told, _) = attempt(telegram, Answer::Say("403 Forbidden", "", blocked)).await;
    assert_eq!(told.code(), "recipient_refused");
    let (told, _) = attempt(telegram, Answer::Say("404 Not Found", "", "{}")).await;
    assert_eq!(told.code(), "account_held");
}

#[derive(Default)]
struct Shown(Mutex<Vec<Toast>>);

impl Toaster for Shown {
    fn show(&self, toast: Toast) -> Result<(), String> {
        self.0.lock().expect("shown").push(toast);
        Ok(())
    }
}

#[tokio::test]
async fn a_notification_knows_what_to_open_and_what_to_mute() {
    let (shown, nowhere) = (Arc::new(Shown::default()), std::path::Path::new(""));
    let config = ChannelConfig::Desktop;
    let secrets = Arc::new(Session::default());
    let sender = channel(&config, secrets.clone(), nowhere, Some(shown.clone())).expect("a sender");
    let message = render::outgoing(&config, &alerts::one(), &alerts::context());
    assert_eq!(sender.deliver(&message).await.code(), "sent");
    let shown = shown.0.lock().expect("shown");
    assert_eq!(shown[0].title, "€745 · Utrecht");
    assert_eq!(shown[0].url.as_deref(), Some("https://kamers.example/aanbod/1"));
    assert_eq!(shown[0].search.map(|search| search.0), Some(7));
    assert!(matches!(channel(&config, secrets, nowhere, None), Err(ChannelError::NoDesktop)));
}

#[tokio::test]
async fn a_mail_without_an_account_becomes_a_file_and_a_repeat_the_same_file() {
    let folder = tempfile::tempdir().expect("a folder");
    let secrets = Arc::new(Session::default());
    let sender = channel(&ChannelConfig::File, secrets, folder.path(), None).expect("a sender");
    let context = render::Context { from: None, to: None, ..alerts::context() };
    let message = render::outgoing(&ChannelConfig::File, &alerts::one(), &context);
    for _ in 0..2 {
        let Attempt::Sent { reply } = sender.deliver(&message).await else { panic!("written") };
        assert!(reply.ends_with(".eml"), "{reply}");
        assert_eq!(std::fs::read(&reply).expect("the file"), message.body);
    }
    let files: Vec<_> = std::fs::read_dir(folder.path().join("mail"))
        .expect("the folder")
        .map(|file| file.expect("a file").file_name())
        .collect();
    assert_eq!(files, ["745-utrecht-zonnige-kamer-met-balkon-vrij-per-1-januari-k3yOfThisRow.eml"]);
}

#[tokio::test]
async fn a_full_or_read_only_disk_is_our_own_trouble() {
    let folder = tempfile::tempdir().expect("a folder");
    // A file where the folder should be: also the superuser cannot write into it.
    std::fs::write(folder.path().join("mail"), "").expect("written");
    let secrets = Arc::new(Session::default());
    let sender = channel(&ChannelConfig::File, secrets, folder.path(), None).expect("a sender");
    let message = render::outgoing(&ChannelConfig::File, &alerts::one(), &alerts::context());
    let told = sender.deliver(&message).await;
    assert!(matches!(told, Attempt::NotSent { reason: NotSent::Local, .. }), "{told:?}");
}
