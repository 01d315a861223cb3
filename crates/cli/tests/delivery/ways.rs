//! Every other way to reach somebody, with the engine, its store and its outbox, against servers
//! that have trouble; and that one way's trouble is no other's.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use firstknock_listing::SearchId;
use firstknock_monitor::store::{OutboxRow, OutboxStep};
use firstknock_monitor::{
    ChannelConfig, DeliveryStage, NtfyConfig, Secret, TelegramConfig, WebhookConfig,
};
use firstknock_notify::{Toast, Toaster};
use hmac::{Hmac, Mac};

use crate::account::rows;
use crate::http::{Answer, Request, Server};
use crate::play::{Play, Props, decoded};
use crate::rules::hours_pass;

const MINUTE: Duration = Duration::from_secs(60);
const TAKEN: Answer = Answer::Say("200 OK", "", "{}");
const TOO_MANY: Answer = Answer::Say("429 Too Many Requests", "retry-after: 120\r\n", "");
const BROKEN: Answer = Answer::Say("500 Internal Server Error", "", "");

async fn begin(seed: u64, props: Props) -> (Play, SearchId) {
    let play = Play::begin_with(seed, props).await;
    let id = play.add("waterveen").await;
    play.until_checked(1, 12).await;
    (play, id)
}

async fn put(play: &Play, name: &str, config: ChannelConfig, secret: Option<&str>) {
    let secret = secret.map(|secret| Secret::new(secret.into()));
    play.engine().put_channel(name, config, secret).await.expect("kept");
}

fn ntfy(server: &Server, with_street: bool) -> ChannelConfig {
    let topic = "firstknock-k3y".to_owned();
    ChannelConfig::Ntfy(NtfyConfig { server: server.url(), topic, with_street, has_token: false })
}

fn telegram(server: &Server) -> ChannelConfig {
    ChannelConfig::Telegram(TelegramConfig { server: server.url(), chat: "42".into() })
}

fn webhook(server: &Server) -> ChannelConfig {
    let url = format!("{}/hook", server.url());
    ChannelConfig::Webhook(WebhookConfig { url, signed: true })
}

/// A channel's rows, oldest first.
async fn of(play: &Play, channel: &str) -> Vec<OutboxRow> {
    let mut all = rows(play).await;
    all.retain(|row| row.channel == channel);
    all.reverse();
    all
}

/// Lets time pass until a channel's message number `n` (from 1) is in this state.
async fn until(play: &Play, channel: &str, n: usize, state: DeliveryStage) -> OutboxRow {
    for _ in 0..8_000 {
        if let Some(row) = of(play, channel).await.into_iter().nth(n - 1)
            && row.state == state
        {
            return row;
        }
        play.clock.advance(Duration::from_millis(500));
        tokio::time::sleep(Duration::from_millis(4)).await;
    }
    panic!("{channel} {n} is not {state:?}: {:?}", of(play, channel).await);
}

async fn steps(play: &Play, row: &OutboxRow) -> Vec<OutboxStep> {
    let id = row.id;
    play.engine().store().run(move |store| store.delivery_steps(id)).await.expect("read")
}

fn bodies(server: &Server) -> Vec<String> {
    server.requests().into_iter().map(|request| request.body).collect()
}

/// How many seconds the far end was left alone after its first refusal.
async fn rest(play: &Play, row: &OutboxRow) -> i64 {
    let steps = steps(play, row).await;
    let refused = steps.iter().position(|step| step.state == DeliveryStage::RetryAt);
    let refused = refused.expect("a refusal");
    let next = steps[refused..].iter().find(|step| step.state == DeliveryStage::Sending);
    next.expect("another try").at.duration_since(steps[refused].at).as_secs()
}

#[derive(Default)]
struct Desk {
    shown: Mutex<Vec<Toast>>,
    /// The daemon is away for so many.
    away: Mutex<u32>,
}

impl Toaster for Desk {
    fn show(&self, toast: Toast) -> Result<(), String> {
        let mut away = self.away.lock().expect("away");
        if *away > 0 {
            *away -= 1;
            return Err("nobody shows notifications".into());
        }
        self.shown.lock().expect("shown").push(toast);
        Ok(())
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn the_desktop_shows_what_to_open_and_what_to_mute_once_its_daemon_is_there() {
    let desk = Arc::new(Desk::default());
    *desk.away.lock().expect("away") = 1;
    let (play, id) = begin(71, Props { toaster: Some(desk.clone()), ..Props::default() }).await;
    let home = play.site().add_home();
    until(&play, "desktop", 1, DeliveryStage::Sent).await;
    let shown = desk.shown.lock().expect("shown").clone();
    let [toast] = &shown[..] else { panic!("one: {shown:?}") };
    assert!(toast.title.contains(&home.rent.to_string()[..1]), "the price first: {toast:?}");
    assert!(toast.body.contains(&home.title), "{toast:?}");
    assert!(toast.url.as_ref().is_some_and(|url| url.contains(&home.id.to_string())), "{toast:?}");
    assert_eq!(toast.search, Some(id), "what \"Mute search\" mutes");
    assert_eq!(play.mails().len(), 1, "and the mail went as always");

    play.engine().remove_channel("desktop").await.expect("off");
    play.site().add_home();
    play.clock.until("the next mail", 5 * MINUTE, || play.mails().len() == 2).await;
    assert_eq!(desk.shown.lock().expect("shown").len(), 1, "switched off is off");
    play.end().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn ntfy_waits_as_it_is_told_and_tells_no_street_unless_that_is_wanted() {
    let (play, _) = begin(72, Props::default()).await;
    let server = Server::start(vec![TOO_MANY, BROKEN, TAKEN, Answer::Drop, TAKEN]).await;
    put(&play, "phone", ntfy(&server, false), None).await;
    let home = play.site().add_home();
    let row = until(&play, "phone", 1, DeliveryStage::Sent).await;
    assert!(rest(&play, &row).await >= 120, "its Retry-After");
    let said = bodies(&server);
    assert_eq!((said.len(), &said[0], &said[1]), (3, &said[2], &said[2]), "the same bytes");
    assert!(said[0].contains("firstknock-k3y") && !said[0].contains(&home.street), "{}", said[0]);
    assert!(decoded(&play.mails()[0]).contains(&home.street), "mail has it");

    // Whether this one arrived nobody knows, and ntfy would show it twice.
    play.site().add_home();
    until(&play, "phone", 2, DeliveryStage::MaybeDelivered).await;
    hours_pass(&play, 60 * MINUTE).await;
    assert_eq!(server.requests().len(), 4, "not again");

    put(&play, "phone", ntfy(&server, true), None).await;
    // What a person wrote down about a home is nobody else's.
    let known = play.engine().store().run(|store| store.deliveries(9)).await.expect("read");
    let listing = known.iter().flat_map(|row| &row.finds).last().expect("told").listing;
    let note = "ring Ada about it".to_owned();
    let marks = firstknock_monitor::store::ListingMarks { note: Some(note), ..Default::default() };
    play.engine()
        .store()
        .run(move |store| store.mark_listing(listing, &marks))
        .await
        .expect("kept");
    assert!(play.site().reprice(home.id, home.rent - 50));
    until(&play, "phone", 3, DeliveryStage::Sent).await;
    let last = bodies(&server).pop().expect("one");
    assert!(last.contains(&home.street) && !last.contains("Ada"), "{last}");
    play.end().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn telegram_waits_as_its_answer_says_and_a_closed_chat_is_given_up() {
    let (play, _) = begin(73, Props::default()).await;
    let slow = r#"{"ok":false,"description":"Too Many Requests","parameters":{"retry_after":35}}"#;
    let blocked = r#"{"ok":false,"description":"Forbidden: bot was blocked by the user"}"#;
    let server = Server::start(vec![
        Answer::Say("429 Too Many Requests", "", slow),
        TAKEN,
        Answer::Say("403 Forbidden", "", blocked),
        Answer::Say("401 Unauthorized", "", "{}"),
        TAKEN,
    ])
    .await;
    put(&play, "chat", telegram(&server), Some("123:bot-token")).await;
    let home = play.site().add_home();
    let row = until(&play, "chat", 1, DeliveryStage::Sent).await;
    assert!(rest(&play, &row).await >= 35);
    let asked = server.requests();
    assert_eq!(asked[1].line, "POST /bot123:bot-token/sendMessage HTTP/1.1");
    let body: serde_json::Value = serde_json::from_str(&asked[1].body).expect("JSON");
    assert_eq!(body["chat_id"], "42");
    assert!(body["text"].as_str().is_some_and(|text| text.contains(&home.title)), "{body}");

    play.site().add_home();
    let row = until(&play, "chat", 2, DeliveryStage::GivenUp).await;
    assert!(row.reply.as_deref().unwrap_or("").contains("blocked by the user"), "{row:?}");
    play.site().add_home();
    let row = until(&play, "chat", 3, DeliveryStage::Held).await;
    let history = format!("{row:?} {:?}", steps(&play, &row).await);
    assert!(!history.contains("bot-token"), "the token is in no history: {history}");
    put(&play, "chat", telegram(&server), Some("123:another")).await;
    until(&play, "chat", 3, DeliveryStage::Sent).await;
    assert_eq!(play.mails().len(), 3, "mail knew nothing of all that");
    play.end().await;
}

/// The head line of that name.
fn head<'a>(request: &'a Request, name: &str) -> &'a str {
    let line = request.head.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(": "));
    line.unwrap_or_else(|| panic!("no {name} in {}", request.head))
}

#[tokio::test(flavor = "multi_thread")]
async fn a_webhook_repeats_what_may_have_arrived_with_its_key_and_signs_every_byte() {
    let (play, _) = begin(74, Props::default()).await;
    let server = Server::start(vec![TOO_MANY, Answer::Drop, TAKEN]).await;
    put(&play, "hook", webhook(&server), Some("shared key")).await;
    let home = play.site().add_home();
    let row = until(&play, "hook", 1, DeliveryStage::Sent).await;
    assert!(rest(&play, &row).await >= 120);
    let asked = server.requests();
    assert_eq!(asked.len(), 3, "the broken connection's outcome was unknown, and repeated");
    let first = head(&asked[0], "idempotency-key");
    for request in &asked {
        assert_eq!(head(request, "idempotency-key"), first);
        assert_eq!(request.body, asked[0].body);
        let mut mac = Hmac::<sha2::Sha256>::new_from_slice(b"shared key").expect("a key");
        mac.update(request.body.as_bytes());
        let expect = format!("sha256={}", hex::encode(mac.finalize().into_bytes()));
        assert_eq!(head(request, "x-firstknock-signature"), expect);
    }
    let body: serde_json::Value = serde_json::from_str(&asked[0].body).expect("JSON");
    assert_eq!(body["listings"][0]["title"], home.title);
    play.end().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn one_ways_trouble_never_holds_another() {
    let desk = Arc::new(Desk::default());
    let (play, _) = begin(75, Props { toaster: Some(desk.clone()), ..Props::default() }).await;
    let nobody = Server::start(vec![TAKEN]).await;
    let refuses = Server::start(vec![Answer::Say("401 Unauthorized", "", "")]).await;
    let drops = Server::start(vec![Answer::Drop]).await;
    put(&play, "away", ntfy(&nobody, false), None).await;
    // From here on nobody listens there.
    drop(nobody);
    put(&play, "refused", telegram(&refuses), Some("123:wrong")).await;
    put(&play, "broken", webhook(&drops), Some("key")).await;
    for n in 1..=2 {
        let before = play.now();
        play.site().add_home();
        play.clock
            .until("mail and desktop", 5 * MINUTE, || {
                play.mails().len() == n && desk.shown.lock().expect("shown").len() == n
            })
            .await;
        assert!(play.now().duration_since(before).as_secs() < 200, "as if nothing were wrong");
    }
    for (channel, state) in [("refused", DeliveryStage::Held), ("away", DeliveryStage::RetryAt)] {
        assert!(of(&play, channel).await.iter().any(|row| row.state == state), "{channel}");
    }
    assert!(of(&play, "broken").await.iter().all(|row| row.state != DeliveryStage::Sent));
    play.end().await;
}
