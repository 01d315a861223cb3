//! A second channel beside mail: its own sender, its own trouble.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use firstknock_monitor::{ChannelConfig, DeliveryStage, QuietHours, TestOutcome, WebhookConfig};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpListener;

use crate::play::Play;
use crate::rules::{edit, hours_pass};

const MINUTE: Duration = Duration::from_secs(60);

/// An HTTP server that has trouble with the first request and takes all others.
async fn listener() -> (u16, Arc<Mutex<Vec<String>>>) {
    let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
    let port = listener.local_addr().expect("an address").port();
    let seen: Arc<Mutex<Vec<String>>> = Arc::default();
    let kept = Arc::clone(&seen);
    tokio::spawn(async move {
        while let Ok((mut stream, _)) = listener.accept().await {
            let mut request = Vec::new();
            while !is_whole(&request) {
                let mut part = [0; 4096];
                match stream.read(&mut part).await {
                    Ok(n) if n > 0 => request.extend_from_slice(&part[..n]),
                    _ => break,
                }
            }
            let first = {
                let mut seen = kept.lock().expect("seen");
                seen.push(String::from_utf8_lossy(&request).into_owned());
                seen.len() == 1
            };
            let status = if first { "500 Oh" } else { "200 OK" };
            let answer =
                format!("HTTP/1.1 {status}\r\ncontent-length: 0\r\nconnection: close\r\n\r\n");
            drop(stream.write_all(answer.as_bytes()).await);
        }
    });
    (port, seen)
}

fn is_whole(request: &[u8]) -> bool {
    let text = String::from_utf8_lossy(request);
    let Some((head, body)) = text.split_once("\r\n\r\n") else { return false };
    let length = head.lines().find_map(|line| {
        let (name, value) = line.split_once(':')?;
        name.eq_ignore_ascii_case("content-length").then(|| value.trim().parse::<usize>().ok())?
    });
    body.len() >= length.unwrap_or_default()
}

fn key(request: &str) -> Option<&str> {
    request.lines().find_map(|line| line.strip_prefix("idempotency-key: "))
}

#[tokio::test(flavor = "multi_thread")]
async fn a_webhook_in_trouble_holds_no_mail_and_gets_the_same_message_again_with_the_same_key() {
    let play = Play::begin(41).await;
    let (port, seen) = listener().await;
    let url = format!("http://127.0.0.1:{port}/hook");
    let config = ChannelConfig::Webhook(WebhookConfig { url, signed: false });
    play.engine().put_channel("hook", config, None).await.expect("kept");
    let names: Vec<String> =
        play.engine().channels().await.expect("read").into_iter().map(|c| c.name).collect();
    assert_eq!(names, ["hook"], "no desktop where nobody shows notifications");
    play.add("waterveen").await;
    play.until_checked(1, 12).await;
    play.site().add_home();
    let requests = || seen.lock().expect("seen").clone();
    play.clock
        .until("both", 10 * MINUTE, || play.mails().len() == 1 && requests().len() == 2)
        .await;
    let asked = requests();
    assert!(key(&asked[0]).is_some(), "{}", asked[0]);
    assert_eq!(key(&asked[0]), key(&asked[1]));
    let tested = play.engine().test_channel("hook").await.expect("tried");
    assert!(matches!(tested.outcome(), TestOutcome::Accepted { .. }), "{tested:?}");

    play.engine().remove_channel("hook").await.expect("removed");
    play.site().add_home();
    play.clock.until("the next mail", 5 * MINUTE, || play.mails().len() == 2).await;
    let rows = play.engine().store().run(|store| store.deliveries(9)).await.expect("read");
    assert_eq!(rows.iter().filter(|row| row.channel == "hook").count(), 1, "nothing new for it");
    assert!(rows.iter().all(|row| row.state == DeliveryStage::Sent));
    play.end().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_message_that_is_late_waits_for_the_end_of_quiet_hours() {
    let play = Play::begin(42).await;
    let (port, seen) = listener().await;
    let url = format!("http://127.0.0.1:{port}/hook");
    let config = ChannelConfig::Webhook(WebhookConfig { url, signed: false });
    play.engine().put_channel("hook", config, None).await.expect("kept");
    let id = play.add("waterveen").await;
    play.until_checked(1, 12).await;
    play.site().add_home();
    let requests = || seen.lock().expect("seen").clone();
    play.clock.until("one that fails", 10 * MINUTE, || requests().len() == 1).await;
    // The stage's clock shows a little after eight, UTC; the next try would come in seconds.
    let quiet = QuietHours { from_minute: 7 * 60, to_minute: 10 * 60, zone: "UTC".into() };
    edit(play.engine(), id, |wish| wish.quiet = Some(quiet)).await;
    hours_pass(&play, 90 * MINUTE).await;
    assert_eq!(requests().len(), 1, "nobody is woken by it");
    hours_pass(&play, 40 * MINUTE).await;
    let asked = requests();
    assert_eq!(asked.len(), 2, "once, when they are over");
    assert_eq!(key(&asked[0]), key(&asked[1]));
    play.end().await;
}
