//! Signing in with a token, as the window sets it up: a token server, a mail server that wants
//! XOAUTH2, and the engine between them.

use std::sync::Arc;
use std::time::Duration;

use firstknock_ipc::{Command, MailAccount, MailAccountShown, MailToken, Nothing, TestResult};
use firstknock_monitor::DeliveryStage;
use firstknock_notify::Secrets;
use firstknock_notify::secrets::Session;

use crate::account::{confirmed, rows, until_newest};
use crate::again::{elsewhere, trust};
use crate::http::{self, Answer};
use crate::play::{Play, Props};
use crate::restored::ask;
use crate::rules::hours_pass;
use crate::smtp::{At, Do, Script, Server};

const MINUTE: Duration = Duration::from_secs(60);
/// It runs out before it is used a second time.
const GRANTED: Answer =
    Answer::Say("200 OK", "", r#"{"access_token": "opens once", "expires_in": 1}"#);
const REFRESH: &str = "refresh-me-7Kq2";
const CLIENT_SECRET: &str = "of-the-client-9Zx4";

fn with_token(server: &Server, tokens: &http::Server, refresh: &str) -> MailAccount {
    let token = MailToken {
        token_url: tokens.url(),
        client_id: "a client of noor's own".into(),
        has_client_secret: true,
        client_secret: Some(CLIENT_SECRET.into()),
        // As it is pasted.
        refresh_token: Some(format!("{refresh} ")),
    };
    MailAccount { password: None, token: Some(token), ..confirmed(server) }
}

async fn put(play: &Play, account: MailAccount) {
    let _: Nothing = ask(play, Command::PutMail(account)).await.expect("kept");
}

fn held(play: &Play) -> (Option<String>, Option<String>) {
    let mail = play.engine().board().borrow().facts.mail.clone();
    (mail.held, mail.hint)
}

/// The error comes as a challenge of JSON; the code comes after an empty answer.
fn refusing() -> Script {
    Script::at(At::Auth, Do::Say("334 eyJzdGF0dXMiOiI0MDEifQ=="))
        .with(At::AuthAnswer, Do::Say("535 5.7.8 not accepted"))
}

#[tokio::test(flavor = "multi_thread")]
async fn a_token_is_tested_kept_renewed_once_when_it_is_refused_and_held_when_it_is_again() {
    let me =
        "token::a_token_is_tested_kept_renewed_once_when_it_is_refused_and_held_when_it_is_again";
    if elsewhere(me) {
        return;
    }
    let good = Script::default;
    // The test; the first alert and its second try; the second alert twice; what comes after.
    let scripts = vec![good(), refusing(), good(), refusing(), refusing(), good()];
    let server = Server::start(true, scripts).await;
    trust(&server);
    let tokens = http::Server::start(vec![GRANTED]).await;
    let play = Play::begin(53).await;
    let account = with_token(&server, &tokens, REFRESH);
    let tested: TestResult = ask(&play, Command::TestMail(account.clone())).await.expect("tried");
    assert!(matches!(tested, TestResult::Accepted { .. }), "{tested:?}");
    let asked = tokens.requests();
    let form = format!(
        "grant_type=refresh_token&client_id=a+client+of+noor%27s+own&refresh_token={REFRESH}\
         &client_secret={CLIENT_SECRET}"
    );
    assert_eq!(asked[0].body, form);
    let shown: Option<MailAccountShown> =
        ask(&play, Command::GetMail(Nothing {})).await.expect("read");
    assert_eq!(shown, None, "a test keeps nothing");

    put(&play, account).await;
    let shown: Option<MailAccountShown> =
        ask(&play, Command::GetMail(Nothing {})).await.expect("read");
    let shown = shown.expect("kept");
    assert!(shown.has_secret && shown.token.as_ref().is_some_and(|t| t.has_client_secret));
    let said = serde_json::to_string(&shown).expect("JSON");
    assert!(!said.contains(REFRESH) && !said.contains(CLIENT_SECRET), "{said}");
    let database = play.engine().folder().path().join(firstknock_monitor::store::DB_FILE);
    let database = std::fs::read(database).expect("the database");
    let has = |secret: &str| database.windows(secret.len()).any(|w| w == secret.as_bytes());
    assert!(!has(REFRESH) && !has(CLIENT_SECRET), "no secret is in the database");

    play.add("waterveen").await;
    play.until_checked(1, 12).await;
    play.site().add_home();
    until_newest(&play, DeliveryStage::Sent).await;
    assert_eq!((server.connections(), server.messages().len()), (3, 2), "refused once, then sent");

    play.site().add_home();
    let row = until_newest(&play, DeliveryStage::Held).await;
    assert_eq!(row.reason.as_deref(), Some("auth"));
    assert_eq!(row.reply.as_deref(), Some("535 5.7.8 not accepted"));
    hours_pass(&play, 10 * MINUTE).await;
    assert_eq!(server.connections(), 5, "twice, and then nobody is hammered");
    assert_eq!(held(&play), (Some("auth".into()), Some("hint_oauth_refused".into())));

    put(&play, with_token(&server, &tokens, "a better one")).await;
    until_newest(&play, DeliveryStage::Sent).await;
    assert_eq!(server.messages().len(), 3, "nothing is lost");
    play.end().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_token_server_that_is_away_is_asked_again_and_one_that_refuses_holds_the_account() {
    let me =
        "token::a_token_server_that_is_away_is_asked_again_and_one_that_refuses_holds_the_account";
    if elsewhere(me) {
        return;
    }
    let server = Server::start(true, vec![Script::default()]).await;
    trust(&server);
    let tokens = http::Server::start(vec![
        Answer::Say("401 Unauthorized", "", r#"{"error": "invalid_client"}"#),
        Answer::Drop,
        Answer::Say("503 Service Unavailable", "retry-after: 120\r\n", ""),
        GRANTED,
        Answer::Say("400 Bad Request", "", r#"{"error": "invalid_grant"}"#),
        GRANTED,
    ])
    .await;
    let play = Play::begin(54).await;
    let account = with_token(&server, &tokens, REFRESH);
    let tested: TestResult = ask(&play, Command::TestMail(account.clone())).await.expect("tried");
    let wrong = TestResult::Refused {
        hint: Some("hint_oauth_client".into()),
        words: format!("{}: 401 invalid_client", tokens.address),
    };
    assert_eq!(tested, wrong);

    put(&play, account).await;
    play.add("waterveen").await;
    play.until_checked(1, 12).await;
    play.site().add_home();
    let row = until_newest(&play, DeliveryStage::Sent).await;
    let steps = play.engine().store().run(move |store| store.delivery_steps(row.id)).await;
    let steps = steps.expect("read");
    let tries: Vec<_> = steps.iter().filter(|s| s.state == DeliveryStage::RetryAt).collect();
    assert_eq!(tries.len(), 2, "{steps:?}");
    let name = tokens.address.to_string();
    assert!(tries.iter().all(|step| step.reply.as_deref().unwrap_or("").starts_with(&name)));
    let sent = steps.last().expect("steps").at;
    assert!(sent.duration_since(tries[1].at).as_secs() >= 120, "its own wait is kept");
    assert_eq!(server.connections(), 1, "without a token the mail server is not asked");

    play.site().add_home();
    let row = until_newest(&play, DeliveryStage::Held).await;
    assert_eq!(row.reply, Some(format!("{name}: 400 invalid_grant")));
    hours_pass(&play, 10 * MINUTE).await;
    assert_eq!((tokens.requests().len(), server.connections()), (5, 1));
    assert_eq!(held(&play), (Some("auth".into()), Some("hint_oauth_again".into())));

    put(&play, with_token(&server, &tokens, "a new one")).await;
    until_newest(&play, DeliveryStage::Sent).await;
    assert!(tokens.requests()[5].body.contains("refresh_token=a+new+one&"));
    assert_eq!(server.messages().len(), 2, "nothing is lost");
    assert_eq!(rows(&play).await.len(), 2);
    play.end().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_token_that_was_replaced_while_it_was_tested_is_kept_as_it_is_now_and_goes_with_its_account()
 {
    let me = "token::a_token_that_was_replaced_while_it_was_tested_is_kept_as_it_is_now_and_goes_with_its_account";
    if elsewhere(me) {
        return;
    }
    let server = Server::start(true, vec![Script::default()]).await;
    trust(&server);
    let renewed = r#"{"access_token": "a", "expires_in": 1, "refresh_token": "the second"}"#;
    let tokens = http::Server::start(vec![Answer::Say("200 OK", "", renewed), GRANTED]).await;
    let secrets = Arc::new(Session::default());
    let props = Props { secrets: Some(secrets.clone()), ..Props::default() };
    let play = Play::begin_with(56, props).await;
    let account = with_token(&server, &tokens, REFRESH);
    // The window sends what was typed twice: for the test, and to be kept.
    for _ in 0..2 {
        let tested: TestResult =
            ask(&play, Command::TestMail(account.clone())).await.expect("tried");
        assert!(matches!(tested, TestResult::Accepted { .. }), "{tested:?}");
    }
    put(&play, account).await;
    play.add("waterveen").await;
    play.until_checked(1, 12).await;
    play.site().add_home();
    until_newest(&play, DeliveryStage::Sent).await;
    let asked: Vec<String> = tokens.requests().into_iter().map(|request| request.body).collect();
    assert!(asked[0].contains(REFRESH), "{asked:?}");
    assert!(asked[1..].iter().all(|body| body.contains("=the+second&")), "{asked:?}");

    let kept = play.engine().account().await.expect("read").expect("kept");
    let names = [kept.refresh_token(), kept.client_secret()];
    for name in &names {
        assert!(matches!(secrets.get(name).await, Ok(Some(_))), "{name:?}");
    }
    put(&play, confirmed(&server)).await;
    for name in &names {
        assert!(matches!(secrets.get(name).await, Ok(None)), "{name:?} is of no use any more");
    }
    assert!(matches!(secrets.get(&kept.password()).await, Ok(Some(_))));
    play.end().await;
}
