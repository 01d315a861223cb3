//! The mail account as the window sets it up, with the engine and a scripted mail server: a guess,
//! a password that is locked away.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use firstknock_ipc::{
    Command, GuessSource, KeepSecret, MailAccount, MailAccountShown, MailAddress, MailGuess,
    MailSecurity, Nothing,
};
use firstknock_monitor::store::OutboxRow;
use firstknock_monitor::{DeliveryStage, Rhythm, Tell};
use firstknock_notify::secrets::Session;
use firstknock_notify::{BoxFuture, Secret, SecretError, SecretName, Secrets};

use crate::again::{elsewhere, trust};
use crate::play::{Play, Props, decoded};
use crate::restored::ask;
use crate::rules::{edit, hours_pass};
use crate::smtp::{At, Do, Script, Server};

const MINUTE: Duration = Duration::from_secs(60);

/// An account at a server on loopback, as a person confirms it.
pub(crate) fn confirmed(server: &Server) -> MailAccount {
    MailAccount {
        from: "noor@mailhuis.example".into(),
        to: "noor@mailhuis.example".into(),
        server: "localhost".into(),
        port: server.address.port(),
        security: MailSecurity::Implicit,
        login: "noor@mailhuis.example".into(),
        password: Some("correct horse".into()),
        token: None,
        keep_secret: KeepSecret::Session,
    }
}

/// The newest rows of the outbox, newest first.
pub(crate) async fn rows(play: &Play) -> Vec<OutboxRow> {
    play.engine().store().run(|store| store.deliveries(50)).await.expect("read")
}

/// Waits until the newest message is where it should be.
pub(crate) async fn until_newest(play: &Play, state: DeliveryStage) -> OutboxRow {
    for _ in 0..4_000 {
        if let Some(row) = rows(play).await.into_iter().next().filter(|row| row.state == state) {
            return row;
        }
        play.clock.advance(Duration::from_millis(500));
        tokio::time::sleep(Duration::from_millis(4)).await;
    }
    panic!("{state:?} never came: {:?}", rows(play).await);
}

/// A place for secrets that a person can lock.
#[derive(Default)]
struct Lockable {
    kept: Session,
    locked: AtomicBool,
}

impl Secrets for Lockable {
    fn get<'a>(
        &'a self,
        name: &'a SecretName,
    ) -> BoxFuture<'a, Result<Option<Secret>, SecretError>> {
        if self.locked.load(Ordering::SeqCst) {
            return Box::pin(std::future::ready(Err(SecretError::Locked)));
        }
        self.kept.get(name)
    }

    fn set<'a>(
        &'a self,
        name: &'a SecretName,
        secret: Secret,
    ) -> BoxFuture<'a, Result<(), SecretError>> {
        self.kept.set(name, secret)
    }

    fn forget<'a>(&'a self, name: &'a SecretName) -> BoxFuture<'a, Result<(), SecretError>> {
        self.kept.forget(name)
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn mail_that_is_locked_waits_says_so_and_goes_once_when_it_is_unlocked() {
    let me = "account::mail_that_is_locked_waits_says_so_and_goes_once_when_it_is_unlocked";
    if elsewhere(me) {
        return;
    }
    let server = Server::start(true, vec![Script::default()]).await;
    trust(&server);
    let secrets = Arc::new(Lockable::default());
    let props = Props { secrets: Some(secrets.clone()), ..Props::default() };
    let play = Play::begin_with(51, props).await;
    let _: Nothing = ask(&play, Command::PutMail(confirmed(&server))).await.expect("kept");
    play.add("waterveen").await;
    play.until_checked(1, 12).await;
    secrets.locked.store(true, Ordering::SeqCst);
    play.site().add_home();
    let row = until_newest(&play, DeliveryStage::Held).await;
    assert_eq!(row.reason.as_deref(), Some("secrets_locked"));
    let held = || play.engine().board().borrow().facts.mail.held.clone();
    let locked = || held().as_deref() == Some("secrets_locked");
    play.clock.until("the row says that mail is locked", MINUTE, locked).await;
    hours_pass(&play, 10 * MINUTE).await;
    assert_eq!(server.connections(), 0, "without a password nobody is asked");
    // It looks every so often whether the secrets can be read.
    until_newest(&play, DeliveryStage::Held).await;

    secrets.locked.store(false, Ordering::SeqCst);
    until_newest(&play, DeliveryStage::Sent).await;
    hours_pass(&play, 10 * MINUTE).await;
    assert_eq!(server.messages().len(), 1, "once");
    assert_eq!(held(), None);
    play.end().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_guessed_account_is_nothing_until_a_person_confirms_it() {
    let me = "account::a_guessed_account_is_nothing_until_a_person_confirms_it";
    if elsewhere(me) {
        return;
    }
    let server = Server::start(true, vec![Script::default()]).await;
    trust(&server);
    let play = Play::begin(52).await;
    let address = MailAddress { address: "noor@mailhuis.invalid".into() };
    let guess: MailGuess = ask(&play, Command::GuessMail(address)).await.expect("a guess");
    assert_eq!(guess.source, GuessSource::Guess);
    assert_eq!((guess.server.as_str(), guess.token), ("smtp.mailhuis.invalid", None));
    let shown: Option<MailAccountShown> =
        ask(&play, Command::GetMail(Nothing {})).await.expect("read");
    assert_eq!(shown, None, "a guess is kept by nobody");
    play.add("waterveen").await;
    play.until_checked(1, 12).await;
    play.site().add_home();
    play.clock.until("a file", 5 * MINUTE, || play.mails().len() == 1).await;

    let _: Nothing = ask(&play, Command::PutMail(confirmed(&server))).await.expect("kept");
    play.site().add_home();
    play.clock.until("a mail", 5 * MINUTE, || server.messages().len() == 1).await;
    assert_eq!(play.mails().len(), 1, "no more files");
    play.end().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_digest_goes_at_its_own_time_also_if_its_account_was_held_and_works_again_before() {
    let me = "account::a_digest_goes_at_its_own_time_also_if_its_account_was_held_and_works_again_before";
    if elsewhere(me) {
        return;
    }
    let wrong = Script::at(At::Auth, Do::Say("535 5.7.8 authentication failed"));
    let server = Server::start(true, vec![wrong, Script::default()]).await;
    trust(&server);
    let play = Play::begin(55).await;
    let _: Nothing = ask(&play, Command::PutMail(confirmed(&server))).await.expect("kept");
    let daily = play.add("waterveen").await;
    let at_once = play.add("rietwijk").await;
    play.until_checked(2, 12).await;
    edit(play.engine(), at_once, |wish| wish.tell = Tell { new: false, ..wish.tell }).await;
    edit(play.engine(), daily, |wish| wish.rhythm = Rhythm::Digest).await;
    play.clock.until("a quiet moment", 10 * MINUTE, || play.is_quiet()).await;
    let home = play.site().add_home();
    let digest = until_newest(&play, DeliveryStage::Pending).await;
    let time = digest.next_at.expect("it has a time");
    // Another message meets the refusal, and the account is held with all that waits.
    assert!(play.site().reprice(play.site().homes()[5].id, 10));
    until_newest(&play, DeliveryStage::Held).await;
    let _: Nothing = ask(&play, Command::PutMail(confirmed(&server))).await.expect("kept");
    until_newest(&play, DeliveryStage::Sent).await;
    hours_pass(&play, 20 * MINUTE).await;
    assert_eq!(server.messages().len(), 1, "only the other one");
    let row = rows(&play).await.into_iter().find(|row| row.id == digest.id).expect("it waits");
    assert_eq!((row.state, row.next_at), (DeliveryStage::Pending, Some(time)));
    // The site is asked all the while; that is not what this test is about.
    play.engine().stop().await;
    let left = Duration::try_from(time.duration_since(play.now())).expect("ahead");
    play.clock.advance(left + MINUTE);
    play.clock.until("the digest", 5 * MINUTE, || server.messages().len() == 2).await;
    assert!(decoded(&server.messages()[1]).contains(&home.title));
    play.end().await;
}
