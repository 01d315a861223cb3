//! A second channel beside mail: its own sender, its own trouble.

use std::time::Duration;

use firstknock_monitor::{ChannelConfig, DeliveryStage, QuietHours, TestOutcome, WebhookConfig};

use crate::http::{Answer, Request, Server};
use crate::play::Play;
use crate::rules::{edit, hours_pass};

const MINUTE: Duration = Duration::from_secs(60);

/// An HTTP server that has trouble with the first request and takes all others.
async fn listener() -> Server {
    let trouble = Answer::Say("500 Oh", "", "");
    Server::start(vec![trouble, Answer::Say("200 OK", "", "")]).await
}

fn key(request: &Request) -> Option<&str> {
    request.head.lines().find_map(|line| line.strip_prefix("idempotency-key: "))
}

#[tokio::test(flavor = "multi_thread")]
async fn a_webhook_in_trouble_holds_no_mail_and_gets_the_same_message_again_with_the_same_key() {
    let play = Play::begin(41).await;
    let server = listener().await;
    let url = format!("{}/hook", server.url());
    let config = ChannelConfig::Webhook(WebhookConfig { url, signed: false });
    play.engine().put_channel("hook", config, None).await.expect("kept");
    let names: Vec<String> =
        play.engine().channels().await.expect("read").into_iter().map(|c| c.name).collect();
    assert_eq!(names, ["hook"], "no desktop where nobody shows notifications");
    play.add("waterveen").await;
    play.until_checked(1, 12).await;
    play.site().add_home();
    let requests = || server.requests();
    play.clock
        .until("both", 10 * MINUTE, || play.mails().len() == 1 && requests().len() == 2)
        .await;
    let asked = requests();
    assert!(key(&asked[0]).is_some(), "{:?}", asked[0]);
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
    let server = listener().await;
    let url = format!("{}/hook", server.url());
    let config = ChannelConfig::Webhook(WebhookConfig { url, signed: false });
    play.engine().put_channel("hook", config, None).await.expect("kept");
    let id = play.add("waterveen").await;
    play.until_checked(1, 12).await;
    play.site().add_home();
    let requests = || server.requests();
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
